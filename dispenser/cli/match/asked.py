"""Which rules somebody asks for in a match: of the card on top, of a card in hand, of any card, or by ID."""

from __future__ import annotations

import re
from typing import Final

from dispenser.cli.match.help import rules_of
from dispenser.cli.rules.page import Part, parts_named
from dispenser.rules import Game
from dispenser.rules.book import SHARED
from dispenser.rules.book.entry import Text
from dispenser.rules.library import RULES, book_of
from dispenser.rules.notation import NotationError, read_card
from dispenser.rules.observation import observe

MOST_DIGITS: Final = 4
"""No hand is so large that its last card has a number of more."""
_RULE_ID: Final = re.compile(r"([A-Za-z])-?([0-9]{1,2})")


def rules_asked(game: Game, seat: int, wanted: str) -> list[Part]:
    """What to print for ``r``, ``r 3``, ``r +4``, ``r U-11``.

    :raises NotationError: there is no such card and no such rule.
    """
    cards = game.cards
    if not wanted:
        return parts_named(rules_of(game.game_id, cards, game.talon[-1]) if game.talon else ())
    if wanted.isdecimal():
        hand = observe(game, seat).hand
        if len(wanted) > MOST_DIGITS or not 1 <= int(wanted) <= len(hand):
            raise not_in_hand(len(hand))
        return parts_named(rules_of(game.game_id, cards, hand[int(wanted) - 1]))
    number = _RULE_ID.fullmatch(wanted)
    if number and f"{number[1].upper()}-{int(number[2]):02}" in RULES:
        return parts_named((wanted,))
    if number and "-" in wanted:
        raise _no_rule(game, wanted)
    try:
        return parts_named(rules_of(game.game_id, cards, read_card(cards, wanted)))
    except NotationError as error:
        if error.nearest:
            raise
        raise _nothing(wanted) from error


def not_in_hand(size: int) -> NotationError:
    """For a number that is no place in the hand."""
    if size == 1:
        return NotationError(Text("your hand has 1 card: 1", "ta main n’a qu’une carte, la 1"))
    if not size:
        return NotationError(Text("your hand has no card", "ta main n’a pas de carte"))
    return NotationError(Text(f"your hand has cards 1 to {size}", f"ta main a les cartes 1 à {size}"))


def _no_rule(game: Game, wanted: str) -> NotationError:
    rules, shared = book_of(game.game_id).rules, SHARED[1]
    spans = [(each[0].id, each[-1].id) for each in (shared, rules)]
    english = ", ".join(f"{first} to {last}" for first, last in spans)
    french = ", ".join(f"{first} à {last}" for first, last in spans)
    return NotationError(
        Text(
            f"there is no rule {wanted}; this game has {english}",
            f"il n’y a pas de règle {wanted}\u00a0; ce jeu a {french}",
        )
    )


def _nothing(wanted: str) -> NotationError:
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in wanted[:40])
    return NotationError(
        Text(
            f"there is no card and no rule “{shown}” in this game",
            f"ni carte ni règle ne s’appelle «\u00a0{shown}\u00a0» dans ce jeu",
        )
    )
