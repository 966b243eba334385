"""Finds a moment at which a recorded launcher was at rest, and what was known of it then."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dispenser.journal import Entry, RecordedEdge
from dispenser.launcher import messages as m

STILL_S = 0.2
"""No line moved for so long before a moment of rest: every filter has settled."""
_AT_REST = (m.State.READY.value, m.State.OPEN.value)


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry on the monotonic clock of the service that wrote it, seconds."""

    at_s: float
    entry: Entry


@dataclass(slots=True)
class LauncherState:
    """What entries and edges tell about a launcher."""

    state: str = m.State.OFF.value
    lid_open: bool = False
    button_down: bool = False
    exit_blocked: bool = False
    burst: bool = False
    cards_inside: int | None = None

    @classmethod
    def after(cls, moments: Iterable[Moment], edges: Iterable[RecordedEdge]) -> LauncherState:
        """After all of these."""
        state = cls()
        for moment in moments:
            state.hear(moment.entry)
        for edge in edges:
            state.see(edge)
        return state

    @property
    def at_rest(self) -> bool:
        """A launcher that is switched on now would be in the same state."""
        return self.state in _AT_REST and not self.burst and not self.exit_blocked and not self.button_down

    def hear(self, entry: Entry) -> None:
        data = entry.data
        match entry.type:
            case m.SwitchedOn.type:
                self.lid_open = data["lid_open"]
            case m.StateChanged.type:
                self.state = data["new"]
                self.lid_open = data["new"] == m.State.OPEN.value
            case m.PressAccepted.type:
                self.burst = True
            case m.BurstEnded.type:
                self.burst = False
                self.exit_blocked = data["sticking_out"] or data["cause"] == m.BurstEnd.JAMMED.value
                self._take(data["planned"] if data["delivered"] is None else data["delivered"])
            case m.ExitChanged.type:
                self.exit_blocked = data["blocked"]
            case m.CardsLoaded.type:
                self.cards_inside = data["cards"]

    def see(self, edge: RecordedEdge) -> None:
        match edge.line:
            case "button":
                self.button_down = edge.active
            case "lid":
                self.lid_open = edge.active
            case "exit":
                self.exit_blocked = edge.active

    def _take(self, cards: int) -> None:
        if self.cards_inside is not None:
            self.cards_inside = max(0, self.cards_inside - cards)


def last_quiet_s(moments: list[Moment], edges: list[RecordedEdge], *, not_after_s: float) -> float:
    """The last moment of rest that is not later than ``not_after_s``; when there was none, when it was switched on."""
    state = LauncherState()
    best_s = next((moment.at_s for moment in moments if _switches_on(moment.entry)), moments[0].at_s)
    happenings: list[tuple[float, Entry | RecordedEdge]] = [(moment.at_s, moment.entry) for moment in moments]
    happenings += [(edge.at_s, edge) for edge in edges]
    happenings.sort(key=lambda happening: happening[0])
    for number, (at_s, happening) in enumerate(happenings):
        if at_s > not_after_s:
            break
        if isinstance(happening, Entry):
            state.hear(happening)
        else:
            state.see(happening)
        next_s = happenings[number + 1][0] if number + 1 < len(happenings) else not_after_s
        quiet_until_s = min(next_s, not_after_s)
        if state.at_rest and quiet_until_s - at_s >= STILL_S:
            best_s = quiet_until_s - STILL_S / 2
    return best_s


def _switches_on(entry: Entry) -> bool:
    return entry.type == m.StateChanged.type and entry.data["old"] == m.State.OFF.value
