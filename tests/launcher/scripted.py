"""Odds that do as they are told."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dispenser.launcher.messages import Outcome


class ScriptedOdds:
    """Outcomes from a list; when it is used up, one card each time."""

    def __init__(self, cards: Iterable[int], suspense: float = 0.5) -> None:
        self._cards = list(cards)
        self._suspense = suspense
        self.drawn = 0
        self.resets = 0

    def reset(self) -> None:
        self.resets += 1

    def draw(self) -> Outcome:
        self.drawn += 1
        cards = self._cards[self.drawn - 1] if self.drawn <= len(self._cards) else 1
        return Outcome(self.drawn, cards, self._suspense)

    def describe(self) -> dict[str, Any]:
        return {"scripted": self._cards}
