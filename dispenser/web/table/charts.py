"""The scores of a match over its rounds as lines of an SVG, made here: the page of the evenings draws nothing."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from dispenser.i18n import isolated

if TYPE_CHECKING:
    from dispenser.table.evenings import MatchStory

WIDTH: Final = 320
HEIGHT: Final = 190
LEFT: Final = 8
RIGHT: Final = WIDTH - 92
"""Beyond it stand the names."""
TOP: Final = 12
BOTTOM: Final = HEIGHT - 26
LINES: Final = 8
"""Kinds of lines in the style sheet."""
_NAME_GAP: Final = 17
_LONGEST: Final = 9
"""Letters of a name."""


@dataclass(frozen=True, slots=True)
class Line:
    """One player's.

    :ivar kind: which look it has.
    :ivar path: as SVG draws it; it ends at ``x``, ``y``, and the name stands at ``name_y``.
    """

    name: str
    kind: int
    path: str
    x: float
    y: float
    name_y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """All lines.

    :ivar zero: where no points are.
    :ivar rounds: number and place of each round.
    """

    lines: tuple[Line, ...]
    zero: float
    rounds: tuple[tuple[int, float], ...]


def chart(match: MatchStory) -> Chart | None:
    """``None`` where there is nothing to compare: fewer than two rounds with known scores."""
    scores: dict[str, list[tuple[int, int]]] = {name: [(0, 0)] for name in match.players}
    for number, players in enumerate(match.rounds, 1):
        for each in players:
            if each.score is not None:
                scores.setdefault(each.name, [(number - 1, 0)]).append((number, each.score))
    last = max((points[-1][0] for points in scores.values()), default=0)
    if last < 2:
        return None
    values = [score for points in scores.values() for _, score in points]
    most, least = max(1, *values), min(0, *values)

    def x(number: int) -> float:
        return round(LEFT + number / last * (RIGHT - LEFT), 1)

    def y(score: int) -> float:
        return round(TOP + (most - score) / (most - least) * (BOTTOM - TOP), 1)

    places = _apart([y(points[-1][1]) for points in scores.values()])
    lines = tuple(
        Line(
            _short(name),
            kind % LINES,
            "M" + "L".join(f"{x(number)} {y(score)}" for number, score in points),
            x(points[-1][0]),
            y(points[-1][1]),
            places[kind],
        )
        for kind, (name, points) in enumerate(scores.items())
    )
    step = -(-last // 12)  # so many numbers have room
    return Chart(lines, y(0), tuple((number, x(number)) for number in range(step, last + 1, step)))


def _short(name: str) -> str:
    """As much of a name as has room; a flag, an emoji or a Chinese letter is as wide as two others."""
    if name.isascii() and len(name) <= _LONGEST:
        return name
    from dispenser.table.people import letters

    signs = letters(name)
    ends = list(accumulate(2 if max(each) >= "\u2e80" else 1 for each in signs))
    whole = ends[-1] <= _LONGEST
    return isolated(name if whole else "".join(signs[: bisect(ends, _LONGEST - 1)]) + "…")


def _apart(heights: list[float]) -> list[float]:
    """Names that do not lie on one another."""
    placed, lowest = list(heights), float("-inf")
    for place in sorted(range(len(heights)), key=heights.__getitem__):
        placed[place] = lowest = max(heights[place], lowest + _NAME_GAP)
    beyond = max(0.0, lowest - BOTTOM)
    return [round(each - beyond, 1) for each in placed]
