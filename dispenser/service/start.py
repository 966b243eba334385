"""How a session begins: what the journal remembers, a fresh seed, a machine, and what the driver tells it first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from dispenser.drivers.base import Driver, DriverError, LockedError
from dispenser.journal import Damage, Entry, Journal, JournalDamagedError
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.service.hub import Hub
from dispenser.service.pen import Pen
from dispenser.service.recall import recall
from dispenser.service.session import Session

if TYPE_CHECKING:
    from dispenser.launcher.settings import MachineSettings
    from dispenser.luck.odds import Odds


class Beginning:
    """Begins sessions, one after the other, and hands on what the next one would not know by itself.

    :param open_journal: opens the journal; tried again once a second while it fails.
    :param make_odds: odds for a seed.
    :param new_seed: the secret seed of a start, given the journal's last ``seq`` before it.
    :param cards_inside: cards in the stack at the start, when that is known for sure; else the journal remembers.
    :param told_settings: the settings in force, for the journal: a bug report needs them.
    """

    def __init__(
        self,
        settings: MachineSettings,
        open_journal: Callable[[], Journal],
        make_odds: Callable[[bytes], Odds],
        new_seed: Callable[[int], bytes],
        *,
        cards_inside: int | None = None,
        simulated: bool = False,
        told_settings: dict[str, Any] | None = None,
    ) -> None:
        self.settings = settings
        self.open_journal = open_journal
        self._make_odds = make_odds
        self._new_seed = new_seed
        self._cards_inside = cards_inside
        self._cards_known: int | None = None
        self._about = {"version": version("card-dispenser"), "simulated": simulated, "settings": told_settings}
        self._lost: list[Damage] = []

    def session(self, driver: Driver, hub: Hub, hear: Callable[[m.Event], object]) -> tuple[Session, list[Entry]]:
        """A session on the journal as it is now, not switched on yet; and the entries to publish when it is in place.

        :param hear: see ``Session``.
        :raises JournalError: the journal cannot be opened, read or written.
        """
        try:
            return self._on(self.open_journal(), driver, hub, hear)
        except JournalDamagedError:  # found out too late; opening it again mends it, or puts it aside
            return self._on(self.open_journal(), driver, hub, hear)

    def _on(
        self, journal: Journal, driver: Driver, hub: Hub, hear: Callable[[m.Event], object]
    ) -> tuple[Session, list[Entry]]:
        journal.damage += self._lost
        try:
            memory = recall(journal)
            seed = self._new_seed(journal.last_seq)
            odds = self._make_odds(seed)
            hub.attach(journal)
            pen = Pen(journal, hub.publish, seed, odds.describe(), memory)
            first = pen.start(self._about, memory.lost)
            machine = LauncherMachine(
                self.settings,
                odds,
                presses=memory.presses,
                cards_inside=memory.cards_inside,
                dud_streak=memory.dud_streak,
            )
            session = Session(machine, pen, driver, hear)
        except BaseException:
            journal.close()
            raise
        self._lost = []
        return session, first

    def go_on_after(self, session: Session) -> None:
        """This session's journal is broken or gone: the next may know nothing of it."""
        if not session.pen.journal.broken:
            self._lost = [Damage("lost")]
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
