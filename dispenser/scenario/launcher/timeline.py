"""What happened while a scenario was played, in order, and how values changed."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import Any, Literal

INSTANT_S = 1e-7  # Changes closer than this are simultaneous: the virtual clock counts whole microseconds

Kind = Literal["step", "notice", "answer", "change"]


@dataclass(frozen=True, slots=True)
class Moment:
    """One observation.

    :param type: of a notice; of a change, the name of the value, such as ``motor``.
    :param data: of a notice; of an answer, its text under ``answer``.
    """

    at_s: float
    kind: Kind
    words: str
    type: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """A time in seconds during which none of the values changed."""

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


@dataclass(slots=True)
class Timeline:
    """Everything observed in one take.

    :ivar marks: times of the steps with a name.
    """

    moments: list[Moment] = field(default_factory=list)
    marks: dict[str, float] = field(default_factory=dict)
    end_s: float = 0.0
    _tracks: dict[str, list[tuple[float, Any]]] = field(default_factory=dict)

    def note(self, at_s: float, kind: Kind, words: str, type_: str = "", data: Mapping[str, Any] | None = None) -> None:
        self.moments.append(Moment(at_s, kind, words, type_, data or {}))

    def observe(self, at_s: float, values: Mapping[str, Any]) -> list[str]:
        """Record the values from now on; of several changes in one instant the last one counts.

        :returns: the names of the values that changed.
        """
        changed = []
        for name, value in values.items():
            track = self._tracks.setdefault(name, [(-math.inf, value)])
            if value != track[-1][1]:
                changed.append(name)
                if at_s - track[-1][0] <= INSTANT_S:
                    track.pop()
                if value != track[-1][1]:
                    track.append((at_s, value))
        return changed

    def value(self, name: str, at_s: float) -> Any:
        track = self._tracks[name]
        return track[bisect_right(track, at_s + INSTANT_S, key=itemgetter(0)) - 1][1]

    def spans(self, names: list[str], from_s: float, to_s: float) -> Iterator[Span]:
        """Split the window at every change of these values; a window of one moment is one span without length."""
        changes = {at_s for name in names for at_s, _ in self._tracks[name]}
        cuts = sorted(at_s for at_s in changes if from_s + INSTANT_S < at_s < to_s - INSTANT_S)
        for begin_s, end_s in pairwise([from_s, *cuts, to_s]):
            yield Span(begin_s, end_s, {name: self.value(name, begin_s) for name in names})

    def of(self, kind: Kind, type_: str | None = None) -> list[Moment]:
        """Return the moments of a kind, optionally of one type."""
        return [each for each in self.moments if each.kind == kind and type_ in {None, each.type}]

    def around(self, at_s: float, moments: int) -> list[Moment]:
        """Return the given number of moments around a time."""
        middle = bisect_right(self.moments, at_s, key=lambda moment: moment.at_s)
        first = max(0, min(middle - moments * 2 // 3, len(self.moments) - moments))
        return self.moments[first : first + moments]
