"""Rate the moves of Uno for a bot."""

from __future__ import annotations

from typing import Final

from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, UNO, WILD, WILD_FOUR
from dispenser.rules.games.judge import Judge

DOUBT_FROM: Final = 4  # a +4 of somebody who has at least so many cards left is doubted: one of them probably fitted


class UnoJudge(Judge):
    """Attacks with what has a symbol, keeps wild cards, bluffs never (U-15): whoever doubts is right too often."""

    __slots__ = ()
    attacks = frozenset((*UNO.all_of(PLUS_TWO, REVERSE, SKIP), WILD_FOUR))
    kept = frozenset((WILD, WILD_FOUR))

    def considered(self, cards: list[Move]) -> list[Move]:
        return [move for move in cards if move.card != WILD_FOUR] or cards

    def doubts(self) -> bool:
        return self.seen.sizes[self.seen.before] >= DOUBT_FROM
