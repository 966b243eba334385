"""A line that flickers as fast as it likes, at the real program: it keeps its limits, and nothing resets it."""

from __future__ import annotations

import pytest

from tests.firmware.flicker import (
    CLOCK_IDS,
    CLOCKS,
    FREQUENCIES,
    a_feed_ends_at_its_limit,
    it_starts_and_answers,
    lid_up_stops_the_motor,
)

pytestmark = [
    pytest.mark.parametrize("clock_mhz", CLOCKS, ids=CLOCK_IDS),
    pytest.mark.parametrize("hz", FREQUENCIES),
]


@pytest.mark.parametrize("line", ["exit", "button"])
def test_a_feed_ends_at_its_limit_and_nothing_is_reset(clock_mhz: int, line: str, hz: int) -> None:
    a_feed_ends_at_its_limit(clock_mhz, line, hz)


def test_lid_up_stops_the_motor_within_its_bound_all_the_same(clock_mhz: int, hz: int) -> None:
    lid_up_stops_the_motor(clock_mhz, hz, 200)


def test_it_starts_and_answers_while_a_sensor_flickers(clock_mhz: int, hz: int) -> None:
    it_starts_and_answers(clock_mhz, hz)
