"""The cards of Uno Extrême."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.cards import card_set, numbers
from dispenser.rules.engine.uno_cards import COLOURS, REVERSE_NAME, SKIP_NAME, coloured

# Symbols of a card: the numbers 1 to 9, which are 0 to 8, or one of these
PRESS_TWO: Final = 9
REVERSE: Final = 10
SKIP: Final = 11
DISCARD_ALL: Final = 12
WILD: Final = 52
EXTREME_HIT: Final = 53
CUSTOMIZABLE: Final = 54
PRESS_FOUR: Final = 55
UNO_EXTREME: Final = card_set(
    COLOURS,
    coloured((*numbers(1, 9), Text("press 2"), REVERSE_NAME, SKIP_NAME, Text("discard all"))),
    (Text("wild"), Text("extreme hit"), Text("customizable"), Text("press 4")),
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0),
)


all_of: Final = UNO_EXTREME.all_of
symbol_of: Final = UNO_EXTREME.symbol.__getitem__
"""The symbol of a card: ``symbol_of(card) == SKIP``; -1 of a wild card."""

# E-01, without the customizable cards: two of each card in each colour, but one Reverse.
DECK: Final = (
    *(card for card in range(WILD) for _ in range(1 if symbol_of(card) == REVERSE else 2)),
    *(WILD,) * 4,
    *(EXTREME_HIT,) * 4,
    PRESS_FOUR,
)

MOST_PRESSES: Final = 4
"""Presses that a customizable card can bring to a seat (assumed: as many as the hardest printed card)."""
