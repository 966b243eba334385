"""Cards in words: how each is written, how it stands in a sentence, and all that people say for it."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final, NamedTuple

from dispenser.rules.book.entry import Text
from dispenser.rules.cards import FEMININE_COLOURS, PLAYING_CARDS, SYMBOLS, CardSet

Words = tuple[str, ...]

HIDDEN_CARD: Final = Text("a hidden card", "une carte cachée")
_FEMININE: Final = ("dame", "carte")
_WITH_APOSTROPHE: Final = ("as", "inversion")
_CALLED_CARD: Final = ("appuyer", "passer", "poser")
"""French names that stand beside the word « carte » in a sentence."""

_FILLERS: Final = frozenset(
    {"and", "at", "by", "for", "naming", "of", "on", "play", "swap", "swapping", "the", "to", "with"}
    | {"avec", "de", "des", "du", "echanger", "et", "jouer", "la", "le", "les", "par", "pour", "sur", "vers"}
)
"""Words that may be said or left out; no name of a card begins with one of them and has nothing else."""
_SUIT_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("♣♧", " clubs "),
        **dict.fromkeys("♦♢", " diamonds "),
        **dict.fromkeys("♥♡", " hearts "),
        **dict.fromkeys("♠♤", " spades "),
        **dict.fromkeys("œŒ", "oe"),
    }
)
_PLUS: Final = re.compile(r"(?:\bplus|\+)\s*(?=\d)")
_WORD: Final = re.compile(r"\+\d+|\d+|[^\W\d_]+")


class Part(NamedTuple):
    """One thing that a move names.

    :ivar text: as it is written.
    :ivar spoken: everything that people say for it, each cut into words; no words where it may be left out.
    """

    text: Text
    spoken: tuple[Words, ...]


def words(text: str) -> Words:
    """Cut into words, without capitals, accents, signs and words that say nothing: ``7♥`` is ``7 hearts``."""
    plain = unicodedata.normalize("NFD", text.translate(_SUIT_SIGNS).casefold())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    every = tuple(_WORD.findall(_PLUS.sub("+", plain)))
    return tuple(word for word in every if word not in _FILLERS) or every


# Cards

_ALSO: Final = {
    "+2": "draw 2",
    "reverse": "sens",
    "skip": "passe",
    "+4": "wild +4|joker +4|wild 4|joker 4|draw 4",
    "press 2": "+2",
    "press 4": "+4",
    "discard all": "discard|poser",
    "extreme hit": "hit",
    "customizable": "customiser|perso",
    "wild": "joker",
    "white": "blanc",
}
"""What else people say for a card, beside its names."""


def _said(name: Text) -> tuple[Words, ...]:
    also = _ALSO.get(name.en, "").split("|")
    return tuple(dict.fromkeys(words(said) for said in (name.en, name.fr, *also) if said))


@cache
def card_part(cards: CardSet, card: int) -> Part:
    """A card: colour and symbol may be said in either order."""
    if not 0 <= card < cards.kinds:
        return Part(HIDDEN_CARD, _said(HIDDEN_CARD))
    name = cards.names[card]
    colour = cards.colour[card]
    if colour < 0:
        return Part(name, _said(name))
    of_colour, of_symbol = colour_said(cards, colour), _symbol_said(cards, card % SYMBOLS)
    both = [(*one, *other) for one in of_colour for other in of_symbol]
    return Part(name, tuple(both + [(*other, *one) for one in of_colour for other in of_symbol]))


def colour_said(cards: CardSet, colour: int) -> tuple[Words, ...]:
    """A colour or suit; a colour also as it goes with « carte »."""
    feminine = () if cards is PLAYING_CARDS else (words(FEMININE_COLOURS[colour]),)
    return tuple(dict.fromkeys((*_said(cards.colour_names[colour]), *feminine)))


@cache
def _symbol_said(cards: CardSet, symbol: int) -> tuple[Words, ...]:
    """What is said for a symbol: the names of its cards but their colours."""
    card, colour = cards.names[symbol], cards.colour_names[0]
    english = card.en.removeprefix(f"{colour.en} ").removesuffix(f" of {colour.en}")
    french = card.fr.removesuffix(f" {colour.fr}").removesuffix(" de")
    return _said(Text(english, french))


def with_article(cards: CardSet, card: int, language: str) -> str:
    """A card as it stands in a sentence: ``the red 7``, ``la dame de cœur``, ``l’inversion verte``, ``un joker``."""
    if not 0 <= card < cards.kinds:
        return HIDDEN_CARD[language]
    name, wild = cards.names[card][language], cards.is_wild(card)
    if language == "en":
        if not wild:
            return f"the {name}"
        name += " card" if name in {"white", "customizable"} else ""
        return f"an {name}" if name[0] in "aeiou" else f"a {name}"
    if name == "blanche":
        name = f"carte {name}"
    elif name.startswith(_CALLED_CARD):  # la carte « passer » verte
        symbol = name if wild else name.rpartition(" ")[0]
        name = f"carte «\u00a0{symbol}\u00a0»" + ("" if wild else f" {FEMININE_COLOURS[cards.colour[card]]}")
    feminine = name.startswith(_FEMININE)
    if wild:
        return f"une {name}" if feminine else f"un {name}"
    if name.startswith(_WITH_APOSTROPHE):
        return f"l’{name}"
    return f"la {name}" if feminine else f"le {name}"
