"""The cards of Uno Extrême."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from dispenser.language import Text
from dispenser.rules.engine.cards import card_set, numbers
from dispenser.rules.engine.uno_cards import COLOURS, REVERSE_NAME, SKIP_NAME, coloured


class Symbol(IntEnum):
    """What a card shows beside its colour: the numbers 1 to 9, or one of these."""

    NONE = -1
    """Of a wild card."""
    ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE = range(9)
    PRESS_TWO, REVERSE, SKIP, DISCARD_ALL = 9, 10, 11, 12


PRESS_TWO: Final = Symbol.PRESS_TWO
REVERSE: Final = Symbol.REVERSE
SKIP: Final = Symbol.SKIP
DISCARD_ALL: Final = Symbol.DISCARD_ALL
WILD, EXTREME_HIT, CUSTOMIZABLE, PRESS_FOUR = 52, 53, 54, 55
UNO_EXTREME: Final = card_set(
    COLOURS,
    coloured(
        (
            *numbers(1, 9),
            Text("press 2"),
            REVERSE_NAME,
            SKIP_NAME,
            Text("discard all"),
        )
    ),
    (
        Text("wild"),
        Text("extreme hit"),
        Text("customizable"),
        Text("press 4"),
    ),
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0),
)


symbol_of: Final[Callable[[int], Symbol]] = tuple(map(Symbol, UNO_EXTREME.symbol)).__getitem__
"""The symbol of a card: ``symbol_of(card) is SKIP``."""

# E-01, without the customizable cards: two of each card in each colour, but one Reverse.
DECK: Final = (
    *(card for card in range(WILD) for _ in range(1 if symbol_of(card) is REVERSE else 2)),
    *(WILD,) * 4,
    *(EXTREME_HIT,) * 4,
    PRESS_FOUR,
)

MOST_PRESSES: Final = 4
"""Presses that a customizable card can bring to a seat (assumed: as many as the hardest printed card)."""
