"""The odds against what really came, tallied from the journal."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from dispenser.luck.expectation import expected_distribution

if TYPE_CHECKING:
    from dispenser.journal import Entry, JournalReader
    from dispenser.service import Service

TYPES = ("fairness.committed", "launcher.press.accepted", "launcher.burst.ended", "launcher.burst.counted")
CORRECTABLE_PRESSES = 1000
"""How far back a count that somebody enters is still heard."""


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
        self._drawn: set[int] = set()
        self._recent: dict[int, int | None] = {}
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
            with suppress(KeyError, TypeError):  # a damaged entry: it counts for nothing
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
        data = entry.data
        match entry.type:
            case "fairness.committed":
                if data["odds"] != self._odds:
                    self._odds = data["odds"]
                    self._clear()
            case "launcher.press.accepted":
                if data["draw"] is not None:
                    self._drawn.add(data["press"])
            case "launcher.burst.ended":
                if data["press"] in self._drawn:
                    self._end(data)
            case "launcher.burst.counted":
                if data["press"] in self._recent:
                    self._count(data["press"], data["cards"])

    def _end(self, data: dict[str, Any]) -> None:
        self._drawn.discard(data["press"])
        self._recent[data["press"]] = None
        self._uncounted += 1
        if data["delivered"] is not None:
            self._count(data["press"], data["delivered"])
        if len(self._recent) > CORRECTABLE_PRESSES:
            del self._recent[next(iter(self._recent))]
        self._dry = self._dry + 1 if data["planned"] == 0 else 0
        self._longest_dry_run = max(self._longest_dry_run, self._dry)

    def _count(self, press: int, cards: int) -> None:
        before = self._recent[press]
        if before is None:
            self._uncounted -= 1
        else:
            self._came[before] -= 1
        self._came[cards] += 1
        self._recent[press] = cards
