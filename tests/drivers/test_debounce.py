"""The filter of one line: bounces up to 20 ms never count, what lasts always does."""

from __future__ import annotations

from itertools import accumulate, pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from dispenser.drivers.debounce import Debouncer

SETTLE_S = 0.025
BOUNCES_MS = st.lists(st.floats(0.1, 20.0), max_size=40)
"""Times between the edges of a bouncing contact."""


def play(edges: list[tuple[float, bool]], settle_s: float = SETTLE_S, *, until_s: float) -> list[tuple[float, bool]]:
    """Feed edges to a filter as a driver does, asking it whenever it is due; return when which level counted."""
    filter_ = Debouncer(settle_s)
    counted: list[tuple[float, bool]] = []
    for at_s, raw in [*edges, (until_s, None)]:
        while filter_.due is not None and filter_.due <= at_s:
            due = filter_.due
            assert not filter_.settle(due - 1e-9), "not before it has lasted long enough"
            assert filter_.settle(due)
            counted.append((due, filter_.level))
        if raw is not None and filter_.edge(raw, at_s):
            counted.append((at_s, filter_.level))
    return counted


def bouncing(start_s: float, level: bool, bounces_ms: list[float]) -> list[tuple[float, bool]]:
    """Edges of a contact that goes to ``level``, bounces, and rests there."""
    pauses = bounces_ms if len(bounces_ms) % 2 == 0 else bounces_ms[:-1]
    times = accumulate([start_s, *(ms / 1000 for ms in pauses)])
    return [(at_s, level == (number % 2 == 0)) for number, at_s in enumerate(times)]


@settings(deadline=None)
@given(BOUNCES_MS, BOUNCES_MS)
def test_a_bouncing_push_and_release_counts_once_each(down: list[float], up: list[float]) -> None:
    pushed = bouncing(1.0, True, down)
    released = bouncing(3.0, False, up)
    assert play(pushed + released, until_s=10.0) == [
        (pushed[-1][0] + SETTLE_S, True),
        (released[-1][0] + SETTLE_S, False),
    ]


@settings(deadline=None)
@given(BOUNCES_MS)
def test_a_glitch_that_returns_within_the_settling_time_does_not_count(bounces_ms: list[float]) -> None:
    edges = bouncing(1.0, True, bounces_ms)
    returned = [*edges, (edges[-1][0] + 0.0249, False)]
    assert play(returned, until_s=10.0) == []


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0.0001, 0.2), st.booleans()), max_size=60))
def test_what_counts_is_exactly_what_lasted(steps: list[tuple[float, bool]]) -> None:
    """Against a filter that sees the whole recording at once; repeated edges (one was missed between) included."""
    times = list(accumulate((pause_s for pause_s, _ in steps), initial=1.0))[1:]
    edges = list(zip(times, (raw for _, raw in steps), strict=True))
    expected, level = [], False
    for (at_s, raw), (next_s, _) in pairwise([*edges, (100.0, False)]):
        if raw != level and at_s + SETTLE_S <= next_s:
            level = raw
            expected.append((at_s + SETTLE_S, raw))
    assert play(edges, until_s=100.0) == expected


@settings(deadline=None)
@given(st.lists(st.booleans(), max_size=30))
def test_without_settling_time_every_change_counts_at_once(levels: list[bool]) -> None:
    edges = [(float(number), raw) for number, raw in enumerate(levels)]
    changes = [edge for edge, (_, before) in zip(edges, [(0.0, False), *edges], strict=False) if edge[1] != before]
    assert play(edges, 0.0, until_s=100.0) == changes


@settings(deadline=None)
@given(BOUNCES_MS)
def test_the_change_is_dated_to_its_first_edge_away_from_the_old_level(bounces_ms: list[float]) -> None:
    filter_ = Debouncer(SETTLE_S)
    edges = bouncing(1.0, True, bounces_ms)
    for at_s, raw in edges:
        filter_.edge(raw, at_s)
    last_rest_s = max((at_s for at_s, raw in edges if not raw), default=0.0)
    assert filter_.changed_at_s == min(at_s for at_s, raw in edges if raw and at_s >= last_rest_s)


def test_it_begins_with_the_level_it_is_told() -> None:
    filter_ = Debouncer(SETTLE_S, level=True)
    assert not filter_.edge(True, 1.0)
    assert filter_.due is None
    filter_.edge(False, 2.0)
    assert filter_.settle(2.0 + SETTLE_S)
    assert filter_.level is False
