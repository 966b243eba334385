"""Mock pins with a stopwatch."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPWMPin

from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.launcher.settings import MachineSettings

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
