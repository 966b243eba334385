"""Which rules somebody asks for in a match: of the card on top, of a card in hand, of any card, or by ID."""

from __future__ import annotations

import re
from typing import Final

from dispenser.cli.match.page import Part, parts_named
from dispenser.language import Text, listed
from dispenser.rules import Game
from dispenser.rules.book import SHARED
from dispenser.rules.library import RULES, book_of
from dispenser.rules.words.notation import NotationError, read_card
from dispenser.rules.words.phrases import vocabulary_of

MOST_DIGITS: Final = 4
"""No hand is so large that its last card has a number of more."""
_RULE_ID: Final = re.compile(r"([A-Za-z])-?([0-9]{1,2})")


_ONE_CARD: Final = Text("your hand has 1 card: 1")
_NO_CARD: Final = Text("your hand has no card")
_CARDS: Final = Text("your hand has cards 1 to {size}")
_NO_RULE: Final = Text("there is no rule {wanted}; this game has {ranges}")
_RANGE: Final = Text("{first} to {last}")
_NOTHING: Final = Text("there is no card and no rule “{wanted}” in this game")


def rules_asked(game: Game, seat: int, wanted: str) -> list[Part]:
    """What to print for ``r``, ``r 3``, ``r +4``, ``r U-11``.

    :raises NotationError: there is no such card and no such rule.
    """
    rules_of = vocabulary_of(game).rules_of
    if not wanted:
        return parts_named(rules_of(game.state.talon[-1]) if game.state.talon else ())
    if wanted.isdecimal():
        hand = game.observe(seat).hand
        if len(wanted) > MOST_DIGITS or not 1 <= int(wanted) <= len(hand):
            raise not_in_hand(len(hand))
        return parts_named(rules_of(hand[int(wanted) - 1]))
    number = _RULE_ID.fullmatch(wanted)
    if number and f"{number[1].upper()}-{int(number[2]):02}" in RULES:
        return parts_named((wanted,))
    if number and "-" in wanted:
        ranges = [
            _RANGE.filled(first=rules[0].id, last=rules[-1].id) for rules in (SHARED[1], book_of(game.game_id).rules)
        ]
        raise NotationError(_NO_RULE.filled(wanted=wanted, ranges=listed(ranges)))
    try:
        return parts_named(rules_of(read_card(game, wanted)))
    except NotationError as error:
        if error.nearest:
            raise
        shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in wanted[:40])
        raise NotationError(_NOTHING.filled(wanted=shown)) from error


def not_in_hand(size: int) -> NotationError:
    """For a number that is no place in the hand."""
    return NotationError(_CARDS.filled(size=size) if size > 1 else _ONE_CARD if size else _NO_CARD)
