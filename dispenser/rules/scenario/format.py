"""A rule scenario: what it is once it has been read, and the reading. ``tests/scenarios/rules/README.md`` documents the
format for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dispenser.rules.book import BOOKS, RULES, BookError, Text, game_named
from dispenser.rules.errors import OptionError
from dispenser.rules.game import Game
from dispenser.rules.registry import new_game
from dispenser.rules.scenario.acts import ACT_KEYS, Act, Delivery, read_acts, sequence_of
from dispenser.rules.scenario.deal import Deal, read_deal
from dispenser.rules.scenario.expectations import ILLEGAL, KINDS, Expectation, read_expectations
from dispenser.rules.scenario.tables import (
    TOP_OF_THE_FILE,
    ScenarioError,
    Table,
    WrongValueError,
    closest,
    remark,
    step_name,
    within,
    written,
)
from dispenser.rules.scenario.words import Words, check_names


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
    why: str
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


def parse(tables: Mapping[str, Any]) -> Scenario:
    """Read a scenario from the tables that a TOML reader makes of its file.

    :raises ScenarioError: naming table, key, wrong value and remedy.
    """
    top = Table(dict(tables), TOP_OF_THE_FILE)
    title = top.needed_text(
        "title",
        Text('say in one sentence what is so: title = "…"', 'dis en une phrase ce qui doit être\u00a0: title = "…"'),
    )
    why = top.text("why") or ""
    games = ", ".join(BOOKS)
    game_id = top.needed_text(
        "game",
        Text(
            f'say which: game = "uno"; the games are {games}',
            f'dis lequel\u00a0: game = "uno"\u00a0; les jeux sont {games}',
        ),
    )
    try:
        game_id = game_named(game_id).id
    except BookError as error:
        raise top.error("game", closest(game_id, BOOKS)) from error
    rules = _read_rules(top)
    names = check_names(top.items("players"), (*KINDS, *ACT_KEYS))
    options = top.table("options", "[options]")
    options_given = {name: options.raw(name) for name in options}
    hidden, seed = top.flag("hidden", default=False), top.whole("seed", 0, 2**63)
    try:
        game = new_game(game_id, len(names), options_given, hidden=hidden, seed=seed)
    except OptionError as error:
        raise ScenarioError(within(TOP_OF_THE_FILE, error.text)) from error
    words = Words(game, names, "en")  # which matters to what is said, and here all is read
    try:
        presses = tuple(sequence_of(top.items("presses"), words))
    except WrongValueError as error:
        raise top.error("presses", error.text) from error
    deal = read_deal(top, words, game)
    start = _read_start(top, deal, words)
    steps = [
        _read_step(Table(each, step_name(number)), number, words, game)
        for number, each in enumerate(top.items("step"), 1)
    ]
    top.finish()
    _check_dealt(top, deal, hidden=hidden, seed=seed)
    if not any(step.expectations for step in (start, *steps)):
        raise ScenarioError(
            Text(
                'nothing is expected: write below a [[step]] what must be so then, such as turn = "…"',
                'rien n’est attendu\u00a0: écris sous un [[step]] ce qui doit être alors, comme turn = "…"',
            )
        )
    return Scenario(title, why, game_id, rules, names, options_given, hidden, seed, presses, (start, *steps))


def _read_rules(top: Table) -> tuple[str, ...]:
    rules = top.items("rules")
    if not rules:
        raise top.missing(
            "rules",
            Text(
                'say which rules it is about: rules = ["G-02"]',
                'dis de quelles règles il s’agit\u00a0: rules = ["G-02"]',
            ),
        )
    for rule in rules:
        if rule not in RULES:
            unknown = Text(f"there is no rule {written(rule)}", f"il n’y a pas de règle {written(rule)}")
            raise top.error("rules", remark(unknown, closest(str(rule), RULES)))
    return tuple(rules)


def _check_dealt(top: Table, deal: Deal, *, hidden: bool, seed: int | None) -> None:
    """Without chance everything that matters must be written down."""
    if seed is not None:
        return
    if deal.dealer is None and not deal.draws:
        raise top.missing("dealer", Text('say who deals: dealer = "…"', 'dis qui distribue\u00a0: dealer = "…"'))
    if not hidden and deal.first is None and not deal.pile:
        raise top.missing(
            "first",
            Text('say which card is turned up: first = "…"', 'dis quelle carte est retournée\u00a0: first = "…"'),
        )
    if hidden and deal.pile:
        raise top.error(
            "pile",
            Text(
                "in a hidden game nobody knows the pile; say what comes out where it does",
                "à cartes cachées personne ne connaît la pioche\u00a0; dis ce qui sort à l’étape où cela sort",
            ),
        )


def _read_start(top: Table, deal: Deal, words: Words) -> Step:
    table = top.table("start", "[start]")
    expectations = read_expectations(table, words)
    table.finish()
    return Step(0, (Act("deal", "the deal", lambda bench: bench.hear(deal.do(bench.game))),), expectations)


def _read_step(table: Table, number: int, words: Words, game: Game) -> Step:
    for key in table:
        if key not in words.names and key not in KINDS and key not in ACT_KEYS:
            unknown = Text("no such key and no such player", "ce n’est ni une clé ni un joueur")
            raise table.error(key, remark(unknown, closest(key, [*words.names, *ACT_KEYS, *KINDS])))
    step = Step(number, read_acts(table, words, game), read_expectations(table, words))
    if any(expectation.key == ILLEGAL for expectation in step.expectations) and len(step.acts) > 1:
        raise table.error(
            ILLEGAL,
            Text(
                f"is it {step.acts[0].key} or {step.acts[1].key} that is illegal? make two steps of it",
                f"est-ce {step.acts[0].key} ou {step.acts[1].key} qui est interdit\u00a0? fais-en deux étapes",
            ),
        )
    return step
