"""A loop and a clock that are late as a seed says, in virtual time."""

from __future__ import annotations

import heapq
import itertools
from collections import deque
from collections.abc import Callable
from random import Random

from dispenser.clocks import Timer
from dispenser.clocks.virtual import VirtualWorld


class LateLoop:
    """A scheduler that takes what is ready only when its seed lets it."""

    def __init__(self, world: VirtualWorld, stall: Callable[[], float]) -> None:
        self.world = world
        self.stall = stall
        self._ready: deque[Callable[[], None]] = deque()
        self._timers: list[Timer] = []
        self._numbers = itertools.count()
        self._awake = False

    def time(self) -> float:
        return self.world.time()

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        timer = Timer(when, next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        self.world.call_at(when, self._wake)
        return timer

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> None:
        self._ready.append(callback)
        self._wake()

    def _wake(self) -> None:
        if not self._awake:
            self._awake = True
            self.world.call_at(self.world.time() + self.stall(), self._take)

    def _take(self) -> None:
        self._awake = False
        while self._timers and self._timers[0].when <= self.world.time():
            timer = heapq.heappop(self._timers)
            if timer.callback is not None:
                self._ready.append(timer.callback)
        for _ in range(len(self._ready)):
            self._ready.popleft()()
        if self._ready:
            self._wake()


class LateClock:
    """The driver's own clock, held up by whatever holds up every thread."""

    def __init__(self, world: VirtualWorld, random: Random) -> None:
        self.world = world
        self.random = random
        self.time = world.time

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        late_s = 0.1 * self.random.random() ** 3 if self.random.random() < 0.3 else 0.0
        return self.world.call_at(max(when, self.world.time()) + late_s, callback)
