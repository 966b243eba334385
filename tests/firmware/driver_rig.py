"""The serial driver and the real program in simavr, in virtual time: bits at their baud rate, cards by the toy."""

from __future__ import annotations

from dispenser.drivers.serial.driver import SerialDriver
from dispenser.launcher.messages import DriverFailed, DriverRecovered, Feed, FeedEnded
from tests.contract.serial_bench import WorldLink
from tests.firmware.world import UnoDevice, World

MANY = Feed(cards=25, timeout_s=5.0, stall_s=5.0, blind_s=5.0)


class Rig:
    """Driver, line, program, toy."""

    def __init__(self, clock_mhz: int) -> None:
        self.device = UnoDevice(clock_mhz)
        self.world = World(self.device, cards=60)
        self.toy = self.world.toy
        self.link = WorldLink(self.world, self.device)
        self.driver = SerialDriver(self.link, self.world.scheduler)
        self.events: list[object] = []
        self.driver.open(self.events.append)
        self.run(0.1)
        self.events.clear()

    def run(self, seconds: float) -> None:
        self.world.run(seconds)

    def motor(self) -> float:
        return self.toy.view().motor_commanded

    def of(self, *kinds: type) -> list[object]:
        return [event for event in self.events if isinstance(event, kinds)]


def a_hang_in_a_run_is_one_failure(rig: Rig, after_ms: int) -> None:
    """The program hangs so long after the start of a run: told once, and a person may use the launcher again."""
    rig.driver.give(MANY)
    rig.run(after_ms / 1000)
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
