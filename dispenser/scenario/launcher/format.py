"""A scenario file: what it is once it has been read, and the reading. The format is documented for people in
``tests/scenarios/README.md``."""

from __future__ import annotations

import dataclasses
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dispenser.config import ConfigError, Settings
from dispenser.config import parse as parse_settings
from dispenser.scenario.launcher.acts import Act, read_act
from dispenser.scenario.launcher.expectations import LONGEST_S, Expectation, read_expectation, read_never
from dispenser.scenario.launcher.odds import Planned
from dispenser.scenario.launcher.ranges import variants
from dispenser.scenario.launcher.stage import Setup
from dispenser.scenario.launcher.tables import ScenarioError, Table, closest
from dispenser.scenario.launcher.toml import as_toml
from dispenser.scenario.launcher.watch import LINES
from dispenser.scenario.launcher.words import NoticePattern, read_notice
from dispenser.toy import ToyError, ToyParameters

MAX_TIMES = 100_000
_PARAMETERS = {field.name: field.type for field in dataclasses.fields(ToyParameters)}
_SETTINGS_TABLES = ("launcher", "pins", "timing", "odds")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that happens.

    :param at_s: when; ``None`` for ``after_s`` seconds after the step before, or after the notice ``when``.
    :param nth: which such notice since the step before counts.
    """

    number: int
    name: str | None
    act: Act
    keys: dict[str, Any]
    at_s: float | None
    after_s: float
    when: NoticePattern | None
    nth: int
    times: int
    every_s: float


@dataclass(frozen=True, slots=True)
class RawEdge:
    """One input line changes by itself, as it was recorded."""

    at_s: float
    line: str
    active: bool


@dataclass(frozen=True, slots=True)
class Take:
    """One way to play a scenario. A step with a range of values makes as many takes as there are values.

    :param variant: the value that makes this take different, such as ``at = 1.25``; empty when there is one take only.
    """

    variant: str
    seed: str
    setup: Setup
    steps: tuple[Step, ...]
    edges: tuple[RawEdge, ...]
    expectations: tuple[Expectation, ...]


@dataclass(frozen=True, slots=True)
class Scenario:
    """A whole file."""

    title: str
    why: str
    takes: tuple[Take, ...]


def load(path: Path) -> Scenario:
    """Read a scenario file.

    :raises ScenarioError: naming file, table, key, wrong value and remedy.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ScenarioError(f"{path}: cannot be read ({error}); give a readable UTF-8 file") from error
    try:
        return parse(text)
    except ScenarioError as error:
        raise ScenarioError(f"{path}: {error}") from error


def parse(text: str) -> Scenario:
    """Read a scenario from TOML text.

    :raises ScenarioError: naming table, key, wrong value and remedy.
    """
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ScenarioError(f"not valid TOML: {error}") from error
    top = Table(tables, "top of the file")
    title = top.needed_text("title", 'say in one sentence what is promised: title = "…"')
    why = top.text("why", "")
    takes = tuple(_read_take(variant, values) for variant, values in variants(tables))
    return Scenario(title, (why or "").strip(), takes)


def _read_take(variant: str, tables: dict[str, Any]) -> Take:
    top = Table(tables, "top of the file")
    top.text("title")
    top.text("why")
    seed = top.text("seed", "scenario")
    edges = tuple(_read_edge(each) for each in _array(top, "edge"))
    setup = _read_setup(top.table("setup", "[setup]"), {edge.line for edge in edges})
    steps = _read_steps(_array(top, "step"))
    names = [step.name for step in steps if step.name is not None]
    expectations = [read_expectation(table, names) for table in _array(top, "expect")]
    expectations += [read_never(table, names) for table in _array(top, "never")]
    top.finish()
    if [edge.at_s for edge in edges] != sorted(edge.at_s for edge in edges):
        raise ScenarioError("[[edge]]: the edges must stand in the order of their times")
    if not expectations:
        raise ScenarioError("nothing is expected: add an [[expect]] or a [[never]]")
    return Take(variant, seed or "", setup, tuple(steps), edges, tuple(expectations))


def _array(top: Table, key: str) -> list[Table]:
    values = top.raw(key)
    if values is None:
        return []
    if not isinstance(values, list):
        raise ScenarioError(f"[{key}]: there may be several of them, so write [[{key}]]")
    return [Table(value, f"[[{key}]] {number}") for number, value in enumerate(values, 1)]


# --- setup ---


def _read_setup(table: Table, edge_lines: set[str]) -> Setup:
    toy = _read_toy(table.table("toy", "[setup.toy]"))
    settings = _read_settings({key: table.raw(key) for key in _SETTINGS_TABLES if key in table})
    raw_lines = edge_lines
    for line in table.items("raw_lines"):
        if line not in LINES:
            raise table.error("raw_lines", closest(str(line), LINES))
        raw_lines = raw_lines | {line}
    exit_blocked = table.choice("exit", ("blocked", "free"), "free") == "blocked"
    button_down = table.choice("button", ("down", "up"), "up") == "down"
    for line, active in (("exit", exit_blocked), ("button", button_down)):
        if active and line not in raw_lines:
            raise table.error(line, f'only a raw line can begin so: add raw_lines = ["{line}"], or use a step')
    planned = tuple(_read_planned(table, item, settings) for item in table.items("planned"))
    if planned and "odds" in table:
        raise table.error("planned", "give planned or odds, not both")
    setup = Setup(
        settings=settings,
        toy=toy,
        cards=table.whole("cards", 0, toy.stack_capacity_cards, toy.stack_capacity_cards) or 0,
        lid_open=table.choice("lid", ("open", "shut"), "shut") == "open",
        button_down=button_down,
        exit_blocked=exit_blocked,
        planned=planned,
        raw_lines=frozenset(raw_lines),
    )
    table.finish()
    return setup


def _read_planned(table: Table, item: Any, settings: Settings) -> Planned:
    launcher = settings.launcher
    if not isinstance(item, dict):
        return Planned(table.checked_whole("planned", item, 0, launcher.max_burst_cards), None)
    inner = Table(item, f"{table.name}: planned")
    cards = inner.whole("cards", 0, launcher.max_burst_cards)
    if cards is None:
        raise ScenarioError(f"{inner.name}: cards is missing: say how many, 0 for a dud")
    suspense_s = inner.number("suspense", launcher.suspense_min_s, launcher.suspense_max_s)
    inner.finish()
    return Planned(cards, suspense_s)


def _read_toy(table: Table) -> ToyParameters:
    """Nothing goes wrong by chance unless the file says so: luck has no place in a promise."""
    changes: dict[str, Any] = {}
    for key in table:
        if key not in _PARAMETERS:
            raise table.error(key, f"no such key here; {closest(key, _PARAMETERS)}")
        match _PARAMETERS[key]:
            case "bool":
                changes[key] = table.flag(key, default=False)
            case "int":
                changes[key] = table.whole(key, 0, 999)
            case _:
                changes[key] = table.number(key, 0, 1e6)
    try:
        return ToyParameters.flawless(**changes)
    except ToyError as error:
        raise ScenarioError(f"{table.name}: {error}") from error


def _read_settings(tables: dict[str, Any]) -> Settings:
    """The same tables as in the configuration file, with the same errors."""
    for name, values in tables.items():
        Table(values, f"[setup.{name}]")
    try:
        return parse_settings(as_toml(tables))
    except ConfigError as error:
        raise ScenarioError(re.sub(r"^\[(?=\w+\])", "[setup.", str(error))) from error


# --- what happens ---


def _read_edge(table: Table) -> RawEdge:
    at_s = table.number("at", 0, LONGEST_S)
    line = table.choice("line", LINES)
    if at_s is None or line is None or "active" not in table:
        raise ScenarioError(f"{table.name}: write at = …, line = …, active = …")
    edge = RawEdge(at_s, line, table.flag("active", default=True))
    table.finish()
    return edge


def _read_steps(tables: list[Table]) -> list[Step]:
    steps: list[Step] = []
    latest_s: float | None = 0.0
    names: set[str] = set()
    for number, table in enumerate(tables, 1):
        step = _read_step(table, number)
        if step.at_s is not None:
            if latest_s is not None and step.at_s < latest_s:
                raise table.error("at", f"steps stand in the order of their times; the one before is at {latest_s:g}")
            latest_s = step.at_s
        elif step.when is not None:
            latest_s = None
        elif latest_s is not None:
            latest_s += step.after_s
        if latest_s is not None:
            latest_s += (step.times - 1) * step.every_s
        if step.name in names:
            raise table.error("name", "another step has this name already")
        names |= {step.name} if step.name else set()
        steps.append(step)
    return steps


def _read_step(table: Table, number: int) -> Step:
    act = read_act(table)
    at_s = table.number("at", 0, LONGEST_S)
    after_s = table.number("after", 0, LONGEST_S)
    when = read_notice(table, "when")
    if at_s is None and after_s is None and when is None:
        raise ScenarioError(f"{table.name}: when? Write at = … or after = … (seconds), or when = a notice")
    if at_s is not None and (after_s is not None or when is not None):
        raise table.error("at", "give at, or after, or when (which may have after), not all of them")
    step = Step(
        number=number,
        name=table.text("name"),
        act=act,
        keys=act.read(table),
        at_s=at_s,
        after_s=after_s or 0.0,
        when=when,
        nth=(table.whole("nth", 1, MAX_TIMES, 1) if when else None) or 1,
        times=table.whole("times", 1, MAX_TIMES, 1) or 1,
        every_s=table.number("every", 0, LONGEST_S, 0.0) or 0.0,
    )
    if step.times > 1 and not step.every_s:
        raise table.error("times", "say how many seconds lie between two: every = …")
    table.finish()
    return step
