"""The words that a scenario may use for what it expects: notices with their fields, and conditions."""

from __future__ import annotations

import enum
import types
import typing
from dataclasses import dataclass, fields
from typing import Any

from dispenser.launcher import messages as m
from dispenser.scenario.launcher.tables import ScenarioError, Table, closest
from dispenser.scenario.launcher.toml import toml_value

NOT_THERE = "none"
"""TOML has no word for nothing; a field that is ``null`` in the journal is written so."""
LARGEST = 1_000_000

_NOTICES: dict[str, dict[str, Any]] = {
    kind.type: {field.name: typing.get_type_hints(kind)[field.name] for field in fields(kind)}
    for kind in typing.get_args(m.Notice)
}
_NOTICES |= {
    "service.started": {"version": str, "simulated": bool},
    "service.stopped": {},
    "fairness.committed": {"commitment": str},
    "fairness.revealed": {"commitment": str, "seed": str},
}

CONDITIONS: dict[str, tuple[str, ...] | None] = {
    "state": tuple(state.value for state in m.State),
    "motor": ("off", "forward", "backward"),
    "lid": ("open", "shut"),
    "exit": ("blocked", "free"),
    "light": ("on", "off"),
    "beeper": ("on", "off"),
    "service": ("running", "stopped", "killed"),
    "cards_out": None,
    "cards_in_stack": None,
    "cards_in_path": None,
    "cards_inside": None,
    "presses": None,
    "dud_streak": None,
}
"""What can be so at a moment: the words for it, or ``None`` for a number of cards or presses."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a value has to be: equal to something, within bounds, or a text that contains something."""

    equal: Any = None
    at_least: float | None = None
    at_most: float | None = None
    contains: str | None = None

    def fits(self, value: Any) -> bool:
        if self.contains is not None:
            return isinstance(value, str) and self.contains.casefold() in value.casefold()
        if self.at_least is None and self.at_most is None:
            return bool(value == self.equal)
        if not isinstance(value, (int, float)):
            return False
        return (self.at_least is None or value >= self.at_least) and (self.at_most is None or value <= self.at_most)

    def __str__(self) -> str:
        if self.contains is not None:
            return f"with {toml_value(self.contains)} in it"
        bounds = [f"at least {self.at_least:g}"] if self.at_least is not None else []
        bounds += [f"at most {self.at_most:g}"] if self.at_most is not None else []
        return " and ".join(bounds) or (NOT_THERE if self.equal is None else str(self.equal))


@dataclass(frozen=True, slots=True)
class NoticePattern:
    """A notice with some of its fields."""

    type: str
    fields: dict[str, Wanted]

    def fits(self, type_: str, data: dict[str, Any]) -> bool:
        return type_ == self.type and all(name in data and w.fits(data[name]) for name, w in self.fields.items())

    def __str__(self) -> str:
        details = ", ".join(f"{name} {wanted}" for name, wanted in self.fields.items())
        return f"{self.type} ({details})" if details else self.type


def read_notice(table: Table, key: str) -> NoticePattern | None:
    """A notice's type under ``key`` and its fields under ``with``."""
    type_ = table.choice(key, _NOTICES)
    if type_ is None:
        if "with" in table:
            raise table.error("with", f"it describes a notice: add {key}, or leave it out")
        return None
    known = _NOTICES[type_]
    described = table.table("with", f"{table.name}: with")
    wanted: dict[str, Wanted] = {}
    for name in described:
        if name not in known:
            raise described.error(name, f"{type_} has no such field; {closest(name, known)}")
        wanted[name] = _read_field(described, name, known[name])
    return NoticePattern(type_, wanted)


def read_chime(table: Table) -> NoticePattern | None:
    """``chime = "fire"`` is short for the notice that says so."""
    chime = table.choice("chime", [chime.value for chime in m.Chime])
    return None if chime is None else NoticePattern(m.ChimePlayed.type, {"chime": Wanted(chime)})


def read_conditions(table: Table) -> dict[str, Wanted]:
    """All conditions that stand in the table."""
    wanted: dict[str, Wanted] = {}
    for name, words in CONDITIONS.items():
        if name not in table:
            continue
        if words is None:
            wanted[name] = _read_number(table, name, whole=True)
        else:
            wanted[name] = Wanted(table.choice(name, words))
    return wanted


def _read_field(table: Table, name: str, hint: Any) -> Wanted:
    value = table.raw(name)
    if isinstance(hint, types.UnionType):
        if value == NOT_THERE:
            return Wanted(None)
        hint = next(kind for kind in typing.get_args(hint) if kind is not types.NoneType)
    if isinstance(hint, enum.EnumType):
        return Wanted(table.choice(name, [member.value for member in typing.cast("type[enum.Enum]", hint)]))
    if hint is bool:
        return Wanted(table.flag(name, default=False))
    if hint is str:
        return _read_text(table, name)
    return _read_number(table, name, whole=hint is int)


def _read_text(table: Table, name: str) -> Wanted:
    if not isinstance(table.raw(name), dict):
        value = table.raw(name)
        if not isinstance(value, str):
            raise table.error(name, 'write a text, or { contains = "…" }')
        return Wanted(value)
    inner = table.table(name)
    contains = inner.needed_text("contains", "a part of the text")
    inner.finish()
    return Wanted(contains=contains)


def _read_number(table: Table, name: str, *, whole: bool) -> Wanted:
    value = table.raw(name)
    if not isinstance(value, dict):
        if whole:
            return Wanted(table.checked_whole(name, value, 0, LARGEST))
        return Wanted(table.checked_number(name, value, 0, LARGEST))
    inner = table.table(name)
    bounds = Wanted(at_least=inner.number("at_least", 0, LARGEST), at_most=inner.number("at_most", 0, LARGEST))
    inner.finish()
    if bounds == Wanted():
        raise ScenarioError(f"{table.name}: {name}: write a number, or {{ at_least = …, at_most = … }}")
    return bounds
