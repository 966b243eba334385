"""The odds against what really came, tallied from the journal."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from dispenser.launcher.recollection import PressTold, Recollection
from dispenser.luck.expectation import expected_distribution

if TYPE_CHECKING:
    from dispenser.journal import Entry, JournalReader
    from dispenser.service.service import Service

TYPES = ("fairness.committed", "launcher.press.accepted", "launcher.burst.ended", "launcher.burst.counted")


class Tally:
    """Counts of cards per press, for presses left to luck, since the odds in force came into force.

    Reads only what the journal has gained since the last look, so that looking often costs little.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._turn = asyncio.Lock()
        self._seen = 0
        self._odds: Any = None
        self._clear()

    def _clear(self) -> None:
        self._told = Recollection()
        self._dry = 0
        self._came: Counter[int] = Counter()
        self._uncounted = 0
        self._longest_dry_run = 0

    async def report(self) -> dict[str, Any]:
        """What the odds promise, and what came until now."""
        async with self._turn:
            return await self._service.reading.ask(self._report)

    def _report(self, journal: JournalReader) -> dict[str, Any]:
        for entry in journal.read(after=self._seen, types=TYPES):
            self._take(entry)
            self._seen = entry.seq
        expected = expected_distribution(self._odds)
        return {
            "odds": self._odds,
            "expected": {str(cards): chance for cards, chance in enumerate(expected)},
            "came": {str(cards): presses for cards, presses in sorted(self._came.items()) if presses},
            "presses": self._came.total(),
            "cards": sum(cards * presses for cards, presses in self._came.items()),
            "duds": self._came[0],
            "longest_dry_run": self._longest_dry_run,
            "uncounted": self._uncounted,
        }

    def _take(self, entry: Entry) -> None:
        if entry.type == "fairness.committed":
            if (odds := entry.data.get("odds")) != self._odds:
                self._odds = odds
                self._clear()
            return
        number = entry.data.get("press")
        before = self._told.ended.get(number) if isinstance(number, int) else None
        self._told.take(entry)
        now = self._told.ended.get(number) if isinstance(number, int) else None
        if now is not None and now.draw is not None:
            self._count(before, now)

    def _count(self, before: PressTold | None, now: PressTold) -> None:
        """A press that was left to luck has ended, or somebody said how many cards it brought."""
        if before is None:
            self._dry = self._dry + 1 if now.planned == 0 else 0
            self._longest_dry_run = max(self._longest_dry_run, self._dry)
        elif before.count is None:
            self._uncounted -= 1
        else:
            self._came[before.count] -= 1
        if now.count is None:
            self._uncounted += 1
        else:
            self._came[now.count] += 1
