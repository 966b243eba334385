"""What happens in a step: a move, what the launcher lets out, what the table says; reading it and doing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from dispenser.rules.book.entry import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import NothingToUndoError, RulesError
from dispenser.rules.engine.events import Event
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, Move
from dispenser.rules.words.notation import NotationError, read_move, without_announcement
from dispenser.scenario.rules.begin import deal_keys, deal_of
from dispenser.scenario.rules.reading import (
    Key,
    ScenarioError,
    WrongInsideError,
    WrongValueError,
    equal,
    one_of,
    table_of,
    whole,
)
from dispenser.scenario.rules.words import Delivery, Words

_THERE: Final = {0: Text("there are none"), 1: Text("there is one")}
_THERE_ARE: Final = Text("there are {number} of them")
_HOW_OFTEN: Final = Text("write how many actions: 1 or more")


@dataclass(slots=True)
class Bench:
    """The game that is played, and what the presses bring that nobody described one by one.

    :ivar presses: the next one first.
    :ivar told: what the step has brought about so far.
    """

    game: Game
    words: Words
    presses: list[Delivery]
    pressed: int = 0
    told: list[Event] = field(default_factory=list)

    def move(self, seat: int, said: str) -> Move:
        """What is said, as a move of that seat, now.

        :raises RulesError: it is none.
        """
        return read_move(self.game, seat, said, self.words.names)

    def why_no_move(self, seat: int, said: str) -> Text | None:
        """Why nobody could read that as a move, whatever the position."""
        try:
            self.move(seat, without_announcement(self.game, said)[0])
        except NotationError as error:
            return None if error.begun else error.text
        return None

    def next_press(self) -> Delivery:
        if not self.presses:
            there = _THERE.get(self.pressed, _THERE_ARE).filled(number=self.pressed)
            raise ScenarioError(Text("presses: {there}, and here is one more press; add it").filled(there=there))
        self.pressed += 1
        return self.presses.pop(0)


Do = Callable[[Bench], Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that happens.

    :ivar key: as it stands in the file, such as ``Ana`` or ``launcher``.
    :ivar line: the line of the file.
    :ivar move: the seat and the words of a move, so that one can see whether they can be read.
    """

    key: str
    line: str
    do: Do
    move: tuple[int, str] | None = None


def act_of(key: str, value: Any, meaning: Any) -> Act:
    """One thing that happens, out of what stands in the file and what was read there."""
    line = equal(key, value).en
    if isinstance(meaning, tuple):
        return Act(key, line, _moving(*meaning), meaning)
    return Act(key, line, meaning)


# Reading: each gives what there is to do


def _move(words: Words, name: str, value: Any) -> tuple[int, str]:
    if not isinstance(value, str) or not value.strip():
        raise WrongValueError(Text('write the move as a text, such as "red 7"'))
    return words.seat(name), value


def _moving(seat: int, said: str) -> Do:
    def do(bench: Bench) -> Sequence[Event]:
        game = bench.game
        laid, announces = without_announcement(game, said)
        try:
            move = bench.move(seat, laid)
        except RulesError as error:
            raise ScenarioError(error.text) from error
        before: Sequence[Event] = ()
        if announces and move in game.legal_moves(seat):  # a refused move changes nothing
            before = game.play(seat, ANNOUNCE)
        return [*before, *game.play(seat, move)]

    return do


def _launcher(words: Words, value: Any) -> Do:
    if value == "pays":
        return _pay
    if value == "chance":
        return lambda bench: bench.game.fulfil_by_chance()
    if isinstance(value, str):
        raise WrongValueError(Text('write "pays", "chance", a number or a list of cards'))
    several = isinstance(value, list) and any(not isinstance(each, str) for each in value)
    deliveries = words.deliveries(value) if several else (words.delivery(value),)
    return lambda bench: [event for each in deliveries for event in _let_out(bench.game, each)]


def _let_out(game: Game, delivery: Delivery) -> list[Event]:
    """What comes out at once; where several owe cards, each gets as many as are owed."""
    told: list[Event] = []
    coming = delivery if isinstance(delivery, int) else len(delivery)
    while (
        len(game.state.demands) > 1
        and game.state.demands[0].kind is Owed.CARDS
        and coming > game.state.demands[0].number
    ):
        number = game.state.demands[0].number
        told += game.fulfil(number if isinstance(delivery, int) else delivery[:number])
        delivery = delivery - number if isinstance(delivery, int) else delivery[number:]
        coming -= number
    return [*told, *game.fulfil(delivery)]


def _pay(bench: Bench) -> Sequence[Event]:
    """Everything that is owed: the presses of the file's list, or the next cards of the pile."""
    game, told = bench.game, list[Event]()
    if not game.demand:
        game.fulfil(0)  # refuses: nobody owes anything
    while game.demand:
        demand = game.demand
        if game.state.chance is not None and not bench.presses:
            told += game.fulfil_by_chance()
        elif demand.kind is Owed.PRESSES:
            told += game.fulfil(bench.next_press())
        else:
            told += game.fulfil(min(demand.number, game.state.available()))
    return told


def _answer(words: Words, value: Any) -> Do:
    answer = words.card(value) if isinstance(value, str) else words.cards(value) if isinstance(value, list) else value
    if not isinstance(answer, (int, tuple)):
        raise WrongValueError(Text("answer with true or false, points, a card or a list of cards"))
    return lambda bench: bench.game.answer(answer)


def _of_one(words: Words, value: Any, example: str) -> tuple[int, Any]:
    if not isinstance(value, dict) or len(value) != 1:
        raise WrongValueError(Text("write it like {{ {example} }}").filled(example=example))
    name, what = next(iter(value.items()))
    return words.seat(name), what


def _penalty(words: Words, value: Any) -> Do:
    seat, offence = _of_one(words, value, 'Ben = "advice"')
    one_of(dict.fromkeys(words.game.offences))(offence)
    return lambda bench: bench.game.penalise(seat, offence)


def _correct(words: Words, value: Any) -> Do:
    seat, hand = _of_one(words, value, "Ben = 5")
    right = words.delivery(hand)
    if isinstance(right, int):
        return lambda bench: bench.game.correct_hand(seat, size=right)
    return lambda bench: bench.game.correct_hand(seat, cards=right)


def _correct_turn(words: Words, value: Any) -> Do:
    seat = words.seat(value)
    return lambda bench: bench.game.correct_turn(seat)


def _reload(_words: Words, value: Any) -> Do:
    if value is not True:
        raise WrongValueError(Text("write true"))
    return lambda bench: bench.game.reload()


def _back_and_forth(go: Callable[[Game], object], _words: Words, value: Any) -> Do:
    actions = whole(1, 10_000, _HOW_OFTEN)(value)

    def do(bench: Bench) -> Sequence[Event]:
        try:
            for _ in range(actions):
                go(bench.game)
        except NothingToUndoError as error:
            raise ScenarioError(error.text) from error
        return ()

    return do


def _deal(words: Words, value: Any) -> Do:
    mistakes: list[Text] = []
    deal = deal_of(table_of(deal_keys(words))(value), words, mistakes)
    if mistakes:
        raise WrongInsideError(mistakes)
    return lambda bench: deal.do(bench.game)


_ACTS: Final[Mapping[str, Callable[[Words, Any], Do]]] = {
    "deal": _deal,
    "penalty": _penalty,
    "answer": _answer,
    "correct": _correct,
    "correct_turn": _correct_turn,
    "reload": _reload,
    "undo": partial(_back_and_forth, Game.undo),
    "redo": partial(_back_and_forth, Game.redo),
    "launcher": _launcher,
}
"""What can happen beside a move, by the keys of a step; in a step with a move the launcher comes after it."""

ACT_KEYS: Final = tuple(_ACTS)


def act_keys(words: Words) -> dict[str, Key]:
    """The keys of a step that say what happens; the launcher, which comes after a move, is the last."""
    moves = {name: Key(partial(_move, words, name)) for name in words.names}
    return moves | {key: Key(partial(read, words)) for key, read in _ACTS.items()}
