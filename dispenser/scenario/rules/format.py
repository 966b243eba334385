"""A rule scenario: what it is once it has been read, and the reading. ``tests/scenarios/rules/README.md`` documents the
format for people."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final

from msgspec import Meta

from dispenser.language import Text
from dispenser.rules.book import BookError
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.game import Game
from dispenser.rules.library import BOOKS, game_named
from dispenser.rules.registry import new_game
from dispenser.scenario.rules.acts import ACTS, Act, act_of, move_of
from dispenser.scenario.rules.begin import DEAL, HANDS, MATCH_UNDER_WAY, deal_of
from dispenser.scenario.rules.expectations import EXPECTED, ILLEGAL, Expectation, expectations_of
from dispenser.scenario.rules.reading import Needed, ScenarioError, read_keys, several
from dispenser.scenario.rules.words import NOBODY, Delivery, Words, rule_id
from dispenser.tables import Mistakes, WrongValueError, closest, mistake, shown
from dispenser.tables.mistakes import Path, mistake_in

_PLAYER_NAME = re.compile(r"[^\d\W][\w .'’-]*")
_NO_NAME: Final = Text('{name} is no name; write a text such as "Ana"')
_TAKEN: Final = Text("{name} is a word of scenarios; take another name")
_TWICE: Final = Text("{name} sits there twice; give each another name")
_TITLE: Final = Text('say in one sentence what is so: title = "…"')
_GAME: Final = Text('say which: game = "uno"; the games are {games}')
_RULES: Final = Text('say which rules it is about: rules = ["G-02"]')
_PLAYERS: Final = Text('say who sits at the table, clockwise: players = ["Ana", "Ben"]')
_DEALER: Final = Text('say who deals: dealer = "…"')
_FIRST: Final = Text('say which card is turned up: first = "…"')
_NO_PILE: Final = Text("in a hidden game nobody knows the pile; say what comes out where it does")
_NO_HAND: Final = Text("what stands below [hands] is a hand: write this line above it")
_NEITHER: Final = Text("no such key and no such player; {remedy}")
_NOTHING_HAPPENS: Final = Text('nothing happens; write {name} = "…" or one of {keys}')
_SEVERAL_HAPPEN: Final = Text("{one} and {other}: one thing at a time; make two steps of it")
_WHICH_ONE: Final = Text("is it {one} or {other} that is illegal? make two steps of it")


@dataclass(frozen=True, slots=True)
class Step:
    """What happens, and what must be so then.

    :ivar number: from 1; 0 is the start.
    """

    number: int
    acts: tuple[Act, ...]
    expectations: tuple[Expectation, ...]

    @property
    def path(self) -> Path:
        """Where it stands in the file."""
        return ("step", self.number) if self.number else ("start",)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole file.

    :ivar rules: IDs of the rules that it is about.
    :ivar seed: of the stream of chance; ``None`` when everything is written down.
    :ivar presses: what the presses bring that no step describes.
    """

    title: str
    game_id: str
    rules: tuple[str, ...]
    names: tuple[str, ...]
    options: Mapping[str, Any]
    hidden: bool
    seed: int | None
    presses: tuple[Delivery, ...]
    steps: tuple[Step, ...]

    def new_game(self) -> Game:
        """The match before its first deal."""
        return new_game(self.game_id, len(self.names), self.options, hidden=self.hidden, seed=self.seed)


def _game(_words: object, value: Any) -> str:
    try:
        return game_named(str(value)).id
    except BookError as error:
        raise WrongValueError(closest(value, BOOKS)) from error


def _players(_words: object, value: Any) -> tuple[str, ...]:
    """The players' names, when each can stand as a key of a step."""
    if not isinstance(value, list) or not value:
        raise WrongValueError(_PLAYERS)
    for place, name in enumerate(value):
        for what, is_so in (
            (_NO_NAME, not isinstance(name, str) or not _PLAYER_NAME.fullmatch(name)),
            (_TAKEN, str(name) in {*ACTS, *EXPECTED} or str(name).lower() == NOBODY),
            (_TWICE, name in value[:place]),
        ):
            if is_so:
                raise WrongValueError(what.filled(name=shown(name)))
    return tuple(value)


def _no_pile(_words: object, _value: Any) -> None:
    raise WrongValueError(_NO_PILE)


HEAD: Final[Mapping[str, Any]] = {
    "title": Needed(Annotated[str, Meta(min_length=1)], _TITLE),
    "why": str,
    "game": Needed(_game, _GAME.filled(games=", ".join(BOOKS))),
    "rules": Needed(Annotated[several(rule_id), Meta(min_length=1, extra={"remedy": _RULES})], _RULES),
    "players": Needed(_players, _PLAYERS),
    "options": dict[str, Any],
    "hidden": bool,
    "seed": Annotated[int, Meta(ge=0)],
}
"""What stands before the deal, and without which nothing behind it can be read."""
BODY: Final[Mapping[str, Any]] = {
    "presses": several(Words.delivery),
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
    mistakes = Mistakes()
    head = read_keys(tables, HEAD, (), None, mistakes, others=BODY)
    game = _new_game(head, mistakes)
    words = Words(game, head["players"])
    said = read_keys(_without_lines_above(tables, mistakes), _body(game, tables), (), words, mistakes, others=HEAD)
    deal = deal_of(said, words, mistakes, ())
    dealing = Act("deal", None, lambda bench: deal(bench.game))
    steps = [Step(0, (dealing,), tuple(expectations_of(said.get("start", {}), words)))]
    for number, values in enumerate(said.get("step", ()), 1):
        steps += _step(values, number, words, mistakes)
    mistakes.tell(ScenarioError)
    return Scenario(
        head["title"],
        head["game"],
        tuple(head["rules"]),
        head["players"],
        head.get("options", {}),
        game.state.hidden,
        head.get("seed"),
        tuple(said.get("presses", ())),
        tuple(steps),
    )


def _new_game(head: Mapping[str, Any], mistakes: Mistakes) -> Game:
    """Without a game nothing behind the head can be read.

    :raises ScenarioError: all that is wrong so far.
    """
    if "game" in head and "players" in head:
        options, hidden = head.get("options", {}), head.get("hidden", False)
        try:
            return new_game(head["game"], len(head["players"]), options, hidden=hidden, seed=head.get("seed"))
        except OptionError as error:
            mistakes.note(mistake_in((), error.text))
    mistakes.tell(ScenarioError)
    raise AssertionError("no game, and no mistake")


def _body(game: Game, tables: Mapping[str, Any]) -> dict[str, Any]:
    """What stands behind the head; without chance everything that matters must be written down."""
    kinds = dict(BODY)
    if "seed" not in tables:
        if not tables.keys() & {"dealer_draw", "turn"}:
            kinds["dealer"] = Needed(kinds["dealer"], _DEALER)
        if not tables.keys() & {"pile", "hidden"}:
            kinds["first"] = Needed(kinds["first"], _FIRST)
        if game.state.hidden:
            kinds["pile"] = _no_pile
    return kinds


def _without_lines_above(tables: Mapping[str, Any], mistakes: Mistakes) -> Mapping[str, Any]:
    """In TOML a line of the top that stands below ``[hands]`` belongs to it."""
    hands, players = tables.get("hands"), tables.get("players")
    if not isinstance(hands, dict) or not isinstance(players, list):
        return tables
    for key in hands.keys() & set(TOP_KEYS) - {name for name in players if isinstance(name, str)}:
        mistakes.note(mistake(("hands", key), _NO_HAND, hands[key]))
        hands = {name: hand for name, hand in hands.items() if name != key}
    return {**tables, "hands": hands}


def _step(values: Any, number: int, words: Words, mistakes: Mistakes) -> Iterator[Step]:
    """The step, when it is a table."""
    path = ("step", number)
    happening = {**{name: partial(move_of, name) for name in words.names}, **ACTS}
    said = read_keys(values, {**happening, **EXPECTED}, path, words, mistakes, unknown=_NEITHER)
    if not isinstance(values, dict):
        return
    deal = partial(deal_of, words=words, mistakes=mistakes, path=(*path, "deal"))
    acts = [act_of(key, values[key], said[key], deal) for key in happening if key in said]
    known = [key for key in happening if key in values]
    moves = [key for key in known if key != "launcher"]
    if not known and values.keys() <= EXPECTED.keys():  # else the move is perhaps misspelt
        mistakes.note(mistake_in(path, _NOTHING_HAPPENS.filled(name=words.names[0], keys=", ".join(ACTS))))
    elif len(moves) > 1:
        mistakes.note(mistake_in(path, _SEVERAL_HAPPEN.filled(one=moves[0], other=moves[1])))
    elif len(known) > 1 and ILLEGAL in said:
        mistakes.note(mistake((*path, ILLEGAL), _WHICH_ONE.filled(one=known[0], other=known[1])))
    yield Step(number, tuple(acts), tuple(expectations_of(said, words)))
