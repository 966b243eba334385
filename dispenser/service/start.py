"""What a session begins with: what is asked for, what the journal remembers, and what the driver tells it first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dispenser.drivers.base import DriverError, LockedError
from dispenser.drivers.standin import StandIn
from dispenser.journal import Journal, Record
from dispenser.launcher import messages as m
from dispenser.launcher.recollection import CORRECTABLE, Recollection

if TYPE_CHECKING:
    from dispenser.launcher.settings import MachineSettings
    from dispenser.odds.odds import Odds

_ENDS = (m.BurstEnded.type, m.BurstLost.type, m.BurstCounted.type)
_TOLD = (*_ENDS, m.SwitchedOn.type, m.PressAccepted.type, m.PressRefused.type, m.CardLeft.type, m.CardsLoaded.type)


@dataclass
class Beginning:
    """What sessions are made of.

    :param open_journal: opens the journal; tried again once a second while it fails.
    :param make_odds: odds for a seed.
    :param new_seed: the secret seed of a start, given the journal's last ``seq`` before it.
    :param cards_inside: cards in the stack at the first start, when that is known for sure; else the journal remembers.
    :param idle_end_s: so long without a phone, a screen or a push of the button, and an evening is over, seconds.
    :param told_settings: the settings in force, for the journal: a bug report needs them.
    """

    settings: MachineSettings
    open_journal: Callable[[], Journal]
    make_odds: Callable[[bytes], Odds]
    new_seed: Callable[[int], bytes]
    cards_inside: int | None = None
    simulated: bool = False
    idle_end_s: float = 4 * 3600.0
    told_settings: dict[str, Any] | None = None


def recall(journal: Journal) -> Recollection:
    """What a service must know of the evening so far: it survives a restart by the journal alone.

    Reads no more than it needs: from the last press before the last load of cards on, and how the newest presses ended.
    """
    loaded = _last(journal, m.CardsLoaded.type)
    begin = _last(journal, m.PressAccepted.type, before=loaded.seq if loaded else None) or loaded
    after = begin.seq - 1 if begin else 0
    memory = Recollection()
    for entry in journal.read(before=after + 1, types=_ENDS, last=CORRECTABLE):
        memory.take(entry)
    if refused := _last(journal, m.PressRefused.type, before=after + 1):
        memory.take(refused)
    if switched_on := _last(journal, m.SwitchedOn.type, before=after + 1):
        memory.take(switched_on)
    memory.cards_inside = None  # what is inside was said later, or never
    for entry in journal.read(after=after, types=_TOLD):
        memory.take(entry)
    return memory


def _last(journal: Journal, type_: str, before: int | None = None) -> Record | None:
    return next(journal.read(before=before, types=[type_], last=1), None)


def first_events(driver: StandIn) -> list[m.Event]:
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
        if isinstance(error, LockedError):
            switch_on = m.SwitchOn(error.levels.lid_open, error.levels.exit_blocked)
    if (still := driver.lasting) is not None:  # asked last: to ask for the levels may be what finds it
        return [switch_on, *failures, still]
    return [switch_on, *failures, m.DriverRecovered()] if failures else [switch_on]
