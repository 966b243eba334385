"""A scenario file: what it is once it has been read, and the reading. The format is documented for people in
``tests/scenarios/README.md``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import field as named

from dispenser.config import Settings, check
from dispenser.drivers.pins.wiring import GpioTiming, GpioWiring
from dispenser.language import Text
from dispenser.launcher.settings import MachineSettings
from dispenser.scenario.launcher.acts import AnyStep, Step
from dispenser.scenario.launcher.expectations import Expect, Expectation, Never
from dispenser.scenario.launcher.notices import NoticePattern, Number, Seconds, Whole, Words, is_notice
from dispenser.scenario.launcher.odds import Planned
from dispenser.scenario.launcher.stage import Setup
from dispenser.tables import Mistakes, TableError, WrongValueError, closest, mistake, parse_toml, read, read_file
from dispenser.toy import ToyParameters

MAX_TAKES: Final = 2000
_RANGE_KEYS: Final = {"from", "to", "by"}
_TITLE: Final = Text('say in one sentence what is promised: title = "…"')
_NOTHING_EXPECTED: Final = Text("nothing is expected: add an [[expect]] or a [[never]]")
_EDGES_IN_ORDER: Final = Text("the edges must stand in the order of their times")
_STEPS_IN_ORDER: Final = Text("steps stand in the order of their times; the one before is at {latest}")
_SAME_NAME: Final = Text("another step has this name already")
_NO_STEP: Final = Text("no step has this name; {remedy}")
_NAME_A_STEP: Final = Text('give a step a name = "…" first')
_NOT_BOTH: Final = Text("give {first} or {second}, not both")
_RAW_ONLY: Final = Text('only a raw line can begin so: add raw_lines = ["{line}"], or use a step')
_WHOLE: Final = Text("write a whole number from 0 to {most}")
_SECONDS: Final = Text("write a number of seconds from {low} to {high}")
_ONE_RANGE: Final = Text("only one number of one step may be a range")
_TAKES: Final = Text("must be 1 to {most} values")
LineName = Literal["button", "lid", "exit"]


class ScenarioError(TableError):
    """A scenario that cannot be played as it is written. One line: file, table, key, wrong value, remedy."""


class RawEdge(Struct, frozen=True):
    """``[[edge]]``: one input line changes by itself, as it was recorded."""

    at: Seconds
    line: LineName
    active: bool


class _Setup(Struct):
    """``[setup]``: how it begins; the settings are those of the configuration file."""

    toy: ToyParameters
    cards: Whole | UnsetType = UNSET
    lid: Literal["open", "shut"] = "shut"
    button: Literal["down", "up"] = "up"
    exit: Literal["blocked", "free"] = "free"
    planned: list[Whole | Planned] = []
    odds: dict[str, Any] | UnsetType = UNSET
    raw_lines: list[LineName] = []
    launcher: MachineSettings = MachineSettings()
    pins: GpioWiring = GpioWiring()
    timing: GpioTiming = GpioTiming()

    def __post_init__(self) -> None:
        if self.planned and self.odds is not UNSET:
            raise WrongValueError(_NOT_BOTH.filled(first="planned", second="odds"), "planned")


class _File(Struct):
    title: Annotated[Words, Meta(extra={"missing": _TITLE})]
    setup: _Setup
    why: str = ""
    seed: Words = "scenario"
    edge: list[RawEdge] = []
    step: list[AnyStep] = []
    expect: list[Expect] = []
    never: list[Never] = []

    def __post_init__(self) -> None:
        if not (self.expect or self.never):
            raise WrongValueError(_NOTHING_EXPECTED)


class _Range(Struct):
    """``{ from = 1.0, to = 2.5, by = 0.01 }``."""

    first: Number = named(name="from")
    last: Number = named(name="to")
    by: Number


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

    :raises ScenarioError: naming file, table, key, wrong value and remedy of each mistake.
    """
    try:
        return _of_tables(read_file(path))
    except TableError as error:
        raise ScenarioError(*error.within(path)) from error


def parse(text: str) -> Scenario:
    """Read a scenario from TOML text.

    :raises ScenarioError: naming table, key, wrong value and remedy of each mistake.
    """
    try:
        return _of_tables(parse_toml(text))
    except TableError as error:
        raise ScenarioError(*error.mistakes) from error


def _of_tables(tables: dict[str, Any]) -> Scenario:
    setup = tables.setdefault("setup", {})
    if isinstance(setup, dict) and isinstance(toy := setup.setdefault("toy", {}), dict):
        # Nothing goes wrong by chance unless the file says so: luck has no place in a promise.
        setup["toy"] = {**asdict(ToyParameters.flawless()), **toy}
    ranged = _range(tables)
    if ranged is None:
        file = _read(tables)
        return Scenario(file.title, file.why.strip(), (_take(file),))
    number, key, values = ranged
    step = tables["step"][number - 1]
    tables["step"][number - 1] = {**step, key: values[0]}
    file = _read(tables)
    take = _take(file)
    takes = []
    for value in values:
        file.step[number - 1] = read({**step, key: value}, AnyStep, path=("step", number))
        _check_order(file)
        takes.append(replace(take, variant=f"{key} = {value:g}", steps=tuple(file.step)))
    return Scenario(file.title, file.why.strip(), tuple(takes))


def _read(tables: dict[str, Any]) -> _File:
    mistakes = Mistakes()
    with mistakes.noted():
        file = read(tables, _File)
    with mistakes.noted():
        _check_names(tables)
    for key, notice in (("step", "when"), ("expect", "notice"), ("never", "notice")):
        for number, table in _tables_of(tables, key):
            if is_notice(table.get(notice)) and "with" in table:
                with mistakes.noted():
                    NoticePattern.read(table[notice], table["with"], (key, number, "with"))
    mistakes.tell()
    return file


def _tables_of(tables: dict[str, Any], key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The tables of an array, with their numbers; what is none has been told."""
    array = tables.get(key)
    for number, table in enumerate(array if isinstance(array, list) else [], 1):
        if isinstance(table, dict):
            yield number, table


def _check_names(tables: dict[str, Any]) -> None:
    """Each step has a name of its own, and ``since`` names one."""
    mistakes = Mistakes()
    names: list[Any] = []
    for number, step in _tables_of(tables, "step"):
        if "name" in step:
            if step["name"] in names:
                mistakes.note(mistake(("step", number, "name"), _SAME_NAME, step["name"]))
            names.append(step["name"])
    for key in ("expect", "never"):
        for number, table in _tables_of(tables, key):
            since = table.get("since")
            if isinstance(since, str) and since not in names:
                remedy = closest(since, map(str, names)) if names else _NAME_A_STEP
                mistakes.note(mistake((key, number, "since"), _NO_STEP.filled(remedy=remedy), since))
    mistakes.tell()


def _take(file: _File) -> Take:
    mistakes = Mistakes()
    with mistakes.noted():
        setup = _setup(file)
    with mistakes.noted():
        _check_order(file)
    mistakes.tell()
    expectations = [each.read(f"[[expect]] {number}") for number, each in enumerate(file.expect, 1)]
    expectations += [each.read(f"[[never]] {number}") for number, each in enumerate(file.never, 1)]
    return Take("", file.seed, setup, tuple(file.step), tuple(file.edge), tuple(expectations))


def _check_order(file: _File) -> None:
    if any(later.at < earlier.at for earlier, later in pairwise(file.edge)):
        raise TableError(mistake(("edge",), _EDGES_IN_ORDER))
    latest_s: float | None = 0.0
    for number, step in enumerate(file.step, 1):
        if step.at is not UNSET:
            if latest_s is not None and step.at < latest_s:
                remedy = _STEPS_IN_ORDER.filled(latest=f"{latest_s:g}")
                raise TableError(mistake(("step", number, "at"), remedy, step.at))
            latest_s = step.at
        elif step.when is not UNSET:
            latest_s = None
        elif latest_s is not None:
            latest_s += step.after or 0.0
        if latest_s is not None:
            latest_s += (step.times - 1) * step.every


# --- setup ---


def _setup(file: _File) -> Setup:
    table = file.setup
    mistakes = Mistakes()
    raw_lines = {*table.raw_lines, *(edge.line for edge in file.edge)}
    for line, began, usual in (("exit", table.exit, "free"), ("button", table.button, "up")):
        if began != usual and line not in raw_lines:
            mistakes.note(mistake(("setup", line), _RAW_ONLY.filled(line=line), began))
    most = table.toy.stack_capacity_cards
    cards = most if table.cards is UNSET else table.cards
    if cards > most:
        mistakes.note(mistake(("setup", "cards"), _WHOLE.filled(most=most), cards))
    settings = Settings(launcher=table.launcher, pins=table.pins, timing=table.timing)
    if table.odds is not UNSET:
        settings = Settings(launcher=table.launcher, pins=table.pins, timing=table.timing, odds=table.odds)
    with mistakes.noted():
        check(settings, ("setup",))
    planned = tuple(each if isinstance(each, Planned) else Planned(each) for each in table.planned)
    for number, each in enumerate(planned, 1):
        with mistakes.noted():
            _check_planned(each, number, table.launcher)
    mistakes.tell()
    return Setup(
        settings=settings,
        toy=table.toy,
        cards=cards,
        lid_open=table.lid == "open",
        button_down=table.button == "down",
        exit_blocked=table.exit == "blocked",
        planned=planned,
        raw_lines=frozenset(raw_lines),
    )


def _check_planned(planned: Planned, number: int, launcher: MachineSettings) -> None:
    place = ("setup", "planned", number)
    if planned.cards > launcher.max_burst_cards:
        raise TableError(mistake((*place, "cards"), _WHOLE.filled(most=launcher.max_burst_cards), planned.cards))
    low, high = launcher.suspense_min_s, launcher.suspense_max_s
    if planned.suspense is not UNSET and not low <= planned.suspense <= high:
        remedy = _SECONDS.filled(low=f"{low:g}", high=f"{high:g}")
        raise TableError(mistake((*place, "suspense"), remedy, planned.suspense))


# --- ranges ---


def _range(tables: dict[str, Any]) -> tuple[int, str, list[float]] | None:
    """The step and its key whose number is a range, and the values of it.

    :raises TableError: more than one range, or one that cannot be walked.
    """
    ranges = [
        (number, key)
        for number, step in _tables_of(tables, "step")
        for key, value in step.items()
        if isinstance(value, dict) and _RANGE_KEYS & value.keys()
    ]
    if len(ranges) > 1:
        raise TableError(mistake(("step", *ranges[1]), _ONE_RANGE))
    if not ranges:
        return None
    number, key = ranges[0]
    return number, key, _values(tables["step"][number - 1][key], ("step", number, key))


def _values(table: dict[str, Any], path: tuple[str | int, ...]) -> list[float]:
    span = read(table, _Range, path=path)
    if span.last < span.first or span.by <= 0 or (span.last - span.first) / span.by >= MAX_TAKES:
        raise TableError(mistake(path, _TAKES.filled(most=MAX_TAKES), table))
    # Rounded, so that 0.1 + 0.2 reads as 0.3 in a report.
    count = int((span.last - span.first) / span.by + 1e-9) + 1
    values = [round(span.first + number * span.by, 9) for number in range(count)]
    return [int(value) for value in values] if all(isinstance(each, int) for each in table.values()) else values
