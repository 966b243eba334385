"""The interlock of the real program, cycle by cycle: every 16th phase of the sweeps of ``tests/nightly/firmware``."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.board import Uno
from tests.firmware.lid import (
    IDLE_CYCLES,
    SILICON_CYCLES,
    fed,
    hosted,
    latency,
    lid_stops_a_busy_run,
    lid_stops_a_start,
    retracted,
)
from tests.firmware.line import Host, feed


@pytest.mark.parametrize("clock_mhz", [16, 8])
def test_lid_up_stops_an_undisturbed_motor_within_the_goal(clock_mhz: int) -> None:
    uno, host = hosted(clock_mhz)
    for attempt in range(20):
        assert host.command(feed(run=attempt + 1)) is wire.Result.DONE
        uno.run(30_000 + 170 * attempt)
        assert uno.motor == 255
        assert latency(uno) <= IDLE_CYCLES - SILICON_CYCLES
        uno.put("lid", False)
        uno.run(300_000)
        host.state()


@pytest.mark.parametrize(("run", "clock_mhz", "phases"), [(fed, 16, 100), (retracted, 8, 50)])
def test_lid_up_at_phases_of_a_busy_motor_run(run: Callable[[Uno, Host], None], clock_mhz: int, phases: int) -> None:
    lid_stops_a_busy_run(clock_mhz, run, phases, 16 * 41, places=30)


@pytest.mark.parametrize("flutter_cycles", [0, 25], ids=["stays up", "1.6 us"])
def test_lid_up_at_a_motor_start(flutter_cycles: int) -> None:
    lid_stops_a_start(flutter_cycles, 50, 16)
