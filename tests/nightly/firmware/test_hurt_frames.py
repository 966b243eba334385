"""Many evenings of the driver with the core over a line that hurts bits."""

from __future__ import annotations

import pytest

from tests.drivers.serial.bad_line import an_evening_on_a_bad_line

SEEDS = 1000
CHUNK = 100


@pytest.mark.parametrize("first", range(0, SEEDS, CHUNK))
def test_a_bad_line_loses_no_card_and_starts_no_motor_twice(first: int) -> None:
    for seed in range(first, first + CHUNK):
        try:
            an_evening_on_a_bad_line(seed)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}: {error}") from error
