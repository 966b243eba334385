"""Mock pins with a stopwatch, and a launcher joined by plain calls: no loop, no journal."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPWMPin

from dispenser.drivers.base import DriverEvent
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.settings import MachineSettings
from tests.launcher.scripted import ScriptedOdds

WIRING = GpioWiring()
AT_ONCE = GpioTiming(button_settle_s=0, lid_settle_s=0, exit_settle_s=0, coast_s=0, brake_s=0)
NO_SUSPENSE = MachineSettings(suspense_min_s=0, suspense_max_s=0)


class WatchedPin(MockPWMPin):
    """A mock pin that tells ``watch`` of every new state, and forgets old ones."""

    watch: Callable[[float], None] | None = None

    def _change_state(self, value: float) -> bool:
        changed = super()._change_state(value)
        if changed and self.watch is not None:
            self.watch(value)
        return changed

    def clear_states(self) -> None:
        super().clear_states()
        self.states = deque(self.states, maxlen=8)


class Stopwatch:
    """Notes when a pin goes on (or off), and how often it did."""

    def __init__(self, pin: WatchedPin, *, on: bool) -> None:
        self.at_ns = 0
        self.seen = 0
        self._on = on
        pin.watch = self._changed

    def _changed(self, value: float) -> None:
        if bool(value) is self._on:
            self.at_ns = time.perf_counter_ns()
            self.seen += 1


def watched_factory() -> MockFactory:
    return MockFactory(pin_class=WatchedPin)


class _Timer:
    __slots__ = ("callback",)

    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class AtOnce:
    """A scheduler without a loop: ``run_calls`` calls what is wanted soon, ``run_timers`` the timers."""

    def __init__(self) -> None:
        self.time = time.monotonic
        self._timers: list[_Timer] = []
        self._calls: list[Callable[[], None]] = []

    def call_soon_threadsafe(self, callback: Callable[[], None]) -> None:
        self._calls.append(callback)

    def run_calls(self) -> None:
        """As a loop that has nothing else to do: what the pins' thread left, once that has let go."""
        while self._calls:
            calls, self._calls = self._calls, []
            for call in calls:
                call()

    def call_at(self, _when: float, callback: Callable[[], None]) -> _Timer:
        timer = _Timer(callback)
        self._timers.append(timer)
        return timer

    def run_timers(self) -> None:
        """Call every timer that is set now, whenever it is due."""
        self.run_calls()
        timers, self._timers = self._timers, []
        for timer in timers:
            if timer.callback is not None:
                timer.callback()
        self.run_calls()


class PlainLauncher:
    """Driver, machine, driver; one card a press, and no waiting anywhere."""

    def __init__(self) -> None:
        self.factory = watched_factory()
        self.scheduler = AtOnce()
        self.button = self.factory.pin(WIRING.button)
        self.lid = self.factory.pin(WIRING.lid)
        self.exit = self.factory.pin(WIRING.exit)
        self.motor_enable = self.factory.pin(WIRING.motor_enable)
        self.driver = GpioDriver(WIRING, self.factory, self.scheduler, timing=AT_ONCE, clock=self.scheduler)
        self.machine = LauncherMachine(NO_SUSPENSE, ScriptedOdds([], suspense=0.0))
        self.driver.open(self._on_event)
        self.lid.drive_low()  # shut
        self.scheduler.run_calls()
        self._on_event(m.SwitchOn(lid_open=False))

    def _on_event(self, event: DriverEvent | m.SwitchOn) -> None:
        for output in self.machine.step(event, self.scheduler.time()):
            if isinstance(output, m.Command):
                self.driver.give(output)

    def card_passes(self) -> None:
        """The one card of the burst leaves; the motor stops, and the launcher is ready again."""
        self.exit.drive_high()
        self.exit.drive_low()
        self.scheduler.run_timers()

    def check_ready(self) -> None:
        if self.machine.state is not m.State.READY:
            raise RuntimeError(f"the launcher should be ready, and is {self.machine.state.value}")

    def close(self) -> None:
        self.driver.close()


def close_all(*things: Any) -> None:
    for thing in things:
        thing.close()
