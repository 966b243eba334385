"""The process that holds the pins, and they are mock pins with the lid shut: ``pins_process.py CONNECTION``."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPWMPin

from dispenser.drivers.gpio import __main__ as pins_process


class LidShutPin(MockPWMPin):
    """Its pull shuts the lid instead of opening it."""

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.info.name == "GPIO27":
            self.drive_low()


pins_process.open_pin_factory = lambda: MockFactory(pin_class=LidShutPin)
pins_process.main()
