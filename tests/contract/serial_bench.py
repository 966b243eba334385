"""The serial driver on the bench: the firmware's own core at the other end of the line, the toy on its pins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dispenser.drivers.base import Driver
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.driver import SerialDriver
from dispenser.drivers.serial.frames import FrameDecoder, encode
from dispenser.drivers.serial.port import SerialPortError
from dispenser.simulator import Toy
from tests.drivers.serial.fake_board import on_the_loop
from tests.firmware.host import EXIT_SENSOR, RETRACT
from tests.firmware.world import Device, HostDevice, World


class WorldLink:
    """A line to the device of a world, in virtual time.

    Opening it resets the device, as DTR does on most boards. ``broken``: nothing passes, and opening fails.
    ``reports_lost``: what the device says of its own accord is lost; answers pass.
    """

    def __init__(self, world: World, device: Device) -> None:
        self.broken = False
        self.reports_lost = False
        self.opened = 0
        self.to_host = self.to_device = 0
        self._world = world
        self._device = device
        self._decoder = FrameDecoder()
        self._waiting = bytearray()
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[OSError], None] | None = None
        self._is_open = False
        self.loop: Any = world.scheduler
        """On which the driver is told what comes."""
        world.received = self._from_device

    def open(self) -> None:
        if self.broken:
            raise SerialPortError("cannot open the serial port: it is not there")
        self._is_open = True
        self.opened += 1
        self._waiting.clear()
        self._device.start()
        self._world.show()
        self._waiting.clear()

    def read(self, timeout_s: float) -> bytes:
        end_s = self._world.scheduler.time() + timeout_s
        while not self._waiting and self._world.scheduler.time() < end_s:
            self._world.run(min(0.001, end_s - self._world.scheduler.time()))
            self._check()
        data, self._waiting = bytes(self._waiting), bytearray()
        return data

    def listen(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        opening = self.opened
        self._received, self._lost = (
            on_the_loop(lambda: self.loop, take, lambda: self._is_open and opening == self.opened)
            for take in (received, lost)
        )

    def write(self, data: bytes) -> None:
        self._check()
        self.to_device += len(data)
        self._device.send(data)
        self._world.show()

    def close(self) -> None:
        self._is_open = False
        self._received = self._lost = None

    def snap(self, broken: bool) -> None:
        """The cable breaks, or is whole again."""
        self.broken = broken
        if broken and self._lost is not None:
            lost, self._received, self._lost = self._lost, None, None
            lost(OSError(5, "Input/output error"))

    def _check(self) -> None:
        if self.broken or not self._is_open:
            raise OSError(5, "Input/output error")

    def _from_device(self, data: bytes) -> None:
        if self.broken or not self._is_open:
            return
        if self.reports_lost:
            frames = self._decoder.feed(data)
            data = b"".join(
                encode(frame) for frame in frames if frame.sequence or frame.message.TYPE != wire.State.TYPE
            )
        self.to_host += len(data)
        if self._received is not None:
            self._received(data)
        else:
            self._waiting += data


class Bench:
    """A driver, opened by the test, and the hands around its launcher. Another driver joins by giving one of these.

    The launcher is loaded, its lid shut, its exit free. Cards leave by themselves while the motor runs forward, unless
    the test holds the exit (``hold_exit``).
    """

    driver: Driver
    toy: Toy
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
        return self.toy.view().motor_commanded

    def tone_hz(self) -> float | None:
        return self.toy.view().tone_hz

    def lit(self) -> bool:
        return self.toy.view().light_on

    def press(self, hold_s: float = 0.15, *, bouncing: bool = False) -> None:
        """Push the button and let it go after ``hold_s``; returns at once."""
        self.toy.switch_fault("bouncing_button", bouncing)
        self.toy.push_button(hold_s)

    def lift_lid(self) -> None:
        self.toy.open_lid()

    def shut_lid(self) -> None:
        self.toy.close_lid()

    def hold_exit(self, blocked: bool) -> None:
        """From now on the exit sensor sees what the test says, whatever the cards do."""
        self.toy.drive_line("exit", blocked)


class SerialBench(Bench):
    """The serial driver, the core on this computer, and the toy.

    :param capabilities: what the device says that it can do.
    """

    raw_edges = False

    def __init__(self, capabilities: int = EXIT_SENSOR | RETRACT) -> None:
        self.device = HostDevice(capabilities=capabilities)
        self.world = World(self.device)
        self.world.start()
        self.toy = self.world.toy
        self.link = WorldLink(self.world, self.device)
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
        self.link.reports_lost = missing

    def break_link(self, broken: bool) -> None:
        self.link.snap(broken)
