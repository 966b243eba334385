"""One session: machine, table and driver on one open journal. Handles one event after the other.

Order for each event: stop the motor, commit, start the motor and other outputs, fsync on another thread (once for all
commits before it), publish. So the motor never waits for the disk and never starts for an event that is not in the
journal, and no subscriber gets a record that a power cut could undo. A journal in memory is published at once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from dispenser.drivers.base import DriverError
from dispenser.drivers.fallback import FallbackDriver
from dispenser.i18n import Text
from dispenser.journal import DAMAGED, Journal, JournalError, Record
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.odds import fairness
from dispenser.service.event_bus import EventBus
from dispenser.service.replay import COMMITTED, REVEALED, evening_under_way, replay_launcher, seeds_left_open
from dispenser.service.requests import NoSessionError
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.version import VERSION

if TYPE_CHECKING:
    from dispenser.service.bots import Bots
    from dispenser.service.evening import CommandResult, Evening
    from dispenser.service.launcher_service import LauncherService

_log = logging.getLogger(__name__)


class Session:
    """Machine, journal and driver of one session. A ``JournalError`` or ``DriverError`` of any method must end it.

    :ivar first: the records that the constructor wrote, on disk, to be published; the launcher is not switched on yet.
    :ivar memory: the launcher's state replayed from the journal.
    """

    def __init__(self, service: LauncherService, journal: Journal, event_bus: EventBus) -> None:
        self.journal = journal
        self._service, self._event_bus = service, event_bus
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._unpublished: list[Record] = []
        self._safe = 0  # number of the newest record on disk
        self._syncing: asyncio.Future[None] | None = None
        self._why_not: Text | None = None
        self._seed = service.new_seed(journal.last_seq)
        odds = service.make_odds(self._seed)
        self.odds, self.commitment = odds.describe(), fairness.commitment(self._seed)
        self.memory = memory = replay_launcher(journal)
        self._evening: Evening | None = None
        self.bots: Bots | None = None
        at_table = []
        if evening_under_way(journal) is not None:
            at_table = [*self.evening.lost_bursts(memory.lost), *self.evening.pause()]
        event_bus.use(journal)
        self.first = self._begin(at_table)
        for record in self.first:
            memory.apply(record)
        self.machine = LauncherMachine(
            service.settings,
            odds,
            presses=memory.presses,
            cards_inside=memory.cards_inside,
            dud_streak=memory.dud_streak,
        )

    def _begin(self, at_table: list[e.Event]) -> list[Record]:
        """Write journal damage, what a killed service left open, version and settings, and the commitment."""
        simulated, settings = self._service.simulator is not None, self._service.all_settings.for_journal()
        about = {"version": VERSION, "simulated": simulated, "settings": settings}
        known = [record.data for record in self.journal.read(types=[DAMAGED], last=100)]
        for each in self.journal.damage:
            _log.error("%s", each.text)
        first = [(DAMAGED, each.data()) for each in self.journal.damage if each.data() not in known]
        first += _stored([self.memory.lost] if self.memory.lost else [])
        left_open = seeds_left_open(self.journal)
        first += [(REVEALED, {"commitment": commitment, "seed": seed}) for commitment, seed in left_open]
        first += [("service.started", about)]
        first += [(COMMITTED, {"commitment": self.commitment, "odds": self.odds})]
        self.journal.put_secret(self.commitment, self._seed.hex())
        records = self.journal.append_batches(("service", first), ("table", _stored(at_table)))
        self.journal.checkpoint()  # its seed must survive a power cut before the commitment is published
        self._safe = self.journal.written
        for commitment, _ in left_open:
            self.journal.forget_secret(commitment)
        return records

    @property
    def evening(self) -> Evening:
        """The table, open or not. The first access imports the games, a fifth of all that a start imports."""
        if self._evening is None:
            from dispenser.service.bots import Bots
            from dispenser.service.evening import Evening

            self._evening = Evening(self.journal, self._service.settings.max_burst_cards, self._service.present)
            random = Random(self._seed)  # noqa: S311 - they play a game
            self.bots = Bots(self._evening, self._service, lambda: self.machine.snapshot().refusal, random)
        return self._evening

    @property
    def stands_in(self) -> bool:
        """Whether a phone stands in for the launcher."""
        return self._evening is not None and self._evening.is_open and self._evening.table.stand_in is not None

    @property
    def busy(self) -> bool:
        """Whether a press is under way."""
        return self.machine.state in (m.State.SUSPENSE, m.State.FEEDING, m.State.RETRACTING)

    def unrevealed(self, commitment: str) -> bytes | None:
        """Return the secret of the evening under way for its commitment. May be called from any thread."""
        return self._evening.unrevealed.get(commitment) if self._evening else None

    # --- event handling ---

    def handle(self, event: m.Event) -> list[Record]:
        """Handle one event completely; return the records that it produced."""
        if isinstance(event, m.EnterCount):  # the count known now, not when it was requested
            ended = self.memory.ended.get(event.press)
            event = msgspec.structs.replace(event, counted_before=(ended and ended.count) or 0)
        if event == m.Press():  # the launcher's own button
            self._service.present.active()
        outputs = self.machine.step(event, self._loop.time())
        return self._carry_out(outputs, self._evening.on_launcher_events(_events(outputs)) if self._evening else [])

    def take_result(self, command: c.Command, result: CommandResult) -> None:
        """Write the events of a command at the table and enqueue the launcher's event that follows from it."""
        if result.events:
            self._carry_out([], result.events)
        if result.over:
            self.evening.forget(result.over)
        if isinstance(command, c.SetCount):
            self._service.enqueue(m.EnterCount(command.press, command.cards))
        elif self.evening.draws(result.events):
            self._service.enqueue(m.Press("table"))

    def _carry_out(self, outputs: list[m.Output], told: list[e.Event]) -> list[Record]:
        """Carry out the outputs of machine and table, and the resulting order for the next push."""
        ordered: list[m.Output] = []
        if self._evening is not None and (order := self._evening.order()) is not None:
            ordered = self.machine.step(order, self._loop.time())
        commands = [output for output in (*outputs, *ordered) if isinstance(output, m.Command)]
        if m.Stop() in commands:
            self._service.driver.stop()
        records = self.journal.append_batches(
            ("launcher", _stored(_events(outputs))), ("table", _stored(told)), ("launcher", _stored(_events(ordered)))
        )
        for record in records:
            self.memory.apply(record)
        try:
            for command in commands:
                if not isinstance(command, m.Stop):
                    self._service.driver.give(command)
        finally:  # what is in the journal is published even if the driver fails
            self._set_timer()
            self.publish(records)
            if self.bots is not None:
                self.bots.look()
        return records

    def look_again(self) -> bool | None:
        """Return whether the exit is blocked now; enqueue a lid event if the machine has the wrong lid state."""
        try:
            levels = self._service.driver.levels()
        except DriverError:
            return None  # the driver reports its failure and recovery itself
        if levels.lid_open != self.machine.snapshot().lid_open:
            self._service.enqueue(m.LidOpened() if levels.lid_open else m.LidClosed())
        return levels.exit_blocked

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        deadline = self.machine.deadline
        self._timer = None if deadline is None else self._loop.call_at(deadline, self._service.enqueue, m.Tick())

    # --- once a second ---

    def every_second(self) -> None:
        idle_s = self._service.present.idle_s
        is_open = self._evening is not None and self._evening.is_open
        if is_open and idle_s > self._service.all_settings.table.idle_end_s:
            _log.info("nobody has been at the table for %.0f s: the evening is over", idle_s)
            self._service.execute(c.Close(), owner=True)
        if not self.busy:
            self.journal.flush_edges()
            if self._syncing is None:  # otherwise the loop would wait for the disk as well
                self.journal.checkpoint()

    # --- fsync and publishing ---

    def publish(self, records: list[Record]) -> None:
        """Publish records to the subscribers as soon as they are on disk."""
        if self.journal.path is None:
            self._event_bus.publish(records)
        elif records and self._why_not is None:
            self._unpublished += records
            self._sync_soon()

    async def safe(self) -> None:
        """Wait until all records written so far are on disk.

        :raises NoSessionError: the disk reports an error.
        """
        newest = self.journal.written
        while self._why_not is None and self.journal.path is not None and self._safe < newest:
            await asyncio.wait([self._sync_soon()])
        if self._why_not is not None:
            raise NoSessionError(self._why_not)

    def _sync_soon(self) -> asyncio.Future[None]:
        """Start a sync unless one is running; what is written meanwhile waits for the next one."""
        if self._syncing is None:
            self._syncing = self._loop.run_in_executor(None, self.journal.sync)
            self._syncing.add_done_callback(partial(self._sync_ended, self.journal.written))
        return self._syncing

    def _sync_ended(self, newest: int, sync: asyncio.Future[None]) -> None:
        self._syncing = None
        if sync.cancelled():
            return
        try:
            sync.result()
        except JournalError as error:
            self._why_not, self._unpublished = error.text, []
            self._service.session_failed(self, error)
            return
        self._synced(newest)
        if self._unpublished:
            self._sync_soon()

    def _synced(self, newest: int) -> None:
        self._safe = newest
        safe = [record for record in self._unpublished if record.seq <= newest]
        del self._unpublished[: len(safe)]
        self._event_bus.publish(safe)

    # --- end of the session ---

    def close(self) -> None:
        """Switch off, reveal the seed, close the journal. After that the audit can check every press."""
        try:
            self.handle(m.SwitchOff())
            revealed = (REVEALED, {"commitment": self.commitment, "seed": self._seed.hex()})
            records = self.journal.append("service", [revealed, ("service.stopped", {})])
            self.journal.forget_secret(self.commitment)
            self.publish(records)
        except JournalError as error:
            _log.error("the end could not be recorded: %s", error)
        self.abandon()

    def abandon(self) -> None:
        """Sync once on the loop's thread and close the journal; the next session records what was left open."""
        if self.bots is not None:
            self.bots.close()
        for waiting in (self._timer, self._syncing):
            if waiting is not None:
                waiting.cancel()
        try:
            self.journal.sync()
            self._synced(self.journal.written)
        except JournalError as error:  # callers of ``safe`` get it
            self._why_not = error.text
        finally:
            self.journal.close()


def first_events(driver: FallbackDriver) -> list[m.Event]:
    """Return the first events for a new machine: the levels if known, and the driver's failure if it has one.

    An unknown lid level counts as open. The last event is the present state: a driver reports a failure and its end
    once each, and both may have gone to a session that has ended.
    """
    failures: list[m.Event] = []
    switch_on = m.SwitchOn(lid_open=True)
    try:
        levels = driver.levels()
        switch_on = m.SwitchOn(levels.lid_open, levels.exit_blocked, driver.stands_in)
    except DriverError as error:
        failures.append(m.DriverFailed(error.text))
    if (still := driver.lasting) is not None:  # last: reading the levels may detect the failure
        return [switch_on, *failures, still]
    return [switch_on, *failures, m.DriverRecovered()] if failures else [switch_on]


def _events(outputs: list[m.Output]) -> list[m.Notice]:
    return [output for output in outputs if not isinstance(output, m.Command)]


def _stored(events: Iterable[m.Notice | e.Event]) -> list[tuple[str, dict[str, Any]]]:
    return [(event.type, msgspec.to_builtins(event)) for event in events]
