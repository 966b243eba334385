"""Turns the motor off from outside the launcher: ``python -m dispenser.motor_off [--config FILE]``.

On a Raspberry Pi an output keeps its level when the program that drove it dies, so a launcher that is killed in the
middle of a burst leaves its motor running. systemd runs this afterwards (``ExecStopPost=``). Every motor pin of the
settings is driven low, enable first, and then let go as an input: the wiring's pull-down resistor holds it from there.

Exit code: 0 done, 69 a pin cannot be had (no pins here, or a launcher that still runs holds them), 78 wrong settings.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dispenser.config import ConfigError, load
from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.pins.factory import open_pin_factory
from dispenser.drivers.pins.wiring import GpioWiring

UNAVAILABLE = 69
BAD_SETTINGS = 78


def motor_off(wiring: GpioWiring, pin_factory: Any) -> list[str]:
    """Drive every motor pin low, then let it go; a pin that fails does not keep the others from it.

    :returns: what went wrong, one line for each pin that could not be driven.
    """
    from gpiozero import DigitalOutputDevice

    failures, driven = [], []
    for name in ("motor_enable", "motor_forward", "motor_backward"):
        gpio = getattr(wiring, name)
        if gpio is not None:
            try:
                driven.append(DigitalOutputDevice(gpio, initial_value=False, pin_factory=pin_factory))
            except Exception as error:  # noqa: BLE001 - lgpio raises bare errors of its own, and the next pin must go low
                failures.append(f"{name} (GPIO{gpio}) cannot be driven low: {type(error).__name__}: {error}")
    for device in driven:
        device.close()
    return failures


def main(arguments: list[str] | None = None) -> int:
    """Turn the motor of the settings off; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m dispenser.motor_off", description="Turn the motor off.")
    parser.add_argument("-c", "--config", type=Path, help="settings file; else the one that the service reads")
    given = parser.parse_args(arguments)
    try:
        settings = load(given.config)
        if settings.driver.kind == "serial":
            return 0  # the microcontroller has done it by itself when nobody was heard any more
        factory = open_pin_factory(settings.driver.factory)
    except (ConfigError, PinsUnavailableError) as error:
        _complain(str(error))
        return BAD_SETTINGS if isinstance(error, ConfigError) else UNAVAILABLE
    try:
        failures = motor_off(settings.pins, factory)
    finally:
        factory.close()
    for failure in failures:
        _complain(f"{failure}; is a launcher still running? Then end it: that turns its motor off")
    return UNAVAILABLE if failures else 0


def _complain(text: str) -> None:
    sys.stderr.write(f"dispenser.motor_off: {text}\n")


if __name__ == "__main__":
    sys.exit(main())
