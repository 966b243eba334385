"""The serial driver on the bench: the firmware's own core at the other end of the line, the simulator on its pins."""

from __future__ import annotations

from dispenser.drivers.base import Driver
from dispenser.drivers.serial.driver import SerialDriver
from dispenser.simulator import Simulator
from tests.drivers.serial.world_link import WorldLink, reports_lost, undisturbed
from tests.firmware.host import EXIT_SENSOR, RETRACT
from tests.firmware.world import HostDevice, World


class Bench:
    """A driver, opened by the test, and the hands around its launcher. Another driver joins by giving one of these.

    The launcher is loaded, its lid shut, its exit free. Cards leave by themselves while the motor runs forward, unless
    the test holds the exit (``hold_exit``).
    """

    driver: Driver
    simulator: Simulator
    raw_edges = True
    """The driver hears every edge; ``False`` when its device filters them and tells what counts."""

    def run(self, seconds: float) -> None:
        """Let time pass."""
        raise NotImplementedError

    def now(self) -> float:
        raise NotImplementedError

    def miss_edges(self, missing: bool) -> None:
        """Changes of the inputs are not reported for a while; their levels still can be read."""
        raise NotImplementedError

    def break_link(self, broken: bool) -> None:
        """The driver can no longer reach its device at all, or can again."""
        raise NotImplementedError

    def motor(self) -> float:
        """What the motor is driven with at this instant: duty, negative backward, 0 at rest."""
        return self.simulator.view().motor_commanded

    def tone_hz(self) -> float | None:
        return self.simulator.view().tone_hz

    def lit(self) -> bool:
        return self.simulator.view().light_on

    def press(self, hold_s: float = 0.15, *, bouncing: bool = False) -> None:
        """Push the button and let it go after ``hold_s``; returns at once."""
        self.simulator.switch_fault("bouncing_button", bouncing)
        self.simulator.push_button(hold_s)

    def lift_lid(self) -> None:
        self.simulator.open_lid()

    def shut_lid(self) -> None:
        self.simulator.close_lid()

    def hold_exit(self, blocked: bool) -> None:
        """From now on the exit sensor sees what the test says, whatever the cards do."""
        self.simulator.drive_line("exit", blocked)


class SerialBench(Bench):
    """The serial driver, the core on this computer, and the simulator.

    :param capabilities: what the device says that it can do.
    :param byte_us: how long a byte takes on the line.
    :param boot_s: see ``WorldLink``.
    """

    raw_edges = False

    def __init__(
        self, capabilities: int = EXIT_SENSOR | RETRACT, *, byte_us: int = 0, boot_s: float | None = 0.0
    ) -> None:
        self.device = HostDevice(capabilities=capabilities, byte_us=byte_us)
        self.world = World(self.device)
        self.world.start()
        self.simulator = self.world.simulator
        self.link = WorldLink(self.world, self.device, boot_s)
        self.driver = SerialDriver(self.link, self.world.scheduler)

    def run(self, seconds: float) -> None:
        self.world.run(seconds)

    def now(self) -> float:
        return self.world.scheduler.time()

    def tone_hz(self) -> float | None:
        """What a device does that plays alone is not the driver's."""
        return super().tone_hz() if self.device.hosted else None

    def lit(self) -> bool:
        self.world.run(0.0)  # one command at a time is on the line: let those that wait go, too
        return super().lit() and self.device.hosted

    def miss_edges(self, missing: bool) -> None:
        self.link.disturb = reports_lost if missing else undisturbed

    def break_link(self, broken: bool) -> None:
        if broken:
            self.link.unplug()
        else:
            self.link.plug()
