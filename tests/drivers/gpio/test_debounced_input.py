"""The filter of one line: bounces up to 20 ms never count, what lasts always does."""

from __future__ import annotations

from itertools import accumulate, pairwise

from hypothesis import given
from hypothesis import strategies as st

from dispenser.drivers.gpio.inputs import DebouncedInput

SETTLE_S = 0.025


Steps = list[tuple[float, bool]]
STEPS = st.lists(st.tuples(st.floats(0.0001, 0.2), st.booleans()), max_size=60)


def edges_of(steps: Steps) -> Steps:
    """From pauses to times."""
    times = list(accumulate((pause_s for pause_s, _ in steps), initial=1.0))[1:]
    return list(zip(times, (raw for _, raw in steps), strict=True))


def spans(edges: Steps, asked_s: set[float]) -> list[tuple[bool, float, float]]:
    """The levels that counted, each with its beginning and the one before; asked at each edge and at ``asked_s``."""
    line = DebouncedInput(False, SETTLE_S, 0.0)
    counted: list[tuple[bool, float, float]] = []
    moments: list[tuple[float, bool | None]] = [*edges, *((at_s, None) for at_s in asked_s), (1000.0, None)]
    for at_s, raw in sorted(moments, key=lambda moment: moment[0]):
        due_s = line.due_s
        settled = line.settle(at_s)
        assert settled == (due_s is not None and due_s <= at_s)
        if settled:
            counted.append((line.level, line.since_s, line.before_s))
        if raw is not None:
            line.edge(raw, at_s)
    return counted


@given(STEPS)
def test_what_counts_is_exactly_what_lasted(steps: Steps) -> None:
    """Against a filter that sees the whole recording at once; repeated edges (one was missed between) included."""
    edges = edges_of(steps)
    expected, level = [], False
    for (at_s, raw), (next_s, _) in pairwise([*edges, (100.0, False)]):
        if raw != level and at_s + SETTLE_S <= next_s:
            level = raw
            expected.append(raw)
    assert [level for level, _, _ in spans(edges, set())] == expected


@given(STEPS, st.sets(st.floats(1.0, 12.0), max_size=20))
def test_edges_that_are_taken_late_give_the_same_levels_at_the_same_times(steps: Steps, asked_s: set[float]) -> None:
    """However often or seldom somebody asks in between."""
    edges = edges_of(steps)
    assert spans(edges, asked_s) == spans(edges, set())


def test_becoming_active_can_count_at_once_while_resting_must_last() -> None:
    line = DebouncedInput(False, SETTLE_S, 0.0, settle_active_s=0.0)
    line.edge(True, 1.0)
    assert line.settle(1.0)
    line.edge(False, 2.0)
    assert not line.settle(2.0)
    assert line.settle(2.0 + SETTLE_S)
