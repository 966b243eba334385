"""Compare the odds with the cards that were delivered, from the journal."""

from __future__ import annotations

import asyncio
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any

from dispenser.launcher.replay import LauncherReplay, PressState
from dispenser.odds.expectation import Expectation
from dispenser.odds.presets import design_from_description
from dispenser.web.models import OddsAndLuck

if TYPE_CHECKING:
    from dispenser.journal import JournalReader
    from dispenser.service.service import Service

TYPES = ("fairness.committed", "launcher.press.accepted", "launcher.burst.ended", "launcher.burst.counted")


class Tally:
    """Statistics of the random presses under the current odds; reads only records that are new since the last call."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._turn = asyncio.Lock()
        self._seen = 0
        self._begin(None)

    def _begin(self, odds: Any) -> None:
        self._odds = odds
        self._replay = LauncherReplay()
        self._presses: dict[int, PressState] = {}

    async def report(self) -> OddsAndLuck:
        """Return the expected and the actual distribution of cards."""
        async with self._turn:
            return await self._service.ask_journal(self._report)

    def _report(self, journal: JournalReader) -> OddsAndLuck:
        for record in journal.read(after=self._seen, types=TYPES):
            self._seen = record.seq
            if record.type == "fairness.committed":
                if record.data.get("odds") != self._odds:
                    self._begin(record.data.get("odds"))
                continue
            self._replay.apply(record)
            number = record.data.get("press")
            press = self._replay.ended.get(number) if isinstance(number, int) else None
            if press is not None and press.draw is not None:
                self._presses[press.number] = press
        came = Counter(press.count for press in self._presses.values() if press.count is not None)
        dry_runs = [len([*run]) for dud, run in groupby(press.planned == 0 for press in self._presses.values()) if dud]
        expected = Expectation(design_from_description(self._odds)).cards
        return OddsAndLuck(
            odds=self._odds,
            expected={str(cards): chance for cards, chance in enumerate(expected)},
            came={str(cards): came[cards] for cards in sorted(came)},
            presses=came.total(),
            cards=sum(came.elements()),
            duds=came[0],
            longest_dry_run=max(dry_runs, default=0),
            uncounted=len(self._presses) - came.total(),
        )
