"""Demands: what a seat owes the launcher, and questions that only the table can answer."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from dispenser.i18n import Text


class Owed(StrEnum):
    """Unit of a demand."""

    PRESSES = "presses"  # The odds decide how many cards come out at each
    CARDS = "cards"  # An exact number comes out


class Demand(NamedTuple):
    """A debt of a seat to the launcher."""

    kind: Owed
    payer: int  # the seat that presses or draws
    receiver: int  # the seat that gets the cards, and that the launcher is turned to
    number: int  # presses or cards still owed
    rule: str  # ID of its rule
    penalty: bool = False  # a penalty, which does not count as the next player's move (G-03)


class Brings(NamedTuple):
    """A cause of presses or cards, with the figure that the game itself uses."""

    rule: str  # ID of the rule
    number: int  # how many; 0 when it varies and the table must be asked
    card: int | None = None  # the symbol or the wild card that brings them, as in `Vocabulary`
    name: Text | None = None  # its name, if it is not that of the card
    also: tuple[str, ...] = ()  # IDs of rules by which it also applies at another time, such as turned up first
    most: int = 0  # maximum, if the number varies
    chain: bool = False  # `number` is what each such card adds to a total, which one seat then owes


TURN_UP: Final = "turn-up"  # which card was turned up?
POINTS: Final = "points"  # how many points, or which cards, are left in the hand?


class Question(NamedTuple):
    """A question about what only the table can see; it is answered with ``Game.answer``."""

    kind: str  # `TURN_UP`, `POINTS`, or a question of the game's own, such as `"bluff"`
    seat: int | None  # whose cards; `None` for the draw pile
    rule: str  # ID of the rule that asks
