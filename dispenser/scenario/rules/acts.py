"""What happens in a step: a move, what the launcher lets out, what the table says; reading it and doing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from dispenser.language import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.events import Event
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, Move
from dispenser.rules.words.notation import NotationError, read_move, without_announcement
from dispenser.scenario.rules.begin import DEAL
from dispenser.scenario.rules.words import Delivery, Words, number, one_of
from dispenser.tables import WrongValueError, shown

_HOW_OFTEN: Final = Text("write how many actions: 1 or more")
_A_MOVE: Final = Text('write the move as a text, such as "red 7"')
_WHAT_COMES_OUT: Final = Text('write "pays", "chance", a number or a list of cards')
_ANSWERS: Final = Text("answer with true or false, points, a card or a list of cards")
_LIKE: Final = Text("write it like {{ {example} }}")
_TRUE: Final = Text("write true")
_ONE_MORE: Final = Text("presses: there are {number} of them, and here is one more; add it")


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
            raise WrongValueError(_ONE_MORE.filled(number=self.pressed))
        self.pressed += 1
        return self.presses.pop(0)


Do = Callable[[Bench], Sequence[Event]]


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that happens.

    :ivar key: as it stands in the file, such as ``Ana`` or ``launcher``.
    :ivar value: what stands there.
    :ivar move: the seat and the words of a move, so that one can see whether they can be read.
    """

    key: str
    value: Any
    do: Do
    move: tuple[int, str] | None = None

    @property
    def line(self) -> str:
        """As it stands in the file."""
        return f"{self.key} = {shown(self.value)}" if self.value is not None else "the deal"


# Reading: each gives what there is to do


def move_of(name: str, words: Words, value: Any) -> tuple[int, str]:
    """What ``name`` does, in words: which move that is, one sees when it is made."""
    if not isinstance(value, str) or not value.strip():
        raise WrongValueError(_A_MOVE)
    return words.seat(name), value


def _moving(seat: int, said: str) -> Do:
    def do(bench: Bench) -> Sequence[Event]:
        game = bench.game
        laid, announces = without_announcement(game, said)
        move = bench.move(seat, laid)
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
        raise WrongValueError(_WHAT_COMES_OUT)
    several = isinstance(value, list) and any(not isinstance(each, str) for each in value)
    deliveries = list(map(words.delivery, value if several else [value]))
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
        raise WrongValueError(_ANSWERS)
    return lambda bench: bench.game.answer(answer)


def _of_one(words: Words, value: Any, example: str) -> tuple[int, Any]:
    if not isinstance(value, dict) or len(value) != 1:
        raise WrongValueError(_LIKE.filled(example=example))
    name, what = next(iter(value.items()))
    return words.seat(name), what


def _penalty(words: Words, value: Any) -> Do:
    seat, offence = _of_one(words, value, 'Ben = "advice"')
    one_of(words.game.offences, offence)
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
        raise WrongValueError(_TRUE)
    return lambda bench: bench.game.reload()


def _back_and_forth(go: Callable[[Game], object], words: Words, value: Any) -> Do:
    actions = number(words, value, 1, 10_000, _HOW_OFTEN)

    def do(bench: Bench) -> Sequence[Event]:
        for _ in range(actions):
            go(bench.game)
        return ()

    return do


ACTS: Final[Mapping[str, Any]] = {
    "deal": DEAL,
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


def act_of(key: str, value: Any, meaning: Any, deal: Callable[[Any], Callable[[Game], list[Event]]]) -> Act:
    """One thing that happens, out of what stands in the file and what was read there."""
    if key == "deal":
        begin = deal(meaning)
        return Act(key, value, lambda bench: begin(bench.game))
    if isinstance(meaning, tuple):
        return Act(key, value, _moving(*meaning), meaning)
    return Act(key, value, meaning)
