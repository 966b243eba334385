"""Names of cards: how each is written, its form in a sentence, and all names that are understood."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Final, NamedTuple

from dispenser.i18n import Text
from dispenser.rules.engine.cards import CardSet
from dispenser.rules.engine.playing_cards import ACE, JACK, JOKER, KING, PLAYING_CARDS, QUEEN

Words = tuple[str, ...]

HIDDEN_CARD: Final = Text("a hidden card")

COLOUR: Final = Text("colour")
SUIT: Final = Text("suit")

# Forms of a card in a sentence; {colour} is its French colour in the feminine, for « une carte »
A: Final = Text("a {card}")
THE: Final = Text("the {card}")
THE_FEMININE: Final = Text("the {card}", context="feminine")
THE_ELIDED: Final = Text("the {card}", context="elided")

_SHAPES: Final = "●▲■◆"
_SUIT_SHAPES: Final = "♣♦♥♠"
WILD_SHAPE: Final = "★"  # each colour has a shape, so that nobody needs to tell colours apart

_FILLERS: Final = frozenset(
    {"and", "at", "by", "for", "naming", "of", "on", "play", "swap", "swapping", "the", "to", "with"}
    | {"avec", "de", "des", "du", "echanger", "et", "jouer", "la", "le", "les", "par", "pour", "sur", "vers"}
)
"""Optional words; no name of a card begins with one of them and has nothing else."""
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
    """A part of a move in words.

    :ivar text: its written form.
    :ivar spoken: all accepted forms, as tuples of words; an empty tuple if it may be omitted.
    """

    text: Text
    spoken: tuple[Words, ...]


@dataclass(frozen=True, eq=False)
class CardWords:
    """Names of the cards of a set. Keys are the symbol (``SKIP``) or, for wild cards, the kind (``WILD``).

    :param in_sentences: form of a card in a sentence, if not ``THE`` (with a colour) or ``A`` (wild).
    :param also: other accepted names of a card, separated by ``|``.
    :param colour: the word for its colours.
    :param feminine: the French colours in the feminine, for « une carte ».
    :param signs: large sign on a card, if it is not its symbol's name.
    """

    cards: CardSet
    in_sentences: Mapping[int, Text] = field(default_factory=dict)
    also: Mapping[int, str] = field(default_factory=dict)
    colour: Text = COLOUR
    feminine: tuple[Text, ...] = ()
    signs: Mapping[int, str | Text] = field(default_factory=dict)

    def key(self, card: int) -> int:
        """Return the key of a card: its symbol, or its kind if it is wild."""
        return card if self.cards.is_wild(card) else self.cards.symbol[card]

    def in_sentence(self, card: int) -> Text:
        """Return name with article: ``the red 7``, ``la dame de cœur``, ``la carte « passer » verte``, ``un joker``."""
        if not 0 <= card < self.cards.kinds:
            return HIDDEN_CARD
        template = self.in_sentences.get(self.key(card), A if self.cards.is_wild(card) else THE)
        colour = self.feminine[self.cards.colour[card]] if self.feminine and not self.cards.is_wild(card) else ""
        return template.filled(card=self.cards.names[card], colour=colour)


PLAYING_CARD_WORDS: Final = CardWords(
    PLAYING_CARDS,
    in_sentences={ACE: THE_ELIDED, QUEEN: THE_FEMININE},
    colour=SUIT,
    signs={
        ACE: Text("A", context="on a card"),
        JACK: Text("J", context="on a card"),
        QUEEN: Text("Q", context="on a card"),
        KING: Text("K", context="on a card"),
        JOKER: WILD_SHAPE,
    },
)
"""Names of playing cards, for all games with them."""


@lru_cache(maxsize=8192)
def words(text: str) -> Words:
    """Split into words, without capitals, accents, punctuation and fillers: ``7♥`` is ``7 hearts``."""
    plain = unicodedata.normalize("NFD", text.translate(_SUIT_SIGNS).casefold())
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    every = tuple(_WORD.findall(_PLUS.sub("+", plain)))
    return tuple(word for word in every if word not in _FILLERS) or every


def spoken(*ways: str | Text) -> tuple[Words, ...]:
    """Return the words of each form, texts in both languages, without duplicates."""
    said = (each for way in ways for each in ((way.en, way.fr) if isinstance(way, Text) else (way,)) if each)
    return tuple(dict.fromkeys(map(words, said)))


@cache
def card_part(card_words: CardWords, card: int) -> Part:
    """Return the part for a card; colour and symbol are accepted in either order."""
    cards = card_words.cards
    if not 0 <= card < cards.kinds:
        return Part(HIDDEN_CARD, spoken(HIDDEN_CARD))
    name, also = cards.names[card], card_words.also.get(card_words.key(card), "").split("|")
    if cards.is_wild(card):
        return Part(name, spoken(name, *also))
    of_colour = colour_said(card_words, cards.colour[card])
    english, french = (symbol_name(cards, card, language) for language in ("en", "fr"))
    of_symbol = spoken(english, french, *also)
    both = [(*here, *there) for here in of_colour for there in of_symbol]
    return Part(name, tuple(both + [(*there, *here) for here in of_colour for there in of_symbol]))


def symbol_name(cards: CardSet, card: int, language: str) -> str:
    """Return the name of a card without its colour: ``reverse``, ``dame``; the whole name of a wild card."""
    if cards.is_wild(card):
        return cards.names[card][language]
    one, colour = cards.names[cards.symbol[card]], cards.colour_names[0]  # of the first colour
    if language == "en":
        return one.en.removeprefix(f"{colour.en} ").removesuffix(f" of {colour.en}")
    return one[language].removesuffix(f" {colour[language]}").removesuffix(" de")


def shape_of(cards: CardSet, colour: int) -> str:
    """Return the shape of a colour or suit, or of the wild cards (-1)."""
    return WILD_SHAPE if colour < 0 else (_SUIT_SHAPES if cards is PLAYING_CARDS else _SHAPES)[colour]


def letters_of(cards: CardSet, language: str) -> tuple[str, ...]:
    """Return an abbreviation of each colour: its shortest unique prefix, ``Ca`` and ``Cœ``."""
    names = [name[language].capitalize() for name in cards.colour_names]

    def length(name: str) -> int:
        return next(end for end in range(1, len(name)) if sum(each.startswith(name[:end]) for each in names) == 1)

    return tuple(name[: length(name)] for name in names)


def colour_said(card_words: CardWords, colour: int) -> tuple[Words, ...]:
    """Return the forms of a colour or suit; of a colour also the feminine, for « carte »."""
    return spoken(card_words.cards.colour_names[colour], *card_words.feminine[colour : colour + 1])
