"""A rule scenario: what it is once it has been read, and the reading. ``tests/scenarios/rules/README.md`` documents the
format for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from dispenser.rules.book import BookError, Text
from dispenser.rules.errors import OptionError
from dispenser.rules.game import Game
from dispenser.rules.library import BOOKS, RULES, game_named
from dispenser.rules.old_registry import new_game
from dispenser.scenario.rules.acts import ACT_KEYS, Act, Delivery, read_acts, sequence_of
from dispenser.scenario.rules.deal import TOP_KEYS, Deal, read_deal
from dispenser.scenario.rules.expectations import ILLEGAL, KINDS, Expectation, read_expectations
from dispenser.scenario.rules.tables import (
    TOP_OF_THE_FILE,
    Mistakes,
    ScenarioError,
    Table,
    WrongValueError,
    closest,
    remark,
    step_name,
    within,
    written,
)
from dispenser.scenario.rules.words import Words, check_names


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

    :raises ScenarioError: naming table, key, wrong value and remedy; and what else is wrong, as far as one can go on.
    """
    top, mistakes = Table(dict(tables), TOP_OF_THE_FILE, _FILE_KEYS), Mistakes()
    with mistakes.noted():
        top.finish()
    head = _read_head(top, mistakes)
    game = _new_game(head, mistakes)
    words = Words(game, head.names, "en")  # which matters to what is said, and here all is read
    presses: tuple[Delivery, ...] = ()
    with mistakes.noted():
        presses = _read_presses(top, words)
    deal = Deal()
    with mistakes.noted():
        deal = read_deal(top, words, game)
    steps: list[Step] = []
    with mistakes.noted():
        steps.append(_read_start(top, deal, words))
    with mistakes.noted():
        steps += _read_steps(top, words, game)
    with mistakes.noted():
        _check_dealt(top)
    mistakes.tell()
    if not any(step.expectations for step in steps):
        raise ScenarioError(
            Text(
                'nothing is expected: write below a [[step]] what must be so then, such as turn = "…"',
                'rien n’est attendu\u00a0: écris sous un [[step]] ce qui doit être alors, comme turn = "…"',
            )
        )
    return Scenario(
        head.title,
        head.why,
        head.game_id,
        head.rules,
        head.names,
        head.options,
        head.hidden,
        head.seed,
        presses,
        tuple(steps),
    )


_FILE_KEYS: Final = (*TOP_KEYS, "start", "step")


@dataclass(slots=True)
class _Head:
    """What stands before the deal; what could not be read is empty."""

    title: str = ""
    why: str = ""
    game_id: str = ""
    rules: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    hidden: bool = False
    seed: int | None = None


def _read_head(top: Table, mistakes: Mistakes) -> _Head:
    head = _Head()
    with mistakes.noted():
        head.title = top.needed_text(
            "title",
            Text(
                'say in one sentence what is so: title = "…"',
                'dis en une phrase ce que le scénario montre\u00a0: title = "…"',
            ),
        )
    with mistakes.noted():
        head.why = top.text("why") or ""
    with mistakes.noted():
        head.game_id = _read_game(top)
    with mistakes.noted():
        head.rules = _read_rules(top)
    with mistakes.noted():
        head.names = _read_players(top)
    with mistakes.noted():
        options = top.table("options", "[options]")
        head.options = {name: options.raw(name) for name in options}
    with mistakes.noted():
        head.hidden = top.flag("hidden", default=False)
    with mistakes.noted():
        head.seed = top.whole("seed", 0, 2**63)
    return head


def _new_game(head: _Head, mistakes: Mistakes) -> Game:
    """Without a game nothing behind the head can be read.

    :raises ScenarioError: all that is wrong so far.
    """
    if not (head.game_id and head.names):
        mistakes.tell()
    try:
        return new_game(head.game_id, len(head.names), head.options, hidden=head.hidden, seed=head.seed)
    except OptionError as error:
        mistakes.note(ScenarioError(within(TOP_OF_THE_FILE, error.text)))
        mistakes.tell()
        raise


def _read_game(top: Table) -> str:
    games = ", ".join(BOOKS)
    name = top.needed_text(
        "game",
        Text(
            f'say which: game = "uno"; the games are {games}',
            f'dis lequel\u00a0: game = "uno"\u00a0; les jeux sont {games}',
        ),
    )
    try:
        return game_named(name).id
    except BookError as error:
        raise top.error("game", closest(name, BOOKS)) from error


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


def _read_players(top: Table) -> tuple[str, ...]:
    names = top.items("players")
    if not names:
        raise top.missing(
            "players",
            Text(
                'say who sits at the table, clockwise: players = ["Ana", "Ben"]',
                'dis qui est à table, dans le sens horaire\u00a0: players = ["Ana", "Ben"]',
            ),
        )
    return check_names(names, (*KINDS, *ACT_KEYS))


def _read_presses(top: Table, words: Words) -> tuple[Delivery, ...]:
    try:
        return tuple(sequence_of(top.items("presses"), words))
    except WrongValueError as error:
        raise top.error("presses", error.text) from error


def _check_dealt(top: Table) -> None:
    """Without chance everything that matters must be written down."""
    if top.raw("seed") is not None:
        return
    hidden = top.raw("hidden")  # what is neither true nor false is a mistake of its own
    mistakes = Mistakes()
    with mistakes.noted():
        if top.raw("dealer") is None and not top.raw("dealer_draw"):
            raise top.missing("dealer", Text('say who deals: dealer = "…"', 'dis qui distribue\u00a0: dealer = "…"'))
    with mistakes.noted():
        if not hidden and top.raw("first") is None and not top.raw("pile"):
            raise top.missing(
                "first",
                Text('say which card is turned up: first = "…"', 'dis quelle carte est retournée\u00a0: first = "…"'),
            )
    with mistakes.noted():
        if hidden is True and top.raw("pile"):
            raise top.error(
                "pile",
                Text(
                    "in a hidden game nobody knows the pile; say what comes out where it does",
                    "à cartes cachées personne ne connaît la pioche\u00a0; dis ce qui sort à l’étape où cela sort",
                ),
            )
    mistakes.tell()


def _read_start(top: Table, deal: Deal, words: Words) -> Step:
    table = top.table("start", "[start]")
    expectations = read_expectations(table, words)
    table.finish()
    return Step(0, (Act("deal", "the deal", lambda bench: bench.hear(deal.do(bench.game))),), expectations)


def _read_steps(top: Table, words: Words, game: Game) -> list[Step]:
    steps: list[Step] = []
    mistakes = Mistakes()
    for number, each in enumerate(top.items("step"), 1):
        with mistakes.noted():
            steps.append(_read_step(Table(each, step_name(number)), number, words, game))
    mistakes.tell()
    return steps


def _read_step(table: Table, number: int, words: Words, game: Game) -> Step:
    mistakes = Mistakes()
    for key in table:
        if key not in words.names and key not in KINDS and key not in ACT_KEYS:
            unknown = Text("no such key and no such player", "ce n’est ni une clé ni un joueur")
            with mistakes.noted():
                raise table.error(key, remark(unknown, closest(key, [*words.names, *ACT_KEYS, *KINDS])))
    acts: tuple[Act, ...] = ()
    expectations: tuple[Expectation, ...] = ()
    if not mistakes or any(key in words.names or key in ACT_KEYS for key in table):  # else the move is misspelt
        with mistakes.noted():
            acts = read_acts(table, words, game)
    with mistakes.noted():
        expectations = read_expectations(table, words)
    mistakes.tell()
    if any(expectation.key == ILLEGAL for expectation in expectations) and len(acts) > 1:
        raise table.error(
            ILLEGAL,
            Text(
                f"is it {acts[0].key} or {acts[1].key} that is illegal? make two steps of it",
                f"est-ce {acts[0].key} ou {acts[1].key} qui est interdit\u00a0? fais-en deux étapes",
            ),
        )
    return Step(number, acts, expectations)
