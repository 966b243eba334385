"""Help in a match at the terminal: what can be typed, and which rules a card stands under."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from typing import Final

from dispenser.cli.match.picture import WIDEST
from dispenser.language import Text
from dispenser.rules.cards import (
    ACE,
    CUSTOMIZABLE,
    DISCARD_ALL,
    EIGHT,
    EXTREME_HIT,
    EXTREME_REVERSE,
    EXTREME_SKIP,
    EXTREME_WILD,
    JOKER,
    PLUS_TWO,
    PRESS_FOUR,
    PRESS_TWO,
    QUEEN,
    REVERSE,
    SEVEN,
    SIX,
    SKIP,
    TEN,
    TWO,
    WHITE,
    WILD,
    WILD_FOUR,
    CardSet,
)

_FRENCH_SIGNS: Final = re.compile(r" (?=[:;])")
_WILDS_FROM: Final = 52
"""Kinds from here on are wild cards; below, a symbol stands for its cards of all colours."""

_RULES_OF: Final[Mapping[str, Mapping[int, tuple[str, ...]]]] = {
    "uno-extreme": {
        PRESS_TWO: ("E-17",),
        EXTREME_REVERSE: ("E-15",),
        EXTREME_SKIP: ("E-16",),
        DISCARD_ALL: ("E-18",),
        EXTREME_WILD: ("E-19",),
        EXTREME_HIT: ("E-21",),
        CUSTOMIZABLE: ("E-22",),
        PRESS_FOUR: ("E-20",),
    },
    "uno": {
        PLUS_TWO: ("U-11",),
        REVERSE: ("U-12",),
        SKIP: ("U-13",),
        WILD: ("U-14",),
        WILD_FOUR: ("U-15", "U-16"),
    },
    "huit-americain": {SEVEN: ("H-06",), EIGHT: ("H-07",), TEN: ("H-08",), ACE: ("H-09",), JOKER: ("H-01",)},
    "151": {
        TWO: ("C-06",),
        SIX: ("C-07",),
        EIGHT: ("C-08",),
        TEN: ("C-09",),
        QUEEN: ("C-10",),
        ACE: ("C-11",),
        JOKER: ("C-12",),
    },
    "uno-vache": {
        0: ("V-13", "V-21"),
        PLUS_TWO: ("V-09",),
        REVERSE: ("V-07",),
        SKIP: ("V-08",),
        WILD: ("V-06", "V-19"),
        WILD_FOUR: ("V-10", "V-19"),
        WHITE: ("V-16",),
    },
}
_OF_ALL: Final = {"uno-extreme": "E-13", "uno": "U-09", "huit-americain": "H-04", "151": "C-05", "uno-vache": "V-04"}


def rules_of(game_id: str, cards: CardSet, card: int) -> tuple[str, ...]:
    """IDs of the rules about a card: its own, or how cards match when it is an ordinary one."""
    key = card if card >= _WILDS_FROM else cards.symbol[card]
    return _RULES_OF[game_id].get(key, (_OF_ALL[game_id],))


_EVERYWHERE: Final = (
    (
        Text("a card", "une carte"),
        Text(
            "its number in your hand (3), its name (red 7, 7 of hearts), or short (r7, 7h, 7♥); what you choose goes "
            "after it (4 green, 5 queen h)",
            "son numéro dans ta main (3), son nom (7 rouge, 7 de cœur), ou court (7r, 7c, 7♥) ; ton choix se met "
            "derrière (4 vert, 5 dame c)",
        ),
    ),
    (
        Text("uno", "uno"),
        Text(
            "after your last card but one (3 uno); or carte: else they catch you",
            "après ton avant-dernière carte (3 uno) ; ou carte : sinon gare à toi",
        ),
    ),
    (
        Text("draw", "piocher"),
        Text(
            "also press, pass, take, challenge, catch Bob…: what is listed, or its first letters",
            "ou appuyer, passer, prendre, contester, faute Bob… : ce qui est proposé, ou ses premières lettres",
        ),
    ),
)
_OF_A_GAME: Final = {
    "uno-extreme": (
        (
            Text("done", "fait"),
            Text(
                "the rule on a customizable card has been carried out; effect 2 Bob: its rule was two presses for Bob",
                "la règle de la carte à customiser a été suivie ; effet 2 Bob : elle valait deux appuis à Bob",
            ),
        ),
    ),
    "uno-vache": (
        (
            Text("ou pas", "ou pas"),
            Text(
                "when you said UNO and cards come; ou pas forgotten Bob: Bob did not say it",
                "quand tu as dit UNO et que des cartes arrivent ; ou pas oublié Bob : Bob ne l’a pas dit",
            ),
        ),
        (
            Text("jump in", "hors tour"),
            Text(
                "out of turn, with the card that was just laid, or with one that cancels a chain: its number will do",
                "la carte qu’on vient de poser, ou celle qui annule une chaîne : son numéro suffit",
            ),
        ),
    ),
}
_AT_THE_END: Final = (
    (
        Text("Enter", "Entrée"),
        Text(
            "press the launcher, pass, the only thing to do; let a chance go by",
            "appuyer, passer, la seule chose à faire ; laisser filer une occasion",
        ),
    ),
    (Text("u, undo", "u, annuler"), Text("back to your last move", "retour à ton dernier coup")),
    (
        Text("r", "r"),
        Text(
            "rules of the card on top; r 3 of a card in hand; r G-04: that rule",
            "règles de la carte du dessus ; r 3 d’une carte en main ; r G-04",
        ),
    ),
    (
        Text("h", "h"),
        Text(
            "show table and hand again; ? or help shows this",
            "montrer de nouveau la table et la main ; ? ou aide : ceci",
        ),
    ),
    (
        Text("q, quit", "q, quitter"),
        Text(
            "save the match and leave; q FILE saves it there",
            "enregistrer la partie et partir ; q FICHIER : à cet endroit",
        ),
    ),
    (
        Text("", ""),
        Text(
            "● ▲ ■ ◆ red yellow green blue; [3] can be played; Bob 1! has said it",
            "● ▲ ■ ◆ rouge jaune vert bleu ; [3] jouable ; Bob 1! l’a annoncé",
        ),
    ),
)
_BESIDE: Final = 11
"""Columns of what is typed, with what it does beside it."""
_NARROW: Final = 44
"""With fewer columns it stands below."""


def help_lines(game_id: str, language: str, width: int) -> list[str]:
    """What can be typed in a match of that game, in lines that fit.

    :param width: columns of the terminal.
    """
    indent = " " * (_BESIDE if width >= _NARROW else 2)
    lines: list[str] = []
    for typed, text in (*_EVERYWHERE, *_OF_A_GAME.get(game_id, ()), *_AT_THE_END):
        what = text[language]
        if language == "fr":
            what = _FRENCH_SIGNS.sub("\u00a0", what)
        told = textwrap.wrap(
            what, min(width, WIDEST), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
        if len(typed[language]) < len(indent):
            told[0] = typed[language].ljust(len(indent)) + told[0][len(indent) :]
        else:
            lines.append(typed[language])
        lines += told
    return lines
