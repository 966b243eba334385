"""Cards as small integers: two card sets, and tables about them made once.

A card is its *kind*: the two red sevens of a pack are the same number. In both sets ``kind = colour * 13 + symbol`` for
cards with a colour (or suit), the wild cards follow, and the last number, ``unknown``, stands for a card whose face
nobody at the table has seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dispenser.rules.book.entry import Text

SYMBOLS: Final = 13
"""Symbols of one colour, in both sets."""


@dataclass(frozen=True, slots=True, eq=False)  # there are two, each equal to itself; comparing tables costs
class CardSet:
    """Tables by kind; all tuples have one place for each kind, without ``unknown``.

    :ivar colour: 0 to 3, -1 for a wild card.
    :ivar symbol: 0 to 12, -1 for a wild card.
    :ivar value: what the dealer draw goes by.
    :ivar matches: kinds with the same colour or symbol, rising; empty for a wild card.
    :ivar of_colour: kinds of each colour, rising: what can lie on a wild card that names it.
    """

    names: tuple[Text, ...]
    colour_names: tuple[Text, ...]
    colour: tuple[int, ...]
    symbol: tuple[int, ...]
    value: tuple[int, ...]
    matches: tuple[tuple[int, ...], ...]
    of_colour: tuple[tuple[int, ...], ...]

    @property
    def kinds(self) -> int:
        """How many kinds there are; also the number that stands for an unknown card."""
        return len(self.names)

    def is_wild(self, card: int) -> bool:
        """Whether the card has no colour of its own."""
        return self.colour[card] < 0


def _card_set(
    colour_names: tuple[Text, ...],
    coloured: tuple[Text, ...],
    wild: tuple[Text, ...],
    values: tuple[int, ...],
    wild_value: int = 0,
) -> CardSet:
    colours = range(len(colour_names))
    colour = (*(kind // SYMBOLS for kind in range(len(colours) * SYMBOLS)), *(-1 for _ in wild))
    symbol = (*(kind % SYMBOLS for kind in range(len(colours) * SYMBOLS)), *(-1 for _ in wild))
    with_colour = range(len(colours) * SYMBOLS)
    return CardSet(
        names=(*coloured, *wild),
        colour_names=colour_names,
        colour=colour,
        symbol=symbol,
        value=(*(values[kind % SYMBOLS] for kind in with_colour), *(wild_value for _ in wild)),
        matches=(
            *(
                tuple(other for other in with_colour if colour[other] == colour[kind] or symbol[other] == symbol[kind])
                for kind in with_colour
            ),
            *(() for _ in wild),
        ),
        of_colour=tuple(tuple(kind for kind in with_colour if colour[kind] == named) for named in colours),
    )


COLOURS: Final = (Text("red", "rouge"), Text("yellow", "jaune"), Text("green", "vert"), Text("blue", "bleu"))
FEMININE_COLOURS: Final = ("rouge", "jaune", "verte", "bleue")
"""The French colours of « une carte » and « une inversion »."""
SUITS: Final = (Text("clubs", "trèfle"), Text("diamonds", "carreau"), Text("hearts", "cœur"), Text("spades", "pique"))


def _coloured(symbols: tuple[Text, ...]) -> tuple[Text, ...]:
    return tuple(
        Text(f"{colour.en} {symbol.en}", f"{symbol.fr} {feminine if symbol is REVERSE_NAME else colour.fr}")
        for colour, feminine in zip(COLOURS, FEMININE_COLOURS, strict=True)
        for symbol in symbols
    )


def _numbers(first: int, last: int) -> tuple[Text, ...]:
    return tuple(Text(str(number), str(number)) for number in range(first, last + 1))


REVERSE_NAME: Final = Text("reverse", "inversion")
SKIP_NAME: Final = Text("skip", "passer")

# Uno, Uno vache: 0-9, +2, reverse, skip in each colour; wild, +4, white.
PLUS_TWO, REVERSE, SKIP = 10, 11, 12
WILD, WILD_FOUR, WHITE = 52, 53, 54
UNO: Final = _card_set(
    COLOURS,
    _coloured((*_numbers(0, 9), Text("+2", "+2"), REVERSE_NAME, SKIP_NAME)),
    (Text("wild", "joker"), Text("+4", "+4"), Text("white", "blanche")),
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0),
)

# U-01, V-01: one 0 and two of each other card in each colour; four wilds of each sort.
UNO_DECK: Final = (
    *(kind for kind in range(WILD) for _ in range(1 if UNO.symbol[kind] == 0 else 2)),
    *(WILD,) * 4,
    *(WILD_FOUR,) * 4,
)

# Uno Extrême: 1-9, press 2, reverse, skip, discard all in each colour; wild, extreme hit, customizable, press 4.
PRESS_TWO, EXTREME_REVERSE, EXTREME_SKIP, DISCARD_ALL = 9, 10, 11, 12
EXTREME_WILD, EXTREME_HIT, CUSTOMIZABLE, PRESS_FOUR = 52, 53, 54, 55
UNO_EXTREME: Final = _card_set(
    COLOURS,
    _coloured(
        (
            *_numbers(1, 9),
            Text("press 2", "appuyer 2 fois"),
            REVERSE_NAME,
            SKIP_NAME,
            Text("discard all", "poser tout"),
        )
    ),
    (
        Text("wild", "joker"),
        Text("extreme hit", "coup extrême"),
        Text("customizable", "carte à customiser"),
        Text("press 4", "appuyer 4 fois"),
    ),
    (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0),
)

# Playing cards: ace, 2 to 10, jack, queen, king in each suit; joker.
ACE, TWO, SIX, SEVEN, EIGHT, TEN, JACK, QUEEN, KING = 0, 1, 5, 6, 7, 9, 10, 11, 12
JOKER = 52
_RANKS = (
    Text("ace", "as"),
    *_numbers(2, 10),
    Text("jack", "valet"),
    Text("queen", "dame"),
    Text("king", "roi"),
)
PLAYING_CARDS: Final = _card_set(
    SUITS,
    tuple(Text(f"{rank.en} of {suit.en}", f"{rank.fr} de {suit.fr}") for suit in SUITS for rank in _RANKS),
    (Text("joker", "joker"),),
    tuple(range(1, 14)),
    wild_value=14,  # assumed: a joker drawn for the deal is the highest card
)
