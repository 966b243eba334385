"""Rate the moves of 151 for a bot."""

from __future__ import annotations

from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.playing_cards import EIGHT, TWO, all_of
from dispenser.rules.games.judge import KEEP, Judge

_EIGHTS = frozenset(all_of(EIGHT))


class Judge151(Judge):
    """Attacks with twos; lays a joker early, because it counts 150 in the hand."""

    __slots__ = ()
    attacks = frozenset(all_of(TWO))

    def worth(self, move: Move) -> float:
        if move.card is not None and move.stands_for is not None:
            return 4.0 + self.points[move.card] / 25 + self.stands_for(move.stands_for, move.colour) / 4
        if move.card in _EIGHTS and move.card is not None:
            return 4.0 + self.points[move.card] / 25 + self.named(move.colour) - KEEP / 2
        return super().worth(move)
