"""Help in a match at the terminal: what can be typed. What only one game has stands in its own words."""

from __future__ import annotations

import textwrap
from typing import Final

from dispenser.cli.match.picture import WIDEST
from dispenser.language import Text, listed
from dispenser.rules import Game
from dispenser.rules.words.phrases import vocabulary_of

_A_CARD: Final = (
    Text("a card"),
    Text(
        "its number in your hand (3), its name (red 7, 7 of hearts), or short (r7, 7h, 7♥); what you choose goes "
        "after it (4 green, 5 queen h)"
    ),
)
_ANNOUNCING: Final = Text("after your last card but one (3 {word}): else they catch you")
_OTHER_MOVES: Final = Text("also pass, take, challenge, catch Bob…: what is listed, or its first letters")
_AT_THE_END: Final = (
    (
        Text("Enter"),
        Text("press the launcher, pass, the only thing to do; let a chance go by"),
    ),
    (Text("u, undo"), Text("back to your last move")),
    (
        Text("r"),
        Text("rules of the card on top; r 3 of a card in hand; r G-04: that rule"),
    ),
    (
        Text("h"),
        Text("show table and hand again; ? or help shows this"),
    ),
    (
        Text("q, quit"),
        Text("save the match and leave; q FILE saves it there"),
    ),
    (
        Text(""),
        Text("● ▲ ■ ◆ red yellow green blue; [3] can be played; Bob 1! has said it"),
    ),
)
_BESIDE: Final = 11
"""Columns of what is typed, with what it does beside it."""
_NARROW: Final = 44
"""With fewer columns it stands below."""


def help_lines(game: Game, language: str, width: int) -> list[str]:
    """What can be typed in a match of that game, in lines that fit.

    :param width: columns of the terminal.
    """
    words = vocabulary_of(game)
    announcement = words.announcement.lower()
    announcing = (listed([announcement]), _ANNOUNCING.filled(word=announcement))
    other_moves = (words.drawing, _OTHER_MOVES)
    indent = " " * (_BESIDE if width >= _NARROW else 2)
    lines: list[str] = []
    for typed, what in (_A_CARD, announcing, other_moves, *words.typed, *_AT_THE_END):
        told = textwrap.wrap(
            what[language], min(width, WIDEST), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        if len(typed[language]) < len(indent):
            told[0] = typed[language].ljust(len(indent)) + told[0][len(indent) :]
        else:
            lines.append(typed[language])
        lines += told
    return lines
