"""Random odds for Hypothesis: every fire policy with every burst size."""

from __future__ import annotations

from hypothesis import strategies as st

from dispenser.odds.policies import (
    BurstSize,
    Countdown,
    EmpiricalFire,
    EmpiricalSize,
    FirePolicy,
    Fixed,
    Geometric,
    Memoryless,
    Rising,
    ToyTable,
    Uniform,
)
from dispenser.odds.presets import OddsDesign


def _ordered(low: int, high: int) -> st.SearchStrategy[tuple[int, int]]:
    return st.tuples(st.integers(low, high), st.integers(low, high)).map(lambda pair: (min(pair), max(pair)))


@st.composite
def _empirical_fires(draw: st.DrawFn) -> EmpiricalFire:
    fired = [*draw(st.lists(st.integers(0, 9), max_size=6)), draw(st.integers(1, 9))]
    return EmpiricalFire(tuple(fired), tuple(max(1, count + draw(st.integers(0, 30))) for count in fired))


@st.composite
def _rising(draw: st.DrawFn) -> Rising:
    first = draw(st.floats(0, 0.9))
    return Rising(first, draw(st.floats(0.01, 1)), draw(st.floats(max(first, 0.05), 1)))


fires: st.SearchStrategy[FirePolicy] = st.one_of(
    st.builds(lambda presses: ToyTable(tuple(sorted(presses))), st.sets(st.integers(1, 40), min_size=1)),
    st.builds(Memoryless, st.floats(0.05, 1)),
    _ordered(0, 20).map(lambda pair: Countdown(*pair)),
    _rising(),
    _empirical_fires(),
)
sizes: st.SearchStrategy[BurstSize] = st.one_of(
    st.builds(Fixed, st.integers(1, 30)),
    _ordered(1, 30).map(lambda pair: Uniform(*pair)),
    st.tuples(_ordered(1, 30), st.floats(0.05, 1)).map(lambda args: Geometric(*args[0], args[1])),
    st.dictionaries(st.integers(1, 30), st.integers(1, 50), min_size=1).map(EmpiricalSize),
)


@st.composite
def designs(draw: st.DrawFn) -> OddsDesign:
    size = draw(sizes)
    return OddsDesign("custom", draw(fires), size, draw(st.integers(size.chances()[0][0], 30)))
