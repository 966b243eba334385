"""The real program in simavr: long noise on its line, and every speed of it."""

from __future__ import annotations

import pytest

from tests.firmware.board import Uno
from tests.firmware.flicker import in_session
from tests.firmware.noise import noise_moves_nothing
from tests.firmware.serial_speed import made_of


@pytest.mark.parametrize("clock_mhz", [16, 8])
@pytest.mark.parametrize("seed", range(2))
def test_noise_on_the_line_moves_nothing(clock_mhz: int, seed: int) -> None:
    uno = Uno(clock_mhz)
    noise_moves_nothing(uno, in_session(uno), seed, 300)


@pytest.mark.parametrize(
    ("clock_mhz", "baud", "off"), [(16, 57_600, -0.0079), (16, 38_400, 0.0016), (8, 57_600, 0.0212), (8, 9_600, 0.0016)]
)
def test_other_speeds_are_as_near_as_the_clock_can_make_them(clock_mhz: int, baud: int, off: float) -> None:
    assert made_of(clock_mhz, baud) / baud - 1 == pytest.approx(off, abs=0.0001)
