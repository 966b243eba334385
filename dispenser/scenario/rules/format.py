"""Reads a rule scenario. ``tests/scenarios/rules/README.md`` documents the format for people."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Annotated, Any, Final

from msgspec import Meta

from dispenser.config import ErrorList, TableError, WrongValueError, closest, error_at, read, short_toml
from dispenser.config.errors import error_in, nearest
from dispenser.i18n import Text
from dispenser.rules.book import BookError
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.game import Game
from dispenser.rules.library import BOOKS, game_named
from dispenser.rules.registry import new_game
from dispenser.scenario.rules.expectations import EXPECTED, ILLEGAL
from dispenser.scenario.rules.played import NOBODY, PlayedGame, Scenario, Step, rule_id, several, table_of
from dispenser.scenario.rules.player import ACTS, DEAL, HANDS, MATCH_UNDER_WAY, acts_of, check_deal

_PLAYER_NAME: Final = re.compile(r"[^\d\W][\w .'’-]*")
_PLAYERS: Final = Text('say who sits at the table, clockwise: players = ["Ana", "Ben"]')


def _game(_played: object, value: Any) -> str:
    try:
        return game_named(str(value)).id
    except BookError as error:
        raise WrongValueError(closest(value, BOOKS)) from error


def _players(_played: object, value: Any) -> tuple[str, ...]:
    """Read the players' names; each must be usable as a key of a step."""
    if not isinstance(value, list) or not value:
        raise WrongValueError(_PLAYERS)
    for place, name in enumerate(value):
        if not isinstance(name, str) or not _PLAYER_NAME.fullmatch(name):
            wrong = Text('{name} is no name; write a text such as "Ana"')
        elif name in ACTS or name in EXPECTED or name.lower() == NOBODY:
            wrong = Text("{name} is a word of scenarios; take another name")
        elif name in value[:place]:
            wrong = Text("{name} sits there twice; give each another name")
        else:
            continue
        raise WrongValueError(wrong.filled(name=short_toml(name)))
    return tuple(value)


_GAME: Final[Mapping[str, Any]] = {
    "game": _game,
    "players": _players,
    "options": dict[str, Any],
    "hidden": bool,
    "seed": Annotated[int, Meta(ge=0)],
}
"""Keys needed before any other can be read."""
_WHOLE: Final[Mapping[str, Any]] = {
    "title": Annotated[str, Meta(min_length=1)],
    "why": str,
    **_GAME,
    "rules": Annotated[several(rule_id), Meta(min_length=1)],
    "presses": several(PlayedGame.delivery),
    **DEAL,
    "hands": HANDS,
    **MATCH_UNDER_WAY,
    "start": EXPECTED,
    "step": list[Any],
}
TOP_KEYS: Final = tuple(_WHOLE)
_NEEDED: Final[Mapping[str, Text]] = {
    "title": Text('say in one sentence what is so: title = "…"'),
    "game": Text('say which: game = "uno"; the games are {games}').filled(games=", ".join(BOOKS)),
    "rules": Text('say which rules it is about: rules = ["G-02"]'),
    "players": _PLAYERS,
}


def parse(tables: Mapping[str, Any]) -> Scenario:
    """Parse a scenario from the tables of a TOML file.

    :raises TableError: all errors, as far as reading can continue.
    """
    make_game, names = _game_of(tables)
    played, needed = PlayedGame(make_game(), names), dict(_NEEDED)
    if not tables.keys() & {"seed", "dealer_draw", "turn"}:  # without chance, what matters must be given
        needed["dealer"] = Text('say who deals: dealer = "…"')
    if not tables.keys() & {"seed", "pile", "hidden"}:
        needed["first"] = Text('say which card is turned up: first = "…"')
    acts = acts_of(played)
    step = table_of({**{key: act.read for key, act in acts.items()}, **EXPECTED}, names, {})
    said = _read(tables, table_of({**_WHOLE, "step": list[step]}, names, needed), played)  # type: ignore[valid-type]
    errors = ErrorList(error_at((key,), wrong) for key, wrong in check_deal(said, played))
    steps = [Step(0, {"deal": said, **said.get("start", {})}, tables.get("start", {}))]
    for number, happens in enumerate(said.get("step", ()), 1):
        steps.append(Step(number, happens, tables["step"][number - 1]))
        errors += _wrong_in(steps[-1], [key for key in acts if key in happens], played)
    errors.raise_if_any()
    return Scenario(said["title"], tuple(said["rules"]), names, tuple(said.get("presses", ())), tuple(steps), make_game)


def _game_of(tables: Mapping[str, Any]) -> tuple[Callable[[], Game], tuple[str, ...]]:
    """Return a function that creates the game, and the players' names."""
    meant = {key: key if key in TOP_KEYS else nearest(key, TOP_KEYS) for key in tables}
    said = _read({key: tables[key] for key in tables if meant[key] in _GAME}, table_of(_GAME, (), _NEEDED), None)
    game, names = said.pop("game"), said.pop("players")
    make_game = partial(new_game, game, len(names), **said)
    try:
        make_game()
    except OptionError as error:
        raise TableError(error_in((), error.text)) from error
    return make_game, names


def _read(tables: Mapping[str, Any], kind: Any, played: PlayedGame | None) -> dict[str, Any]:
    return read(tables, kind, hook=lambda reader, value: reader(played, value))


def _wrong_in(step: Step, happens: list[str], played: PlayedGame) -> Iterator[Text]:
    """Yield contradictions within a step."""
    if "deal" in step.said:
        for key, wrong in check_deal(step.said["deal"], played):
            yield error_at((*step.path, "deal", key), wrong)
    moves = [key for key in happens if key != "launcher"]
    if not happens:
        nothing = Text('nothing happens; write {name} = "…" or one of {keys}')
        yield error_in(step.path, nothing.filled(name=played.names[0], keys=", ".join(ACTS)))
    elif len(moves) > 1:
        several_happen = Text("{one} and {other}: one thing at a time; make two steps of it")
        yield error_in(step.path, several_happen.filled(one=moves[0], other=moves[1]))
    elif len(happens) > 1 and ILLEGAL in step.said:
        which_one = Text("is it {one} or {other} that is illegal? make two steps of it")
        yield error_at((*step.path, ILLEGAL), which_one.filled(one=happens[0], other=happens[1]))
