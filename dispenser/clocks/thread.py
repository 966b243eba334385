"""A clock with a thread of its own, in real time: no loop can hold up what it calls."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable

from dispenser.clocks.agenda import Agenda, Timer

_log = logging.getLogger(__name__)


class ThreadClock:
    """Calls back in order of time, on one daemon thread that sleeps while nothing is to come.

    Timers may be set and called off from any thread. No lock is held while a callback runs, and an error in one is
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
        """Nothing is called any more; waits for a callback under way, unless called from inside one."""
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
            except Exception:  # noqa: BLE001 - whatever it is, the next timer must not be lost with it
                _log.exception("a timer of %s failed", self._thread.name)

    def _next(self) -> Callable[[], None] | None:
        """Wait for the next callback that is due; ``None`` once closed."""
        with self._condition:
            while not self._closed:
                wait_s = self._agenda.next_s() - time.monotonic()
                if wait_s > 0:
                    self._condition.wait(None if wait_s == math.inf else wait_s)
                elif (callback := self._agenda.take()) is not None:
                    return callback
        return None
