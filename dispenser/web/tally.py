"""Compare the odds with what came: count the cards of each press in the journal."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, Any

from dispenser.launcher.replay import LauncherReplay, PressTold
from dispenser.odds.expectation import Expectation
from dispenser.odds.presets import design_from_description
from dispenser.web.models import OddsAndLuck

if TYPE_CHECKING:
    from dispenser.journal import JournalReader, Record
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
        self._begin(None)

    def _begin(self, odds: Any) -> None:
        self._odds = odds
        self._told = LauncherReplay()
        self._came: Counter[int | None] = Counter()
        """Presses by the cards they brought; ``None``: nobody has counted them."""
        self._dry = self._longest_dry_run = 0

    async def report(self) -> OddsAndLuck:
        """What the odds promise, and what came until now."""
        async with self._turn:
            return await self._service.ask_journal(self._report)

    def _report(self, journal: JournalReader) -> OddsAndLuck:
        for entry in journal.read(after=self._seen, types=TYPES):
            self._take(entry)
            self._seen = entry.seq
        counted = {cards: presses for cards, presses in self._came.items() if cards is not None and presses}
        expected = Expectation(design_from_description(self._odds)).cards
        return OddsAndLuck(
            odds=self._odds,
            expected={str(cards): chance for cards, chance in enumerate(expected)},
            came={str(cards): counted[cards] for cards in sorted(counted)},
            presses=sum(counted.values()),
            cards=sum(cards * presses for cards, presses in counted.items()),
            duds=counted.get(0, 0),
            longest_dry_run=self._longest_dry_run,
            uncounted=self._came[None],
        )

    def _take(self, entry: Record) -> None:
        if entry.type == "fairness.committed":
            if (odds := entry.data.get("odds")) != self._odds:
                self._begin(odds)
            return
        number = entry.data.get("press")
        before = self._ended(number)
        self._told.apply(entry)
        now = self._ended(number)
        if now is None or now.draw is None:  # not over yet, or not left to luck
            return
        if before is None:
            self._dry = self._dry + 1 if now.planned == 0 else 0
            self._longest_dry_run = max(self._longest_dry_run, self._dry)
        else:  # somebody said how many there were
            self._came[before.count] -= 1
        self._came[now.count] += 1

    def _ended(self, number: object) -> PressTold | None:
        return self._told.ended.get(number) if isinstance(number, int) else None
