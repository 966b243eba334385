"""The process that holds the pins, and they are mock pins with the lid shut: ``pins_process.py CONNECTION``."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPWMPin

from dispenser.drivers.base import Scheduler
from dispenser.drivers.gpio.__main__ import main
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.ipc import Setup


class LidShutPin(MockPWMPin):
    """Its pull shuts the lid instead of opening it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name == "GPIO27":
            self.drive_low()


def make_driver(setup: Setup, loop: Scheduler) -> GpioDriver:
    return GpioDriver(setup.wiring, MockFactory(pin_class=LidShutPin), loop, timing=setup.timing)


main(make_driver)
