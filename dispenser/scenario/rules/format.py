"""A rule scenario: what it is once it has been read, and the reading. ``tests/scenarios/rules/README.md`` documents the
format for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from dispenser.rules.book import BookError, Text
from dispenser.rules.engine.errors import OptionError
from dispenser.rules.engine.game import Game
from dispenser.rules.library import BOOKS, game_named
from dispenser.rules.registry import new_game
from dispenser.scenario.rules.acts import ACT_KEYS, Act, act_keys, act_of
from dispenser.scenario.rules.begin import deal_keys, deal_of
from dispenser.scenario.rules.expectations import ILLEGAL, KINDS, Expectation, expectation_keys, expectations_of
from dispenser.scenario.rules.reading import (
    TOP_OF_THE_FILE,
    Key,
    ScenarioError,
    WrongValueError,
    anything,
    closest,
    equal,
    flag,
    list_of,
    read_table,
    step_name,
    table,
    text,
    whole,
    within,
)
from dispenser.scenario.rules.words import Delivery, Words, player_names, rule_id

_GAMES: Final = ", ".join(BOOKS)
_SAY_WHICH_RULES: Final = Text('say which rules it is about: rules = ["G-02"]')
_SAY_WHO: Final = Text('say who sits at the table, clockwise: players = ["Ana", "Ben"]')
_SAY_WHO_DEALS: Final = Text('say who deals: dealer = "…"')
_SAY_WHICH_CARD: Final = Text('say which card is turned up: first = "…"')
_NEITHER: Final = Text("no such key and no such player")


@dataclass(frozen=True, slots=True)
class Step:
    """What happens, and what must be so then.

    :ivar number: from 1; 0 is the start.
    """

    number: int
    acts: tuple[Act, ...]
    expectations: tuple[Expectation, ...]

    @property
    def name(self) -> Text:
        return step_name(self.number)


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


def _game(value: Any) -> str:
    try:
        return game_named(text(value)).id
    except BookError as error:
        raise WrongValueError(closest(value, BOOKS)) from error


def _at_least_one(read: Any, remedy: Text) -> Any:
    def read_some(value: Any) -> Any:
        found = read(value)
        if not found:
            raise WrongValueError(remedy)
        return found

    return read_some


HEAD_KEYS: Final[Mapping[str, Key]] = {
    "title": Key(
        text,
        Text('say in one sentence what is so: title = "…"'),
    ),
    "why": Key(text),
    "game": Key(
        _game,
        Text('say which: game = "uno"; the games are {games}').filled(games=_GAMES),
    ),
    "rules": Key(_at_least_one(list_of(rule_id), _SAY_WHICH_RULES), _SAY_WHICH_RULES),
    "players": Key(
        _at_least_one(lambda value: player_names(value, (*KINDS, *ACT_KEYS)), _SAY_WHO),
        _SAY_WHO,
    ),
    "options": Key(table),
    "hidden": Key(flag),
    "seed": Key(whole(0, 2**63)),
}
"""What stands before the deal, and without which nothing behind it can be read."""
TOP_KEYS: Final = (
    *HEAD_KEYS, "presses", "dealer", "dealer_draw", "first", "pile", "talon", "score", "turn", "direction", "colour",
    "hands", "start", "step",
)  # fmt: skip
"""All keys of the top."""


def parse(tables: Mapping[str, Any]) -> Scenario:
    """Read a scenario from the tables that a TOML reader makes of its file.

    :raises ScenarioError: naming table, key, wrong value and remedy; and what else is wrong, as far as one can go on.
    """
    mistakes: list[Text] = []
    head = read_table(tables, HEAD_KEYS, mistakes, TOP_OF_THE_FILE, others=TOP_KEYS)
    game = _new_game(head, mistakes)
    words = Words(game, head["players"])
    keys = _keys_below(words, tables)
    said = read_table(tables, keys, mistakes, TOP_OF_THE_FILE, others=TOP_KEYS)
    deal_mistakes: list[Text] = []
    deal = deal_of(said, words, deal_mistakes)
    mistakes += [within(TOP_OF_THE_FILE, each) for each in deal_mistakes]
    start = read_table(said.get("start", {}), expectation_keys(words), mistakes, Text("[start]"))
    dealing = Act("deal", "the deal", lambda bench: deal.do(bench.game))
    steps = [Step(0, (dealing,), tuple(expectations_of(start, words)))]
    for number, values in enumerate(said.get("step", ()), 1):
        steps += _step(values, number, words, mistakes)
    if mistakes:
        raise _all_of(mistakes)
    return Scenario(
        head["title"],
        head["game"],
        head["rules"],
        head["players"],
        head.get("options", {}),
        game.state.hidden,
        head.get("seed"),
        said.get("presses", ()),
        tuple(steps),
    )


def _all_of(mistakes: list[Text]) -> ScenarioError:
    first, *more = {text.en: text for text in mistakes}.values()
    return ScenarioError(first, more)


def _new_game(head: Mapping[str, Any], mistakes: list[Text]) -> Game:
    """Without a game nothing behind the head can be read.

    :raises ScenarioError: all that is wrong so far.
    """
    if "game" in head and "players" in head:
        options, hidden = head.get("options", {}), head.get("hidden", False)
        try:
            return new_game(head["game"], len(head["players"]), options, hidden=hidden, seed=head.get("seed"))
        except OptionError as error:
            mistakes.append(within(TOP_OF_THE_FILE, error.text))
    raise _all_of(mistakes)


def _keys_below(words: Words, tables: Mapping[str, Any]) -> dict[str, Key]:
    """The keys that need a game; without chance everything that matters must be written down."""
    keys = {"presses": Key(words.deliveries)} | deal_keys(words, TOP_KEYS, all_hands=True)
    if "seed" not in tables:
        if not tables.keys() & {"dealer_draw", "turn"}:
            keys["dealer"] = replace(keys["dealer"], missing=_SAY_WHO_DEALS)
        if "hidden" not in tables and not tables.keys() & {"pile"}:
            keys["first"] = replace(keys["first"], missing=_SAY_WHICH_CARD)
        if words.game.state.hidden:
            keys["pile"] = Key(_no_pile)
    return keys | {"start": Key(table), "step": Key(list_of(anything))}


def _no_pile(_value: Any) -> tuple[int, ...]:
    raise WrongValueError(Text("in a hidden game nobody knows the pile; say what comes out where it does"))


def _step(values: Any, number: int, words: Words, mistakes: list[Text]) -> Iterator[Step]:
    """The step, when it says something that can happen."""
    place, happening = step_name(number), act_keys(words)
    said = read_table(values, happening | expectation_keys(words), mistakes, place, unknown=_NEITHER)
    if not isinstance(values, dict):
        return
    acts = [act_of(key, values[key], said[key]) for key in happening if key in said]
    known = [key for key in happening if key in values]
    moves = [key for key in known if key != "launcher"]
    if not known and values.keys() <= said.keys():  # else the move is perhaps misspelt
        listed = ", ".join(ACT_KEYS)
        nothing = Text('nothing happens; write {names} = "…" or one of {listed}').filled(
            names=words.names[0], listed=listed
        )
        mistakes.append(within(place, nothing))
    elif len(moves) > 1:
        several = Text("{one} and {other}: one thing at a time; make two steps of it").filled(
            one=moves[0], other=moves[1]
        )
        mistakes.append(within(place, several))
    elif len(known) > 1 and ILLEGAL in said:
        which = Text("is it {one} or {other} that is illegal? make two steps of it").filled(
            one=known[0], other=known[1]
        )
        mistakes.append(within(place, within(equal(ILLEGAL, values[ILLEGAL]), which)))
    yield Step(number, tuple(acts), tuple(expectations_of(said, words)))
