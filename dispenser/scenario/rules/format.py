"""A rule scenario: what it is once it has been read, and the reading. ``tests/scenarios/rules/README.md`` documents the
format for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from msgspec import Meta

from dispenser.config import WrongValueError, closest, error_at, short_toml
from dispenser.config.errors import Path, error_in
from dispenser.i18n import Text
from dispenser.rules.book import BookError
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.game import Game
from dispenser.rules.library import BOOKS, game_named
from dispenser.rules.registry import new_game
from dispenser.scenario.rules.acts import ACTS, acts_of
from dispenser.scenario.rules.begin import DEAL, HANDS, MATCH_UNDER_WAY, check_deal
from dispenser.scenario.rules.bench import NOBODY, Bench, Delivery, rule_id
from dispenser.scenario.rules.expectations import EXPECTED, ILLEGAL
from dispenser.scenario.rules.reading import Needed, Reader, ScenarioError, several

_PLAYER_NAME: Final = re.compile(r"[^\d\W][\w .'’-]*")
_RULES: Final = Text('say which rules it is about: rules = ["G-02"]')
_PLAYERS: Final = Text('say who sits at the table, clockwise: players = ["Ana", "Ben"]')


@dataclass(frozen=True, slots=True)
class Step:
    """What happens, and what must be so then.

    :ivar number: from 1; 0 is the start.
    :ivar said: what was read, by the keys of the file.
    :ivar written: what stands there.
    """

    number: int
    said: Mapping[str, Any]
    written: Mapping[str, Any]

    @property
    def path(self) -> Path:
        """Where it stands in the file."""
        return ("step", self.number) if self.number else ("start",)

    def line(self, *acts: str) -> str:
        """What happens, as it stands in the file."""
        return " + ".join(f"{act} = {short_toml(self.written[act])}" for act in acts) if self.number else "the deal"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole file.

    :ivar rules: IDs of the rules that it is about.
    :ivar presses: what the presses bring that no step describes.
    :ivar new_game: makes the match before its first deal.
    """

    title: str
    rules: tuple[str, ...]
    names: tuple[str, ...]
    presses: tuple[Delivery, ...]
    steps: tuple[Step, ...]
    new_game: Callable[[], Game]


def _game(_bench: object, value: Any) -> str:
    try:
        return game_named(str(value)).id
    except BookError as error:
        raise WrongValueError(closest(value, BOOKS)) from error


def _players(_bench: object, value: Any) -> tuple[str, ...]:
    """The players' names, when each can stand as a key of a step."""
    if not isinstance(value, list) or not value:
        raise WrongValueError(_PLAYERS)
    for place, name in enumerate(value):
        wrong = None
        if not isinstance(name, str) or not _PLAYER_NAME.fullmatch(name):
            wrong = Text('{name} is no name; write a text such as "Ana"')
        elif name in ACTS or name in EXPECTED or name.lower() == NOBODY:
            wrong = Text("{name} is a word of scenarios; take another name")
        elif name in value[:place]:
            wrong = Text("{name} sits there twice; give each another name")
        if wrong:
            raise WrongValueError(wrong.filled(name=short_toml(name)))
    return tuple(value)


HEAD: Final[Mapping[str, Any]] = {
    "title": Needed(Annotated[str, Meta(min_length=1)], Text('say in one sentence what is so: title = "…"')),
    "why": str,
    "game": Needed(_game, Text('say which: game = "uno"; the games are {games}').filled(games=", ".join(BOOKS))),
    "rules": Needed(Annotated[several(rule_id), Meta(min_length=1, extra={"hint": _RULES})], _RULES),
    "players": Needed(_players, _PLAYERS),
    "options": dict[str, Any],
    "hidden": bool,
    "seed": Annotated[int, Meta(ge=0)],
}
"""What stands before the deal, and without which nothing behind it can be read."""
BODY: Final[Mapping[str, Any]] = {
    "presses": several(Bench.delivery),
    **DEAL,
    "hands": HANDS,
    **MATCH_UNDER_WAY,
    "start": EXPECTED,
    "step": list[Any],
}
TOP_KEYS: Final = (*HEAD, *BODY)


def parse(tables: Mapping[str, Any]) -> Scenario:
    """Read a scenario from the tables that a TOML reader makes of its file.

    :raises ScenarioError: with all that is wrong, as far as one can go on.
    """
    reader = Reader()
    head = reader.keys(tables, HEAD, others=BODY)
    make_game, game = _game_of(head, reader)
    reader.bench = bench = Bench(game, head["players"])
    said = reader.keys(_without_lines_above(tables, reader), _body(tables), others=HEAD)
    _check_deal(said, (), bench, reader)
    steps = [Step(0, {"deal": said, **said.get("start", {})}, tables)]
    for number, values in enumerate(said.get("step", ()), 1):
        steps += _step(values, number, bench, reader)
    reader.errors.raise_if_any(ScenarioError)
    presses = tuple(said.get("presses", ()))
    return Scenario(head["title"], tuple(head["rules"]), bench.names, presses, tuple(steps), make_game)


def _game_of(head: Mapping[str, Any], reader: Reader) -> tuple[Callable[[], Game], Game]:
    """How the game is made, and one to read by: without it nothing behind the head can be read.

    :raises ScenarioError: all that is wrong so far.
    """
    if "game" in head and "players" in head:
        choices = {key: head[key] for key in ("options", "hidden", "seed") if key in head}
        make_game = partial(new_game, head["game"], len(head["players"]), **choices)
        try:
            return make_game, make_game()
        except OptionError as error:
            reader.errors.append(error_in((), error.text))
    reader.errors.raise_if_any(ScenarioError)
    raise AssertionError("no game, and no mistake")


def _body(tables: Mapping[str, Any]) -> dict[str, Any]:
    """What stands behind the head; without chance everything that matters must be written down."""
    kinds = dict(BODY)
    if not tables.keys() & {"seed", "dealer_draw", "turn"}:
        kinds["dealer"] = Needed(kinds["dealer"], Text('say who deals: dealer = "…"'))
    if not tables.keys() & {"seed", "pile", "hidden"}:
        kinds["first"] = Needed(kinds["first"], Text('say which card is turned up: first = "…"'))
    return kinds


def _without_lines_above(tables: Mapping[str, Any], reader: Reader) -> Mapping[str, Any]:
    """In TOML a line of the top that stands below ``[hands]`` belongs to it."""
    hands, players = tables.get("hands"), tables.get("players")
    if not isinstance(hands, dict) or not isinstance(players, list):
        return tables
    lost = [key for key in hands if key in TOP_KEYS and key not in players]
    for key in lost:
        no_hand = Text("what stands below [hands] is a hand: write this line above it")
        reader.errors.append(error_at(("hands", key), no_hand, hands[key]))
    return {**tables, "hands": {name: hand for name, hand in hands.items() if name not in lost}}


def _check_deal(said: Mapping[str, Any], path: Path, bench: Bench, reader: Reader) -> None:
    for key, wrong in check_deal(said, bench):
        reader.errors.append(error_at((*path, key), wrong))


def _step(values: Any, number: int, bench: Bench, reader: Reader) -> Iterator[Step]:
    """The step, when it is a table."""
    path, acts = ("step", number), acts_of(bench)
    neither = Text("no such key and no such player; {remedy}")
    said = reader.keys(values, {**{key: act.read for key, act in acts.items()}, **EXPECTED}, path, unknown=neither)
    if not isinstance(values, dict):
        return
    if "deal" in said:
        _check_deal(said["deal"], (*path, "deal"), bench, reader)
    known = [key for key in acts if key in values]
    moves = [key for key in known if key != "launcher"]
    if not known and values.keys() <= EXPECTED.keys():  # else the move is perhaps misspelt
        nothing = Text('nothing happens; write {name} = "…" or one of {keys}')
        reader.errors.append(error_in(path, nothing.filled(name=bench.names[0], keys=", ".join(ACTS))))
    elif len(moves) > 1:
        several_happen = Text("{one} and {other}: one thing at a time; make two steps of it")
        reader.errors.append(error_in(path, several_happen.filled(one=moves[0], other=moves[1])))
    elif len(known) > 1 and ILLEGAL in said:
        which_one = Text("is it {one} or {other} that is illegal? make two steps of it")
        reader.errors.append(error_at((*path, ILLEGAL), which_one.filled(one=known[0], other=known[1])))
    yield Step(number, said, values)
