"""Cards as small integers, and lookup tables for them.

A card is its *kind*: the two red sevens of a pack are the same number. In every set ``kind = colour * 13 + symbol`` for
cards with a colour (or suit), the wild cards follow, and the last number, ``unknown``, stands for a card whose face
nobody at the table has seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dispenser.i18n import Text

SYMBOLS: Final = 13  # symbols of one colour, in every set

Kinds = tuple[int, ...]  # kinds of cards, rising


@dataclass(frozen=True, slots=True, eq=False)  # there are few, each equal to itself; comparing tables costs
class CardSet:
    """Tables by kind; all tuples have one place for each kind, without ``unknown``.

    :ivar colour: 0 to 3, -1 for a wild card.
    :ivar symbol: 0 to 12, -1 for a wild card.
    :ivar value: what the dealer draw goes by.
    :ivar fits: what goes on each card: the same colour or symbol, and wild cards; on a wild card that names no colour,
        everything.
    :ivar fits_colour: what goes on a wild card that names each colour.
    :ivar of_colour: the kinds of each colour.
    """

    names: tuple[Text, ...]
    colour_names: tuple[Text, ...]
    colour: tuple[int, ...]
    symbol: tuple[int, ...]
    value: tuple[int, ...]
    fits: tuple[Kinds, ...]
    fits_colour: tuple[Kinds, ...]
    of_colour: tuple[range, ...]

    @property
    def kinds(self) -> int:
        """How many kinds there are; also the number that stands for an unknown card."""
        return len(self.names)

    def is_wild(self, card: int) -> bool:
        """Whether the card has no colour of its own."""
        return self.colour[card] < 0

    def all_of(self, *symbols: int) -> Kinds:
        """The cards of those symbols, in every colour."""
        return tuple(card for card, symbol in enumerate(self.symbol) if symbol in symbols)


def card_set(
    colour_names: tuple[Text, ...],
    coloured: tuple[Text, ...],
    wild: tuple[Text, ...],
    values: tuple[int, ...],
    wild_value: int = 0,
) -> CardSet:
    """A set with ``SYMBOLS`` cards in each colour.

    :param coloured: names of the cards with a colour, one colour after the other.
    :param values: what the dealer draw goes by, for each symbol.
    """
    everything = range(len(coloured) + len(wild))
    without_colour = [-1] * len(wild)
    colour = (*(kind // SYMBOLS for kind in range(len(coloured))), *without_colour)
    symbol = (*(kind % SYMBOLS for kind in range(len(coloured))), *without_colour)

    def fitting(on: int) -> Kinds:
        alike = (kind for kind in everything if colour[kind] in (colour[on], -1) or symbol[kind] == symbol[on])
        return tuple(everything if colour[on] < 0 else alike)

    return CardSet(
        names=(*coloured, *wild),
        colour_names=colour_names,
        colour=colour,
        symbol=symbol,
        value=tuple(wild_value if kind < 0 else values[kind] for kind in symbol),
        fits=tuple(map(fitting, everything)),
        fits_colour=tuple(
            tuple(kind for kind in everything if colour[kind] in (named, -1)) for named in range(len(colour_names))
        ),
        of_colour=tuple(range(first, first + SYMBOLS) for first in range(0, len(coloured), SYMBOLS)),
    )


def and_anywhere(fits: Iterable[Kinds], anywhere: Kinds) -> list[Kinds]:
    """Tables of what fits, with cards that go on everything."""
    return [tuple(sorted({*kinds, *anywhere})) for kinds in fits]


def numbers(first: int, last: int) -> tuple[Text, ...]:
    """Names of the cards that are called by a number."""
    return tuple(Text("{number}").filled(number=number) for number in range(first, last + 1))
