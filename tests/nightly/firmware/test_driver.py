"""The serial driver and the real program in simavr, at both clocks."""

from __future__ import annotations

import pytest

from tests.firmware.driver_rig import Rig, a_hang_in_a_run_is_one_failure
from tests.firmware.test_driver import (  # with the ``rig`` of this file
    test_a_cable_pulled_in_a_feed_stops_the_motor_and_it_works_again_afterwards,
    test_a_retract_and_a_stop,
    test_chimes_and_light_at_once_go_out_one_after_the_other,
    test_five_cards_are_five_cards,
    test_lid_up_ends_a_feed_before_the_driver_has_heard,
    test_presses_count_once_each_with_a_worn_button,
)

__all__ = [
    "test_a_cable_pulled_in_a_feed_stops_the_motor_and_it_works_again_afterwards",
    "test_a_retract_and_a_stop",
    "test_chimes_and_light_at_once_go_out_one_after_the_other",
    "test_five_cards_are_five_cards",
    "test_lid_up_ends_a_feed_before_the_driver_has_heard",
    "test_presses_count_once_each_with_a_worn_button",
]


@pytest.fixture(params=[16, 8], ids=["16 MHz", "8 MHz"])
def rig(request: pytest.FixtureRequest) -> Rig:
    return Rig(request.param)


@pytest.mark.parametrize("after_ms", range(200, 300, 20))
def test_a_program_that_hangs_in_a_run_is_told_as_one_failure_and_comes_back(rig: Rig, after_ms: int) -> None:
    """Whenever between two heartbeats."""
    a_hang_in_a_run_is_one_failure(rig, after_ms)
