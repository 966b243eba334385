"""The cards of Uno: four colours, each with numbers and symbols; wild cards."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.cards import card_set, numbers

COLOURS: Final = (Text("red"), Text("yellow"), Text("green"), Text("blue"))
FEMININE_COLOURS: Final = (
    Text("red", context="feminine"),
    Text("yellow", context="feminine"),
    Text("green", context="feminine"),
    Text("blue", context="feminine"),
)
"""The French colours in the feminine, for « une carte » and « une inversion »."""


def coloured(symbols: tuple[Text, ...]) -> tuple[Text, ...]:
    """Return the names of the cards of all colours."""
    return tuple(
        Text("{colour} {symbol}").filled(colour=feminine if symbol is REVERSE_NAME else colour, symbol=symbol)
        for colour, feminine in zip(COLOURS, FEMININE_COLOURS, strict=True)
        for symbol in symbols
    )


REVERSE_NAME: Final = Text("reverse")
SKIP_NAME: Final = Text("skip")


# Symbols of a card: a number, as itself, or one of these
ZERO: Final = 0
PLUS_TWO: Final = 10
REVERSE: Final = 11
SKIP: Final = 12
WILD: Final = 52
WILD_FOUR: Final = 53
WHITE: Final = 54
UNO: Final = card_set(
    COLOURS,
    coloured((*numbers(0, 9), Text("+2"), REVERSE_NAME, SKIP_NAME)),
    (Text("wild"), Text("+4"), Text("white")),
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0),
)

symbol_of: Final = UNO.symbol.__getitem__  # the symbol of a card: `symbol_of(card) == SKIP`; -1 of a wild card

# U-01, V-01: one 0 and two of each other card in each colour; four wilds of each sort.
UNO_DECK: Final = (
    *(kind for kind in range(WILD) for _ in range(1 if symbol_of(kind) == ZERO else 2)),
    *(WILD,) * 4,
    *(WILD_FOUR,) * 4,
)
