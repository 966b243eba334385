"""Cards as small integers, and tables about them made once.

A card is its *kind*: the two red sevens of a pack are the same number. In every set ``kind = colour * 13 + symbol`` for
cards with a colour (or suit), the wild cards follow, and the last number, ``unknown``, stands for a card whose face
nobody at the table has seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dispenser.language import Text

SYMBOLS: Final = 13
"""Symbols of one colour, in every set."""


@dataclass(frozen=True, slots=True, eq=False)  # there are few, each equal to itself; comparing tables costs
class CardSet:
    """Tables by kind; all tuples have one place for each kind, without ``unknown``.

    :ivar colour: 0 to 3, -1 for a wild card.
    :ivar symbol: 0 to 12, -1 for a wild card.
    :ivar value: what the dealer draw goes by.
    :ivar matches: kinds with the same colour or symbol, rising; empty for a wild card.
    :ivar of_colour: kinds of each colour, rising: what can lie on a wild card that names it.
    :ivar parts: where the cards of each colour stand in such a table.
    """

    names: tuple[Text, ...]
    colour_names: tuple[Text, ...]
    colour: tuple[int, ...]
    symbol: tuple[int, ...]
    value: tuple[int, ...]
    matches: tuple[tuple[int, ...], ...]
    of_colour: tuple[tuple[int, ...], ...]
    parts: tuple[slice, ...]

    @property
    def kinds(self) -> int:
        """How many kinds there are; also the number that stands for an unknown card."""
        return len(self.names)

    def is_wild(self, card: int) -> bool:
        """Whether the card has no colour of its own."""
        return self.colour[card] < 0


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
        parts=tuple(slice(named * SYMBOLS, (named + 1) * SYMBOLS) for named in colours),
    )


def numbers(first: int, last: int) -> tuple[Text, ...]:
    """Names of the cards that are called by a number."""
    return tuple(Text("{number}").filled(number=number) for number in range(first, last + 1))
