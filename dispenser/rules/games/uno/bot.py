"""Rate the moves of Uno for a bot."""

from __future__ import annotations

from typing import Final

from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, UNO, WILD, WILD_FOUR
from dispenser.rules.games.judge import Judge

DOUBT_FROM: Final = 4  # hand size from which a +4 is challenged: one of the cards probably fitted


class UnoJudge(Judge):
    """Attacks with action cards, keeps wild cards, never bluffs (U-15), because challenges are right too often."""

    __slots__ = ()
    attacks = frozenset((*UNO.all_of(PLUS_TWO, REVERSE, SKIP), WILD_FOUR))
    kept = frozenset((WILD, WILD_FOUR))

    def considered(self, cards: list[Move]) -> list[Move]:
        return [move for move in cards if move.card != WILD_FOUR] or cards

    def doubts(self) -> bool:
        return self.seen.sizes[self.seen.before] >= DOUBT_FROM
