"""Decks made of packs of playing cards, for the games that take as many packs as the table needs."""

from __future__ import annotations

from dispenser.language import Text
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.playing_cards import JOKER

JOKERS_IN_A_PACK = 2


def packs_of_cards(packs: int, *, jokers: bool) -> tuple[int, ...]:
    """The cards of so many packs of 52, or of 54 with jokers."""
    return (*range(JOKER), *(JOKER,) * (JOKERS_IN_A_PACK * jokers)) * packs


def require_enough(rule: str, packs: int, seats: int, hand_size: int, *, jokers: bool) -> None:
    """Every seat gets its hand, and one card is turned up.

    :param rule: ID of the rule about the packs.
    :raises OptionError: there are fewer cards than that; says how many packs to take.
    """
    pack = len(packs_of_cards(1, jokers=jokers))
    needed = hand_size * seats + 1
    if packs * pack < needed:
        enough = -(-needed // pack)
        raise OptionError(
            Text(
                "{hand_size} cards each for {seats} players and one turned up are {needed}, but 'packs' = "
                "{packs} makes {cards} ({rule})"
            ).filled(hand_size=hand_size, seats=seats, needed=needed, packs=packs, cards=packs * pack, rule=rule),
            remedy=("packs", enough),
        )
