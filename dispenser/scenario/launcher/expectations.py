"""What a scenario expects: how it is written, and what is looked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, get_args, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec import field as named

from dispenser.language import Text
from dispenser.launcher import messages as m
from dispenser.scenario.launcher.notices import (
    Bounds,
    NoticePattern,
    NoticeType,
    Seconds,
    Wanted,
    Whole,
    Words,
    wanted,
)
from dispenser.tables import WrongValueError

Window = (
    Seconds
    | Annotated[
        tuple[Seconds, Seconds],
        Meta(extra={"remedy": Text("write the seconds of its beginning and its end: [1.0, 2.5]")}),
    ]
)
"""``2`` means from 0 to 2 seconds, ``[1, 2]`` from 1 to 2."""
_BACKWARDS: Final = Text("the end comes before the beginning")
_ONE_THING: Final = Text(
    "write what is expected, and one thing only: a notice, a chime, an answer, or conditions such as state, motor, "
    "cards_out"
)
_NO_NOTICE: Final = Text("it describes a notice: add {key}, or leave it out")
_NOT_BOTH: Final = Text("give {first} or {second}, not both")
_WHEN: Final = Text("when? Write at = …, within = … or throughout = … (seconds)")
_ONE_MOMENT: Final = Text("a notice or an answer is one moment: use within = [from, to]")
_EXACTLY_ALONE: Final = Text("leave out at_least and at_most")
Mode = Literal["within", "throughout", "never"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """Something that must be seen, or never be.

    :param mode: ``within``: at some moment of the window; ``throughout``: all of it; ``never``: at no moment.
    :param since: name of the step from which times count; ``None`` for the beginning.
    :param until_s: end of the window; ``None`` for the end of the scenario.
    :param count: how many such notices or answers, at least and at most.
    :param longer_than_s: with ``never``: it may be so, but not for longer than this at a time.
    """

    name: str
    mode: Mode
    since: str | None
    from_s: float
    until_s: float | None
    notice: NoticePattern | None = None
    answer: Wanted | None = None
    conditions: dict[str, Wanted] = field(default_factory=dict)
    count: tuple[int, int | None] = (1, None)
    longer_than_s: float = 0.0

    def __str__(self) -> str:
        what = self.notice or (f"an answer {self.answer}" if self.answer else None)
        what = what or " and ".join(f"{name} {each}" for name, each in self.conditions.items())
        if self.mode == "never":
            longest = f" for longer than {self.longer_than_s:g} s" if self.longer_than_s else ""
            return f"never {what}{longest}, {self._window()}"
        return f"{'' if self.conditions else self._how_often()}{what}, {self._window()}"

    def _window(self) -> str:
        """When it is looked at."""
        since = f' since "{self.since}"' if self.since else ""
        if self.until_s is None:
            return f"from {self.from_s:g} s on{since}" if self.from_s or since else "at any time"
        if self.from_s == self.until_s:
            return f"at {self.from_s:g} s{since}"
        span = f"{self.from_s:g} s to {self.until_s:g} s{since}"
        return f"all the time from {span}" if self.mode == "throughout" else f"from {span}"

    def _how_often(self) -> str:
        low, high = self.count
        if low == high:
            return f"exactly {low} × "
        if high is None:
            return "" if low == 1 else f"at least {low} × "
        return f"at most {high} × " if not low else f"{low} to {high} × "


class Conditions(Struct, frozen=True, kw_only=True):
    """What can be so at a moment."""

    state: Literal[tuple(each.value for each in m.State)] | UnsetType = UNSET  # type: ignore[valid-type]
    motor: Literal["off", "forward", "backward"] | UnsetType = UNSET
    lid: Literal["open", "shut"] | UnsetType = UNSET
    exit: Literal["blocked", "free"] | UnsetType = UNSET
    light: Literal["on", "off"] | UnsetType = UNSET
    beeper: Literal["on", "off"] | UnsetType = UNSET
    service: Literal["running", "stopped", "killed"] | UnsetType = UNSET
    cards_out: Whole | Bounds | UnsetType = UNSET
    cards_in_stack: Whole | Bounds | UnsetType = UNSET
    cards_in_path: Whole | Bounds | UnsetType = UNSET
    cards_inside: Whole | Bounds | UnsetType = UNSET
    presses: Whole | Bounds | UnsetType = UNSET
    dud_streak: Whole | Bounds | UnsetType = UNSET


CONDITIONS: Final[dict[str, tuple[str, ...]]] = {
    name: get_args(get_args(hint)[0]) if Bounds not in get_args(hint) else ()
    for name, hint in get_type_hints(Conditions).items()
}
"""The words for each condition; none for a number of cards or presses."""


class _Seen(Conditions, frozen=True, kw_only=True):
    """What ``[[expect]]`` and ``[[never]]`` share."""

    notice: NoticeType | UnsetType = UNSET
    with_: dict[str, Any] = named(name="with", default_factory=dict)
    chime: m.Chime | UnsetType = UNSET
    answer: Words | UnsetType = UNSET
    since: Words | UnsetType = UNSET
    within: Window | UnsetType = UNSET

    def __post_init__(self) -> None:
        if self.with_ and not self.notice:
            raise WrongValueError(_NO_NOTICE.filled(key="notice"), "with_")
        if sum(map(bool, (self.notice, self.chime, self.answer, self.conditions()))) != 1:
            raise WrongValueError(_ONE_THING)
        for key in ("within", "throughout"):
            window = getattr(self, key, UNSET)
            if isinstance(window, tuple) and window[0] > window[1]:
                raise WrongValueError(_BACKWARDS, key)

    def conditions(self) -> dict[str, Wanted]:
        """All conditions that stand in the table."""
        given = ((name, getattr(self, name)) for name in Conditions.__struct_fields__)
        return {name: wanted(value) for name, value in given if value is not UNSET}

    def _expectation(
        self, name: str, mode: Mode, window: Window | UnsetType, count: tuple[int, int | None], longer_s: float = 0.0
    ) -> Expectation:
        from_s, until_s = window if isinstance(window, tuple) else (0.0, None if window is UNSET else window)
        notice = NoticePattern.read(self.notice, self.with_) if self.notice else None
        if self.chime:
            notice = NoticePattern(m.ChimePlayed.type, {"chime": Wanted(self.chime.value)})
        answer = Wanted(contains=self.answer) if self.answer else None
        return Expectation(
            name,
            mode,
            self.since or None,
            from_s,
            until_s,
            notice,
            answer,
            self.conditions(),
            count,
            longer_s,
        )


class Expect(_Seen, frozen=True, kw_only=True):
    """``[[expect]]``: what must be seen."""

    at: Seconds | UnsetType = UNSET
    throughout: Window | UnsetType = UNSET
    exactly: Whole | UnsetType = UNSET
    at_least: Whole | UnsetType = UNSET
    at_most: Whole | UnsetType = UNSET

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self._given()
        if len(given) > 1:
            raise WrongValueError(_NOT_BOTH.filled(first=given[0], second=given[1]), given[1])
        if self.conditions():
            if not given:
                raise WrongValueError(_WHEN)
        elif given and given[0] != "within":
            raise WrongValueError(_ONE_MOMENT, given[0])
        if self.exactly is not UNSET and (self.at_least is not UNSET or self.at_most is not UNSET):
            raise WrongValueError(_EXACTLY_ALONE, "exactly")

    def _given(self) -> list[str]:
        return [key for key in ("at", "within", "throughout") if getattr(self, key) is not UNSET]

    def read(self, name: str) -> Expectation:
        """What is looked for."""
        window = self.within if self.throughout is UNSET else self.throughout
        if self.at is not UNSET:
            window = (self.at, self.at)
        mode: Mode = "within" if self.throughout is UNSET else "throughout"
        return self._expectation(name, mode, window, (1, None) if self.conditions() else self._count())

    def _count(self) -> tuple[int, int | None]:
        if self.exactly is not UNSET:
            return self.exactly, self.exactly
        if self.at_most is UNSET:
            return (1 if self.at_least is UNSET else self.at_least), None
        return self.at_least or 0, self.at_most


class Never(_Seen, frozen=True, kw_only=True):
    """``[[never]]``: what must not be seen."""

    longer_than: Seconds = 0.0

    def read(self, name: str) -> Expectation:
        """What is looked for."""
        return self._expectation(name, "never", self.within, (0, 0), self.longer_than)
