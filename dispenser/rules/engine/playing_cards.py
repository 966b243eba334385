"""Playing cards: ace to king in four suits and jokers, in one or more packs."""

from __future__ import annotations

from typing import Final

from dispenser.i18n import Text
from dispenser.rules.engine.cards import SYMBOLS, card_set, numbers
from dispenser.rules.engine.errors import OptionError

SUITS: Final = (Text("clubs"), Text("diamonds"), Text("hearts"), Text("spades"))

# Ranks of a card, 0 to 12; those that no rule names have only their number
ACE: Final = 0
TWO: Final = 1
SIX: Final = 5
SEVEN: Final = 6
EIGHT: Final = 7
TEN: Final = 9
JACK: Final = 10
QUEEN: Final = 11
KING: Final = 12
JOKER: Final = 52
_RANKS = (Text("ace"), *numbers(2, 10), Text("jack"), Text("queen"), Text("king"))
PLAYING_CARDS: Final = card_set(
    SUITS,
    tuple(Text("{rank} of {suit}").filled(rank=rank, suit=suit) for suit in SUITS for rank in _RANKS),
    (Text("joker"),),
    tuple(range(1, 14)),
    wild_value=14,  # assumed: a joker drawn for the deal is the highest card
)

rank_of: Final = PLAYING_CARDS.symbol.__getitem__  # the rank of a card: `rank_of(card) == SEVEN`; -1 of a joker
all_of: Final = PLAYING_CARDS.all_of


def card_of(rank: int, suit: int) -> int:
    """Return the card of that rank and suit."""
    return suit * SYMBOLS + rank


def packs_of_cards(packs: int, *, jokers: bool) -> tuple[int, ...]:
    """Return the cards of packs of 52, or of 54 with two jokers each."""
    return (*range(JOKER), *(JOKER,) * (2 * jokers)) * packs


def require_enough(rule: str, packs: int, seats: int, hand_size: int, *, jokers: bool) -> None:
    """Check that there are enough cards for all hands and one turned up.

    :param rule: ID of the rule about the packs.
    :raises OptionError: too few cards; the text says how many packs to take.
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
