"""Checks what was seen against what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from msgspec import UNSET

from dispenser.scenario.launcher.expectations import Contains, Expect, Expectation, Never, NoticePattern, fits
from dispenser.scenario.launcher.timeline import INSTANT_S, Moment, Span, Timeline

_SHOWN = 4
_Seen = tuple[str, float]
"""What was seen instead, empty when all is well; and where to look on the timeline."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one expectation, or of a step that could not be done.

    :param name: where it stands, such as ``[[expect]] 2``.
    :param what: what had to be so, in words.
    :param seen: what was seen instead; empty when all is well.
    :param at_s: where to look on the timeline.
    """

    name: str
    what: str
    seen: str = ""
    at_s: float = 0.0

    @property
    def passed(self) -> bool:
        return not self.seen


def check(name: str, expectation: Expectation, timeline: Timeline) -> Finding:
    """What came of one expectation."""
    what = str(expectation)
    if expectation.since and expectation.since not in timeline.marks:
        return Finding(name, what, f'the step "{expectation.since}" never happened', timeline.end_s)
    begin_s = timeline.marks[expectation.since] if expectation.since else 0.0
    from_s, until_s = expectation.window()
    to_s = timeline.end_s if until_s is None else begin_s + until_s
    look = _conditions if expectation.conditions() else _moments
    return Finding(name, what, *look(expectation, timeline, begin_s + from_s, to_s))


# --- notices and answers ---


def _moments(expectation: Expectation, timeline: Timeline, from_s: float, to_s: float) -> _Seen:
    pattern = expectation.pattern()
    if pattern is not None:
        fitting = [each for each in timeline.of("notice") if pattern.fits(each.type, each.data)]
    else:
        part = Contains(expectation.answer or "")
        fitting = [each for each in timeline.of("answer") if part.fit(each.data["answer"])]
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
    answers = timeline.of("answer")
    told = "; ".join(f'"{moment.data["answer"]}" at {moment.at_s:.3f} s' for moment in answers[:_SHOWN])
    return f"no such answer; the answers were: {told or 'none'}", answers[0].at_s if answers else from_s


def _when(moments: list[Moment]) -> str:
    times = ", ".join(f"{moment.at_s:.3f} s" for moment in moments[:_SHOWN])
    return f"at {times}{' …' if len(moments) > _SHOWN else ''}"


def _nearest(pattern: NoticePattern, timeline: Timeline, from_s: float) -> _Seen:
    """The notice of that type that fits best, and in which fields it does not."""
    same = timeline.of("notice", pattern.type)
    if not same:
        return "no such notice at all", from_s
    best = min(same, key=lambda moment: (len(pattern.misfits(moment.data)), abs(moment.at_s - from_s)))
    misfits = ", ".join(f"{name} was {best.data.get(name)}" for name in pattern.misfits(best.data))
    return f"the nearest came at {best.at_s:.3f} s, but {misfits}", best.at_s


# --- conditions ---


def _conditions(expectation: Expectation, timeline: Timeline, from_s: float, to_s: float) -> _Seen:
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
    return (_told(wrong), wrong[0].from_s) if wrong else ("", from_s)


def _runs(spans: list[Span], fitting: list[bool]) -> Iterator[Span]:
    """The spans that fit, neighbours joined."""
    for fit, run in groupby(zip(fitting, spans, strict=True), key=itemgetter(0)):
        if fit:
            joined = [span for _, span in run]
            yield Span(joined[0].from_s, joined[-1].to_s, joined[-1].values)


def _told(spans: list[Span]) -> str:
    told = [f"{_values(span.values)} {span}" for span in spans[:_SHOWN]]
    return "; ".join(told) + (" …" if len(spans) > _SHOWN else "")


def _values(values: dict[str, Any]) -> str:
    return " and ".join(f"{name} {'unknown' if value is None else value}" for name, value in values.items())
