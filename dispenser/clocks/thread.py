"""A clock with a thread of its own, in real time: no loop can hold up what it calls."""

from __future__ import annotations

import heapq
import itertools
import logging
import threading
import time
from collections.abc import Callable

_log = logging.getLogger(__name__)


class Timer:
    """One thing to come; see :meth:`ThreadClock.call_at`."""

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


class ThreadClock:
    """Calls back in order of time, on one daemon thread that sleeps while nothing is to come.

    Timers may be set and called off from any thread. No lock is held while a callback runs, and an error in one is
    logged and does not end the thread.

    :param name: of the thread.
    """

    def __init__(self, name: str) -> None:
        self._condition = threading.Condition()
        self._timers: list[Timer] = []
        self._numbers = itertools.count()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def time(self) -> float:
        return time.monotonic()

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        timer = Timer(when, next(self._numbers), callback)
        with self._condition:
            heapq.heappush(self._timers, timer)
            if self._timers[0] is timer:
                self._condition.notify()
        return timer

    def close(self) -> None:
        """Nothing is called any more; waits for a callback under way, unless called from inside one."""
        with self._condition:
            self._closed = True
            self._timers.clear()
            self._condition.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        while (callback := self._next()) is not None:
            try:
                callback()
            except Exception:  # noqa: BLE001 - whatever it is, the next timer must not be lost with it
                _log.exception("a timer of %s failed", self._thread.name)

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next callback that is due; ``None`` once closed."""
        with self._condition:
            while not self._closed:
                while self._timers and self._timers[0].callback is None:
                    heapq.heappop(self._timers)
                wait_s = self._timers[0].when - time.monotonic() if self._timers else None
                if wait_s is not None and wait_s <= 0:
                    timer = heapq.heappop(self._timers)
                    callback, timer.callback = timer.callback, None
                    if callback is not None:
                        return callback
                else:
                    self._condition.wait(wait_s)
        return None
