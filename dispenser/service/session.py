"""One session: a launcher machine, a table and a driver on one open journal. Handles one event after the other."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from dispenser.drivers.base import Driver, DriverError
from dispenser.drivers.fallback import FallbackDriver
from dispenser.i18n import Text
from dispenser.journal import ERASED, Journal, JournalError, Record
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.service.bots import Bots
from dispenser.service.evening import CommandResult, Evening
from dispenser.service.evenings import span_of
from dispenser.service.event_bus import EventBus
from dispenser.service.journal_writer import JournalWriter
from dispenser.service.presence import Presence
from dispenser.service.replay import replay_launcher
from dispenser.service.requests import NoSessionError, checked
from dispenser.table import messages as t
from dispenser.table.errors import TableRefusal
from dispenser.version import VERSION

if TYPE_CHECKING:
    from dispenser.launcher.settings import MachineSettings
    from dispenser.odds.odds import Odds

_log = logging.getLogger(__name__)


@dataclass
class SessionConfig:
    """What sessions are made of.

    :param open_journal: opens the journal; tried again once a second while it fails.
    :param make_odds: odds for a seed.
    :param new_seed: the secret seed of a start, given the journal's last ``seq`` before it.
    :param cards_inside: cards in the stack at the first start, when that is known for sure; else the journal remembers.
    :param idle_end_s: so long without a phone, a screen or a push of the button, and an evening is over, seconds.
    :param about: what the journal tells of it besides the version: a bug report needs the settings in force.
    """

    settings: MachineSettings
    open_journal: Callable[[], Journal]
    make_odds: Callable[[bytes], Odds]
    new_seed: Callable[[int], bytes]
    cards_inside: int | None = None
    idle_end_s: float = 4 * 3600.0
    about: dict[str, Any] = field(default_factory=dict)


class Session:
    """Machine, journal and driver, joined.

    What the machine answers is carried out in this order: stop, journal, other commands, listeners. So the motor
    never waits for the disk to stop, never starts for something that is not in the journal, and nobody hears of what
    a crash or a power cut could undo: see ``JournalWriter``.

    A ``JournalError`` of any method means that the session must end: ``failed`` is told, or the error is raised.

    :ivar first: what it has written so far, to be published when it is in place; it is not switched on yet.
    :ivar memory: what the journal tells of the launcher.
    """

    def __init__(
        self,
        session_config: SessionConfig,
        journal: Journal,
        driver: Driver,
        event_bus: EventBus,
        enqueue: Callable[[m.Event], object],
        *,
        failed: Callable[[Session, JournalError], object],
        present: Presence,
    ) -> None:
        self.memory = memory = replay_launcher(journal)
        self.evening = Evening(journal, session_config.settings.max_burst_cards, present)
        self._idle_end_s = session_config.idle_end_s
        seed = session_config.new_seed(journal.last_seq)
        odds = session_config.make_odds(seed)
        event_bus.journal = journal
        self.writer = JournalWriter(journal, event_bus.publish, partial(failed, self), seed=seed, odds=odds.describe())
        self.first = self.writer.start(
            {"version": VERSION} | session_config.about,
            _told([memory.lost] if memory.lost else []),
            _told([*self.evening.lost_bursts(memory.lost), *self.evening.pause()]),
        )
        for entry in self.first:
            memory.apply(entry)
        self.machine = LauncherMachine(
            session_config.settings,
            odds,
            presses=memory.presses,
            cards_inside=memory.cards_inside,
            dud_streak=memory.dud_streak,
        )
        random = Random(seed)  # noqa: S311 - they play a game
        self.bots = Bots(self.evening, self.tell, enqueue, lambda: self.machine.snapshot().refusal is not None, random)
        self._driver = driver
        self._enqueue = enqueue
        self._failed = failed
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    @property
    def busy(self) -> bool:
        """A press is under way."""
        return self.machine.state in (m.State.SUSPENSE, m.State.FEEDING, m.State.RETRACTING)

    def handle(self, event: m.Event) -> list[Record]:
        """One event, all the way; return the entries that it made."""
        if isinstance(event, m.EnterCount):  # what is believed now, not when it was asked
            ended = self.memory.ended.get(event.press)
            event = msgspec.structs.replace(event, counted_before=(ended and ended.count) or 0)
        if event == m.Press():  # the launcher's own button
            self.evening.present.active()
        outputs = self.machine.step(event, self._loop.time())
        return self._carry_out(outputs, self.evening.on_launcher_events(_events(outputs)))

    def tell(
        self,
        tell: t.Tell,
        *,
        person: int | None = None,
        owner: bool = False,
        at: int | None = None,
        request: str | None = None,
    ) -> CommandResult:
        """Somebody says something to the table: see ``Service``."""
        with self.ends_if_journal_fails():
            said = self.evening.say(tell, person=person, owner=owner, at=at, request=request)
            if said.entries:
                self._carry_out([], said.entries)
            if said.over:
                self.evening.forget(said.over)
        if isinstance(tell, t.TellCount):
            self._enqueue(m.EnterCount(tell.press, tell.cards))
        elif self.evening.draws(said.entries):
            self._enqueue(m.Press("table"))
        return said

    def look_after(self) -> None:
        """Once a second: end an evening that everybody has left (its results are kept), and tidy the journal."""
        if self.evening.is_open and self.evening.present.idle_s > self._idle_end_s:
            _log.info("nobody has been at the table for %.0f s: the evening is over", self._idle_end_s)
            self.tell(t.Close(), owner=True)
        if not self.busy:
            self.writer.tidy()

    @contextmanager
    def ends_if_journal_fails(self) -> Iterator[None]:
        """A ``JournalError`` ends this session.

        :raises NoSessionError: instead of it, for whoever asked for something.
        """
        try:
            yield
        except JournalError as error:
            self._failed(self, error)
            raise NoSessionError(error.text) from error

    def _carry_out(self, outputs: list[m.Output], told: list[t.Entry]) -> list[Record]:
        """What machine and table have answered; then the order that follows for the next push."""
        ordered: list[m.Output] = []
        if (order := self.evening.order()) is not None:
            ordered = self.machine.step(order, self._loop.time())
        commands = [output for output in (*outputs, *ordered) if isinstance(output, m.Command)]
        if m.Stop() in commands:
            self._driver.stop()
        entries = self.writer.write(
            ("launcher", _told(_events(outputs))), ("table", _told(told)), ("launcher", _told(_events(ordered)))
        )
        for entry in entries:
            self.memory.apply(entry)
        try:
            for command in commands:
                if not isinstance(command, m.Stop):
                    self._driver.give(command)
        finally:  # what is in the journal is told, whatever the driver does
            self._set_timer()
            self.writer.publish(entries)
            self.bots.look()
        return entries

    def note(self, type_: str, data: dict[str, Any], source: str) -> Record:
        """Write down something that happened around the launcher, and tell all."""
        with self.ends_if_journal_fails():
            entries = self.writer.write((source, [(type_, data)]))
        self.writer.publish(entries)
        return entries[0]

    def delete_evening(self, id_: str, *, by: int | None, request: str | None) -> Record:
        """Take all that the table wrote of an evening out of the journal, and tell of it: see ``Service``."""
        journal = self.writer.journal
        with self.ends_if_journal_fails():
            if request is not None and (answered := journal.answer_to(request)) is not None:
                return checked(answered, request, ERASED, {"table": id_})
            span = span_of(journal, id_)
            if span.last is None:
                raise TableRefusal(Text("This evening is under way. End it first."), "under_way")
            told = {"table": id_, "by": by, "request": request}
            entries = journal.erase(span.first, span.last, "table.", "table", told)
        self.writer.publish(entries)
        return entries[0]

    def look_again(self) -> bool | None:
        """Whether the exit is blocked now; and should the lid not be what the machine believes, it hears of that.

        A person who resets has looked, and a driver that has recovered may never have been able to tell.
        """
        known = self.machine.snapshot()
        try:
            levels = self._driver.levels()
        except DriverError:
            return None  # the driver itself says so, and when it has recovered
        if levels.lid_open != known.lid_open:
            self._enqueue(m.LidOpened() if levels.lid_open else m.LidClosed())
        return levels.exit_blocked

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        deadline = self.machine.deadline
        self._timer = None if deadline is None else self._loop.call_at(deadline, self._enqueue, m.Tick())

    def close(self) -> None:
        """Switch off, reveal the seed, close the journal."""
        try:
            self.handle(m.SwitchOff())
            self.writer.stop()
        except JournalError as error:
            _log.error("the end could not be recorded: %s", error)
        self.abandon()

    def abandon(self) -> None:
        """Let go of the journal as it is; the next session tells what was left open."""
        self.bots.close()
        if self._timer is not None:
            self._timer.cancel()
        self.writer.close()


def first_events(driver: FallbackDriver) -> list[m.Event]:
    """What a fresh machine hears of its driver: the levels as far as they are known, and that it is not well.

    A lid that nobody can ask counts as open. Whatever failed before, the last word is how it is now: a driver tells of
    a failure and of its end once each, and both may have gone to a session that is no more.
    """
    failures: list[m.Event] = []
    switch_on = m.SwitchOn(lid_open=True)
    try:
        levels = driver.levels()
        switch_on = m.SwitchOn(levels.lid_open, levels.exit_blocked, driver.stands_in)
    except DriverError as error:
        failures.append(m.DriverFailed(error.text))
    if (still := driver.lasting) is not None:  # asked last: to ask for the levels may be what finds it
        return [switch_on, *failures, still]
    return [switch_on, *failures, m.DriverRecovered()] if failures else [switch_on]


def _events(outputs: list[m.Output]) -> list[m.Notice]:
    return [output for output in outputs if not isinstance(output, m.Command)]


def _told(events: Sequence[m.Notice | t.Entry]) -> list[tuple[str, dict[str, Any]]]:
    return [(event.type, msgspec.to_builtins(event)) for event in events]
