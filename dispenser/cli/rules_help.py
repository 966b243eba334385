"""Help in a match at the terminal: what can be typed, and which rules a card stands under."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dispenser.rules.book.entry import Text
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


HELP: Final = Text(
    """\
a card    its number in your hand (3), its name (red 7, 7 of hearts), or short
          (r7, 7h, 7♥); what you choose goes after it (4 green, w g, 5 queen h)
uno       after your last card but one (3 uno); or carte: else you can be caught
draw      also press, pass, take, challenge, catch Bob ...: what is listed, or
          its first letters
Enter     press the launcher, pass, the only thing to do; let a chance go by
u, undo   back to your last move
r         rules of the card on top; r 3 of a card in hand; r G-04: that rule
h         show table and hand again; ? or help shows this
q, quit   save the match and leave; q FILE saves it there
          ● ▲ ■ ◆ red yellow green blue; [3] can be played; Bob 1! has announced""",
    """\
une carte  son numéro dans ta main (3), son nom (7 rouge, 7 de cœur), ou court
           (7r, 7c, 7♥) ; ton choix se met derrière (4 vert, joker v, 5 dame c)
uno        après ton avant-dernière carte (3 uno) ; ou carte : sinon, gare à toi
piocher    ou appuyer, passer, prendre, contester, faute Bob... : ce qui est
           proposé, ou ses premières lettres
Entrée     appuyer, passer, la seule chose à faire ; laisser filer une occasion
u, annuler retour à ton dernier coup
r          règles de la carte du dessus ; r 3 d’une carte en main ; r G-04
h          montrer de nouveau la table et la main ; ? ou aide : ceci
q, quitter enregistrer la partie et partir ; q FICHIER : à cet endroit
           ● ▲ ■ ◆ rouge jaune vert bleu ; [3] jouable ; Bob 1! l’a annoncé""".replace(" :", "\u00a0:").replace(
        " ;", "\u00a0;"
    ),
)
