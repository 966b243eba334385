"""Alone, the firmware is the Python machine: the same inputs, the same motor, sounds and states; a few traces of it.

``tests/nightly/firmware`` plays thousands.
"""

from __future__ import annotations

import pytest

from tests.firmware.conformance import (
    Make,
    core_conforms,
    program_conforms,
)
from tests.firmware.host import EXIT_SENSOR, RETRACT
from tests.firmware.traces import by_hand, by_simulator

SEEDS = {by_hand: [0, 1, 2, 3, 4, 5, 17, 27], by_simulator: [0, 1, 2, 3, 4, 5]}
"""Together they go through every state that a launcher alone can be in, and to every end of a burst."""

of_each_kind = pytest.mark.parametrize("make", SEEDS, ids=lambda make: make.__name__)


@of_each_kind
def test_the_core_does_what_the_python_machine_does(make: Make) -> None:
    core_conforms(make, SEEDS[make])


@pytest.mark.parametrize("clock_mhz", [16, 8])
@of_each_kind
def test_the_real_program_does_what_the_python_machine_does(make: Make, clock_mhz: int) -> None:
    program_conforms(make, SEEDS[make][-1:], clock_mhz)


@pytest.mark.parametrize("capabilities", [EXIT_SENSOR, RETRACT, 0], ids=["one MOSFET", "no exit sensor", "neither"])
@of_each_kind
def test_a_poorer_launcher_conforms_too(make: Make, capabilities: int) -> None:
    core_conforms(make, SEEDS[make], capabilities)


def test_the_clock_may_wrap_in_the_middle_of_anything() -> None:
    core_conforms(by_hand, range(0, 100, 10), clock_wraps=True)
