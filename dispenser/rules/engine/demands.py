"""What a seat owes the launcher, and what only the table can see and must tell."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple


class Owed(StrEnum):
    """How a demand is counted."""

    PRESSES = "presses"
    """The odds decide what comes out at each."""
    CARDS = "cards"
    """An exact number comes out."""


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


TURN_UP: Final = "turn-up"
"""Which card was turned up?"""
POINTS: Final = "points"
"""How many points, or which cards, are left in the hand?"""


class Question(NamedTuple):
    """What only the table can see and the engine must be told, with ``Game.answer``.

    :ivar kind: ``TURN_UP``, ``POINTS``, or a question of the game's own, such as ``"bluff"``.
    :ivar seat: whose cards; ``None`` for the draw pile.
    :ivar rule: ID of the rule that asks.
    """

    kind: str
    seat: int | None
    rule: str
