"""The figures and the wiring: known values, and refusals that name the field."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

import dispenser.simulator.parameters as module
from dispenser.simulator import Line, ToyError, ToyParameters, ToyValueError, ToyWiring


def test_the_known_figures() -> None:
    p = ToyParameters()
    assert p.card_length_mm == 87.0
    assert p.stack_capacity_cards == 112
    assert p.card_period_ms == 57.0
    assert (p.cell_fresh_v, p.cell_flat_v) == (4.8, 2.7)
    assert p.misfeed_probability == 0.022
    assert p.full_speed_mm_s == pytest.approx(2000.0)
    assert ToyParameters(wear=1.0).misfeed_probability > ToyParameters(wear=0.5).misfeed_probability > 0.022


def test_every_parameter_has_a_docstring_with_a_source() -> None:
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    unit = re.compile(r"_(mm|ms|v|ohm|mah|a|hz|cards)$|^slip_spread$|probability|^wear$|^hardware_interlock$")
    for field in dataclasses.fields(ToyParameters):
        documented = re.search(rf"^    {field.name}: \w+ = .*\n    \"\"\"(.+)\"\"\"$", source, re.MULTILINE)
        assert documented, f"{field.name} has no docstring"
        assert unit.search(field.name) or "probability" in field.name, f"{field.name} has no unit"
    assert source.count("(assumed") + source.count("(measured") > 15


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"wear": 1.5}, "wear"),
        ({"misfeed_probability_new": -0.1}, "misfeed_probability_new"),
        ({"jam_free_probability": 2.0}, "jam_free_probability"),
        ({"run_up_ms": 0.0}, "run_up_ms"),
        ({"card_period_ms": float("nan")}, "card_period_ms"),
        ({"gap_min_mm": 5.0}, "barrier_distance_mm"),
        ({"cell_flat_v": 5.0}, "cell_flat_v"),
        ({"cell_fresh_v": 2.8, "start_v": 2.5}, "start_v"),
        ({"bounce_max_ms": 30.0}, "bounce_max_ms"),
    ],
)
def test_impossible_figures_are_refused_by_name(changes: dict[str, float], named: str) -> None:
    with pytest.raises(ToyValueError, match=named):
        ToyParameters(**changes)  # type: ignore[arg-type]


def test_flawless_has_no_chance_but_keeps_other_changes() -> None:
    p = ToyParameters.flawless(run_up_ms=30.0, wear=1.0)
    assert (p.misfeed_probability, p.double_probability, p.jam_probability, p.run_up_ms) == (0.0, 0.0, 0.0, 30.0)


def test_errors_have_two_parents() -> None:
    assert issubclass(ToyValueError, ToyError)
    assert issubclass(ToyValueError, ValueError)


def test_two_parts_on_one_pin_are_refused() -> None:
    with pytest.raises(ToyValueError, match="lid and motor_forward are both on GPIO6"):
        ToyWiring(button=Line(5), lid=Line(6), motor_forward=Line(6))


def test_a_pin_that_no_pi_has_is_refused() -> None:
    with pytest.raises(ToyValueError, match="28"):
        Line(28)
