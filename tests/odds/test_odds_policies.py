"""Each fire policy and each burst size against its own arithmetic."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given

from dispenser.odds.policies import (
    BurstSize,
    EmpiricalSize,
    FirePolicy,
    Fixed,
    Geometric,
    Memoryless,
    Uniform,
)
from dispenser.odds.presets import OddsDesign, OddsSettingsError, design_from_settings
from tests.odds.odds_designs import fires, sizes


def reachable(fire: FirePolicy) -> set[int]:
    states, waiting = {0}, [0]
    while waiting:
        new = {b.next_state for b in fire.branches(waiting.pop()) if b.probability > 0} - states
        states |= new
        waiting += new
    return states


# --- every policy ---


@given(fires)
def test_the_branches_of_every_state_are_a_distribution_and_a_burst_leads_back_to_the_start(fire: FirePolicy) -> None:
    states, starts_again = reachable(fire), False
    for state in states:
        branches = fire.branches(state)
        assert math.isclose(sum(b.probability for b in branches), 1, abs_tol=1e-12)
        assert all(0 <= b.probability <= 1 for b in branches)
        starts_again = starts_again or any(b.fires and b.next_state == 0 for b in branches)
    assert starts_again
    assert len(states) <= 1001


@given(sizes)
def test_the_chances_of_every_size_are_a_distribution(size: BurstSize) -> None:
    cards = [number for number, _ in size.chances()]
    assert cards == sorted(set(cards))
    assert cards[0] >= 1
    assert math.isclose(sum(chance for _, chance in size.chances()), 1, abs_tol=1e-12)


# --- how many ---


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (Fixed(7), {7: 1.0}),
        (Uniform(3, 8), dict.fromkeys(range(3, 9), 1 / 6)),
        (Geometric(1, 4, 0.5), {1: 8 / 15, 2: 4 / 15, 3: 2 / 15, 4: 1 / 15}),
        (Geometric(2, 3, 1.0), {2: 0.5, 3: 0.5}),
        (EmpiricalSize({9: 3, 2: 1, 5: 6}), {2: 0.1, 5: 0.6, 9: 0.3}),
    ],
    ids=str,
)
def test_the_chances_of_every_size(size: BurstSize, expected: dict[int, float]) -> None:
    assert dict(size.chances()) == pytest.approx(expected)


# --- what cannot be built ---


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({"policy": "toy", "fires_on": []}, "fires_on"),
        ({"policy": "toy", "fires_on": [0, 2]}, "fires_on"),
        ({"policy": "memoryless", "probability": 1.01}, "probability"),
        ({"policy": "memoryless", "probability": math.nan}, "probability"),
        ({"policy": "countdown", "min_duds": 4, "max_duds": 3}, "max_duds"),
        ({"policy": "rising", "first": -0.1, "step": 0.1}, "first"),
        ({"policy": "rising", "first": 0.1, "step": 0.0}, "step"),
        ({"policy": "rising", "first": 0.5, "step": 0.1, "highest": 0.4}, "highest"),
        ({"policy": "empirical", "fired": [], "pressed": []}, "fired"),
        ({"policy": "empirical", "fired": [3, 0], "pressed": [4, 4]}, "fired"),
        ({"policy": "empirical", "fired": [3], "pressed": [2]}, "pressed"),
        ({"policy": "empirical", "fired": [0, 3], "pressed": [0, 4]}, "pressed"),
        ({"policy": "empirical", "fired": [1], "pressed": [1000]}, "pressed"),
        ({"kind": "fixed", "cards": 0}, "cards"),
        ({"kind": "uniform", "low": 0, "high": 3}, "low"),
        ({"kind": "uniform", "low": 4, "high": 3}, "high"),
        ({"kind": "geometric", "low": 5, "high": 3, "ratio": 0.5}, "high"),
        ({"kind": "geometric", "low": 1, "high": 3, "ratio": 0.0}, "ratio"),
        ({"kind": "empirical", "counts": {}}, "counts"),
        ({"kind": "empirical", "counts": {"3": 0}}, "counts"),
        ({"kind": "empirical", "counts": {"31": 1}}, "counts"),
    ],
)
def test_impossible_parameters_are_refused_with_their_key_and_a_remedy(table: dict[str, Any], key: str) -> None:
    name = "fire" if "policy" in table else "size"
    with pytest.raises(OddsSettingsError, match=r"write|must be") as caught:
        design_from_settings({name: table})
    assert str(caught.value).startswith(f"[{name}] {key} = ")
    assert len(caught.value.errors) == 1


@pytest.mark.parametrize("cap", [4, 31])
def test_a_cap_that_cuts_every_burst_or_is_above_the_machines_is_refused(cap: int) -> None:
    with pytest.raises(ValueError, match="the smallest burst has 5 cards and would always be cut; write 5 to 30"):
        OddsDesign("custom", Memoryless(0.5), Fixed(5), cap=cap)
