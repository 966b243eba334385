"""Reads a scenario file. ``tests/scenarios/README.md`` documents the format for people."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import deepcopy
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import field as named

from dispenser.config import ErrorList, TableError, WrongValueError, closest, error_at, read
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.i18n import Text
from dispenser.launcher.settings import MachineSettings
from dispenser.scenario.launcher.expectations import (
    NOT_BOTH,
    Expect,
    Expectation,
    Never,
    NoticePattern,
    Number,
    Seconds,
    Whole,
    Words,
)
from dispenser.scenario.launcher.steps import ACTS, TEST_ONLY, AnyStep, Step
from dispenser.service.settings import Settings, check
from dispenser.simulator import SimulatorParameters

MAX_TAKES: Final = 2000
LineName = Literal["button", "lid", "exit"]
_WHOLE: Final = Text("write a whole number from 0 to {most}")


class Planned(Struct, frozen=True):
    """Outcome of one press.

    :ivar cards: 0 is a dud.
    :ivar suspense: seconds of the drum roll; default: the middle of the range in the settings.
    """

    cards: Whole
    suspense: Seconds | UnsetType = UNSET


class Setup(Struct, frozen=True):
    """``[setup]``: the settings are those of the configuration file.

    :ivar planned: outcomes of the presses in order, the last one repeated; empty: the odds decide.
    :ivar raw_lines: input lines driven by the file, not by the simulator; ``lid``, ``button``, ``exit``: initial.
    """

    simulator: SimulatorParameters
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
        most = self.simulator.stack_capacity_cards
        if self.cards is not UNSET and self.cards > most:
            raise WrongValueError(_WHOLE.filled(most=most), "cards")
        if self.planned and self.odds is not UNSET:
            raise WrongValueError(NOT_BOTH.filled(first="planned", second="odds"), "planned")

    @property
    def cards_at_first(self) -> int:
        """Number of cards in the stack at the start; default: a full stack."""
        return self.simulator.stack_capacity_cards if self.cards is UNSET else self.cards

    @property
    def settings(self) -> Settings:
        settings = Settings(launcher=self.launcher, pins=self.pins, timing=self.timing)
        return settings if self.odds is UNSET else replace(settings, odds=self.odds)

    @property
    def plan(self) -> list[Planned]:
        """Outcomes of the presses in their long form."""
        return [each if isinstance(each, Planned) else Planned(each) for each in self.planned]

    @property
    def begun(self) -> dict[str, bool]:
        """State of the input lines at the start: button down, lid open, exit blocked."""
        return {"button": self.button == "down", "lid": self.lid == "open", "exit": self.exit == "blocked"}

    def check(self) -> None:
        """:raises TableError: values that contradict each other, with key, wrong value and remedy."""
        errors = ErrorList()
        with errors.collect():
            check(self.settings, ("setup",))
        launcher = self.launcher
        low_s, high_s = launcher.suspense_min_s, launcher.suspense_max_s
        for number, each in enumerate(self.plan, 1):
            place = ("setup", "planned", number)
            if each.cards > launcher.max_burst_cards:
                errors.append(error_at((*place, "cards"), _WHOLE.filled(most=launcher.max_burst_cards), each.cards))
            elif each.suspense is not UNSET and not low_s <= each.suspense <= high_s:
                seconds = Text("write a number of seconds from {low} to {high}")
                remedy = seconds.filled(low=f"{low_s:g}", high=f"{high_s:g}")
                errors.append(error_at((*place, "suspense"), remedy, each.suspense))
        errors.raise_if_any()


class RawEdge(Struct, frozen=True):
    """``[[edge]]``: a recorded change of one input line."""

    at: Seconds
    line: LineName
    active: bool


class _File(Struct):
    title: Annotated[Words, Meta(extra={"hint": Text('say in one sentence what is promised: title = "…"')})]
    setup: Setup
    why: str = ""
    seed: Words = "scenario"
    edge: list[RawEdge] = []
    step: list[AnyStep] = []
    expect: list[Expect] = []
    never: list[Never] = []

    def __post_init__(self) -> None:
        if not (self.expect or self.never):
            raise WrongValueError(Text("nothing is expected: add an [[expect]] or a [[never]]"))


class _Range(Struct):
    """A range of values: ``{ from = 1.0, to = 2.5, by = 0.01 }``."""

    first: Number = named(name="from")
    last: Number = named(name="to")
    by: Number


@dataclass(frozen=True, slots=True)
class Take:
    """One run of a scenario; a step with a range of values makes one take per value.

    :param variant: the value that distinguishes the take, such as ``at = 1.25``; empty if there is only one take.
    :param raw_lines: input lines driven by recorded edges, not by the simulator.
    :param expectations: by place in the file, such as ``[[expect]] 2``.
    """

    variant: str
    seed: str
    setup: Setup
    raw_lines: frozenset[str]
    steps: list[Step]
    edges: list[RawEdge]
    expectations: dict[str, Expectation]


@dataclass(frozen=True, slots=True)
class Scenario:
    title: str
    takes: list[Take]


def parse(file_tables: Mapping[str, Any], acts: Collection[str] = ACTS) -> Scenario:
    """Parse a scenario from the tables of a TOML file.

    :param acts: phrases under ``do`` that the runner supports.
    :raises TableError: every mistake, with table, key, wrong value and remedy.
    """
    tables: dict[str, Any] = deepcopy(dict(file_tables))
    setup = tables.setdefault("setup", {})
    if isinstance(setup, dict) and isinstance(simulator := setup.setdefault("simulator", {}), dict):
        # No random faults unless the file enables them.
        setup["simulator"] = {**asdict(SimulatorParameters.flawless()), **simulator}
    number, key, values = _range(tables)
    takes = []
    for value in values or [0]:
        if values:
            tables["step"][number - 1][key] = value
        file = _read(tables, acts)
        arrays: dict[str, Sequence[Expectation]] = {"expect": file.expect, "never": file.never}
        expected = {f"[[{key}]] {n}": each for key, array in arrays.items() for n, each in enumerate(array, 1)}
        held = {name for name in ("button", "exit") if file.setup.begun[name]}  # a simulator would release them
        raw_lines = frozenset({*file.setup.raw_lines, *held, *(edge.line for edge in file.edge)})
        variant = f"{key} = {value:g}" if values else ""
        takes.append(Take(variant, file.seed, file.setup, raw_lines, file.step, file.edge, expected))
    return Scenario(file.title, takes)


def _read(tables: dict[str, Any], acts: Collection[str]) -> _File:
    errors = ErrorList()
    with errors.collect():
        file = read(tables, _File)
    names: list[Any] = []
    for number, step in _tables_of(tables, "step"):
        if step.get("do") in TEST_ONLY and step["do"] not in acts:
            only_tests = Text("only the project’s own tests can do that")
            errors.append(error_at(("step", number, "do"), only_tests, step["do"]))
        if "name" in step:
            if step["name"] in names:
                taken = Text("another step has this name already")
                errors.append(error_at(("step", number, "name"), taken, step["name"]))
            names.append(step["name"])
    for key, notice in (("step", "when"), ("expect", "notice"), ("never", "notice")):
        for number, table in _tables_of(tables, key):
            with errors.collect():
                NoticePattern.read(table.get(notice), table.get("with", {}), (key, number, "with"))
            since = table.get("since")
            if key != "step" and isinstance(since, str) and since not in names:
                remedy = closest(since, map(str, names)) if names else Text('give a step a name = "…" first')
                no_step = Text("no step has this name; {remedy}").filled(remedy=remedy)
                errors.append(error_at((key, number, "since"), no_step, since))
    errors.raise_if_any()
    file.setup.check()
    return file


def _tables_of(tables: dict[str, Any], key: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the numbered tables of an array; entries that are no table have been reported already."""
    array = tables.get(key)
    listed = array if isinstance(array, list) else []
    return [(number, table) for number, table in enumerate(listed, 1) if isinstance(table, dict)]


def _range(tables: dict[str, Any]) -> tuple[int, str, list[float]]:
    """Find the step and the key that has a range instead of a number, and return the values of the range.

    :raises TableError: more than one range, or a range without values or with too many.
    """
    steps = _tables_of(tables, "step")
    given = [(number, key, value) for number, step in steps for key, value in step.items() if isinstance(value, dict)]
    ranges = [(number, key, value) for number, key, value in given if {"from", "to", "by"} & value.keys()]
    if not ranges:
        return 0, "", []
    if len(ranges) > 1:
        raise TableError(error_at(("step", *ranges[1][:2]), Text("only one number of one step may be a range")))
    (number, key, table), path = ranges[0], ("step", *ranges[0][:2])
    span = read(table, _Range, path=path)
    if span.last < span.first or span.by <= 0 or (span.last - span.first) / span.by >= MAX_TAKES:
        raise TableError(error_at(path, Text("must be 1 to {most} values").filled(most=MAX_TAKES), table))
    count = int((span.last - span.first) / span.by + 1e-9) + 1
    # Rounded, so that 0.1 + 0.2 reads as 0.3 in a report.
    values = [round(span.first + step * span.by, 9) for step in range(count)]
    whole = all(isinstance(each, int) for each in table.values())
    return number, key, [int(value) for value in values] if whole else values
