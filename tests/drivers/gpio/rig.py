"""The GPIO driver on bare mock pins, for its own tests."""

from __future__ import annotations

import threading
from collections.abc import Callable

from dispenser.clocks import Clock
from dispenser.drivers.base import DriverEvent, Edge
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.messages import Feed, Retract
from tests.conftest import FakeScheduler
from tests.drivers.gpio.mock_pins import TroubleFactory

WIRINGS = {
    "bridge": GpioWiring(),
    "bridge without enable": GpioWiring(motor_enable=None),
    "MOSFET": GpioWiring(motor_backward=None, motor_enable=None),
    "no PWM": GpioWiring(motor_pwm=False),
}
FEED = Feed(cards=2, timeout_s=1.0, stall_s=0.5)
RETRACT = Retract(duration_s=0.15)
OURS = FakeScheduler()
"""Stands for the rig's own clock."""


class Rig:
    """The driver on bare mock pins: levels are what the test says, and nothing moves by itself.

    :param clock: of the driver's reflex; ``None``: its own thread.
    """

    def __init__(self, wiring: GpioWiring | None = None, *, opened: bool = True, clock: Clock | None = OURS) -> None:
        self.wiring = wiring or GpioWiring()
        self.clock = FakeScheduler()
        self.factory = TroubleFactory()
        self.factory.clock = self.clock
        self.events: list[DriverEvent] = []
        self.threads: set[str] = set()
        self.edges: list[Edge] = []
        self.lid(up=False)
        self.exit(blocked=False)
        self.button(down=False)
        clock = self.clock if clock is OURS else clock
        self.driver = GpioDriver(self.wiring, self.factory, self.clock, clock=clock)
        if opened:
            self.driver.open(self.on_event, self.edges.append)

    def on_event(self, event: DriverEvent) -> None:
        self.events.append(event)
        self.threads.add(threading.current_thread().name)

    def of(self, *kinds: type) -> list[DriverEvent]:
        return [event for event in self.events if isinstance(event, kinds)]

    # --- wires ---

    def lid(self, *, up: bool) -> None:
        self.factory.pin(self.wiring.lid).drive(up)

    def exit(self, *, blocked: bool) -> None:
        if self.wiring.exit is not None:
            self.factory.pin(self.wiring.exit).drive(blocked)

    def button(self, *, down: bool) -> None:
        self.factory.pin(self.wiring.button).drive(not down)

    def card(self) -> None:
        for blocked in (True, False):
            self.exit(blocked=blocked)
            self.clock.run_for(0.04)

    def drives(self) -> float:
        """What flows through the motor: forward positive; a shorted (braked) motor is 0."""
        levels = [
            1.0 if gpio is None else self.factory.pin(gpio).output or 0.0
            for gpio in (self.wiring.motor_forward, self.wiring.motor_enable)
        ]
        backward = self.wiring.motor_backward
        against = 0.0 if backward is None else self.factory.pin(backward).output or 0.0
        return (levels[0] - against) * levels[1]

    def fail(self, *names: str) -> None:
        lines = self.wiring.lines()
        self.factory.failing = {lines[name] for name in names}

    def close(self) -> None:
        self.factory.failing = set()
        self.factory.meanwhile = None
        self.driver.close()
        assert self.drives() == 0
        self.factory.close()


def in_another_thread(act: Callable[[], None]) -> None:
    """As lgpio's thread does it; returns when it is done."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001 - reported below: an exception there would end lgpio's thread
            failures.append(error)

    thread = threading.Thread(target=run, name="pins")
    thread.start()
    thread.join()
    assert failures == [], "a callback must never raise"
