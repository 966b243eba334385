"""How a session begins: what the journal remembers, a fresh seed, a machine, and what the driver tells it first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from dispenser.drivers.base import Driver, DriverError, LockedError
from dispenser.journal import Damage, Entry, Journal, JournalDamagedError
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.service.hub import Hub
from dispenser.service.pen import Record
from dispenser.service.recall import recall
from dispenser.service.session import Session

if TYPE_CHECKING:
    from dispenser.launcher.settings import MachineSettings
    from dispenser.luck.odds import Odds


def new_session(
    journal: Journal,
    *,
    hub: Hub,
    driver: Driver,
    settings: MachineSettings,
    make_odds: Callable[[bytes], Odds],
    new_seed: Callable[[int], bytes],
    about: dict[str, Any],
    tick: Callable[[], None],
) -> tuple[Session, list[Entry]]:
    """A session on an open journal, its launcher not switched on yet; and the entries to publish when it is in place.

    :param about: what the journal's first entry says of us.
    :param tick: see ``Session``.
    :raises JournalError: the journal cannot be read or written.
    """
    memory = recall(journal)
    seed = new_seed(journal.last_seq)
    odds = make_odds(seed)
    hub.attach(journal)
    record = Record(journal, hub, seed, odds.describe(), memory)
    first = record.start(about, memory.lost)
    machine = LauncherMachine(
        settings,
        odds,
        presses=memory.presses,
        cards_inside=memory.cards_inside,
        dud_streak=memory.dud_streak,
    )
    return Session(machine, record, driver, asyncio.get_running_loop(), tick), first


class Beginning:
    """Begins sessions, one after the other, and hands on what the next one would not know by itself.

    :param make_session: ``new_session`` for a journal, with everything else given.
    :param cards_inside: cards in the stack at the start, when that is known for sure.
    """

    def __init__(
        self, make_session: Callable[[Journal], tuple[Session, list[Entry]]], cards_inside: int | None
    ) -> None:
        self._make_session = make_session
        self._cards_inside = cards_inside
        self._cards_known: int | None = None
        self._lost: list[Damage] = []

    def session(
        self,
        open_journal: Callable[[], Journal],
        resting: Callable[[], bool],
        found: Callable[[Journal, list[Damage]], object],
    ) -> tuple[Session, list[Entry]]:
        """A session on the journal as it is now; and the entries to publish when it is in place.

        :param resting: whether the motor is off; asked by another thread.
        :param found: called by another thread when the journal turns out to be damaged later on.
        :raises JournalError: it cannot be opened, read or written.
        """
        try:
            return self._on(open_journal(), resting, found)
        except JournalDamagedError:  # found out too late; opening it again mends it, or puts it aside
            return self._on(open_journal(), resting, found)

    def _on(
        self, journal: Journal, resting: Callable[[], bool], found: Callable[[Journal, list[Damage]], object]
    ) -> tuple[Session, list[Entry]]:
        journal.damage += self._lost
        try:
            journal.check_rest(resting, partial(found, journal))
            begun = self._make_session(journal)
        except BaseException:
            journal.close()
            raise
        self._lost = []
        return begun

    def go_on_after(self, session: Session) -> None:
        """This session's journal is broken or gone: the next may know nothing of it."""
        if not session.record.journal.broken:
            self._lost = [Damage("lost", "the journal before this one was removed, replaced or changed while in use")]
        self._cards_known = session.machine.snapshot().cards_inside

    def cards_to_tell(self, session: Session) -> int | None:
        """How many cards are inside, if that is known and the session does not know it; asked once."""
        cards, known = self._cards_inside, self._cards_known
        self._cards_inside = self._cards_known = None  # from now on the journal remembers
        return known if cards is None and session.machine.snapshot().cards_inside is None else cards


def first_events(
    driver: Driver, unheard: Iterable[m.Event], lasting: Callable[[], m.DriverFailed | None]
) -> list[m.Event]:
    """What a fresh machine hears of its driver: the levels as far as they are known, and that it is not well.

    A lid that nobody can ask counts as open. Whatever failed before, the last word is how it is now: a driver tells of
    a failure and of its end once each, and both may have gone to a session that is no more, or to none.

    :param unheard: failures that came while there was no session.
    :param lasting: the driver's failure that has not ended; asked last, for to ask for the levels may be what finds it.
    """
    failure = ""
    switch_on = m.SwitchOn(lid_open=True)
    try:
        levels = driver.levels()
        switch_on = m.SwitchOn(levels.lid_open, levels.exit_blocked)
    except LockedError as error:
        failure = str(error)
        switch_on = m.SwitchOn(error.levels.lid_open, error.levels.exit_blocked)
    except DriverError as error:
        failure = str(error)
    failures = [*([m.DriverFailed(failure)] if failure else []), *unheard]
    if (still := lasting()) is not None:
        return [switch_on, *failures, still]
    return [switch_on, *failures, m.DriverRecovered()] if failures else [switch_on]
