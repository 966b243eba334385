"""The process that holds a Raspberry Pi's pins for the service: ``python -m dispenser.drivers.pins CONNECTION``.

Started by ``dispenser run``; nobody else needs it. It imports nothing of the service's, and ends when that does.
"""

from __future__ import annotations

import gc
import signal
import socket
import sys
from collections.abc import Callable

from dispenser.drivers.base import Driver
from dispenser.drivers.pins.driver import GpioDriver
from dispenser.drivers.pins.factory import open_pin_factory
from dispenser.drivers.pins.motor_note import chip_of, note_motor_lines
from dispenser.drivers.pins.post import Setup
from dispenser.drivers.pins.server import Loop, serve
from dispenser.launcher.chimes import MELODIES


def make_driver(setup: Setup, loop: Loop) -> Driver:
    """A driver on the pins, and the note by which the last resort turns its motor off.

    :raises PinsUnavailableError: there are none here, or a launcher has them.
    """
    factory = open_pin_factory(setup.factory)
    forget_motor = note_motor_lines(chip_of(factory), setup.wiring.motor_lines())
    return GpioDriver(setup.wiring, factory, loop, MELODIES, timing=setup.timing, on_released=forget_motor)


def main(make: Callable[[Setup, Loop], Driver] = make_driver) -> None:
    # A terminal sends these to us, too; they are for the service, which ends us, or turns the motor off and sleeps.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    gc.freeze()
    serve(socket.socket(fileno=int(sys.argv[1])), make)


if __name__ == "__main__":
    main()
