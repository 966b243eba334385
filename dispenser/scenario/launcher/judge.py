"""Holds what was seen against what was expected."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dispenser.scenario.launcher.expectations import Expectation
from dispenser.scenario.launcher.timeline import INSTANT_S, Moment, Span, Timeline

_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one expectation or promise: one thing that had to be so.

    :param name: where it stands, such as ``[[expect]] 2``; ``promise`` for what holds in every scenario.
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


def judge(expectation: Expectation, timeline: Timeline) -> Finding:
    """What came of one expectation."""
    what = str(expectation)
    begin_s = 0.0
    if expectation.since is not None:
        mark_s = timeline.marks.get(expectation.since)
        if mark_s is None:
            return Finding(expectation.name, what, f'the step "{expectation.since}" never happened', timeline.end_s)
        begin_s = mark_s
    from_s = begin_s + expectation.from_s
    to_s = timeline.end_s if expectation.until_s is None else begin_s + expectation.until_s
    look = _conditions if expectation.conditions else _moments
    seen, at_s = look(expectation, timeline, from_s, to_s)
    return Finding(expectation.name, what, seen, at_s)


# --- notices and answers ---


def _moments(expectation: Expectation, timeline: Timeline, from_s: float, to_s: float) -> tuple[str, float]:
    fitting = [moment for moment in timeline.moments if _fits(expectation, moment)]
    inside = [moment for moment in fitting if from_s - INSTANT_S <= moment.at_s <= to_s + INSTANT_S]
    low, high = expectation.count
    if len(inside) >= low and (high is None or len(inside) <= high):
        return "", from_s
    if inside:
        return f"{len(inside)} of them, {_when(inside)}", inside[min(high or 0, len(inside) - 1)].at_s
    if fitting:
        return f"none in that time, but {_when(fitting)}", fitting[0].at_s
    return _nearest(expectation, timeline, from_s)


def _fits(expectation: Expectation, moment: Moment) -> bool:
    if expectation.notice is not None:
        return moment.kind == "notice" and expectation.notice.fits(moment.type, moment.data)
    return moment.kind == "answer" and expectation.answer is not None and expectation.answer.fits(moment.data["answer"])


def _when(moments: list[Moment]) -> str:
    times = ", ".join(f"{moment.at_s:.3f} s" for moment in moments[:_SHOWN])
    return f"at {times}{' …' if len(moments) > _SHOWN else ''}"


def _nearest(expectation: Expectation, timeline: Timeline, from_s: float) -> tuple[str, float]:
    """The notice of that type that fits best, and in which fields it does not."""
    if expectation.notice is None:
        answers = [moment for moment in timeline.moments if moment.kind == "answer"]
        told = "; ".join(f'"{moment.data["answer"]}" at {moment.at_s:.3f} s' for moment in answers[:_SHOWN])
        return f"no such answer; the answers were: {told or 'none'}", answers[0].at_s if answers else from_s
    pattern = expectation.notice
    same = timeline.notices(pattern.type)
    if not same:
        return "no such notice at all", from_s

    def misfits(moment: Moment) -> list[str]:
        return [
            f"{name} was {moment.data.get(name)}"
            for name, wanted in pattern.fields.items()
            if name not in moment.data or not wanted.fits(moment.data[name])
        ]

    best = min(same, key=lambda moment: (len(misfits(moment)), abs(moment.at_s - from_s)))
    return f"the nearest came at {best.at_s:.3f} s, but {', '.join(misfits(best))}", best.at_s


# --- conditions ---


def _conditions(expectation: Expectation, timeline: Timeline, from_s: float, to_s: float) -> tuple[str, float]:
    names = list(expectation.conditions)
    spans = list(timeline.spans(names, from_s, to_s))
    fitting = [all(wanted.fits(span.values[name]) for name, wanted in expectation.conditions.items()) for span in spans]
    match expectation.mode:
        case "within":
            if any(fitting):
                return "", from_s
            return _told(spans), spans[0].from_s
        case "throughout":
            wrong = [span for span, fits in zip(spans, fitting, strict=True) if not fits]
            return (_told(wrong), wrong[0].from_s) if wrong else ("", from_s)
        case "never":
            longest = max(_runs(spans, fitting), key=lambda run: run.length_s, default=None)
            least_s = max(expectation.longer_than_s, INSTANT_S) if to_s > from_s else -1.0
            if longest is None or longest.length_s <= least_s:
                return "", from_s
            return _told([longest]), longest.from_s


def _runs(spans: list[Span], fitting: list[bool]) -> Iterator[Span]:
    """The spans that fit, neighbours joined."""
    run: Span | None = None
    for span, fits in zip(spans, fitting, strict=True):
        if fits:
            run = Span(run.from_s if run else span.from_s, span.to_s, span.values)
        elif run is not None:
            yield run
            run = None
    if run is not None:
        yield run


def _told(spans: list[Span]) -> str:
    told = [f"{_values(span.values)} {_span(span)}" for span in spans[:_SHOWN]]
    return "; ".join(told) + (" …" if len(spans) > _SHOWN else "")


def _values(values: dict[str, Any]) -> str:
    return " and ".join(f"{name} {'unknown' if value is None else value}" for name, value in values.items())


def _span(span: Span) -> str:
    if span.length_s <= INSTANT_S:
        return f"at {span.from_s:.3f} s"
    return f"from {span.from_s:.3f} to {span.to_s:.3f} s"
