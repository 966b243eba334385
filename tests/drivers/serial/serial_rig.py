"""A serial driver on a fake board over a fake line, in virtual time."""

from __future__ import annotations

from collections.abc import Callable

from dispenser.clocks import TimerHandle
from dispenser.drivers.base import DriverEvent
from dispenser.drivers.serial.driver import SerialDriver
from tests.conftest import FakeScheduler
from tests.drivers.serial.fake_board import FakeBoard, FakeLink


class Loop:
    """The driver's own scheduler: hangs when told to, and does afterwards what was due meanwhile and not called off."""

    def __init__(self, clock: FakeScheduler) -> None:
        self._clock = clock
        self._hangs = False
        self._backlog: list[Callable[[], object]] = []

    def time(self) -> float:
        return self._clock.time()

    def call_at(self, when: float, callback: Callable[[], object]) -> TimerHandle:
        timer = self._clock.call_at(when, lambda: self._do(lambda: None if timer.cancelled else callback()))
        return timer

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> TimerHandle:
        return self.call_at(self._clock.time(), callback)

    def _do(self, callback: Callable[[], object]) -> None:
        if self._hangs:
            self._backlog.append(callback)
        else:
            callback()

    def hang(self, seconds: float) -> None:
        self._hangs = True
        self._clock.run_for(seconds)
        self._hangs = False
        backlog, self._backlog = self._backlog, []
        for callback in backlog:
            callback()


class SerialRig:
    """Opened unless ``opened=False``; hears everything."""

    def __init__(self, *, opened: bool = True, boot_s: float | None = None) -> None:
        self.scheduler = FakeScheduler()
        self.board = FakeBoard(self.scheduler)
        self.link = FakeLink(self.board, boot_s=boot_s)
        self.loop = self.link.loop = Loop(self.scheduler)
        self.driver = SerialDriver(self.link, self.loop)
        self.heard: list[DriverEvent] = []
        if opened:
            self.open()

    def open(self) -> None:
        self.driver.open(self.heard.append)
        self.run(0.05)

    def run(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)

    def live(self, seconds: float) -> None:
        """Let time pass as the service does: levels are read again once a second."""
        end = self.scheduler.time() + seconds
        while self.scheduler.time() < end:
            self.driver.reread()
            self.run(min(1.0, end - self.scheduler.time()))

    def of(self, *kinds: type) -> list[DriverEvent]:
        return [event for event in self.heard if isinstance(event, kinds)]

    def clear(self) -> None:
        self.heard.clear()
