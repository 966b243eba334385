"""What happens in a step: a move, what the launcher lets out, what the table says; reading it and doing it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta

from dispenser.config import WrongValueError
from dispenser.i18n import Text
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.events import Event
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE
from dispenser.rules.words.notation import without_announcement
from dispenser.scenario.rules.begin import DEAL, begin
from dispenser.scenario.rules.played import Delivery, Each, PlayedGame, one_of

_MOVE: Final = Annotated[str, Meta(pattern=r"\S", extra={"hint": Text('write the move as a text, such as "red 7"')})]


class Action(NamedTuple):
    """One thing that can happen.

    :ivar read: what stands there, as for ``table_of``.
    :ivar do: does what was read there.
    """

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
    """Everything that is owed: the presses of the file's list, or the next cards of the pile."""
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
