"""``Judge``: rate a move as a sensible player would. The ``bot.py`` of a game overrides what differs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from dispenser.rules.engine.cards import SYMBOLS
from dispenser.rules.engine.moves import Move
from dispenser.rules.engine.observation import Observation

KEEP: Final = 6.0  # value of keeping a card that always fits, in the unit of `Judge.worth`
_SAFE_SIZE: Final = 5  # hand size of the next player from which attacks have no extra value


class Judge:
    """Rates each move in one state of the table.

    :ivar colours: own cards of each colour.
    """

    attacks: ClassVar[frozenset[int]] = frozenset()
    """Cards that make the next player draw or lose a turn: rated higher the fewer cards that player has."""
    kept: ClassVar[frozenset[int]] = frozenset()  # cards that always fit, and name a colour
    stays: ClassVar[float] = 0.4
    """Value added per own card of the same colour: it is better to stay on the most frequent colour."""

    __slots__ = ("colours", "points", "seen")

    def __init__(self, seen: Observation) -> None:
        self.seen = seen
        self.points: Sequence[int] = seen.values
        self.colours = seen.of_colours

    def worth(self, move: Move) -> float:
        """Rate laying a card with its choices; above 0 it is better than not playing."""
        card = move.card
        assert card is not None
        worth = 4.0 + (self.points[card] / 25 if self.points else 0.0)
        if card in self.attacks:
            worth += max(0.0, float(_SAFE_SIZE - self.seen.sizes[self.seen.after]))
        if card in self.kept:
            return worth + self.named(move.colour) - KEEP
        return worth + self.stays * self.colours[card // SYMBOLS]

    def named(self, colour: int | None) -> float:
        """Rate naming a colour."""
        return 0.0 if colour is None else 0.8 * self.colours[colour]

    def stands_for(self, card: int, suit: int | None) -> float:
        """Rate a joker that stands for ``card``."""
        return self.colours[card // SYMBOLS] + self.named(suit)

    def considered(self, cards: list[Move]) -> list[Move]:
        """Return the moves to consider."""
        return cards

    def leaves_one(self, move: Move) -> bool:  # noqa: ARG002 - games with cards that take others along look at it
        """Decide whether the move leaves one card in the hand."""
        return self.seen.sizes[self.seen.seat] == 2

    def doubts(self) -> bool:
        """Decide whether to challenge a possible bluff."""
        return False
