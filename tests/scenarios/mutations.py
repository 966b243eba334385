"""Wrong versions of an expectation: each of them must fail wherever the right one holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET
from msgspec.structs import asdict, replace

from dispenser.scenario.launcher.expectations import (
    CONDITIONS,
    LONGEST_S,
    Bounds,
    Contains,
    Expect,
    Expectation,
    Never,
    NoticePattern,
)
from dispenser.scenario.launcher.runner import Play

IMPOSSIBLE = 10**7


class _OtherNotice(Expect):
    """Expects a notice that no file may describe."""

    other: NoticePattern | None = None

    def pattern(self) -> NoticePattern | None:
        return self.other


def mutations(expectation: Expectation, play: Play) -> Iterator[tuple[str, Expectation]]:
    """Each with a word for what is wrong with it."""
    if isinstance(expectation, Never):
        yield from _of_never(expectation, play)
    elif isinstance(expectation, Expect):
        yield from _of_conditions(expectation) if expectation.conditions() else _of_moments(expectation)


def _of_moments(expectation: Expect) -> Iterator[tuple[str, Expectation]]:
    low, high = expectation.count()
    uncounted = replace(expectation, exactly=UNSET, at_least=UNSET, at_most=UNSET)
    if low:
        yield "none of them", replace(uncounted, exactly=0)
        yield "more of them", replace(uncounted, at_least=IMPOSSIBLE)
    if high is not None:
        yield "one more", replace(uncounted, exactly=high + 1)
    pattern = expectation.pattern()
    if pattern is not None and low:
        for name, wanted in pattern.fields.items():
            for other in _others(wanted):
                notice = dataclasses.replace(pattern, fields=pattern.fields | {name: other})
                yield f"{name} {other}", _OtherNotice(**asdict(expectation), other=notice)
    if expectation.answer and low:
        yield "another answer", replace(expectation, answer="no such answer")


def _others(wanted: Any) -> Iterator[Any]:
    if isinstance(wanted, Contains):
        yield Contains(wanted.contains + " and something that nobody says")
    elif isinstance(wanted, Bounds):
        yield Bounds(at_least=IMPOSSIBLE) if wanted.at_least >= 0 else Bounds(at_most=-1)
    elif isinstance(wanted, bool):
        yield not wanted
    elif isinstance(wanted, (int, float)):
        yield wanted + 1
        yield wanted - 1
    else:
        yield "something else"


def _shared(expectation: Expectation) -> dict[str, Any]:
    """What every kind of expectation has; the window always with an end."""
    from_s, until_s = expectation.window()
    told = {name: value for name, value in asdict(expectation).items() if name in Expectation.__struct_fields__}
    return told | {"within": (from_s, LONGEST_S if until_s is None else until_s)}


def _of_conditions(expectation: Expect) -> Iterator[tuple[str, Expectation]]:
    from_s, until_s = expectation.window()
    yield "the opposite", Never(**_shared(expectation))
    for name, wanted in expectation.conditions().items():
        words = CONDITIONS[name]
        for other in (word for word in words if word != wanted) if words else _others(wanted):
            if expectation.throughout is not UNSET or from_s == until_s or len(words) > 2:
                yield f"{name} {other}", replace(expectation, **{name: other})


def _of_never(expectation: Never, play: Play) -> Iterator[tuple[str, Expectation]]:
    """What really was: each never must see it."""
    if expectation.longer_than:
        yield "half the time", replace(expectation, longer_than=expectation.longer_than / 2)
        return
    yield "the opposite", Expect(**_shared(expectation))
    if names := list(expectation.conditions()):
        from_s, until_s = expectation.window()
        begin_s = play.timeline.marks.get(expectation.since, 0.0) if expectation.since else 0.0
        end_s = play.timeline.end_s if until_s is None else begin_s + until_s
        longest = max(play.timeline.spans(names, begin_s + from_s, end_s), key=lambda span: span.length_s)
        yield "what was so for long", replace(expectation, **longest.values)
