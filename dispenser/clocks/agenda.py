"""What is to come, in order of time: the timers of whatever keeps a clock."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable


class Timer:
    """One thing to come."""

    __slots__ = ("callback", "number", "when")

    def __init__(self, when: float, number: int, callback: Callable[[], None]) -> None:
        self.when = when
        self.number = number
        self.callback: Callable[[], None] | None = callback

    def __lt__(self, other: Timer) -> bool:
        return (self.when, self.number) < (other.when, other.number)

    def cancel(self) -> None:
        """It will not be called, unless that has begun already."""
        self.callback = None


class Agenda:
    """Timers. Of several threads, one at a time may touch it; a timer may be called off by any."""

    def __init__(self) -> None:
        self._timers: list[Timer] = []
        self._numbers = itertools.count()

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        timer = Timer(when, next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        return timer

    def next_s(self) -> float:
        """When the next thing is due; infinite when nothing is to come."""
        while self._timers and self._timers[0].callback is None:
            heapq.heappop(self._timers)
        return self._timers[0].when if self._timers else math.inf

    def take(self) -> Callable[[], None] | None:
        """What comes next, which is off the agenda then; ``None`` if it has just been called off."""
        timer = heapq.heappop(self._timers)
        callback, timer.callback = timer.callback, None
        return callback

    def clear(self) -> None:
        self._timers.clear()
