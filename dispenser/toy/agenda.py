"""The toy's clock and the list of what will happen to it. With nothing to come, no timer is set."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from typing import Protocol

EARLY_S = 1e-6
"""A timer may fire this much early: clocks have a resolution."""


class TimerHandle(Protocol):
    """A timer that can be called off."""

    def cancel(self) -> None: ...


class Scheduler(Protocol):
    """Time and timers; an asyncio loop serves, in real or in virtual time. All calls come on its thread."""

    def time(self) -> float: ...

    def call_at(self, when: float, callback: Callable[[], None], /) -> TimerHandle: ...


class Entry:
    """One thing to come; see :meth:`Agenda.at`."""

    __slots__ = ("callback", "number", "when_s")

    def __init__(self, when_s: float, number: int, callback: Callable[[], None]) -> None:
        self.when_s = when_s
        self.number = number
        self.callback: Callable[[], None] | None = callback

    def __lt__(self, other: Entry) -> bool:
        return (self.when_s, self.number) < (other.when_s, other.number)


class Agenda:
    """Things to come in order of time, behind one timer of the scheduler.

    The toy's clock never passes a thing that has not happened yet. When the machine is late, an entry still happens at
    its own time, and what others do in its callback counts as done at that time. So lateness does not change
    the physics, and real time gives the same results as virtual time.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._entries: list[Entry] = []
        self._number = 0
        self._now_s = scheduler.time()
        self._timer: TimerHandle | None = None
        self._timer_s = math.inf
        self._happening = False

    @property
    def empty(self) -> bool:
        """Nothing is to come."""
        return self._next_s() == math.inf

    def now(self) -> float:
        """The toy's time, seconds on the scheduler's clock."""
        if not self._happening:
            self._now_s = max(self._now_s, min(self._scheduler.time(), self._next_s()))
        return self._now_s

    def at(self, when_s: float, callback: Callable[[], None]) -> Entry:
        """Let something happen at ``when_s`` (now, if that is past)."""
        self._number += 1
        entry = Entry(when_s, self._number, callback)
        heapq.heappush(self._entries, entry)
        self._arm()
        return entry

    def cancel(self, *entries: Entry) -> None:
        """These will not happen (nothing changes for those that did)."""
        for entry in entries:
            entry.callback = None
        self._arm()

    def _arm(self) -> None:
        if self._happening:
            return
        next_s = self._next_s()
        if next_s == self._timer_s:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_s = next_s
        if next_s != math.inf:
            # Whole microseconds: a virtual clock that counts them would need a second jump for the fraction.
            self._timer = self._scheduler.call_at(math.ceil(next_s * 1e6) / 1e6, self._wake)

    def clear(self) -> None:
        """Nothing will happen any more."""
        self._entries.clear()
        self._arm()

    def _next_s(self) -> float:
        entries = self._entries
        while entries and entries[0].callback is None:
            heapq.heappop(entries)
        return entries[0].when_s if entries else math.inf

    def _wake(self) -> None:
        self._timer, self._timer_s = None, math.inf
        due_s = self._scheduler.time() + EARLY_S
        self._happening = True
        try:
            while self._next_s() <= due_s:
                entry = heapq.heappop(self._entries)
                self._now_s = max(self._now_s, entry.when_s)
                callback, entry.callback = entry.callback, None
                if callback is not None:
                    callback()
        finally:
            self._happening = False
            self._arm()
