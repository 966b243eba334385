"""The lid goes up at many moments of a burst: the motor is off at that very instant, and every card is counted."""

from __future__ import annotations

import pytest

from dispenser.simulator import ToyFault
from tests.service.lid_sweep import BURST_MS, WIRINGS, sweep_burst, sweep_retries, sweep_shut_again


@pytest.mark.parametrize("wiring", WIRINGS)
def test_lid_up_at_any_moment_of_a_burst_stops_the_motor_and_the_count_is_right(wiring: str) -> None:
    sweep_burst(wiring, range(3, BURST_MS, 30))


@pytest.mark.parametrize("fault", [ToyFault.ROLLER_JAM, ToyFault.MISFEED, ToyFault.EMPTY_STACK])
def test_lid_up_at_any_moment_of_retries_stops_the_motor(fault: ToyFault) -> None:
    sweep_retries(fault, range(7, 2500, 130))


@pytest.mark.parametrize("shut_ms", [0, 50, 120, 200])
def test_after_a_lid_that_is_shut_again_at_once_the_next_press_has_its_own_cards(shut_ms: int) -> None:
    sweep_shut_again(shut_ms, range(50, 350, 75))
