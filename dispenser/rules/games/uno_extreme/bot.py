"""Rate the moves of Uno Extrême for a bot."""

from __future__ import annotations

from dispenser.rules.engine.cards import SYMBOLS
from dispenser.rules.engine.moves import Move
from dispenser.rules.games.judge import Judge
from dispenser.rules.games.uno_extreme import cards as extreme


class UnoExtremeJudge(Judge):
    """Attacks with action cards, keeps wild cards, aims hits at small hands, discards many cards at once."""

    __slots__ = ()
    attacks = frozenset((*extreme.all_of(extreme.PRESS_TWO, extreme.REVERSE, extreme.SKIP), extreme.PRESS_FOUR))
    kept = frozenset((extreme.WILD, extreme.EXTREME_HIT, extreme.CUSTOMIZABLE, extreme.PRESS_FOUR))

    def worth(self, move: Move) -> float:
        worth = super().worth(move)
        if move.card == extreme.EXTREME_HIT and move.seat is not None:
            return worth + max(0.0, 6.0 - self.seen.sizes[move.seat])
        if move.card is not None and extreme.symbol_of(move.card) == extreme.DISCARD_ALL:
            return worth + 2.0 * (self._of_its_colour(move.card) - 1)
        return worth

    def leaves_one(self, move: Move) -> bool:
        if move.card is not None and extreme.symbol_of(move.card) == extreme.DISCARD_ALL:
            return self.seen.sizes[self.seen.seat] - self._of_its_colour(move.card) == 1
        return super().leaves_one(move)

    def _of_its_colour(self, card: int) -> int:
        return self.colours[card // SYMBOLS]
