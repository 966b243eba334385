"""Rate the moves of Uno vache for a bot."""

from __future__ import annotations

from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, UNO, WHITE, WILD, WILD_FOUR, ZERO, symbol_of
from dispenser.rules.games.judge import Judge


class UnoVacheJudge(Judge):
    """As in Uno; rates a 0 or a white card by the hand that it brings."""

    __slots__ = ()
    attacks = frozenset((*UNO.all_of(PLUS_TWO, REVERSE, SKIP), WILD_FOUR))
    kept = frozenset((WILD, WILD_FOUR))

    def worth(self, move: Move) -> float:
        if move.act is Act.CANCEL:
            return self._cancelling()
        seen, card = self.seen, move.card
        others_turn = 2.0 if move.act is Act.JUMP_IN else 0.0
        if card == WHITE:
            return self._swapping(move.seat, move.other)
        if card is not None and symbol_of(card) == ZERO:
            return self._instead_of_ones_own(seen.sizes[seen.before])
        return super().worth(move) + others_turn

    def _cancelling(self) -> float:
        """V-14: good, unless the seat began the chain and so pays; in turn that costs the same as taking the cards."""
        seen = self.seen
        if seen.public["first_plus"] != seen.seat:
            return 6.0
        return 0.1 if seen.turn == seen.seat else -1.0

    def _swapping(self, one: int | None, other: int | None) -> float:
        """V-16: rate a swap: one for a smaller hand by its size, one between others as worth little."""
        sizes, me = self.seen.sizes, self.seen.seat
        if one is None or other is None or me not in {one, other}:
            return 0.5
        theirs = sizes[other if one == me else one]
        return self._instead_of_ones_own(theirs) - 3.0 if theirs else 0.1

    def _instead_of_ones_own(self, theirs: int) -> float:
        """Rate getting a hand of size ``theirs``: one card fewer than now equals a plain lay."""
        mine = self.seen.sizes[self.seen.seat]
        return 3.0 + mine - theirs if theirs <= mine else -1.0  # no exchange for more cards
