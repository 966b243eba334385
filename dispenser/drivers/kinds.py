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
    "phone": "dispenser.drivers.phone.kind",  # no launcher: phones stand in
}
"""By the word in the settings: the module that is its ``Kind``; imported when it is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DriverSettings:
    """How commands reach the launcher.

    :param kind: one of ``KINDS``.
    :param port: for ``serial``: the device file, best one in ``/dev/serial/by-id``; empty takes the only one there.
    :param baud: for ``serial``: bits per second; the firmware's own (115200; built for 8 MHz: 38400).
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
    """What a driver is made from: these tables of the settings."""

    @property
    def driver(self) -> DriverSettings: ...
    @property
    def pins(self) -> GpioWiring: ...
    @property
    def timing(self) -> GpioTiming: ...


class Kind(Protocol):
    """One kind of driver; a module is one."""

    def make(self, parts: Parts, scheduler: Scheduler) -> Driver:
        """The driver, whose capabilities can be asked.

        :raises PinsUnavailableError: it is not there; says what to do.
        """

    def examine(self, parts: Parts, *, runs: bool) -> Iterator[Finding]:
        """What the doctor finds; moves nothing.

        :param runs: a launcher runs, and has what the driver would need.
        """


def kind_of(settings: DriverSettings) -> Kind:
    return cast("Kind", importlib.import_module(KINDS[settings.kind]))
