"""The words that a scenario may use for what it expects: notices with their fields, and what is wanted of a value."""

from __future__ import annotations

import enum
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, structs

from dispenser.language import Text
from dispenser.launcher import messages as m
from dispenser.tables import WrongValueError, read, toml_value
from dispenser.tables.mistakes import Path

NOT_THERE: Final = "none"
"""TOML has no word for nothing; a field that is ``null`` in the journal is written so."""
LONGEST_S: Final = 3600.0
"""No scenario is longer than that, in its own time."""
Seconds = Annotated[float, Meta(ge=0, le=LONGEST_S, extra={"unit": Text("seconds")})]
Number = Annotated[float, Meta(ge=0, le=1_000_000)]
Whole = Annotated[int, Meta(ge=0, le=1_000_000)]
Words = Annotated[str, Meta(pattern=r"\S")]

_NOTICES: Final[Mapping[str, Mapping[str, Any]]] = {
    kind.type: {field.name: field.type for field in structs.fields(kind) if field.name != "said"}
    for kind in typing.get_args(m.Notice)
} | {
    "service.started": {"version": str, "simulated": bool},
    "service.stopped": {},
    "fairness.committed": {"commitment": str},
    "fairness.revealed": {"commitment": str, "seed": str},
}
if TYPE_CHECKING:
    NoticeType = str
else:
    NoticeType = Literal[tuple(_NOTICES)]


def is_notice(type_: object) -> bool:
    """Whether the launcher or its service says that."""
    return isinstance(type_, str) and type_ in _NOTICES


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


class Bounds(Struct, frozen=True):
    """``{ at_least = 2, at_most = 3 }``."""

    at_least: Number | UnsetType = UNSET
    at_most: Number | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.at_least is UNSET and self.at_most is UNSET:
            example = "{ at_least = …, at_most = … }"
            raise WrongValueError(Text("write a number, or {example}").filled(example=example))


class Contains(Struct, frozen=True):
    """``{ contains = "take the card out" }``."""

    contains: Words


def wanted(value: Any) -> Wanted:
    """What has been read, as a wish."""
    if isinstance(value, (Bounds, Contains)):
        return Wanted(**{key: each for key, each in structs.asdict(value).items() if each is not UNSET})
    return Wanted(value)


@dataclass(frozen=True, slots=True)
class NoticePattern:
    """A notice with some of its fields."""

    type: str
    fields: dict[str, Wanted]

    @classmethod
    def read(cls, type_: str, described: Any, path: Path = ()) -> NoticePattern:
        """From the notice's type and the table ``with``, which stands at that place.

        :raises TableError: naming each field that the notice has not, and each value that it cannot have.
        """
        values = structs.asdict(read(described, _fields_of(type_), path=path))
        hints = _NOTICES[type_]
        return cls(
            type_,
            {
                name: Wanted(None) if value == NOT_THERE and _may_be_none(hints[name]) else wanted(value)
                for name, value in values.items()
                if value is not UNSET
            },
        )

    def fits(self, type_: str, data: Mapping[str, Any]) -> bool:
        return type_ == self.type and all(name in data and w.fits(data[name]) for name, w in self.fields.items())

    def __str__(self) -> str:
        details = ", ".join(f"{name} {wanted}" for name, wanted in self.fields.items())
        return f"{self.type} ({details})" if details else self.type


@cache
def _fields_of(type_: str) -> type[Struct]:
    """The table ``with`` of a notice."""
    return defstruct("With", [(name, _kind(hint) | UnsetType, UNSET) for name, hint in _NOTICES[type_].items()])


def _may_be_none(hint: Any) -> bool:
    return types.NoneType in typing.get_args(hint)


def _kind(hint: Any) -> Any:
    """How a field of a notice is written in a scenario."""
    kind: Any = next((each for each in typing.get_args(hint) if each is not types.NoneType), hint)
    nothing = (NOT_THERE,) if _may_be_none(hint) else ()
    if isinstance(kind, enum.EnumType):
        return Literal[(*(each.value for each in typing.cast("type[enum.Enum]", kind)), *nothing)]
    if kind is str:
        return str | Contains
    plain = bool if kind is bool else (Whole if kind is int else Number) | Bounds
    return plain | Literal[nothing] if nothing else plain
