"""What was seen while a scenario played: moments in their order, and what was so from when to when."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import Any, Literal

INSTANT_S = 1e-7
"""Two changes closer than this are one: the virtual clock counts whole microseconds."""

Kind = Literal["step", "notice", "answer", "change"]


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that was seen.

    :param type: of a notice; of a change, what changed, such as ``motor``.
    :param data: of a notice; of an answer, what was answered, under ``answer``.
    """

    at_s: float
    kind: Kind
    words: str
    type: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """From when to when something was so, seconds."""

    from_s: float
    to_s: float
    values: dict[str, Any]

    @property
    def length_s(self) -> float:
        return self.to_s - self.from_s

    def __str__(self) -> str:
        if self.length_s <= INSTANT_S:
            return f"at {self.from_s:.3f} s"
        return f"from {self.from_s:.3f} to {self.to_s:.3f} s"


class Track:
    """One thing that always has a value. Of several changes in one instant the last one counts."""

    def __init__(self, value: Any) -> None:
        self._values: list[tuple[float, Any]] = [(-math.inf, value)]

    def set(self, at_s: float, value: Any) -> bool:
        """It is so from now on.

        :returns: whether it was different before.
        """
        if value == self._values[-1][1]:
            return False
        if at_s - self._values[-1][0] <= INSTANT_S and len(self._values) > 1:
            self._values.pop()
        if value != self._values[-1][1]:
            self._values.append((at_s, value))
        return True

    def at(self, at_s: float) -> Any:
        return self._values[bisect_right(self._values, at_s + INSTANT_S, key=itemgetter(0)) - 1][1]

    def changes(self, from_s: float, to_s: float) -> list[float]:
        """When it changed after ``from_s`` and before ``to_s``."""
        return [at_s for at_s, _ in self._values if from_s + INSTANT_S < at_s < to_s - INSTANT_S]


@dataclass(slots=True)
class Timeline:
    """Everything seen in one take.

    :ivar marks: when the steps with a name happened.
    """

    moments: list[Moment] = field(default_factory=list)
    tracks: dict[str, Track] = field(default_factory=dict)
    marks: dict[str, float] = field(default_factory=dict)
    end_s: float = 0.0

    def note(self, at_s: float, kind: Kind, words: str, type_: str = "", data: Mapping[str, Any] | None = None) -> None:
        """One more moment."""
        self.moments.append(Moment(at_s, kind, words, type_, data or {}))

    def observe(self, at_s: float, values: Mapping[str, Any]) -> list[str]:
        """What is so now.

        :returns: the names of what has changed.
        """
        return [name for name, value in values.items() if self.tracks.setdefault(name, Track(value)).set(at_s, value)]

    def spans(self, names: list[str], from_s: float, to_s: float) -> Iterator[Span]:
        """The window, cut wherever one of these tracks changes; one span without length for a single moment."""
        cuts = sorted({at_s for name in names for at_s in self.tracks[name].changes(from_s, to_s)})
        for begin_s, end_s in pairwise([from_s, *cuts, to_s]):
            yield Span(begin_s, end_s, {name: self.tracks[name].at(begin_s) for name in names})

    def of(self, kind: Kind, type_: str | None = None) -> list[Moment]:
        """The moments of a kind, all or those of one type."""
        return [each for each in self.moments if each.kind == kind and type_ in {None, each.type}]

    def around(self, at_s: float, moments: int) -> list[Moment]:
        """So many moments around a time."""
        middle = bisect_right(self.moments, at_s, key=lambda moment: moment.at_s)
        first = max(0, min(middle - moments * 2 // 3, len(self.moments) - moments))
        return self.moments[first : first + moments]
