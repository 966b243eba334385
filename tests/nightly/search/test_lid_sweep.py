"""The lid goes up at every millisecond of a burst; ``tests/service/test_lid_sweep.py`` takes a sample."""

from __future__ import annotations

import pytest

from dispenser.simulator import ToyFault
from tests.service.test_lid_sweep import BURST_MS, WIRINGS, sweep_burst, sweep_retries, sweep_shut_again


@pytest.mark.parametrize("start_ms", range(0, BURST_MS, 100))
@pytest.mark.parametrize("wiring", WIRINGS)
def test_at_every_millisecond_of_a_burst_of_five(wiring: str, start_ms: int) -> None:
    sweep_burst(wiring, range(start_ms, start_ms + 100))


@pytest.mark.parametrize("fault", [ToyFault.ROLLER_JAM, ToyFault.MISFEED, ToyFault.EMPTY_STACK])
@pytest.mark.parametrize("start_ms", range(0, 2500, 500))
def test_at_every_fifth_millisecond_of_a_burst_that_needs_retries(fault: ToyFault, start_ms: int) -> None:
    sweep_retries(fault, range(start_ms, start_ms + 500, 5))


@pytest.mark.parametrize("shut_ms", [0, 1, 10, 49, 50, 51, 52, 60, 100, 119, 120, 121, 150, 200])
def test_a_lid_that_is_shut_again_at_once_leaves_the_next_press_its_own(shut_ms: int) -> None:
    sweep_shut_again(shut_ms, range(50, 350, 10))
