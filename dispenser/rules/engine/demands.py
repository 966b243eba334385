"""Demands: what a seat owes the launcher, and questions that only the table can answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from dispenser.i18n import Text


class Owed(StrEnum):
    """How a demand is counted."""

    PRESSES = "presses"  # The odds decide what comes out at each
    CARDS = "cards"  # An exact number comes out


class Demand(NamedTuple):
    """What a seat owes the launcher."""

    kind: Owed
    payer: int  # the seat that presses or draws
    receiver: int  # the seat that takes what comes out, and that the launcher is turned to
    number: int  # presses or cards still owed
    rule: str  # ID of the rule that it comes from
    penalty: bool = False  # it punishes, and does not count as the next player's move (G-03)


class Brings(NamedTuple):
    """Presses or cards that something brings, and where the game itself has the figure from."""

    rule: str  # ID of the rule
    number: int  # how many; 0 when only the table knows
    card: int | None = None  # the symbol or the wild card that brings them, as in `Vocabulary`
    name: Text | None = None  # what it is called, where that is not the card
    also: tuple[str, ...] = ()  # IDs of rules by which it brings the same at another time, such as turned up first
    most: int = 0  # how many at most, where only the table knows
    chain: bool = False  # `number` is what each such card adds, and somebody owes the total


TURN_UP: Final = "turn-up"  # which card was turned up?
POINTS: Final = "points"  # how many points, or which cards, are left in the hand?


class Question(NamedTuple):
    """What only the table can see and the engine must be told, with ``Game.answer``."""

    kind: str  # `TURN_UP`, `POINTS`, or a question of the game's own, such as `"bluff"`
    seat: int | None  # whose cards; `None` for the draw pile
    rule: str  # ID of the rule that asks
