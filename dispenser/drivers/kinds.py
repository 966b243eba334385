"""All kinds of drivers and their settings. A new kind is a folder with a ``Kind``, and a line here."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, cast

from dispenser.config import SettingError, closest
from dispenser.drivers.base import Driver, Scheduler
from dispenser.drivers.findings import Finding
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.i18n import Text

KINDS = {
    "gpio": "dispenser.drivers.gpio.kind",  # this Raspberry Pi's pins
    "serial": "dispenser.drivers.serial.kind",  # a microcontroller on a serial port
    "phone": "dispenser.drivers.phone.kind",  # no launcher: phones replace it
}
"""Word in the settings to the module that is its ``Kind``; imported on first use."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverSettings:
    """Connection to the launcher.

    :param kind: one of ``KINDS``.
    :param port: for ``serial``: device file, preferably in ``/dev/serial/by-id``; empty: the only one there.
    :param baud: for ``serial``: bits per second, as built into the firmware (115200; for 8 MHz: 38400).
    """

    kind: str = "gpio"
    port: str = ""
    baud: int = 115200

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise SettingError("kind", self.kind, closest(self.kind, KINDS))
        if self.port and not self.port.startswith("/"):
            remedy = Text("write the whole path, such as /dev/serial/by-id/usb-…")
            if self.port.isdigit():
                remedy = Text("{remedy}; that of the page is port under [web]").filled(remedy=remedy)
            raise SettingError("port", self.port, remedy)
        if not 9600 <= self.baud <= 1_000_000:
            remedy = Text("use 9600 to 1000000; the firmware is built for 115200 (8 MHz: 38400)")
            raise SettingError("baud", self.baud, remedy)


class Parts(Protocol):
    """The tables of the settings that a driver needs."""

    @property
    def driver(self) -> DriverSettings: ...
    @property
    def pins(self) -> GpioWiring: ...
    @property
    def timing(self) -> GpioTiming: ...


class Kind(Protocol):
    """Interface of a module for one kind of driver."""

    def make(self, parts: Parts, scheduler: Scheduler) -> Driver:
        """Return the driver, with known capabilities.

        :raises PinsUnavailableError: it cannot be used; the text says what to do.
        """

    def examine(self, parts: Parts, *, runs: bool) -> Iterator[Finding]:
        """Yield the findings of ``dispenser doctor``; moves nothing.

        :param runs: a launcher is running and uses the driver's resources.
        """


def kind_of(settings: DriverSettings) -> Kind:
    return cast("Kind", importlib.import_module(KINDS[settings.kind]))
