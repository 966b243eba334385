"""Cards and moves in words: how each is written, and all that people say for it.

A move is a *phrase*: a template and its parts, such as card, colour, seat. ``notation`` fills the template to write a
move, and compares what people say with the parts to read one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from dispenser.rules.book.entry import Text
from dispenser.rules.cards import (
    CUSTOMIZABLE,
    EIGHT,
    EXTREME_HIT,
    EXTREME_WILD,
    FEMININE_COLOURS,
    JOKER,
    PLAYING_CARDS,
    PRESS_FOUR,
    SYMBOLS,
    UNO_EXTREME,
    WHITE,
    WILD,
    WILD_FOUR,
    CardSet,
)
from dispenser.rules.game import Game
from dispenser.rules.moves import (
    ANNOUNCE,
    CANCEL,
    CATCH,
    CATCH_RETRACT,
    CHALLENGE,
    DIRECTION,
    DONE,
    DRAW,
    EFFECT,
    JUMP_IN,
    NAME,
    PASS,
    PLAY,
    RETRACT,
    STAND,
    TAKE,
    Move,
    card_of,
    first_choice,
    kind_of,
    play,
    second_choice,
)
from dispenser.rules.state import PRESSES

Words = tuple[str, ...]

HIDDEN_CARD: Final = Text("a hidden card", "une carte cachée")
MOST_PRESSES: Final = 9
"""Presses that a customizable card can ask for."""

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


class Phrase(NamedTuple):
    """A move in words: the parts go into the places of the template."""

    template: Text
    parts: tuple[Part, ...]

    def write(self, language: str) -> str:
        """The move as it is written in one of ``LANGUAGES``."""
        return self.template[language].format(*(part.text[language] for part in self.parts))


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """What the words of a game depend on; one for each game, table size and set of names.

    :ivar cards: the card set.
    :ivar joker_stands: a joker stands for a card (C-12); else it is played as an 8 (H-01).
    :ivar presses: not playing means to press.
    :ivar seats: places at the table.
    :ivar names: of the players, by seat; seats without one are called by their number.
    """

    cards: CardSet
    joker_stands: bool
    presses: bool
    seats: int
    names: Words

    @classmethod
    def of(cls, game: Game, names: Sequence[str] = ()) -> Vocabulary:
        """The words of a game, with its players' names."""
        key = game.game_id, game.seats, tuple(names)
        if key not in _vocabularies:
            if len(_vocabularies) >= _MOST_VOCABULARIES:
                _vocabularies.clear()
            _vocabularies[key] = cls(game.cards, key[0] == "151", game.draw_kind == PRESSES, key[1], key[2])
        return _vocabularies[key]


_MOST_VOCABULARIES: Final = 64
"""Kept at a time: players' names are different at every table."""
_vocabularies: dict[tuple[str, int, Words], Vocabulary] = {}


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
    of_colour, of_symbol = _colour_said(cards, colour), _symbol_said(cards, card % SYMBOLS)
    both = [(*one, *other) for one in of_colour for other in of_symbol]
    return Part(name, tuple(both + [(*other, *one) for one in of_colour for other in of_symbol]))


def _colour_said(cards: CardSet, colour: int) -> tuple[Words, ...]:
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


def _colour(vocabulary: Vocabulary, colour: int) -> Part:
    name, every = vocabulary.cards.colour_names[colour], _colour_said(vocabulary.cards, colour)
    return Part(name, tuple((*verb, *said) for verb in ((), ("name",), ("nommer",)) for said in every))


def _stands_for(vocabulary: Vocabulary, card: int) -> Part:
    text, spoken = card_part(vocabulary.cards, card)
    return Part(text, tuple((*verb, *said) for verb in ((), ("as",), ("en",), ("comme",)) for said in spoken))


def seat_text(seat: int, names: Sequence[str] = ()) -> Text:
    """A seat by the name of its player, else by its number from 1."""
    if seat < len(names) and names[seat]:
        return Text(names[seat], names[seat])
    return Text(f"seat {seat + 1}", f"place {seat + 1}")


def _seat(vocabulary: Vocabulary, seat: int) -> Part:
    text = seat_text(seat, vocabulary.names)
    number = str(seat + 1)
    return Part(text, (words(text.en), ("seat", number), ("place", number), (number,)))


# Moves

_ALONE: Final = Text("{0}", "{0}")
_JUMPING: Final = Part(Text("jump in with", "court-circuiter avec"), (("jump", "in"), ("court", "circuiter")))
_CANCELLING: Final = Part(Text("cancel with", "annuler avec"), (("cancel",), ("annuler",)))
_VERBS: Final[dict[int, Part]] = {
    PASS: Part(Text("pass", "passer"), (("pass",), ("passer",))),
    TAKE: Part(Text("take", "prendre"), (("take",), ("prendre",))),
    CHALLENGE: Part(Text("challenge", "contester"), (("challenge",), ("contester",), ("doubt",), ("douter",))),
    ANNOUNCE: Part(Text("announce", "annoncer"), (("announce",), ("annoncer",), ("uno",), ("carte",))),
    RETRACT: Part(Text("retract", "ou pas"), (("retract",), ("ou", "pas"))),
    DONE: Part(Text("done", "fait"), (("done",), ("fait",))),
    CATCH: Part(Text("catch", "prendre en faute"), (("catch",), ("prendre", "en", "faute"), ("faute",))),
    CATCH_RETRACT: Part(
        Text("catch retract", "prendre en faute (ou pas)"),
        (("catch", "retract"), ("prendre", "en", "faute", "ou", "pas"), ("ou", "pas", "oublie")),
    ),
    NAME: Part(Text("name", "nommer"), (("name",), ("nommer",), ())),
    DIRECTION: Part(Text("direction", "tourner vers la"), (("direction",), ("tourner",), ("sens",), ())),
    EFFECT: Part(Text("effect", "effet"), (("effect",), ("effet",))),
    STAND: Part(Text("stand for", "valoir"), (("stand",), ("valoir",), ("vaut",))),
}
_DRAWING: Final = {
    False: Part(Text("draw", "piocher"), (("draw",), ("piocher",), ("press",), ("appuyer",))),
    True: Part(Text("press", "appuyer"), (("press",), ("appuyer",), ("draw",), ("piocher",))),
}
_SIDES: Final = (
    Part(Text("left", "gauche"), (("left",), ("gauche",), ("clockwise",))),
    Part(Text("right", "droite"), (("right",), ("droite",))),
)


_OF_SOMETHING: Final = Text("{0} {1}", "{0} {1}")
_CHOOSING: Final = Text("{0} naming {1}", "{0}, {1}")
_STANDING: Final = Text("{0} as {1}", "{0} en {1}")
_STANDING_AND_CHOOSING: Final = Text("{0} as {1} naming {2}", "{0} en {1}, {2}")
_AIMING: Final = Text("{0} naming {1} at {2}", "{0}, {1}, {2}")
_SWAPPING: Final = Text("{0} swapping {1}", "{0}, échanger {1}")
_PRESSING: Final = Text("{0}: {1} presses {2}", "{0}\u00a0: {1} appuie {2} fois")


@lru_cache(maxsize=8192)
def phrase_of(vocabulary: Vocabulary, move: Move) -> Phrase:
    """A move in words.

    :raises LookupError: there is no such move in that vocabulary.
    """
    kind, about = kind_of(move), card_of(move)
    if kind == PLAY:
        return _laying(vocabulary, move)
    if kind in {JUMP_IN, CANCEL}:
        template, parts = _laying(vocabulary, move - kind)
        return Phrase(_after_verb(template), (_JUMPING if kind == JUMP_IN else _CANCELLING, *parts))
    if kind == EFFECT:
        presses = _times(first_choice(move))
        return Phrase(_PRESSING, (_VERBS[kind], _seat(vocabulary, about), presses))
    if kind == STAND:
        return _standing(vocabulary, about, first_choice(move))
    if kind == DRAW:
        return Phrase(_ALONE, (_DRAWING[vocabulary.presses],))
    something = _something(vocabulary, kind, about)
    return Phrase(_OF_SOMETHING, (_VERBS[kind], something)) if something else Phrase(_ALONE, (_VERBS[kind],))


def _something(vocabulary: Vocabulary, kind: int, about: int) -> Part | None:
    """The seat, colour or direction that a move is about."""
    if kind in {CATCH, CATCH_RETRACT}:
        return _seat(vocabulary, about)
    if kind == NAME:
        return _colour(vocabulary, about)
    return _SIDES[about] if kind == DIRECTION else None


def _after_verb(template: Text) -> Text:
    english, french = (
        "{0} " + re.sub(r"\d", lambda place: str(int(place[0]) + 1), text) for text in (template.en, template.fr)
    )
    return Text(english, french)


def _standing(vocabulary: Vocabulary, card: int, suit: int) -> Phrase:
    stands = _stands_for(vocabulary, card)
    if suit < 0:
        return Phrase(_OF_SOMETHING, (_VERBS[STAND], stands))
    return Phrase(_after_verb(_CHOOSING), (_VERBS[STAND], stands, _colour(vocabulary, suit)))


def _laying(vocabulary: Vocabulary, move: Move) -> Phrase:
    """A card with what its player chooses."""
    card, first, second = card_of(move), first_choice(move), second_choice(move)
    laid = card_part(vocabulary.cards, card)
    if first < 0:
        return Phrase(_ALONE, (laid,))
    asked = asked_by(vocabulary, card)
    if asked == SWAP:
        return Phrase(_SWAPPING, (laid, _two_seats(vocabulary, first, second)))
    if asked == STAND_FOR:
        parts = (laid, _stands_for(vocabulary, first))
        return Phrase(_STANDING, parts) if second < 0 else _and_colour(vocabulary, parts, second)
    colour = _colour(vocabulary, first)
    if second < 0:
        return Phrase(_CHOOSING, (laid, colour))
    return Phrase(_AIMING, (laid, colour, _seat(vocabulary, second)))


def _and_colour(vocabulary: Vocabulary, parts: tuple[Part, ...], colour: int) -> Phrase:
    return Phrase(_STANDING_AND_CHOOSING, (*parts, _colour(vocabulary, colour)))


def _two_seats(vocabulary: Vocabulary, one: int, other: int) -> Part:
    """One part, because they may be said in either order."""
    first, second = _seat(vocabulary, one), _seat(vocabulary, other)
    text = Text(f"{first.text.en} and {second.text.en}", f"{first.text.fr} et {second.text.fr}")
    said = [(*here, *there) for here in first.spoken for there in second.spoken]
    said += [(*there, *here) for here in first.spoken for there in second.spoken]
    return Part(text, tuple(dict.fromkeys(said)))


def _times(presses: int) -> Part:
    number = str(presses)
    return Part(Text(number, number), ((number,), ("presses", number), ("appuie", number), ("appuie", number, "fois")))


# What a card asks its player to choose

NOTHING: Final = 0
COLOUR: Final = 1
AIM: Final = 2
SWAP: Final = 3
STAND_FOR: Final = 4
_ASKED_IN_UNO: Final = {WILD: COLOUR, WILD_FOUR: COLOUR, WHITE: SWAP}
_ASKED_IN_UNO_EXTREME: Final = {EXTREME_WILD: COLOUR, EXTREME_HIT: AIM, CUSTOMIZABLE: COLOUR, PRESS_FOUR: COLOUR}


def asked_by(vocabulary: Vocabulary, card: int) -> int:
    """What the player of ``card`` chooses: nothing, a colour, a colour and a seat, two seats, a card."""
    if vocabulary.cards is not PLAYING_CARDS:
        return (_ASKED_IN_UNO_EXTREME if vocabulary.cards is UNO_EXTREME else _ASKED_IN_UNO).get(card, NOTHING)
    if card == JOKER:
        return STAND_FOR if vocabulary.joker_stands else COLOUR
    return COLOUR if card % SYMBOLS == EIGHT else NOTHING


@lru_cache(maxsize=16)
def every_move(vocabulary: Vocabulary) -> tuple[Move, ...]:
    """All moves that can be said, whether a game has them or not: what is against the rules must be readable, too."""
    return tuple(_every_move(vocabulary))


def _every_move(vocabulary: Vocabulary) -> Iterator[Move]:
    seats = range(vocabulary.seats)
    laid = [move for card in range(vocabulary.cards.kinds) for move in _ways_to_lay(vocabulary, card)]
    yield from laid
    yield from (JUMP_IN | move for move in laid)
    yield from (CANCEL | card for card, colour in enumerate(vocabulary.cards.colour) if colour >= 0)
    yield from (DRAW, PASS, TAKE, CHALLENGE, ANNOUNCE, RETRACT, DONE, DIRECTION | 0, DIRECTION | 1)
    yield from (kind | seat for kind in (CATCH, CATCH_RETRACT) for seat in seats)
    yield from (NAME | colour for colour in range(len(vocabulary.cards.colour_names)))
    yield from (EFFECT | play(seat, presses) for seat in seats for presses in range(1, MOST_PRESSES + 1))
    if vocabulary.joker_stands:
        yield from (STAND | move for card in range(JOKER) for move in _ways_to_lay(vocabulary, card))


def _ways_to_lay(vocabulary: Vocabulary, card: int) -> Iterable[Move]:
    colours, seats = range(4), range(vocabulary.seats)
    asked = asked_by(vocabulary, card)
    if asked == COLOUR:
        return [play(card, colour) for colour in colours]
    if asked == AIM:
        return [play(card, colour, seat) for colour in colours for seat in seats]
    if asked == SWAP:
        return [play(card, one, other) for one, other in combinations(seats, 2)]
    if asked == STAND_FOR:
        eights = [play(card, suit * SYMBOLS + EIGHT, named) for suit in colours for named in colours]
        return [play(card, other) for other in range(JOKER)] + eights
    return [play(card)]
