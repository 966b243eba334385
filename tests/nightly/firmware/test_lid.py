"""The interlock of the real program, cycle by cycle: thousands of phases of the lid's edge."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.firmware.board import Uno
from tests.firmware.lid import (
    fed,
    lid_stops_a_busy_run,
    lid_stops_a_start,
    retracted,
)
from tests.firmware.line import Host

PHASES = 2400
"""How many phases of the lid's edge the main sweep tries (by hand, try 100,000); the others try a third."""


@pytest.mark.parametrize("clock_mhz", [16, 8])
@pytest.mark.parametrize("run", [fed, retracted])
def test_lid_up_at_any_phase_of_a_busy_motor_run(clock_mhz: int, run: Callable[[Uno, Host], None]) -> None:
    phases = PHASES if run is fed and clock_mhz == 16 else PHASES // 3
    phase = lid_stops_a_busy_run(clock_mhz, run, phases, 41, places=200)
    print(f"{run.__name__}, {clock_mhz} MHz: the worst phase is {phase}")


@pytest.mark.parametrize("flutter_cycles", [0, 25, 200], ids=["stays up", "1.6 us", "12 us"])
def test_lid_up_at_any_instruction_of_a_motor_start(flutter_cycles: int) -> None:
    lid_stops_a_start(flutter_cycles, PHASES // 3, 1)
