"""The odds against what really came, tallied from the journal."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dispenser.journal import Entry
    from dispenser.service import Service

TYPES = ("fairness.committed", "launcher.press.accepted", "launcher.burst.ended", "launcher.burst.counted")
SLICE_ENTRIES = 500
"""Entries taken in at a time; between two slices the launcher gets its turn."""
CORRECTABLE_PRESSES = 1000
"""How far back a count that somebody enters is still heard."""


class Tally:
    """Counts of cards per press, for presses left to luck, since the odds in force came into force.

    Reads only what the journal has gained since the last look, so that looking often costs little.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._seen = 0
        self._odds: Any = None
        self._clear()

    def _clear(self) -> None:
        self._drawn: set[int] = set()
        self._recent: dict[int, int | None] = {}
        self._dry = 0
        self.came: Counter[int] = Counter()
        self.uncounted = 0
        self.longest_dry_run = 0

    async def update(self) -> None:
        """Take in what has happened since the last call."""
        more = True
        while more:
            entries = list(self._service.journal.read(after=self._seen, types=TYPES, limit=SLICE_ENTRIES))
            for entry in entries:
                self._take(entry)
                self._seen = entry.seq
            more = len(entries) == SLICE_ENTRIES
            await asyncio.sleep(0)

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
        self.uncounted += 1
        if data["delivered"] is not None:
            self._count(data["press"], data["delivered"])
        if len(self._recent) > CORRECTABLE_PRESSES:
            del self._recent[next(iter(self._recent))]
        self._dry = self._dry + 1 if data["planned"] == 0 else 0
        self.longest_dry_run = max(self.longest_dry_run, self._dry)

    def _count(self, press: int, cards: int) -> None:
        before = self._recent[press]
        if before is None:
            self.uncounted -= 1
        else:
            self.came[before] -= 1
        self.came[cards] += 1
        self._recent[press] = cards
