"""Playing cards: ace to king in four suits, and jokers; decks made of as many packs as the table needs."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from typing import Final

from dispenser.language import Text
from dispenser.rules.engine.cards import SYMBOLS, card_set, numbers
from dispenser.rules.engine.errors import OptionError

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
_RANKS = (Text("ace"), *numbers(2, 10), Text("jack"), Text("queen"), Text("king"))
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


def packs_of_cards(packs: int, *, jokers: bool) -> tuple[int, ...]:
    """The cards of so many packs of 52, or of 54 with two jokers each."""
    return (*range(JOKER), *(JOKER,) * (2 * jokers)) * packs


def require_enough(rule: str, packs: int, seats: int, hand_size: int, *, jokers: bool) -> None:
    """Every seat gets its hand, and one card is turned up.

    :param rule: ID of the rule about the packs.
    :raises OptionError: there are fewer cards than that; says how many packs to take.
    """
    pack = len(packs_of_cards(1, jokers=jokers))
    needed = hand_size * seats + 1
    if packs * pack < needed:
        raise OptionError(
            Text(
                "{hand_size} cards each for {seats} players and one turned up are {needed}, but 'packs' = "
                "{packs} makes {cards} ({rule})"
            ).filled(hand_size=hand_size, seats=seats, needed=needed, packs=packs, cards=packs * pack, rule=rule),
            remedy=("packs", -(-needed // pack)),
        )
