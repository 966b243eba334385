"""Help in a match at the terminal: what can be typed, and the rules that somebody asks for.

What only one game has stands in its own words.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

from dispenser.cli.match.picture import WIDEST
from dispenser.config.errors import cut
from dispenser.i18n import Text, listed
from dispenser.rules import Game
from dispenser.rules.book import BookError
from dispenser.rules.library import RULES, rule_id, rule_of
from dispenser.rules.words.notation import NotationError, read_card
from dispenser.rules.words.phrases import vocabulary_of

MOST_DIGITS: Final = 4
"""No hand is so large that its last card has a number of more."""
_BESIDE: Final = 11
"""Columns of what is typed, with what it does beside it."""
_NARROW: Final = 44
"""With fewer columns it stands below."""
_CARD: Final = Text(
    "its number in your hand (3), its name (red 7, 7 of hearts), or short (r7, 7h, 7♥); what you choose goes after it "
    "(4 green, 5 queen h)"
)
_ANNOUNCING: Final = Text("after your last card but one (3 {word}): else they catch you")
_AT_THE_END: Final = (
    (Text("Enter"), Text("press the launcher, pass, the only thing to do; let a chance go by")),
    (Text("u, undo"), Text("back to your last move")),
    (Text("r"), Text("rules of the card on top; r 3 of a card in hand; r G-04: that rule")),
    (Text("h"), Text("show table and hand again; ? or help shows this")),
    (Text("q, quit"), Text("save the match and leave; q FILE saves it there")),
    (Text(""), Text("● ▲ ■ ◆ red yellow green blue; [3] can be played; Bob 1! has said it")),
)


def help_lines(game: Game, language: str, width: int) -> list[str]:
    """What can be typed in a match of that game, in lines that fit.

    :param width: columns of the terminal.
    """
    words = vocabulary_of(game)
    announcement = words.announcement.lower()
    rows = (
        (Text("a card"), _CARD),
        (listed([announcement]), _ANNOUNCING.filled(word=announcement)),
        (words.drawing, Text("also pass, take, challenge, catch Bob…: what is listed, or its first letters")),
        *words.typed,
        *_AT_THE_END,
    )
    indent = " " * (_BESIDE if width >= _NARROW else 2)
    lines: list[str] = []
    for typed, what in rows:
        told = textwrap.wrap(what[language], min(width, WIDEST) - len(indent), break_on_hyphens=False)
        beside = len(typed[language]) < len(indent)
        lines += [] if beside else [typed[language]]
        lines += [
            (typed[language] if beside and not n else "").ljust(len(indent)) + line for n, line in enumerate(told)
        ]
    return lines


def rules_asked(game: Game, seat: int, wanted: str) -> Sequence[str]:
    """IDs of the rules to print for ``r``, ``r 3``, ``r +4``, ``r U-11``.

    :raises NotationError: there is no such card and no such rule.
    """
    rules_of = vocabulary_of(game).rules_of
    if not wanted:
        return rules_of(game.state.talon[-1]) if game.state.talon else ()
    if wanted.isdecimal():
        return rules_of(card_numbered(game, seat, wanted))
    try:
        if (rule := rule_id(wanted)) and (rule in RULES or "-" in wanted):
            return [rule_of(rule).id]
        return rules_of(read_card(game, wanted))
    except BookError as error:
        raise NotationError(error.text) from error
    except NotationError as error:
        if error.nearest:
            raise
        nothing = Text("there is no card and no rule “{wanted}” in this game")
        raise NotationError(nothing.filled(wanted=cut(wanted))) from error


def card_numbered(game: Game, seat: int, number: str) -> int:
    """The card with that number in the hand of a seat.

    :raises NotationError: there is none.
    """
    hand = game.observe(seat).hand
    if len(number) <= MOST_DIGITS and 1 <= int(number) <= len(hand):
        return hand[int(number) - 1]
    cards = Text("your hand has one card: {number}", plural="your hand has cards 1 to {number}")
    raise NotationError(cards.filled(number=len(hand)) if hand else Text("your hand has no card"))
