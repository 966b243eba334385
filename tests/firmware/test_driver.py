"""The serial driver and the real program in simavr, in virtual time: bits at their baud rate, cards by the simulator.

Every promise of the driver is put to the core in ``tests/contract``; here is what the program's own buffers,
interrupts and start-up add, at 8 MHz, with the fewest cycles for each byte.
"""

from __future__ import annotations

import pytest

from dispenser.drivers.serial.driver import SerialDriver
from dispenser.launcher.messages import (
    DriverFailed,
    DriverRecovered,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidOpened,
    Retract,
    RetractEnded,
)
from tests.drivers.serial.world_link import WorldLink
from tests.firmware.world import UnoDevice, World

MANY = Feed(cards=25, timeout_s=5.0, stall_s=5.0, blind_s=5.0)


class Rig:
    """Driver, line, program, simulator."""

    def __init__(self) -> None:
        self.device = UnoDevice(8)
        self.world = World(self.device, cards=60)
        self.simulator = self.world.simulator
        self.link = WorldLink(self.world, self.device)
        self.driver = SerialDriver(self.link, self.world.scheduler)
        self.events: list[object] = []
        self.driver.open(self.events.append)
        self.run(0.1)
        self.events.clear()

    def run(self, seconds: float) -> None:
        self.world.run(seconds)

    def motor(self) -> float:
        return self.simulator.view().motor_commanded

    def of(self, *kinds: type) -> list[object]:
        return [event for event in self.events if isinstance(event, kinds)]


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_a_feed_a_retract_a_stop_and_a_lid(rig: Rig) -> None:
    rig.driver.give(Feed(cards=5, timeout_s=2.0, stall_s=0.6))
    rig.run(1.5)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 5)]
    assert len(rig.of(ExitCleared)) == rig.simulator.view().cards_out == 5
    rig.driver.give(Retract(0.15))
    rig.run(0.05)
    assert rig.motor() == -1.0
    rig.run(0.5)
    assert rig.of(RetractEnded) == [RetractEnded(FeedEnd.TIMED)]
    for stop in (rig.driver.stop, rig.simulator.open_lid):
        rig.driver.give(MANY)
        rig.run(0.1)
        assert rig.motor() == 1.0
        stop()
        rig.run(0.01)
        assert rig.motor() == 0
        rig.run(0.5)
    ends = [event.cause for event in rig.events if isinstance(event, FeedEnded)]
    assert ends == [FeedEnd.COUNT, FeedEnd.STOPPED, FeedEnd.LID]
    assert rig.of(LidOpened) == [LidOpened()]


def test_a_program_that_hangs_in_a_run_is_told_as_one_failure_and_comes_back(rig: Rig) -> None:
    rig.driver.give(MANY)
    rig.run(0.2)
    assert rig.motor() == 1.0
    rig.device.hang(interrupts=True)
    rig.run(0.3)
    assert rig.motor() == 0
    for _ in range(3):
        rig.driver.reread()
        rig.run(1.0)
    failed, recovered = rig.of(FeedEnded, DriverFailed, DriverRecovered)
    assert isinstance(failed, DriverFailed)
    assert "watchdog" in str(failed.detail)
    assert recovered == DriverRecovered()
    assert rig.motor() == 0
    rig.driver.give(MANY)  # a person has reset
    rig.run(0.2)
    assert rig.motor() == 1.0
