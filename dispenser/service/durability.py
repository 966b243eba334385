"""What a power cut cannot take back: brings the journal to the disk for whoever is about to tell others of it.

An entry outlives the process as soon as it is written, and a power cut once the disk has it. For that neither motor nor
loop waits, but whoever tells somebody outside. One flush at a time, on another thread; it covers all that was
written before it began, and who comes meanwhile waits for the next. So it is one for all listeners, and never more than
there are moments of writing; with nobody to tell there is none but the journal's own, while the motor rests.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
from collections.abc import Callable

from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError
from dispenser.service.answers import JournalUnavailableError
from dispenser.service.hub import AT_ONCE


class Durability:
    """How much of one journal is safe. On the event loop's thread only.

    :param refused: told once, when the disk does not take what was written.
    """

    def __init__(self, journal: Journal, refused: Callable[[JournalError], object]) -> None:
        self._journal = journal
        self._refused = refused
        self._safe = math.inf if journal.path is None else 0.0
        """Number of the newest entry that is; of a journal in memory nothing is meant to be."""
        self._wanted = 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        """Who waits for which entry, as a heap; those for the same in the order in which they came."""
        self._numbers = itertools.count()
        self._flushing: asyncio.Task[None] | None = None
        self._why_not: Text | None = None

    @property
    def idle(self) -> bool:
        """The disk is not busy for us."""
        return self._flushing is None

    async def wait(self, upto: int | None = None) -> None:
        """Return when all that is in the journal now is safe, or what is there up to an entry.

        :raises JournalUnavailableError: the disk refuses, now or before; the journal is then opened anew.
        """
        if self._why_not is not None:
            raise JournalUnavailableError(self._why_not)
        newest = self._journal.written if upto is None else min(upto, self._journal.written)
        if newest <= self._safe:
            return
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (newest, next(self._numbers), waiter))
        self._wanted = max(self._wanted, newest)
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush(), name="brings the journal to the disk")
        await waiter

    def close(self) -> None:
        """The journal is about to be closed: the loop waits for the disk, this once."""
        if self._flushing is not None:
            self._flushing.cancel()
        try:
            self._journal.sync()
        except JournalError as error:
            self._fail(error)
        else:
            self._safe = math.inf
            self._release()

    async def _flush(self) -> None:
        try:
            while self._wanted > self._safe:
                newest = self._journal.written
                await asyncio.to_thread(self._journal.sync)
                self._safe = newest
                self._release()
        except JournalError as error:
            self._fail(error)
        finally:
            self._flushing = None

    def _release(self) -> None:
        """Some in this turn of the loop, the others in the next ones, so that a press gets its turn, too."""
        for _ in range(AT_ONCE):
            if not self._waiting or self._waiting[0][0] > self._safe:
                return
            *_, waiter = heapq.heappop(self._waiting)
            if not waiter.done():
                waiter.set_result(None)
        asyncio.get_running_loop().call_soon(self._release)

    def _fail(self, error: JournalError) -> None:
        if self._why_not is None:
            self._why_not = error.text
            self._refused(error)
        for *_, waiter in self._waiting:
            if not waiter.done():
                waiter.set_exception(JournalUnavailableError(error.text))
        self._waiting.clear()
