"""Alone, the firmware is the Python machine: the same inputs, thousands of them; the same motor, sounds and states."""

from __future__ import annotations

import pytest

from tests.firmware.conformance import (
    Make,
    core_conforms,
    program_conforms,
)
from tests.firmware.host import EXIT_SENSOR, RETRACT
from tests.firmware.traces import by_hand, by_simulator

TRACES = 4000
"""How many the core plays: half by hand, half by the simulator."""
CHUNK = 100
PROGRAM_TRACES = 40
"""How many the real program plays in simavr, cycle by cycle."""
PROGRAM_CHUNK = 5

of_each_kind = pytest.mark.parametrize("make", [by_hand, by_simulator], ids=lambda make: make.__name__)


@of_each_kind
@pytest.mark.parametrize("first", range(0, TRACES // 2, CHUNK))
def test_the_core_does_what_the_python_machine_does(make: Make, first: int) -> None:
    core_conforms(make, range(first, first + CHUNK))


@pytest.mark.parametrize("clock_mhz", [16, 8])
@of_each_kind
@pytest.mark.parametrize("first", range(0, PROGRAM_TRACES // 2, PROGRAM_CHUNK))
def test_the_real_program_does_what_the_python_machine_does(make: Make, first: int, clock_mhz: int) -> None:
    program_conforms(make, range(first, first + (PROGRAM_CHUNK if clock_mhz == 16 else 1)), clock_mhz)


@of_each_kind
@pytest.mark.parametrize("capabilities", [EXIT_SENSOR, RETRACT, 0], ids=["one MOSFET", "no exit sensor", "neither"])
def test_a_poorer_launcher_conforms_too(make: Make, capabilities: int) -> None:
    core_conforms(make, range(CHUNK), capabilities)


def test_the_clock_may_wrap_in_the_middle_of_anything() -> None:
    core_conforms(by_hand, range(CHUNK), clock_wraps=True)
