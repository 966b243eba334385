"""Phrases for moves: how each is written, and all phrases that are understood.

A move is a sequence of *parts*, such as verb, card, colour, seat. ``notation`` matches typed words with them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import Final

from dispenser.i18n import LANGUAGES, Text, listed
from dispenser.rules.engine import moves
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.words.cards import Part, Words, card_part, colour_said, spoken, words
from dispenser.rules.words.vocabulary import ANNOUNCEMENTS, Choice, Vocabulary

Name = str | Text  # a player's name; a text if it depends on the language

YOU: Final = Text("you")  # in place of the reader's own name
SIDES: Final = {1: Text("left"), -1: Text("right")}
PRESSES: Final = Text("{number} press", plural="{number} presses")


def _verb(text: Text, *also: str, may_be_left_out: bool = False) -> Part:
    return Part(text, (*spoken(text, *also), *(((),) if may_be_left_out else ())))


_VERBS: Final[dict[Act, tuple[Text, tuple[str, ...]]]] = {
    Act.JUMP_IN: (Text("jump in with "), ()),
    Act.CANCEL: (Text("cancel with "), ()),
    Act.PASS: (Text("pass"), ()),
    Act.TAKE: (Text("take"), ("prends",)),
    Act.CHALLENGE: (Text("challenge"), ("doubt", "douter")),
    Act.RETRACT: (Text("say OU PAS"), ("ou pas", "retract")),
    Act.DONE: (Text("done"), ("fini", "finished")),
    Act.NAME: (Text("name "), ()),
    Act.CHOOSE_DIRECTION: (Text("direction "), ("sens",)),
    Act.EFFECT: (Text("effect: "), ()),
    Act.STAND: (Text("stand for "), ("vaut",)),
}
"""Written form of a verb, and other accepted forms."""
_LEFT_OUT: Final = (Act.NAME, Act.CHOOSE_DIRECTION)  # optional verbs
_CATCHING: Final = {
    Act.CATCH: (Text("catch {seat}"), "catch {}|prendre {} en faute|prendre en faute {}|faute {}"),
    Act.CATCH_RETRACT: (
        Text("catch {seat} (OU PAS forgotten)"),
        (
            "catch {} ou pas forgotten|catch retract {}|prendre {} en faute ou pas oublie|prendre en faute ou pas {}|"
            "faute ou pas {}|ou pas oublie {}"
        ),
    ),
}
"""Written form, and accepted forms, separated by ``|``, with a placeholder for the name."""
_ALSO_SIDES: Final = {1: "clockwise", -1: ""}
_DRAWING: Final = ("draw", "piocher", "press", "appuyer", "appuie")
_ANNOUNCING: Final = tuple(f"{verb}{word}" for verb in ("", "say ", "dire ") for word in ANNOUNCEMENTS)
_STANDING: Final = Text(" as {card}")
_NAMING: Final = Text(" naming {colour}")
_AIMING: Final = Text(" at {seat}")
_SWAPPING: Final = Text(" swapping {one} and {other}")
_PRESSES_FOR: Final = Text("{presses} for {seat}")


@cache
def _usual_verb(act: Act) -> Part:
    """Created on demand: its forms need the French catalog, which is not loaded unless a game is played."""
    text, also = _VERBS[act]
    return _verb(text, *also, may_be_left_out=act in _LEFT_OUT)


class Phrases:
    """The moves of a game in words, at one table.

    :param names: of the players, by seat; seats without one have their number.
    """

    def __init__(self, vocabulary: Vocabulary, seats: int, names: tuple[Name, ...]) -> None:
        self._vocabulary = vocabulary
        self._cards = vocabulary.cards
        self._seats = seats
        self._names = names
        self._parts: dict[Move, tuple[Part, ...]] = {}

    def text(self, move: Move) -> Text:
        """Return the written form of a move."""
        return listed((part.text for part in self.parts(move)), between="")

    def parts(self, move: Move) -> tuple[Part, ...]:
        """Return the parts of a move; the first one comes first, the others usually in this order."""
        if move not in self._parts:
            self._parts[move] = tuple(self._parts_of(move))
        return self._parts[move]

    @cached_property
    def every_move(self) -> tuple[Move, ...]:
        """All moves that can be parsed, in this game or not, because illegal moves must be readable, too."""
        return tuple(self._every_move())

    @cached_property
    def written(self) -> dict[Words, Move]:
        """Every move by its written words, in both languages."""
        texts = ((move, self.text(move)) for move in self.every_move)
        return {words(text[language]): move for move, text in texts for language in LANGUAGES}

    def _parts_of(self, move: Move) -> Iterator[Part]:
        act, card, stands_for = move.act, move.card, move.stands_for
        if act in _CATCHING and move.seat is not None:
            yield self._caught(act, move.seat)
            return
        if act is not Act.LAY:
            yield self._verb(act)
        if card is not None:
            laid = card_part(self._cards, card)
            yield laid if act is Act.LAY else laid._replace(text=self._cards.in_sentence(card))
        if stands_for is not None:
            stands = card_part(self._cards, stands_for)
            text = stands.text if card is None else _STANDING.filled(card=stands.text)
            yield Part(text, _after(("as", "en", "comme"), stands.spoken))
        if move.colour is not None:
            colour = self._cards.cards.colour_names[move.colour]
            text = colour if act is Act.NAME else _NAMING.filled(colour=colour)
            yield Part(text, _after(("name", "nommer"), colour_said(self._cards, move.colour)))
        if move.direction is not None:
            yield _verb(SIDES[move.direction], _ALSO_SIDES[move.direction])
        if move.seat is not None:
            yield self._concerned(move, move.seat)

    def _verb(self, act: Act) -> Part:
        if act is Act.DRAW:
            return _verb(self._vocabulary.drawing, *_DRAWING)
        if act is Act.ANNOUNCE:
            word = self._vocabulary.announcement
            text = Text("say {word}").filled(word=word)
            return _verb(text, word, *_ANNOUNCING, "announce", "annoncer")
        return _usual_verb(act)

    def _concerned(self, move: Move, seat: int) -> Part:
        """Return the part for the seat that a move aims at, the two that swap hands, or the one that owes presses."""
        who, said = seat_text(seat, self._names), self._seat_said(seat)
        if move.presses is not None:
            number = str(move.presses)
            times = ((number,), *((number, word) for word in ("press", "presses", "appui", "appuis", "fois")))
            after = (*times, *(("appuie", *each) for each in times), ("presses", number))
            both = [(*each, *name) for each in times for name in said[:-1]]  # a number alone could be either
            both += [(*name, *each) for each in after for name in said]
            return Part(_PRESSES_FOR.filled(presses=PRESSES.filled(number=move.presses), seat=who), tuple(both))
        if move.other is None:
            return Part(_AIMING.filled(seat=who), said)
        other, also = seat_text(move.other, self._names), self._seat_said(move.other)
        pair = (other, who) if who == YOU else (who, other)  # « Bob et toi »
        both = [each for one in said for another in also for each in ((*one, *another), (*another, *one))]
        return Part(_SWAPPING.filled(one=pair[0], other=pair[1]), tuple(dict.fromkeys(both)))

    def _caught(self, act: Act, seat: int) -> Part:
        """Return a single part, because the French words stand around the name."""
        template, ways = _CATCHING[act]
        around = [tuple(part.split() for part in way.split("{}")) for way in ways.split("|")]
        said = tuple((*before, *who, *behind) for before, behind in around for who in self._seat_said(seat))
        return Part(template.filled(seat=seat_text(seat, self._names)), said)

    def _seat_said(self, seat: int) -> tuple[Words, ...]:
        """Return the accepted forms of a seat; its number alone comes last."""
        text, number = seat_text(seat, self._names), str(seat + 1)
        return (*spoken(text, *(("me", "moi") if text == YOU else ())), ("seat", number), ("place", number), (number,))

    def _every_move(self) -> Iterator[Move]:
        cards, seats, presses = self._cards.cards, range(self._seats), range(1, self._vocabulary.most_presses + 1)
        laid = [way for card in range(cards.kinds) for way in self._ways_to_lay(card)]
        yield from laid
        yield from map(moves.jump_in, laid)
        yield from (moves.cancel(card) for card in range(cards.kinds) if not cards.is_wild(card))
        yield from (moves.DRAW, moves.PASS, moves.TAKE, moves.CHALLENGE, moves.ANNOUNCE, moves.RETRACT, moves.DONE)
        yield from (moves.TO_THE_LEFT, moves.TO_THE_RIGHT)
        yield from (catching(seat) for catching in (moves.catch, moves.catch_retract) for seat in seats)
        yield from (moves.name(colour) for colour in range(len(cards.colour_names)))
        yield from (moves.effect(seat, number) for seat in seats for number in presses)
        yield from (moves.stand(way.stands_for, colour=way.colour) for way in laid if way.stands_for is not None)

    def _ways_to_lay(self, card: int) -> list[Move]:
        cards, seats = self._cards.cards, range(self._seats)
        colours = range(len(cards.colour_names))
        match self._vocabulary.asked_by(card):
            case Choice.COLOUR:
                return [moves.lay(card, colour=colour) for colour in colours]
            case Choice.COLOUR_AND_SEAT:
                return [moves.lay(card, colour=colour, seat=seat) for colour in colours for seat in seats]
            case Choice.TWO_SEATS:
                return [moves.lay(card, seat=one, other=other) for one, other in combinations(seats, 2)]
            case Choice.CARD:
                others = (other for other in range(cards.kinds) if not cards.is_wild(other))
                ways = (way for other in others for way in self._ways_to_lay(other))
                return [moves.lay(card, stands_for=way.card, colour=way.colour) for way in ways]
        return [moves.lay(card)]


def vocabulary_of(game: Game) -> Vocabulary:
    """Return the game's vocabulary."""
    vocabulary: Vocabulary = game.state.words
    return vocabulary


def phrases_of(game: Game, names: Sequence[Name] = ()) -> Phrases:
    """Return the phrases of a game with its players' names."""
    return _phrases(vocabulary_of(game), game.seats, tuple(names))


@lru_cache(maxsize=64)  # players' names differ by table
def _phrases(vocabulary: Vocabulary, seats: int, names: tuple[Name, ...]) -> Phrases:
    return Phrases(vocabulary, seats, names)


def seat_text(seat: int, names: Sequence[Name] = ()) -> Text:
    """Return the player's name, or else the seat's number from 1."""
    name = names[seat] if seat < len(names) else ""
    if isinstance(name, Text):
        return name
    return listed((name,)) if name else Text("seat {number}").filled(number=seat + 1)


def _after(verbs: Sequence[str], said: Sequence[Words]) -> tuple[Words, ...]:
    """Return the forms without and with each of the verbs before them."""
    return tuple((*verb, *each) for verb in ((), *((verb,) for verb in verbs)) for each in said)
