"""Joins a wizard to a driver: what the driver tells goes in, what comes out is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from dispenser.drivers.base import Alarm, Driver, Scheduler
from dispenser.launcher import messages as m
from dispenser.maintenance.wizard import TimeIsUp


class Machine(Protocol):
    """A wizard, or the launcher by hand."""

    @property
    def deadline(self) -> float | None: ...
    def begin(self, now_s: float) -> list[m.Command]: ...
    def step(self, event: Any, now_s: float) -> list[m.Command]: ...


class Bench:
    """One machine on one open driver; ``changed`` is called whenever there may be something new to show."""

    def __init__(
        self, machine: Machine, driver: Driver, scheduler: Scheduler, changed: Callable[[], object] = lambda: None
    ) -> None:
        self._machine, self._driver, self._scheduler, self._changed = machine, driver, scheduler, changed
        self._closed = False
        self._alarm = Alarm(scheduler, lambda: self.hear(TimeIsUp()))

    def begin(self) -> None:
        self._carry_out(self._machine.begin(self._scheduler.time()))

    def hear(self, event: Any) -> None:
        """What the driver tells (its sink, and that of its edges), or a person."""
        if not self._closed:
            self._carry_out(self._machine.step(event, self._scheduler.time()))

    def _carry_out(self, commands: Iterable[m.Command]) -> None:
        for command in commands:
            if isinstance(command, m.Stop):
                self._driver.stop()
            else:
                self._driver.give(command)
        self._alarm.off()
        if (deadline := self._machine.deadline) is not None:
            self._alarm.set(max(0.0, deadline - self._scheduler.time()))
        self._changed()

    def close(self) -> None:
        """Motor off; nothing more is done, whatever is heard. The driver stays open."""
        self._closed = True
        self._alarm.off()
        self._driver.stop()
