"""Cards as small integers, and lookup tables for them.

A card is its *kind*: the two red sevens of a pack are the same number. In every set ``kind = colour * 13 + symbol`` for
cards with a colour (or suit); the wild cards follow; the last number, ``unknown``, stands for a card whose face nobody
at the table has seen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dispenser.i18n import Text

SYMBOLS: Final = 13  # symbols of one colour, in every set

Kinds = tuple[int, ...]  # kinds of cards, ascending


@dataclass(frozen=True, slots=True, eq=False)  # few, each equal to itself; comparing tables is slow
class CardSet:
    """Lookup tables by kind; every tuple has one item per kind, without ``unknown``.

    :ivar colour: 0 to 3, -1 for a wild card.
    :ivar symbol: 0 to 12, -1 for a wild card.
    :ivar value: rank in the draw for the dealer.
    :ivar fits: the kinds that fit on each card: same colour or symbol, and wild cards; everything on a wild card
        without a named colour.
    :ivar fits_colour: by colour, the kinds that fit on a wild card naming it.
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
        """Number of kinds; also the number of the unknown card."""
        return len(self.names)

    def is_wild(self, card: int) -> bool:
        """Decide whether the card has no colour."""
        return self.colour[card] < 0

    def all_of(self, *symbols: int) -> Kinds:
        """Return the cards with those symbols, in every colour."""
        return tuple(card for card, symbol in enumerate(self.symbol) if symbol in symbols)


def card_set(
    colour_names: tuple[Text, ...],
    coloured: tuple[Text, ...],
    wild: tuple[Text, ...],
    values: tuple[int, ...],
    wild_value: int = 0,
) -> CardSet:
    """Create a set with ``SYMBOLS`` cards in each colour.

    :param coloured: names of the cards with a colour, grouped by colour.
    :param values: rank in the draw for the dealer, by symbol.
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
    """Add cards that fit on everything to tables of fitting cards."""
    return [tuple(sorted({*kinds, *anywhere})) for kinds in fits]


def numbers(first: int, last: int) -> tuple[Text, ...]:
    """Return the names of numbered cards."""
    return tuple(Text("{number}").filled(number=number) for number in range(first, last + 1))
