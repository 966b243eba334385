"""Reads the journal while the launcher goes on: the loop waits for no disk and no long search."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from dispenser.journal import Journal, JournalReader

_T = TypeVar("_T")


class Reading:
    """Puts questions to a journal, one at a time, on another thread with a connection of its own.

    One at a time, because each thread that is busy takes its share of the interpreter from the loop and from whoever
    watches the pins. A connection is opened for each question (some 0.3 ms there), so there is none to be closed when
    the service stops, and a stream may read the last entries while it does.

    A journal in memory has no second connection: it is asked at once, on the loop. That is for tests and for short
    evenings in Python; ``dispenser demo`` keeps its evening in a file, too.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._turn = asyncio.Lock()

    async def ask(self, question: Callable[[JournalReader], _T]) -> _T:
        """The answer of ``question``, which gets a reader and must be done with it when it returns.

        :raises JournalError: as the reader does.
        """
        path = self._journal.path
        if path is None:
            return question(self._journal)

        def look() -> _T:
            with Journal.read_only(path) as reader:
                return question(reader)

        async with self._turn:
            return await asyncio.to_thread(look)
