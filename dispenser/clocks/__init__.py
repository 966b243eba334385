"""Clocks that schedule callbacks: the asyncio loop's for the service, a thread's for the simulator.

The simulated physics must not wait for the event loop, so it has a clock of its own: a thread in real time
(``ThreadClock``) or virtual time that advances while a loop is late (``virtual``).
"""

from __future__ import annotations

import heapq
import itertools
import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

_log = logging.getLogger(__name__)


class TimerHandle(Protocol):
    """A timer that can be cancelled; ``asyncio.TimerHandle`` is one."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Time and timers. An asyncio loop is one, for callers on its thread."""

    def time(self) -> float:
        """Return monotonic seconds. Safe to call from any thread."""
        ...

    def call_at(self, when: float, callback: Callable[[], None], /) -> TimerHandle:
        """Call ``callback`` at ``when`` or soon after, on the clock's own thread, never from inside this call."""
        ...


@dataclass(order=True, slots=True)
class Timer:
    when: float
    number: int
    callback: Callable[[], None] | None = field(compare=False)

    def cancel(self) -> None:
        self.callback = None


class Agenda:
    """Priority queue of timers, by time. Not thread-safe, but any thread may cancel a timer."""

    def __init__(self) -> None:
        self._timers: list[Timer] = []
        self._numbers = itertools.count()

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        timer = Timer(when, next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        return timer

    def next_s(self) -> float:
        """Return the time of the next timer; infinite without one."""
        while self._timers and self._timers[0].callback is None:
            heapq.heappop(self._timers)
        return self._timers[0].when if self._timers else math.inf

    def take(self) -> Callable[[], None] | None:
        """Remove the next timer and return its callback; ``None`` if it has just been cancelled."""
        timer = heapq.heappop(self._timers)
        callback, timer.callback = timer.callback, None
        return callback

    def clear(self) -> None:
        self._timers.clear()


class ThreadClock:
    """Clock that calls back in order of time, on one daemon thread that sleeps until the next timer.

    Timers may be set and cancelled from any thread. No lock is held while a callback runs; an exception in one is
    logged and does not end the thread.

    :param name: of the thread.
    """

    def __init__(self, name: str) -> None:
        self._condition = threading.Condition()
        self._agenda = Agenda()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def time(self) -> float:
        return time.monotonic()

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        with self._condition:
            timer = self._agenda.call_at(when, callback)
            if self._agenda.next_s() == when:
                self._condition.notify()
        return timer

    def close(self) -> None:
        """Drop all timers; wait for a callback that is running, unless called from inside one."""
        with self._condition:
            self._closed = True
            self._agenda.clear()
            self._condition.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        while (callback := self._next()) is not None:
            try:
                callback()
            except Exception:  # noqa: BLE001 - whatever it is, the next timer must still run
                _log.exception("a timer of %s failed", self._thread.name)

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next callback that is due; return ``None`` once closed."""
        with self._condition:
            while not self._closed:
                wait_s = self._agenda.next_s() - time.monotonic()
                if wait_s > 0:
                    self._condition.wait(None if wait_s == math.inf else wait_s)
                elif (callback := self._agenda.take()) is not None:
                    return callback
        return None
