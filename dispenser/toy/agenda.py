"""What will happen to the toy, in order of time."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable


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
    """The toy's own time, and things to come. It never passes a thing that has not happened yet.

    :param now_s: where time begins.
    """

    def __init__(self, now_s: float) -> None:
        self._entries: list[Entry] = []
        self._number = 0
        self._now_s = now_s

    def now(self) -> float:
        """The toy's time: of what is happening, or of what happened last. Seconds on the clock."""
        return self._now_s

    def next_s(self) -> float:
        """When the next thing will happen; infinite when nothing is to come."""
        entries = self._entries
        while entries and entries[0].callback is None:
            heapq.heappop(entries)
        return entries[0].when_s if entries else math.inf

    def at(self, when_s: float, callback: Callable[[], None]) -> Entry:
        """Let something happen at ``when_s`` (now, if that is past)."""
        self._number += 1
        entry = Entry(when_s, self._number, callback)
        heapq.heappush(self._entries, entry)
        return entry

    def cancel(self, *entries: Entry) -> None:
        """These will not happen (nothing changes for those that did)."""
        for entry in entries:
            entry.callback = None

    def clear(self) -> None:
        """Nothing will happen any more."""
        self._entries.clear()

    def pass_to(self, when_s: float) -> None:
        """It is this time now, unless it is later already. Nothing may be due before that."""
        self._now_s = max(self._now_s, when_s)

    def happen(self) -> None:
        """Let the next thing happen, at its own time."""
        if self.next_s() == math.inf:
            return
        entry = heapq.heappop(self._entries)
        self.pass_to(entry.when_s)
        callback, entry.callback = entry.callback, None
        if callback is not None:
            callback()
