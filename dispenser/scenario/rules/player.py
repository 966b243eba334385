"""Play a rule scenario and report each expectation that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final, NamedTuple

from msgspec import Meta

from dispenser.config import TableError, WrongValueError, error_at
from dispenser.i18n import Text
from dispenser.rules.engine import reasons
from dispenser.rules.engine.dealing import not_in
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove, RulesError
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE
from dispenser.rules.words.notation import without_announcement
from dispenser.scenario.rules.expectations import ILLEGAL, expected_of, refusal
from dispenser.scenario.rules.played import (
    FACE_DOWN,
    MOST_CARDS,
    Delivery,
    Each,
    PlayedGame,
    Scenario,
    Step,
    as_list,
    one_of,
    several,
)

THE_REST: Final = "the rest"
_WRONG_DRAW: Final = Text(
    "dealer_draw: first a card for every player who draws, then one for each of those who drew the best, until one "
    "is left",
)
_ITS_HAND: Final = Text('write the cards, how many there are, or "the rest"')


class DealtHand(NamedTuple):
    """A hand of the deal: known cards, the number of unknown ones, and whether it gets all remaining cards."""

    named: tuple[int, ...] = ()
    others: int = 0
    rest: bool = False


def _hand(played: PlayedGame, value: Any) -> DealtHand:
    if value == THE_REST:
        return DealtHand(rest=True)
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MOST_CARDS:
        return DealtHand(others=value)
    if not isinstance(value, list):
        raise WrongValueError(_ITS_HAND)
    named = [each for each in value if each not in (FACE_DOWN, THE_REST)]
    return DealtHand(played.cards(named), others=value.count(FACE_DOWN), rest=THE_REST in value)


def _draws(played: PlayedGame, value: Any) -> tuple[tuple[int, int], ...]:
    """Read ``dealer_draw = [{ Ana = "red 9", Ben = "blue 9" }, { Ana = "red 1", Ben = "red 2" }]``: ties draw again."""
    turns = as_list(value)
    if not all(isinstance(turn, dict) for turn in turns):
        like_this = Text('write {{ {name} = "…" }}, and a list of such when some draw again')
        raise WrongValueError(like_this.filled(name=played.names[0]))
    drawn = [sorted((played.seat(name), played.card(card)) for name, card in turn.items()) for turn in turns]
    return tuple(draw for turn in drawn for draw in turn)


DEAL: Final[Mapping[str, Any]] = {
    "dealer": PlayedGame.seat,
    "dealer_draw": _draws,
    "hands": Each(_hand),  # players out of the match have none
    "first": PlayedGame.card,
    "pile": several(PlayedGame.card),
}
"""Keys that describe a deal."""
HANDS: Final = Each(_hand, _ITS_HAND)
MATCH_UNDER_WAY: Final[Mapping[str, Any]] = {
    "talon": several(PlayedGame.card),
    "score": Each(int),
    "turn": PlayedGame.seat,
    "direction": PlayedGame.direction,
    "colour": PlayedGame.colour,
}
"""Further keys for the first deal of a match that began elsewhere."""
_AS_SAID: Final = ("dealer", "first", "pile", "talon", "turn", "direction", "colour")


def check_deal(said: Mapping[str, Any], played: PlayedGame) -> Iterator[tuple[str, Text]]:
    """Yield contradictions in a deal: the key, and the error."""
    if "dealer" in said and "dealer_draw" in said:
        yield "dealer_draw", Text("give dealer or dealer_draw, not both")
    for key in ("direction", "colour"):
        if key in said and "turn" not in said:
            yield key, Text('this is for the middle of a round: say whose turn it is there, turn = "…"')
    if "pile" in said and played.state.hidden and played.state.chance is None:
        yield "pile", Text("in a hidden game nobody knows the pile; say what comes out where it does")
    if "hands" in said:
        deck, named = played.state.deck(), _named(said)
        for card in dict.fromkeys(not_in(named, deck)):
            too_often = Text("{card} stands {times} times in hands, pile, talon and first; the deck has {has}")
            times, has = named.count(card), list(deck).count(card)
            yield "hands", too_often.filled(card=played.state.cards.names[card], times=times, has=has)
        if sum(hand.rest for hand in said["hands"].values()) > 1:
            yield "hands", Text('only one player can have "the rest"')


def begin(played: PlayedGame, said: Mapping[str, Any]) -> list[Event]:
    """Deal as described, and compare who drew which card for it.

    :raises IllegalMove: the game refuses.
    :raises WrongValueError: the cards drawn for the deal are not the expected ones.
    """
    deal: Any = {key: said[key] for key in _AS_SAID if key in said}
    if "score" in said:
        deal["scores"] = tuple(said["score"].get(name, 0) for name in played.names)
    if "hands" in said:
        deal["hands"] = _hands(said, played)
    if played.state.chance is None:
        deal.setdefault("pile", ())
    if draws := said.get("dealer_draw", ()):
        deal["draws"] = [card for _, card in draws]
    try:
        events = played.game.begin(**deal)
    except IllegalMove as error:
        if error.reason not in {reasons.MORE_DRAWS, reasons.FEWER_DRAWS}:
            raise
        events = []
    if draws and draws != tuple((each.seat, each.card) for each in events if each.what is What.DEALER_DREW):
        raise WrongValueError(_WRONG_DRAW)
    return events


def _named(said: Mapping[str, Any]) -> list[int]:
    """Return all named cards of the deal."""
    lying = [card for key in ("pile", "talon") for card in said.get(key, ())]
    return [*(card for hand in said["hands"].values() for card in hand.named), *lying, *as_list(said.get("first", []))]


def _hands(said: Mapping[str, Any], played: PlayedGame) -> tuple[tuple[int, ...], ...]:
    """Return the hands for the game: only their sizes if hands are hidden."""
    state, left = played.state, not_in(played.state.deck(), _named(said))
    hands: list[DealtHand] = [said["hands"].get(name, DealtHand()) for name in played.names]
    if state.hidden:
        return tuple((state.unknown,) * (len(hand.named) + hand.others + len(left) * hand.rest) for hand in hands)
    others = [[left.pop(len(left) // 2) for _ in range(min(hand.others, len(left)))] for hand in hands]
    return tuple((*hand.named, *more, *(left if hand.rest else ())) for hand, more in zip(hands, others, strict=True))


_MOVE: Final = Annotated[str, Meta(pattern=r"\S", extra={"hint": Text('write the move as a text, such as "red 7"')})]


class Action(NamedTuple):
    """A key that describes an action: ``read`` is its type for ``table_of``, ``do`` performs it."""

    read: Any
    do: Callable[[PlayedGame, Any], Sequence[Event]]


def _moving(seat: int) -> Action:
    def do(played: PlayedGame, said: str) -> Sequence[Event]:
        """Play the move, after the announcement that goes with it."""
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
    """Deliver cards that came out together; if several seats owe cards, each gets as many as it is owed."""
    told: list[Event] = []
    while len(demands := game.state.demands) > 1 and demands[0].kind is Owed.CARDS:
        owed = demands[0].number
        if (delivery if isinstance(delivery, int) else len(delivery)) <= owed:
            break
        told += game.fulfil(owed if isinstance(delivery, int) else delivery[:owed])
        delivery = delivery - owed if isinstance(delivery, int) else delivery[owed:]
    return [*told, *game.fulfil(delivery)]


def _pay(played: PlayedGame) -> Sequence[Event]:
    """Pay all demands, from the presses of the file or the next cards of the pile."""
    game, told = played.game, list[Event]()
    if not game.demand:
        game.fulfil(0)  # raises, as nobody owes anything
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
        size, cards = (hand, None) if isinstance(hand, int) else (None, hand)
        told += played.game.correct_hand(played.seat(name), size, cards)
    return told


def _true(_played: PlayedGame, value: Any) -> None:
    if value is not True:
        raise WrongValueError(Text("write true"))


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
"""Actions other than moves, by key of a step; in a step with a move, the launcher acts after it."""


def acts_of(played: PlayedGame) -> dict[str, Action]:
    """Return the actions of the scenario by key, moves of the players first."""
    return {**{name: _moving(seat) for seat, name in enumerate(played.names)}, **ACTS}


@dataclass(frozen=True, slots=True)
class Finding:
    """A failed expectation.

    :ivar step: number of the step, 0 for the start.
    :ivar move: what happened in that step, as in the file.
    :ivar key: key of the expectation, such as ``turn``; ``expected`` is the whole of it, as in the file.
    :ivar rules: IDs of the rules to read; empty for those of the scenario.
    """

    step: int
    move: str
    key: str
    expected: str
    found: str
    rules: tuple[str, ...] = ()


def play(scenario: Scenario, language: str = "en") -> list[Finding]:
    """Play a scenario up to the first step with a failed expectation.

    :returns: the failures of that step; empty if all expectations hold.
    :raises TableError: a move cannot be read, or the file is incomplete.
    """
    played = PlayedGame(scenario.new_game(), scenario.names, language, scenario.presses)
    for step in scenario.steps:
        if findings := list(play_step(step, played)):
            return findings
    return []


def play_step(step: Step, played: PlayedGame) -> Iterator[Finding]:
    """Perform a step, and yield its failed expectations."""
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
    """Perform a step.

    :returns: the key of the action that the rules refused; empty if none.
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
