"""How a session begins: what the journal remembers, a fresh seed, a machine, and what the driver tells it first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from dispenser.drivers.base import Driver, DriverError, LockedError
from dispenser.hub import Hub
from dispenser.journal import Entry, Journal
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.recall import recall
from dispenser.record import Record
from dispenser.session import Session

if TYPE_CHECKING:
    from dispenser.launcher.odds import Odds
    from dispenser.launcher.settings import MachineSettings


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
    record = Record(journal, hub, seed, odds.describe(), memory.counts)
    first = record.start(about, memory.lost)
    machine = LauncherMachine(
        settings,
        odds,
        presses=memory.presses,
        cards_inside=memory.cards_inside,
        dud_streak=memory.dud_streak,
    )
    return Session(machine, record, driver, asyncio.get_running_loop(), tick), first


def first_events(driver: Driver, unheard: Iterable[m.Event], lasting: m.DriverFailed | None) -> list[m.Event]:
    """What a fresh machine hears of its driver: the levels as far as they are known, and that it is not well.

    A lid that nobody can ask counts as open. Whatever failed before, the last word is how it is now: a driver tells of
    a failure and of its end once each, and both may have gone to a session that is no more, or to none.

    :param unheard: failures that came while there was no session.
    :param lasting: the driver's failure that has not ended.
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
    if lasting is not None:
        return [switch_on, *failures, lasting]
    return [switch_on, *failures, m.DriverRecovered()] if failures else [switch_on]
