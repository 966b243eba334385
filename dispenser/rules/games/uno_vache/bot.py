"""What a sensible player of Uno vache thinks of a move."""

from __future__ import annotations

from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.uno_cards import PLUS_TWO, REVERSE, SKIP, UNO, WHITE, WILD, WILD_FOUR, ZERO, symbol_of
from dispenser.rules.games.judge import Judge


class UnoVacheJudge(Judge):
    """As in Uno; and a 0 or a white card for the sake of the hand that it brings."""

    __slots__ = ()
    cards = UNO
    attacks = frozenset(
        (*(card for card in range(WILD) if symbol_of(card) in {PLUS_TWO, REVERSE, SKIP}), WILD_FOUR),
    )
    kept = frozenset((WILD, WILD_FOUR))

    def worth(self, move: Move) -> float:
        if move.act is Act.CANCEL:
            return self._cancelling()
        if move.act is Act.JUMP_IN:
            return 6.0
        if move.card == WHITE:
            return self._swapping(move.seat, move.other)
        if move.card is not None and symbol_of(move.card) is ZERO:
            sizes = self.seen.sizes
            return 4.0 + sizes[self.seen.seat] - 1 - sizes[self.seen.before]
        return super().worth(move)

    def _cancelling(self) -> float:
        """V-14: good, unless one began the chain: then it only costs less than taking the cards, which is as many."""
        seen = self.seen
        if seen.public["first_plus"] != seen.seat:
            return 6.0
        return 0.1 if seen.turn == seen.seat else -1.0

    def _swapping(self, one: int | None, other: int | None) -> float:
        """V-16: take the smallest hand there is, or leave the hands of others alone."""
        sizes, me = self.seen.sizes, self.seen.seat
        if me not in {one, other} or one is None or other is None:
            return 0.5
        theirs = sizes[other if one == me else one]
        return 1.0 + sizes[me] - 1 - theirs if theirs else 0.1
