"""The expectations of a scenario, ``[[expect]]`` and ``[[never]]``, and how they are checked."""

from __future__ import annotations

import enum
import math
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Annotated, Any, Final, Literal, NotRequired, TypedDict, get_args

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct, structs, to_builtins
from msgspec import field as named

from dispenser.config import WrongValueError, read, toml_value
from dispenser.config.errors import Path
from dispenser.i18n import Text
from dispenser.launcher import messages as m
from dispenser.scenario.launcher.timeline import INSTANT_S, Moment, Span, Timeline

NOT_THERE: Final = "none"  # TOML has no null: a field that is `null` in the journal is written so
LONGEST_S: Final = 3600.0  # Limit of the length of a scenario, in virtual time
_SHOWN: Final = 4  # Moments or spans listed in a finding
Seconds = Annotated[float, Meta(ge=0, le=LONGEST_S, extra={"unit": Text("seconds")})]
Number = Annotated[float, Meta(ge=0, le=1_000_000)]
Whole = Annotated[int, Meta(ge=0, le=1_000_000)]
Words = Annotated[str, Meta(pattern=r"\S")]
_BOTH_ENDS: Final = Text("write the seconds of its beginning and its end: [1.0, 2.5]")
Window = Seconds | Annotated[tuple[Seconds, Seconds], Meta(extra={"hint": _BOTH_ENDS})]
"""A window of virtual time: ``2`` is from 0 to 2 seconds, ``[1, 2]`` from 1 to 2."""

# --- expected values, and patterns of notices ---

_NOTICES: Final[Mapping[str, Mapping[str, Any]]] = {
    kind.type: {field.name: field.type for field in structs.fields(kind) if field.name != "said"}
    for kind in get_args(m.Notice)
} | {
    "service.started": {"version": str, "simulated": bool},
    "service.stopped": {},
    "fairness.committed": {"commitment": str},
    "fairness.revealed": {"commitment": str, "seed": str},
}
NoticeType: Any = Literal[tuple(_NOTICES)]


class Bounds(Struct, frozen=True, omit_defaults=True):
    """Bounds of a number: ``{ at_least = 2, at_most = 3 }``."""

    at_least: Number = -math.inf
    at_most: Number = math.inf

    def __post_init__(self) -> None:
        if self.at_least == -self.at_most == -math.inf:
            example = "{ at_least = …, at_most = … }"
            raise WrongValueError(Text("write a number, or {example}").filled(example=example))


class Contains(Struct, frozen=True):
    """Part of a text, ignoring case: ``{ contains = "take the card out" }``."""

    contains: Words


def fits(wanted: Any, value: Any) -> bool:
    """Decide whether a value is within bounds, contains a text, or is equal."""
    if isinstance(wanted, Bounds):
        return isinstance(value, (int, float)) and wanted.at_least <= value <= wanted.at_most
    if isinstance(wanted, Contains):
        return isinstance(value, str) and wanted.contains.casefold() in value.casefold()
    return bool(value == wanted) or (value is None and wanted == NOT_THERE)


@dataclass(frozen=True, slots=True)
class NoticePattern:
    """A pattern that matches notices by type and by some of their fields."""

    type: str
    fields: dict[str, Any]

    @classmethod
    def read(cls, type_: object, described: Any, path: Path = ()) -> NoticePattern | None:
        """Read a pattern from the type and the table ``with`` at ``path``; ``None`` if there is no such notice type.

        :raises TableError: one error for each field that the notice does not have, and for each value of a wrong type.
        """
        if not (isinstance(type_, str) and type_ in _NOTICES):
            return None
        return cls(type_, read(described, _fields_of(type_), path=path))

    def fits(self, type_: str, data: Mapping[str, Any]) -> bool:
        return type_ == self.type and not self.misfits(data)

    def misfits(self, data: Mapping[str, Any]) -> list[str]:
        """Return the names of the fields that differ."""
        return [name for name, wanted in self.fields.items() if name not in data or not fits(wanted, data[name])]

    def __str__(self) -> str:
        details = ", ".join(f"{name} = {toml_value(to_builtins(wanted))}" for name, wanted in self.fields.items())
        return f"{self.type} ({details})" if details else self.type


@cache
def _fields_of(type_: str) -> Any:
    """Return the type of the table ``with`` of a notice."""
    fields = {name: NotRequired[_kind(hint)] for name, hint in _NOTICES[type_].items()}
    return TypedDict("With", fields)  # type: ignore[operator]


def _kind(hint: Any) -> Any:
    """Return the type that a field of a notice has in a scenario."""
    kind: Any = next((each for each in get_args(hint) if each is not types.NoneType), hint)
    nothing = (NOT_THERE,) if kind is not hint else ()
    if isinstance(kind, enum.EnumType):
        return Literal[(*(each.value for each in typing.cast("type[enum.Enum]", kind)), *nothing)]
    if kind is str:
        return str | Contains
    plain = bool if kind is bool else (Whole if kind is int else Number) | Bounds
    return plain | Literal[nothing] if nothing else plain


# --- expectations ---

NO_NOTICE: Final = Text("it describes a notice: add {key}, or leave it out")
NOT_BOTH: Final = Text("give {first} or {second}, not both")
_ONE_THING: Final = Text(
    "write what is expected, and one thing only: a notice, a chime, an answer, or conditions such as state, motor, "
    "cards_out"
)
CONDITIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "state": tuple(each.value for each in m.State),
    "motor": ("off", "forward", "backward"),
    "lid": ("open", "shut"),
    "exit": ("blocked", "free"),
    "light": ("on", "off"),
    "beeper": ("on", "off"),
    "service": ("running", "stopped", "killed"),
    **dict.fromkeys(("cards_out", "cards_in_stack", "cards_in_path", "cards_inside", "presses", "dud_streak"), ()),
}
"""State variables that expectations can name, with their values; no values for counts of cards or presses."""
_kinds: dict[str, Any] = {name: Literal[words] if words else Whole | Bounds for name, words in CONDITIONS.items()}
_fields = [(name, kind | UnsetType, UNSET) for name, kind in _kinds.items()]
_Conditions: Any = defstruct("_Conditions", _fields, frozen=True, omit_defaults=True)


class Expectation(_Conditions):  # type: ignore[misc] # (as made above)
    """An expectation of a notice (``chime`` is short for one), of an answer, or of conditions.

    :ivar since: name of the step from which times count; ``UNSET`` for the beginning.
    """

    notice: NoticeType | UnsetType = UNSET
    with_: dict[str, Any] = named(name="with", default_factory=dict)
    chime: Literal[tuple(each.value for each in m.Chime)] | UnsetType = UNSET  # type: ignore[valid-type]
    answer: Words | UnsetType = UNSET
    since: Words | UnsetType = UNSET
    within: Window | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.with_ and not self.notice:
            raise WrongValueError(NO_NOTICE.filled(key="notice"), "with")
        if sum(map(bool, (self.notice, self.chime, self.answer, self.conditions()))) != 1:
            raise WrongValueError(_ONE_THING)
        for key in ("within", "throughout"):
            window = getattr(self, key, UNSET)
            if isinstance(window, tuple) and window[0] > window[1]:
                raise WrongValueError(Text("the end comes before the beginning"), key)

    def conditions(self) -> dict[str, Any]:
        """Return the conditions that the table names."""
        return {name: wanted for name in CONDITIONS if (wanted := getattr(self, name)) is not UNSET}

    def count(self) -> tuple[int, int | None]:
        """Return the least and the largest accepted number of matches; ``None``: no limit."""
        return 0, 0

    def pattern(self) -> NoticePattern | None:
        """Return the pattern of the notice; ``None`` if no notice is expected."""
        if self.chime:
            return NoticePattern(m.ChimePlayed.type, {"chime": self.chime})
        return NoticePattern.read(self.notice, self.with_) if self.notice else None

    def window(self) -> tuple[float, float | None]:
        """Return start and end in seconds; ``None`` for the end of the scenario."""
        for key in ("at", "within", "throughout"):
            if (given := getattr(self, key, UNSET)) is not UNSET:
                return given if isinstance(given, tuple) else (given if key == "at" else 0.0, given)
        return 0.0, None

    def __str__(self) -> str:
        """Format the expectation as in the file."""
        return ", ".join(f"{key} = {toml_value(value)}" for key, value in to_builtins(self).items())


class Expect(Expectation):
    """``[[expect]]``: what must occur."""

    at: Seconds | UnsetType = UNSET
    throughout: Window | UnsetType = UNSET
    exactly: Whole | UnsetType = UNSET
    at_least: Whole | UnsetType = UNSET
    at_most: Whole | UnsetType = UNSET

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [key for key in ("at", "within", "throughout") if getattr(self, key) is not UNSET]
        if len(given) > 1:
            raise WrongValueError(NOT_BOTH.filled(first=given[0], second=given[1]), given[1])
        if self.conditions():
            if not given:
                raise WrongValueError(Text("when? Write at = …, within = … or throughout = … (seconds)"))
        elif given and given[0] != "within":
            raise WrongValueError(Text("a notice or an answer is one moment: use within = [from, to]"), given[0])
        if self.exactly is not UNSET and (self.at_least is not UNSET or self.at_most is not UNSET):
            raise WrongValueError(Text("leave out at_least and at_most"), "exactly")

    def count(self) -> tuple[int, int | None]:
        if self.exactly is not UNSET:
            return self.exactly, self.exactly
        if self.at_most is UNSET:
            return (1 if self.at_least is UNSET else self.at_least), None
        return self.at_least or 0, self.at_most


class Never(Expectation):
    """``[[never]]``: what must not occur, or, with ``longer_than``, must not last longer than so many seconds."""

    longer_than: Seconds = 0.0

    def __str__(self) -> str:
        return f"never {super().__str__()}"


# --- evaluation ---


@dataclass(frozen=True, slots=True)
class Finding:
    """Result of one expectation, or of a step that failed.

    :param name: place in the file, such as ``[[expect]] 2``.
    :param what: what was expected, in words.
    :param seen: what was observed instead; empty when the expectation holds.
    :param at_s: time to look at on the timeline.
    """

    name: str
    what: str
    seen: str = ""
    at_s: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.seen


def check(name: str, expectation: Expectation, timeline: Timeline) -> Finding:
    """Evaluate one expectation on the timeline."""
    since_s = timeline.marks.get(expectation.since) if expectation.since else 0.0
    if since_s is None:
        return Finding(name, str(expectation), f'the step "{expectation.since}" never happened', timeline.end_s)
    from_s, until_s = expectation.window()
    to_s = timeline.end_s if until_s is None else since_s + until_s
    look = _conditions if expectation.conditions() else _moments
    return Finding(name, str(expectation), *look(expectation, timeline, since_s + from_s, to_s))


def _moments(expectation: Expectation, timeline: Timeline, from_s: float, to_s: float) -> tuple[str, float]:
    """Check the number of matching notices or answers; return the difference in words, and its time."""
    pattern, answers = expectation.pattern(), timeline.of("answer")
    if pattern is not None:
        fitting = [each for each in timeline.of("notice") if pattern.fits(each.type, each.data)]
    else:
        fitting = [each for each in answers if fits(Contains(expectation.answer or ""), each.data["answer"])]
    inside = [moment for moment in fitting if from_s - INSTANT_S <= moment.at_s <= to_s + INSTANT_S]
    low, high = expectation.count()
    if len(inside) >= low and (high is None or len(inside) <= high):
        return "", from_s
    if inside:
        return f"{len(inside)} of them, {_when(inside)}", inside[min(high or 0, len(inside) - 1)].at_s
    if fitting:
        return f"none in that time, but {_when(fitting)}", fitting[0].at_s
    if pattern is not None:
        return _nearest(pattern, timeline, from_s)
    told = _first_of([f'"{moment.data["answer"]}" at {moment.at_s:.3f} s' for moment in answers])
    return f"no such answer; the answers were: {told or 'none'}", answers[0].at_s if answers else from_s


def _nearest(pattern: NoticePattern, timeline: Timeline, from_s: float) -> tuple[str, float]:
    """Describe how the most similar notice of that type differs."""
    same = timeline.of("notice", pattern.type)
    if not same:
        return "no such notice at all", from_s
    best = min(same, key=lambda moment: (len(pattern.misfits(moment.data)), abs(moment.at_s - from_s)))
    misfits = ", ".join(f"{name} was {best.data.get(name)}" for name in pattern.misfits(best.data))
    return f"the nearest came at {best.at_s:.3f} s, but {misfits}", best.at_s


def _conditions(expectation: Expectation, timeline: Timeline, from_s: float, to_s: float) -> tuple[str, float]:
    """Check conditions over the window; return the difference in words, and when it began."""
    conditions = expectation.conditions()
    spans = list(timeline.spans(list(conditions), from_s, to_s))
    fitting = [all(fits(wanted, span.values[name]) for name, wanted in conditions.items()) for span in spans]
    wrong: list[Span] = []
    if isinstance(expectation, Never):
        longest = max(_runs(spans, fitting), key=lambda run: run.length_s, default=None)
        least_s = max(expectation.longer_than, INSTANT_S) if to_s > from_s else -1.0
        wrong = [longest] if longest is not None and longest.length_s > least_s else []
    elif isinstance(expectation, Expect) and expectation.throughout is not UNSET:
        wrong = [span for span, fit in zip(spans, fitting, strict=True) if not fit]
    elif not any(fitting):
        wrong = spans
    told = _first_of([f"{_values(span.values)} {span}" for span in wrong])
    return told, wrong[0].from_s if wrong else from_s


def _runs(spans: list[Span], fitting: list[bool]) -> Iterator[Span]:
    """Yield the spans that fit, with adjacent ones joined."""
    for fit, run in groupby(zip(fitting, spans, strict=True), key=itemgetter(0)):
        if fit:
            joined = [span for _, span in run]
            yield Span(joined[0].from_s, joined[-1].to_s, joined[-1].values)


def _when(moments: list[Moment]) -> str:
    return f"at {_first_of([f'{moment.at_s:.3f} s' for moment in moments], ', ')}"


def _first_of(told: list[str], between: str = "; ") -> str:
    return between.join(told[:_SHOWN]) + (" …" if len(told) > _SHOWN else "")


def _values(values: dict[str, Any]) -> str:
    return " and ".join(f"{name} {'unknown' if value is None else value}" for name, value in values.items())
