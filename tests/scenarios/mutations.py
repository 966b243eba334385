"""Wrong versions of an expectation: each of them must fail wherever the right one holds."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import replace

from dispenser.scenario.launcher.expectations import CONDITIONS, Expectation
from dispenser.scenario.launcher.notices import Wanted
from dispenser.scenario.launcher.player import Play

IMPOSSIBLE = 10**7


def mutations(expectation: Expectation, play: Play) -> Iterator[tuple[str, Expectation]]:
    """Each with a word for what is wrong with it."""
    if expectation.mode == "never":
        yield from _of_never(expectation, play)
    elif expectation.conditions:
        yield from _of_conditions(expectation)
    else:
        yield from _of_moments(expectation)


def _of_moments(expectation: Expectation) -> Iterator[tuple[str, Expectation]]:
    low, high = expectation.count
    if low:
        yield "none of them", replace(expectation, count=(0, 0))
        yield "more of them", replace(expectation, count=(IMPOSSIBLE, None))
    if high is not None:
        yield "one more", replace(expectation, count=(high + 1, high + 1))
    if expectation.notice is not None and low:
        for name, wanted in expectation.notice.fields.items():
            for other in _others(wanted):
                fields = expectation.notice.fields | {name: other}
                notice = dataclasses.replace(expectation.notice, fields=fields)
                yield f"{name} {other}", replace(expectation, notice=notice)
    if expectation.answer is not None and low:
        yield "another answer", replace(expectation, answer=Wanted(contains="no such answer"))


def _others(wanted: Wanted) -> Iterator[Wanted]:
    if wanted.contains is not None:
        yield Wanted(contains=wanted.contains + " and something that nobody says")
    elif wanted.at_least is not None:
        yield Wanted(at_least=IMPOSSIBLE)
    elif wanted.at_most is not None:
        yield Wanted(at_most=-1)
    elif isinstance(wanted.equal, bool):
        yield Wanted(not wanted.equal)
    elif isinstance(wanted.equal, (int, float)):
        yield Wanted(wanted.equal + 1)
        yield Wanted(wanted.equal - 1)
    else:
        yield Wanted("something else")


def _of_conditions(expectation: Expectation) -> Iterator[tuple[str, Expectation]]:
    yield "the opposite", replace(expectation, mode="never", count=(0, 0))
    for name, wanted in expectation.conditions.items():
        words = CONDITIONS[name]
        others = list(_others(wanted)) if not words else [Wanted(word) for word in words if word != wanted.equal]
        for other in others:
            if expectation.mode == "throughout" or expectation.from_s == expectation.until_s or len(words) > 2:
                yield f"{name} {other}", replace(expectation, conditions=expectation.conditions | {name: other})


def _of_never(expectation: Expectation, play: Play) -> Iterator[tuple[str, Expectation]]:
    """What really was: each never must see it."""
    if expectation.longer_than_s:
        yield "half the time", replace(expectation, longer_than_s=expectation.longer_than_s / 2)
        return
    yield "the opposite", replace(expectation, mode="within", count=(1, None))
    if expectation.conditions:
        names = list(expectation.conditions)
        begin_s = play.timeline.marks.get(expectation.since, 0.0) if expectation.since else 0.0
        end_s = play.timeline.end_s if expectation.until_s is None else begin_s + expectation.until_s
        longest = max(play.timeline.spans(names, begin_s + expectation.from_s, end_s), key=lambda span: span.length_s)
        seen = {name: Wanted(value) for name, value in longest.values.items()}
        yield "what was so for long", replace(expectation, conditions=seen)
