"""Moves in words: how each is written, and all that people say for it.

A move is a *phrase*: a template and its parts, such as card, colour, seat. ``notation`` fills the template to write a
move, and compares what people say with the parts to read one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

from dispenser.rules.book.entry import LANGUAGES, Text
from dispenser.rules.card_words import Part, Words, card_part, colour_said, with_article, words
from dispenser.rules.cards import (
    CUSTOMIZABLE,
    EIGHT,
    EXTREME_HIT,
    EXTREME_WILD,
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

__all__ = ["Name", "Part", "Phrase", "Vocabulary", "Words", "card_part", "every_move", "phrase_of", "words"]

Name = str | Text
"""What a player is called; a text where that depends on the language."""

YOU: Final = Text("you", "toi")
"""The name of whoever reads the moves and has none."""
MOST_PRESSES: Final = 9
"""Presses that a customizable card can ask for."""


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
    names: tuple[Name, ...]

    @classmethod
    def of(cls, game: Game, names: Sequence[Name] = ()) -> Vocabulary:
        """The words of a game, with its players' names."""
        key = game.game_id, game.seats, tuple(names)
        if key not in _vocabularies:
            if len(_vocabularies) >= _MOST_VOCABULARIES:
                _vocabularies.clear()
            _vocabularies[key] = cls(game.cards, key[0] == "151", game.draw_kind == PRESSES, key[1], key[2])
        return _vocabularies[key]


_MOST_VOCABULARIES: Final = 64
"""Kept at a time: players' names are different at every table."""
_vocabularies: dict[tuple[str, int, tuple[Name, ...]], Vocabulary] = {}


def _colour(vocabulary: Vocabulary, colour: int) -> Part:
    name, every = vocabulary.cards.colour_names[colour], colour_said(vocabulary.cards, colour)
    return Part(name, tuple((*verb, *said) for verb in ((), ("name",), ("nommer",)) for said in every))


def _stands_for(vocabulary: Vocabulary, card: int) -> Part:
    text, spoken = card_part(vocabulary.cards, card)
    return Part(text, tuple((*verb, *said) for verb in ((), ("as",), ("en",), ("comme",)) for said in spoken))


def seat_text(seat: int, names: Sequence[Name] = ()) -> Text:
    """A seat by the name of its player, else by its number from 1."""
    name = names[seat] if seat < len(names) else ""
    if isinstance(name, Text):
        return name
    return Text(name, name) if name else Text(f"seat {seat + 1}", f"place {seat + 1}")


def _seat(vocabulary: Vocabulary, seat: int) -> Part:
    return Part(seat_text(seat, vocabulary.names), (*_seat_said(vocabulary, seat), (str(seat + 1),)))


def _seat_said(vocabulary: Vocabulary, seat: int) -> tuple[Words, ...]:
    """What is said for a seat, but its number alone, which can be another number beside one."""
    text, number = seat_text(seat, vocabulary.names), str(seat + 1)
    me = (("me",), ("moi",)) if text == YOU else ()
    return tuple(dict.fromkeys((words(text.en), words(text.fr), *me, ("seat", number), ("place", number))))


# Moves

_ALONE: Final = Text("{0}", "{0}")
_JUMPING: Final = Part(Text("jump in with", "court-circuiter avec"), (("jump", "in"), ("court", "circuiter")))
_CANCELLING: Final = Part(Text("cancel with", "annuler avec"), (("cancel",), ("annuler",)))
_VERBS: Final[dict[int, Part]] = {
    PASS: Part(Text("pass", "passer"), (("pass",), ("passer",))),
    TAKE: Part(Text("take", "prendre"), (("take",), ("prendre",))),
    CHALLENGE: Part(Text("challenge", "contester"), (("challenge",), ("contester",), ("doubt",), ("douter",))),
    RETRACT: Part(
        Text("OU PAS", "OU PAS"), (("retract",), *((*verb, "ou", "pas") for verb in ((), ("say",), ("dire",))))
    ),
    DONE: Part(Text("done", "fait"), (("done",), ("fait",), ("fini",), ("finished",))),
    NAME: Part(Text("name", "nommer"), (("name",), ("nommer",), ())),
    DIRECTION: Part(Text("direction", "tourner vers la"), (("direction",), ("tourner",), ("sens",), ())),
    EFFECT: Part(Text("effect", "effet"), (("effect",), ("effet",))),
    STAND: Part(Text("stand for", "valoir"), (("stand",), ("valoir",), ("vaut",))),
}
_DRAWING: Final = {
    False: Part(Text("draw", "piocher"), (("draw",), ("piocher",), ("press",), ("appuyer",))),
    True: Part(Text("press", "appuyer"), (("press",), ("appuyer",), ("draw",), ("piocher",))),
}
_ANNOUNCING: Final = {
    cards_have_suits: Part(
        Text(word, word),
        (
            ("announce",),
            ("annoncer",),
            *((*verb, said) for verb in ((), ("say",), ("dire",)) for said in ("uno", "carte")),
        ),
    )
    for cards_have_suits, word in {False: "UNO", True: "Carte"}.items()
}
_CATCHING: Final[dict[int, tuple[Text, tuple[tuple[str, str], ...]]]] = {
    CATCH: (
        Text("catch {0}", "prendre {0} en faute"),
        (("catch", ""), ("prendre", "en faute"), ("prendre en faute", ""), ("faute", "")),
    ),
    CATCH_RETRACT: (
        Text("catch {0} (OU PAS forgotten)", "prendre {0} en faute (OU PAS oublié)"),
        (
            ("catch", "ou pas forgotten"),
            ("prendre", "en faute ou pas oublie"),
            ("catch retract", ""),
            ("prendre en faute ou pas", ""),
            ("faute ou pas", ""),
            ("ou pas oublie", ""),
        ),
    ),
}
"""How it is written, and what is said before and behind the name."""
_SIDES: Final = (
    Part(Text("left", "gauche"), (("left",), ("gauche",), ("clockwise",))),
    Part(Text("right", "droite"), (("right",), ("droite",))),
)


_SAYING: Final = Text("say {0}", "dire {0}")
_OF_SOMETHING: Final = Text("{0} {1}", "{0} {1}")
_CHOOSING: Final = Text("{0} naming {1}", "{0}, {1}")
_STANDING: Final = Text("{0} as {1}", "{0} en {1}")
_STANDING_AND_CHOOSING: Final = Text("{0} as {1} naming {2}", "{0} en {1}, {2}")
_AIMING: Final = Text("{0} naming {1} at {2}", "{0}, {1}, {2}")
_SWAPPING: Final = Text("{0} swapping {1}", "{0}, échanger {1}")
_PRESSING: Final = Text("{0}: {1}", "{0}\u00a0: {1}")


@lru_cache(maxsize=8192)
def phrase_of(vocabulary: Vocabulary, move: Move) -> Phrase:
    """A move in words.

    :raises LookupError: there is no such move in that vocabulary.
    """
    kind, about = kind_of(move), card_of(move)
    if kind == PLAY:
        return _laying(vocabulary, move)
    if kind in {JUMP_IN, CANCEL}:
        template, (laid, *choices) = _laying(vocabulary, move - kind)
        laid = laid._replace(text=Text(*(with_article(vocabulary.cards, about, language) for language in LANGUAGES)))
        return Phrase(_after_verb(template), (_JUMPING if kind == JUMP_IN else _CANCELLING, laid, *choices))
    if kind == EFFECT:
        return Phrase(_PRESSING, (_VERBS[kind], _presses_for(vocabulary, about, first_choice(move))))
    if kind == STAND:
        return _standing(vocabulary, about, first_choice(move))
    return _without_card(vocabulary, kind, about)


def _without_card(vocabulary: Vocabulary, kind: int, about: int) -> Phrase:
    """What is done or said without laying a card."""
    if kind == DRAW:
        return Phrase(_ALONE, (_DRAWING[vocabulary.presses],))
    if kind in {ANNOUNCE, RETRACT}:
        return Phrase(_SAYING, (_ANNOUNCING[vocabulary.cards is PLAYING_CARDS] if kind == ANNOUNCE else _VERBS[kind],))
    if kind in _CATCHING:
        return Phrase(_ALONE, (_catching(vocabulary, kind, about),))
    something = _something(vocabulary, kind, about)
    return Phrase(_OF_SOMETHING, (_VERBS[kind], something)) if something else Phrase(_ALONE, (_VERBS[kind],))


def _something(vocabulary: Vocabulary, kind: int, about: int) -> Part | None:
    """The colour or direction that a move is about."""
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
    last, before = (first, second) if first.text == YOU else (second, first)  # « Bob et toi »
    text = Text(f"{first.text.en} and {second.text.en}", f"{before.text.fr} et {last.text.fr}")
    said = [(*here, *there) for here in first.spoken for there in second.spoken]
    said += [(*there, *here) for here in first.spoken for there in second.spoken]
    return Part(text, tuple(dict.fromkeys(said)))


def _presses_for(vocabulary: Vocabulary, seat: int, presses: int) -> Part:
    """One part, because the number may be said before the seat or after it."""
    name, number, many = seat_text(seat, vocabulary.names), str(presses), presses > 1
    text = Text(
        f"{number} {'presses' if many else 'press'} for {name.en}", f"{number} appui{'s' * many} pour {name.fr}"
    )
    times = ((number,), *((number, word) for word in ("press", "presses", "appui", "appuis")))
    said = [(*before, *who) for before in times for who in _seat_said(vocabulary, seat)]
    after = ((number,), ("presses", number), ("appuie", number), ("appuie", number, "fois"))
    return Part(text, tuple(said + [(*who, *times) for times in after for who in _seat(vocabulary, seat).spoken]))


def _catching(vocabulary: Vocabulary, kind: int, seat: int) -> Part:
    """One part, because the name stands in the middle of the French words for it."""
    template, said = _CATCHING[kind]
    name, spoken = _seat(vocabulary, seat)
    text = Text(template.en.format(name.en), template.fr.format(name.fr))
    return Part(text, tuple((*before.split(), *who, *behind.split()) for before, behind in said for who in spoken))


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
