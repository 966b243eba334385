"""The figures: refusals that name the field."""

from __future__ import annotations

import pytest

from dispenser.simulator import ToyParameters, ToyValueError


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"wear": 1.5}, "wear"),
        ({"misfeed_probability_new": -0.1}, "misfeed_probability_new"),
        ({"jam_free_probability": 2.0}, "jam_free_probability"),
        ({"run_up_ms": 0.0}, "run_up_ms"),
        ({"card_period_ms": float("nan")}, "card_period_ms"),
    ],
)
def test_impossible_figures_are_refused_by_name(changes: dict[str, float], named: str) -> None:
    with pytest.raises(ToyValueError, match=named):
        ToyParameters(**changes)  # type: ignore[arg-type]
