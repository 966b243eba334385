"""Plays a rule scenario: what can happen in a step, and what is not as it should be then."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from msgspec import Meta

from dispenser.config import TableError, WrongValueError, error_at
from dispenser.i18n import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.engine.events import Event
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE
from dispenser.rules.words.notation import without_announcement
from dispenser.rules.words.telling import Telling
from dispenser.scenario.rules.begin import DEAL, begin
from dispenser.scenario.rules.expectations import ILLEGAL, expected_of, refusal
from dispenser.scenario.rules.played import Delivery, Each, PlayedGame, one_of

if TYPE_CHECKING:
    from dispenser.scenario.rules.format import Scenario, Step

_MOVE: Final = Annotated[str, Meta(pattern=r"\S", extra={"hint": Text('write the move as a text, such as "red 7"')})]


class Action(NamedTuple):
    """One thing that can happen: what stands there, as for ``table_of``, and what does it."""

    read: Any
    do: Callable[[PlayedGame, Any], Sequence[Event]]


def _moving(seat: int) -> Action:
    def do(played: PlayedGame, said: str) -> Sequence[Event]:
        """Make the move, behind the announcement that goes with it."""
        game = played.game
        laid, announces = without_announcement(game, said)
        move = played.move(seat, laid)
        announced = announces and move in game.legal_moves(seat)  # a refused move changes nothing
        return [*(game.play(seat, ANNOUNCE) if announced else ()), *game.play(seat, move)]

    return Action(_MOVE, do)


def _deliveries(played: PlayedGame, value: Any) -> str | list[Delivery]:
    if value in ("pays", "chance"):
        return str(value)
    if isinstance(value, str):
        raise WrongValueError(Text('write "pays", "chance", a number or a list of cards'))
    several = isinstance(value, list) and any(not isinstance(each, str) for each in value)
    return list(map(played.delivery, value if several else [value]))


def _let_out(played: PlayedGame, deliveries: str | list[Delivery]) -> Sequence[Event]:
    if deliveries == "pays":
        return _pay(played)
    if deliveries == "chance":
        return played.game.fulfil_by_chance()
    return [event for each in deliveries for event in _deliver(played.game, each)]


def _deliver(game: Game, delivery: Any) -> list[Event]:
    """What comes out at once; where several owe cards, each gets as many as are owed."""
    told: list[Event] = []
    while len(demands := game.state.demands) > 1 and demands[0].kind is Owed.CARDS:
        owed = demands[0].number
        if (delivery if isinstance(delivery, int) else len(delivery)) <= owed:
            break
        told += game.fulfil(owed if isinstance(delivery, int) else delivery[:owed])
        delivery = delivery - owed if isinstance(delivery, int) else delivery[owed:]
    return [*told, *game.fulfil(delivery)]


def _pay(played: PlayedGame) -> Sequence[Event]:
    """Pay everything that is owed, by the presses of the file's list or the next cards of the pile."""
    game, told = played.game, list[Event]()
    if not game.demand:
        game.fulfil(0)  # refuses: nobody owes anything
    while demand := game.demand:
        if played.state.chance is not None and played.pressed == len(played.presses):
            told += game.fulfil_by_chance()
        elif demand.kind is Owed.PRESSES:
            told += game.fulfil(played.next_press())
        else:
            told += game.fulfil(min(demand.number, played.state.available()))
    return told


def _answer(played: PlayedGame, value: Any) -> int | tuple[int, ...]:
    answer = played.card(value) if isinstance(value, str) else played.cards(value) if isinstance(value, list) else value
    if not isinstance(answer, (int, tuple)):
        raise WrongValueError(Text("answer with true or false, points, a card or a list of cards"))
    return answer


def _penalty(played: PlayedGame, told: Mapping[str, str]) -> Sequence[Event]:
    return [event for name, offence in told.items() for event in played.game.penalise(played.seat(name), offence)]


def _correct(played: PlayedGame, hands: Mapping[str, Delivery]) -> Sequence[Event]:
    told: list[Event] = []
    for name, hand in hands.items():
        right: dict[str, Any] = {"size": hand} if isinstance(hand, int) else {"cards": hand}
        told += played.game.correct_hand(played.seat(name), **right)
    return told


def _true(_played: PlayedGame, value: Any) -> bool:
    if value is not True:
        raise WrongValueError(Text("write true"))
    return True


def _so_often(go: Callable[[Game], object]) -> Action:
    def do(played: PlayedGame, actions: int) -> Sequence[Event]:
        for _ in range(actions):
            go(played.game)
        return ()

    return Action(Annotated[int, Meta(ge=1)], do)


ACTS: Final[Mapping[str, Action]] = {
    "deal": Action(DEAL, begin),
    "penalty": Action(Each(lambda played, offence: one_of(played.game.offences, offence)), _penalty),
    "answer": Action(_answer, lambda played, answer: played.game.answer(answer)),
    "correct": Action(Each(PlayedGame.delivery), _correct),
    "correct_turn": Action(PlayedGame.seat, lambda played, seat: played.game.correct_turn(seat)),
    "count_round": Action(
        {"winner": PlayedGame.seat, "points": list[int]},
        lambda played, told: played.game.count_round(told.get("winner"), tuple(told.get("points", ()))),
    ),
    "reload": Action(_true, lambda played, _: played.game.reload()),
    "undo": _so_often(Game.undo),
    "redo": _so_often(Game.redo),
    "launcher": Action(_deliveries, _let_out),
}
"""What can happen beside a move, by the keys of a step; in a step with a move the launcher comes after it."""


def acts_of(played: PlayedGame) -> dict[str, Action]:
    """All that can happen at that table: what its players do comes first."""
    return {**{name: _moving(seat) for seat, name in enumerate(played.names)}, **ACTS}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    :ivar step: its number, 0 for the start.
    :ivar move: what happened in that step, as it stands in the file.
    :ivar key: what was expected there, such as ``turn``; ``expected`` is all of it, as it stands in the file.
    :ivar rules: IDs of the rules to read; empty when the scenario's own are meant.
    :ivar missing: what the file has perhaps forgotten to say in this step; empty when there is nothing.
    """

    step: int
    move: str
    key: str
    expected: str
    found: str
    rules: tuple[str, ...] = ()
    missing: str = ""


def play(scenario: Scenario, language: str = "en") -> list[Finding]:
    """Play it, as far as the first step where something is not as it should be; all that is wrong there.

    :returns: nothing when everything is as it should be.
    :raises TableError: a move cannot be read, or the file forgot something.
    """
    played = PlayedGame(scenario.new_game(), scenario.names, language, scenario.presses)
    for step in scenario.steps:
        if findings := list(play_step(step, played)):
            return [*findings[:-1], _with_what_is_missing(findings[-1], step, played)]
    return []


def play_step(step: Step, played: PlayedGame) -> Iterator[Finding]:
    """Do what happens in a step and check what is expected then."""
    refused = do_step(step, played)
    if played.refused is not None and ILLEGAL not in step.said:
        legal, why = played.say(Text("a legal move")), played.say(refusal(played.refused))
        yield Finding(step.number, step.line(refused), ILLEGAL, legal, why, (played.refused.rule,))
        return
    happens = [key for key in acts_of(played) if key in step.said]
    for path, check, seat, wanted in expected_of(step.said, played):
        try:
            found = check.compare(played, seat, wanted)
        except (RulesError, WrongValueError) as error:
            raise TableError(error_at((*step.path, *path), error.text)) from error
        if found is not None:
            rules = wanted if path == (ILLEGAL,) else ()
            yield Finding(step.number, step.line(*happens), ".".join(path), step.expectation(path), found, rules)
    played.marks[step.number] = played.state.save()


def do_step(step: Step, played: PlayedGame) -> str:
    """Do what happens in a step.

    :returns: the key of what the rules have refused, if anything.
    """
    played.refused, played.told = None, []
    for key, act in acts_of(played).items():
        if key in step.said:
            try:
                played.told += act.do(played, step.said[key])
            except IllegalMove as error:
                played.refused = error
                return key
            except (RulesError, WrongValueError) as error:
                told = error_at((*step.path, key), error.text, step.written[key]) if step.number else error.text
                raise TableError(told) from error
    return ""


def _with_what_is_missing(last: Finding, step: Step, played: PlayedGame) -> Finding:
    """The game waits for the launcher or for the table, and the file does not know: that may be all that is wrong."""
    game = played.game
    if step.said.keys() & {"owes", "asked"}:
        return last
    if owed := game.demand:
        example = '"pays"' if owed.kind is Owed.CARDS else "[0, 3]" if owed.number > 1 else "3"
        unpaid = Text("{debt}; write what comes out, such as launcher = {example}")
        missing = unpaid.filled(debt=played.say_owed([owed]), example=example)
        return replace(last, missing=played.say(missing), rules=last.rules or (owed.rule,))
    if game.question is not None:
        question = Telling(game, played.language, played.names).question(game.question)
        unanswered = Text("the answer of the table: {question} Write it: answer = …").filled(question=question)
        return replace(last, missing=played.say(unanswered))
    return last
