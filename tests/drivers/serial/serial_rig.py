"""A serial driver with the core on this computer, at true speed over a line that can fail, in virtual time."""

from __future__ import annotations

from collections.abc import Callable

from dispenser.clocks import TimerHandle
from dispenser.drivers.base import DriverEvent
from dispenser.drivers.serial.driver import SerialDriver
from dispenser.launcher.messages import DriverFailed
from tests.contract.serial_bench import SerialBench
from tests.firmware.host import Happening, motor_starts
from tests.firmware.world import World


class Loop:
    """The driver's own scheduler: hangs when told to, and does afterwards what was due meanwhile and not called off."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._hangs = False
        self._backlog: list[Callable[[], object]] = []

    def time(self) -> float:
        return self._world.scheduler.time()

    def call_at(self, when: float, callback: Callable[[], object]) -> TimerHandle:
        timer = self._world.scheduler.call_at(when, lambda: self._do(lambda: None if timer.cancelled else callback()))
        return timer

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> TimerHandle:
        return self.call_at(self.time(), callback)

    def _do(self, callback: Callable[[], object]) -> None:
        if self._hangs:
            self._backlog.append(callback)
        else:
            callback()

    def hang(self, seconds: float) -> None:
        self._hangs = True
        self._world.run(seconds)
        self._hangs = False
        backlog, self._backlog = self._backlog, []
        for callback in backlog:
            callback()


class SerialRig(SerialBench):
    """Opened unless ``opened=False``; hears everything."""

    def __init__(self, *, opened: bool = True, boot_s: float | None = None) -> None:
        super().__init__(byte_us=87, boot_s=boot_s)
        self.run(0.5)
        self.loop = self.link.loop = Loop(self.world)
        self.driver = SerialDriver(self.link, self.loop)
        self.heard: list[DriverEvent] = []
        self._motor: list[Happening] = []
        if opened:
            self.open()

    def open(self) -> None:
        self.driver.open(self.heard.append)
        self.run(0.1)

    def live(self, seconds: float) -> None:
        """Let time pass as the service does: levels are read again once a second."""
        end_s = self.now() + seconds
        while self.now() < end_s:
            self.driver.reread()
            self.run(min(1.0, end_s - self.now()))

    def of(self, *kinds: type) -> list[DriverEvent]:
        return [event for event in self.heard if isinstance(event, kinds)]

    def details(self) -> list[str]:
        """What was told of each failure."""
        return [str(event.detail) for event in self.heard if isinstance(event, DriverFailed)]

    def starts(self) -> int:
        """How often the motor was turned on so far."""
        self._motor += self.device.happenings("motor")
        return motor_starts(self._motor)
