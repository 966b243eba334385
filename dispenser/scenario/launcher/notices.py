"""The words that a scenario may use for what it expects: notices with their fields, and what is wanted of a value."""

from __future__ import annotations

import enum
import math
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


class Bounds(Struct, frozen=True):
    """``{ at_least = 2, at_most = 3 }``."""

    at_least: Number = -math.inf
    at_most: Number = math.inf

    def __post_init__(self) -> None:
        if self.at_least == -self.at_most == -math.inf:
            example = "{ at_least = …, at_most = … }"
            raise WrongValueError(Text("write a number, or {example}").filled(example=example))

    def fit(self, value: Any) -> bool:
        return isinstance(value, (int, float)) and self.at_least <= value <= self.at_most

    def __str__(self) -> str:
        low = [f"at least {self.at_least:g}"] if self.at_least > -math.inf else []
        return " and ".join([*low, *([f"at most {self.at_most:g}"] if self.at_most < math.inf else [])])


class Contains(Struct, frozen=True):
    """``{ contains = "take the card out" }``."""

    contains: Words

    def fit(self, value: Any) -> bool:
        return isinstance(value, str) and self.contains.casefold() in value.casefold()

    def __str__(self) -> str:
        return f"with {toml_value(self.contains)} in it"


def fits(wanted: Any, value: Any) -> bool:
    """Whether a value is what a scenario wants: within bounds, with a text in it, or equal."""
    if isinstance(wanted, (Bounds, Contains)):
        return wanted.fit(value)
    return bool(value == wanted) or (value is None and wanted == NOT_THERE)


@dataclass(frozen=True, slots=True)
class NoticePattern:
    """A notice with some of its fields."""

    type: str
    fields: dict[str, Any]

    @classmethod
    def read(cls, type_: object, described: Any, path: Path = ()) -> NoticePattern | None:
        """From the notice's type and the table ``with``, which stands at that place; ``None``: no such notice.

        :raises TableError: naming each field that the notice has not, and each value that it cannot have.
        """
        if not (isinstance(type_, str) and type_ in _NOTICES):
            return None
        values = structs.asdict(read(described, _fields_of(type_), path=path))
        return cls(type_, {name: value for name, value in values.items() if value is not UNSET})

    def fits(self, type_: str, data: Mapping[str, Any]) -> bool:
        return type_ == self.type and not self.misfits(data)

    def misfits(self, data: Mapping[str, Any]) -> list[str]:
        """The fields that are otherwise."""
        return [name for name, wanted in self.fields.items() if name not in data or not fits(wanted, data[name])]

    def __str__(self) -> str:
        details = ", ".join(f"{name} {wanted}" for name, wanted in self.fields.items())
        return f"{self.type} ({details})" if details else self.type


@cache
def _fields_of(type_: str) -> type[Struct]:
    """The table ``with`` of a notice."""
    return defstruct("With", [(name, _kind(hint) | UnsetType, UNSET) for name, hint in _NOTICES[type_].items()])


def _kind(hint: Any) -> Any:
    """How a field of a notice is written in a scenario."""
    kind: Any = next((each for each in typing.get_args(hint) if each is not types.NoneType), hint)
    nothing = (NOT_THERE,) if kind is not hint else ()
    if isinstance(kind, enum.EnumType):
        return Literal[(*(each.value for each in typing.cast("type[enum.Enum]", kind)), *nothing)]
    if kind is str:
        return str | Contains
    plain = bool if kind is bool else (Whole if kind is int else Number) | Bounds
    return plain | Literal[nothing] if nothing else plain
