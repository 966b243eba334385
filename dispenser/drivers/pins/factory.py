"""Opens gpiozero's pin factory by name: always the one that was asked for, never another in silence."""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gpiozero import GPIOZeroError

from dispenser.drivers.base import PinsUnavailableError
from dispenser.language import Text

_FACTORIES = {
    "lgpio": ("gpiozero.pins.lgpio", "LGPIOFactory", "python3-lgpio"),
    "rpigpio": ("gpiozero.pins.rpigpio", "RPiGPIOFactory", "python3-rpi.gpio"),
    "pigpio": ("gpiozero.pins.pigpio", "PiGPIOFactory", "python3-pigpio"),
}
_NO_HARDWARE = Text("on a computer without GPIO pins, 'dispenser demo' gives a simulated launcher")


def pin_errors() -> tuple[type[Exception], ...]:
    """What gpiozero and the pin library in use raise when a pin cannot be used; lgpio's errors have no family."""
    libraries = [sys.modules[name] for name in ("lgpio", "pigpio") if name in sys.modules]
    return (GPIOZeroError, OSError, *(library.error for library in libraries))


def open_pin_factory(name: str) -> Any:
    """The pin factory ``lgpio``, ``rpigpio`` or ``pigpio``.

    :raises PinsUnavailableError: it cannot be used here; says what to do.
    """
    module_name, class_name, package = _FACTORIES[name]
    try:
        with _lgpio_at_home():
            return getattr(importlib.import_module(module_name), class_name)()
    except ImportError as error:
        raise PinsUnavailableError(
            Text(
                "no GPIO here: the Python module for '{name}' is missing ({error}). On a Raspberry Pi: 'sudo "
                "apt install {package}' and a virtual environment with --system-site-packages; {advice}"
            ).filled(name=name, error=error, package=package, advice=_NO_HARDWARE)
        ) from error
    except Exception as error:  # lgpio raises its own bare errors
        of_library = type(error).__module__.split(".")[0] in {"lgpio", "RPi", "pigpio"}
        if not of_library and not isinstance(error, GPIOZeroError | OSError):
            raise
        raise PinsUnavailableError(
            Text("no GPIO here: '{name}' cannot open the chip ({kind}: {error}). {advice}").filled(
                name=name, kind=type(error).__name__, error=error, advice=_advice()
            )
        ) from error


def _advice() -> Text:
    """What to do when the chip cannot be opened."""
    shut = [str(chip) for chip in sorted(Path("/dev").glob("gpiochip*")) if not os.access(chip, os.R_OK | os.W_OK)]
    if shut:
        return Text("This user may not use {chip}: 'sudo adduser $USER gpio', then log out and in").filled(chip=shut[0])
    return Text("On a Raspberry Pi, check that this user is in the group gpio; {advice}").filled(advice=_NO_HARDWARE)


@contextmanager
def _lgpio_at_home() -> Iterator[None]:
    """Give lgpio a folder of its own for its FIFO, then take folder and working directory back.

    When it is imported, lgpio changes into ``LG_WD``, makes a FIFO there by which edges arrive, and opens both of its
    ends: two programs in one folder would take each other's. Nobody needs its name after that.
    """
    if "LG_WD" in os.environ or "lgpio" in sys.modules:
        with _back_here():
            yield
        return
    parent = os.environ.get("RUNTIME_DIRECTORY", "").partition(":")[0] or None
    with tempfile.TemporaryDirectory(prefix="dispenser-lgpio-", dir=parent) as folder:
        os.environ["LG_WD"] = folder
        try:
            with _back_here():
                yield
        finally:
            del os.environ["LG_WD"]


@contextmanager
def _back_here() -> Iterator[None]:
    before = Path.cwd()
    try:
        yield
    finally:
        os.chdir(before)
