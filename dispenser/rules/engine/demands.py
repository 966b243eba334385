"""What a seat owes the launcher, and what only the table can see and must tell."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from dispenser.i18n import Text


class Owed(StrEnum):
    """How a demand is counted."""

    PRESSES = "presses"  # The odds decide what comes out at each
    CARDS = "cards"  # An exact number comes out


class Demand(NamedTuple):
    """What a seat owes the launcher.

    :ivar payer: the seat that presses or draws.
    :ivar receiver: the seat that takes what comes out, and that the launcher is turned to.
    :ivar number: presses or cards still owed.
    :ivar rule: ID of the rule that it comes from.
    :ivar penalty: it punishes, and does not count as the next player's move (G-03).
    """

    kind: Owed
    payer: int
    receiver: int
    number: int
    rule: str
    penalty: bool = False


class Brings(NamedTuple):
    """Presses or cards that something brings, and where the game itself has the figure from.

    :ivar rule: ID of the rule.
    :ivar number: how many; 0 when only the table knows.
    :ivar card: the symbol or the wild card that brings them, as in ``Vocabulary``; ``None`` when it is no card.
    :ivar name: what it is called, where that is not the card.
    :ivar also: IDs of rules by which it brings the same at another time, such as turned up as the first card.
    :ivar most: how many at most, where only the table knows.
    :ivar chain: ``number`` is what each such card adds, and somebody owes the total.
    """

    rule: str
    number: int
    card: int | None = None
    name: Text | None = None
    also: tuple[str, ...] = ()
    most: int = 0
    chain: bool = False


TURN_UP: Final = "turn-up"  # which card was turned up?
POINTS: Final = "points"  # how many points, or which cards, are left in the hand?


class Question(NamedTuple):
    """What only the table can see and the engine must be told, with ``Game.answer``.

    :ivar kind: ``TURN_UP``, ``POINTS``, or a question of the game's own, such as ``"bluff"``.
    :ivar seat: whose cards; ``None`` for the draw pile.
    :ivar rule: ID of the rule that asks.
    """

    kind: str
    seat: int | None
    rule: str
