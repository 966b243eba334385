"""Rebuild the launcher's state from its recorded events.

Used when the service starts, for the page's tally, and to record scenarios.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from dispenser.launcher import messages as m

CORRECTABLE = 2000  # How many presses back a count can be corrected: more than an evening has
_MOST_PRESSES = 10**9
_CUTS_OFF = (m.PressAccepted.type, m.LidWasOpened.type, m.LidWasClosed.type, m.CardsLoaded.type)


class RecordLike(Protocol):
    @property
    def type(self) -> str: ...
    @property
    def data(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class PressState:
    """One accepted press: its draw, the cards planned, and the count of cards that left."""

    number: int
    draw: int | None = None
    planned: int | None = None
    count: int | None = None


@dataclass(slots=True)
class LauncherReplay:
    """State of a launcher after the records applied so far; a damaged record may hold any value.

    :param cards_inside: cards loaded minus cards that left since; ``None`` if none were ever entered.
    :param under_way: the accepted press that has not ended; ``seen``: its cards so far.
    :param ended: the newest presses whose bursts have ended, ``CORRECTABLE`` of them, by number.
    :param outcome: the end of the last burst; ``None`` after a newer press, lid event or load.
    """

    presses: int = 0
    dud_streak: int = 0
    cards_inside: int | None = None
    state: str = m.State.OFF.value
    lid_open: bool = False
    exit_blocked: bool = False
    under_way: PressState | None = None
    seen: int = 0
    ended: dict[int, PressState] = field(default_factory=dict)
    outcome: RecordLike | None = None
    stand_in: bool = False

    @property
    def lost(self) -> m.BurstLost | None:
        """Return the ``BurstLost`` to record if the service died during the press under way."""
        return None if self.under_way is None else m.BurstLost(self.under_way.number, self.seen)

    def apply(self, record: RecordLike) -> None:
        data = record.data
        if record.type in _CUTS_OFF:
            self.outcome = None
        match record.type:
            case m.SwitchedOn.type:
                self.lid_open = bool(data.get("lid_open"))
                self.stand_in = data.get("stand_in") is True
            case m.StateChanged.type:
                self.state = str(data.get("new"))
                self.lid_open = self.state == m.State.OPEN.value
            case m.ExitChanged.type:
                self.exit_blocked = bool(data.get("blocked"))
            case m.CardsLoaded.type:
                self.cards_inside = number(data, "cards")
            case m.PressAccepted.type | m.PressRefused.type:
                self.presses = max(self.presses, number(data, "press", _MOST_PRESSES) or self.presses + 1)
                if record.type == m.PressAccepted.type:
                    self.under_way, self.seen = PressState(self.presses, number(data, "draw", _MOST_PRESSES)), 0
            case m.CardLeft.type:
                self._leave(1)
                self.seen += data.get("press") is not None
            case m.BurstEnded.type:
                self.dud_streak = number(data, "dud_streak") or 0
                self.exit_blocked = bool(data.get("sticking_out")) or data.get("cause") == m.BurstEnd.JAMMED.value
                self._leave((number(data, "delivered") or self.seen) - self.seen)
                self._end(record)
            case m.BurstLost.type:
                self._end(record)
            case m.BurstCounted.type:
                self._leave((number(data, "cards") or 0) - (number(data, "counted_before") or 0))
                if (press := number(data, "press", _MOST_PRESSES)) is not None:
                    known = self.ended.get(press, PressState(press))
                    self._keep(PressState(press, known.draw, known.planned, number(data, "cards")))

    def _end(self, record: RecordLike) -> None:
        self.outcome = record
        press = number(record.data, "press", _MOST_PRESSES)
        draw = self.under_way.draw if self.under_way is not None and self.under_way.number == press else None
        self.under_way = None
        if press is not None:
            self.presses = max(self.presses, press)
            self._keep(PressState(press, draw, number(record.data, "planned"), number(record.data, "delivered")))

    def _keep(self, press: PressState) -> None:
        self.ended[press.number] = press
        if len(self.ended) > CORRECTABLE:
            del self.ended[next(iter(self.ended))]

    def _leave(self, cards: int) -> None:
        if self.cards_inside is not None and not self.stand_in:
            self.cards_inside = max(0, self.cards_inside - cards)


def number(data: Mapping[str, Any], key: str, most: int = 999) -> int | None:
    """Return the count under ``key`` in a record's data; ``None`` if missing or impossible (records can be damaged)."""
    value = data.get(key)
    return value if type(value) is int and 0 <= value <= most else None
