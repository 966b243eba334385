"""Playing cards: ace to king in four suits, and jokers."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from dispenser.language import Text
from dispenser.rules.engine.cards import SYMBOLS, card_set, numbers

SUITS: Final = (Text("clubs"), Text("diamonds"), Text("hearts"), Text("spades"))


class Rank(IntEnum):
    """What a card shows beside its suit."""

    NONE = -1
    """Of a joker."""
    ACE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING = range(13)


ACE: Final = Rank.ACE
TWO: Final = Rank.TWO
SIX: Final = Rank.SIX
SEVEN: Final = Rank.SEVEN
EIGHT: Final = Rank.EIGHT
TEN: Final = Rank.TEN
JACK: Final = Rank.JACK
QUEEN: Final = Rank.QUEEN
KING: Final = Rank.KING
JOKER: Final = 52
_RANKS = (
    Text("ace"),
    *numbers(2, 10),
    Text("jack"),
    Text("queen"),
    Text("king"),
)
PLAYING_CARDS: Final = card_set(
    SUITS,
    tuple(Text("{rank} of {suit}").filled(rank=rank, suit=suit) for suit in SUITS for rank in _RANKS),
    (Text("joker"),),
    tuple(range(1, 14)),
    wild_value=14,  # assumed: a joker drawn for the deal is the highest card
)

rank_of: Final[Callable[[int], Rank]] = tuple(map(Rank, PLAYING_CARDS.symbol)).__getitem__
"""The rank of a card: ``rank_of(card) is SEVEN``."""


def all_of(*ranks: Rank) -> tuple[int, ...]:
    """The cards of those ranks, in every suit."""
    return tuple(sorted(suit * SYMBOLS + rank for suit in range(len(SUITS)) for rank in ranks))


def card_of(rank: Rank, suit: int) -> int:
    """The card of that rank and suit."""
    return suit * SYMBOLS + rank
