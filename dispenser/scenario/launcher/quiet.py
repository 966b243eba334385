"""Finds a moment at which a recorded launcher was at rest, and what was known of it then."""

from __future__ import annotations

from dataclasses import dataclass

from dispenser.journal import Entry, RecordedEdge
from dispenser.launcher import messages as m
from dispenser.launcher.recollection import Recollection

STILL_S = 0.2
"""No line moved for so long before a moment of rest: every filter has settled."""
_AT_REST = (m.State.READY.value, m.State.OPEN.value)
"""A launcher that is switched on now would be in the same state."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An entry on the monotonic clock of the service that wrote it, seconds."""

    at_s: float
    entry: Entry


def last_quiet_s(moments: list[Moment], edges: list[RecordedEdge], *, not_after_s: float) -> float:
    """The last moment of rest that is not later than ``not_after_s``; when there was none, when it was switched on."""
    known, button_down = Recollection(), False
    best_s = next((moment.at_s for moment in moments if _switches_on(moment.entry)), moments[0].at_s)
    happenings: list[tuple[float, Entry | RecordedEdge]] = [(moment.at_s, moment.entry) for moment in moments]
    happenings += [(edge.at_s, edge) for edge in edges]
    happenings.sort(key=lambda happening: happening[0])
    for number, (at_s, happening) in enumerate(happenings):
        if at_s > not_after_s:
            break
        if isinstance(happening, Entry):
            known.take(happening)
        elif happening.line == "button":
            button_down = happening.active
        elif happening.line == "lid":
            known.lid_open = happening.active
        else:
            known.exit_blocked = happening.active
        at_rest = known.state in _AT_REST and known.under_way is None and not (known.exit_blocked or button_down)
        next_s = happenings[number + 1][0] if number + 1 < len(happenings) else not_after_s
        quiet_until_s = min(next_s, not_after_s)
        if at_rest and quiet_until_s - at_s >= STILL_S:
            best_s = quiet_until_s - STILL_S / 2
    return best_s


def _switches_on(entry: Entry) -> bool:
    return entry.type == m.StateChanged.type and entry.data["old"] == m.State.OFF.value
