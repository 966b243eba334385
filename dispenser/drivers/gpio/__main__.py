"""The process that owns the Raspberry Pi's pins: ``python -m dispenser.drivers.gpio CONNECTION``.

A thread is not punctual while other code holds the interpreter lock: with C calls of 100 ms in the service a brake is
up to 100 ms late, which is two cards. So this process runs only the driver, on commands from the service, and imports
no code of the service. If the service ends for any reason, the connection closes, and the motor is turned off.
"""

from __future__ import annotations

import asyncio
import faulthandler
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from dispenser.drivers.base import DriverError, Scheduler
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.factory import open_pin_factory
from dispenser.drivers.gpio.ipc import Alive, Opened, ReadLevels, Reread, Setup, Trouble, pack, receive, unpack
from dispenser.drivers.gpio.motor_note import note_motor_lines


def make_driver(setup: Setup, loop: Scheduler) -> GpioDriver:
    """Make a driver on the pins, and the note by which ``dispenser.motor_off`` can turn its motor off.

    :raises PinsUnavailableError: there are no pins here, or a launcher uses them.
    """
    factory = open_pin_factory()
    forget_motor = note_motor_lines(f"/dev/gpiochip{factory.chip}", setup.wiring.motor_lines())
    return GpioDriver(setup.wiring, factory, loop, timing=setup.timing, on_released=forget_motor)


class DriverServer:
    """Executes the service's messages on a driver, and sends the driver's reports.

    :param make_driver: raises ``DriverError`` if there are no pins.
    """

    def __init__(self, make_driver: Callable[[Setup], GpioDriver], send: Callable[[object], None]) -> None:
        self._make_driver = make_driver
        self._send = send
        self._driver: GpioDriver

    def handle(self, packet: bytes) -> None:
        """Handle one message, first ``Setup``. Any error but a ``DriverError`` ends this process, and a motor run."""
        try:
            match unpack(packet):
                case Setup() as setup:
                    self._driver = self._make_driver(setup)
                    self._driver.open(self._send, self._send)
                    self._send(Opened())
                case ReadLevels():
                    self._send(self._driver.levels())
                case Reread(answer):
                    self._driver.reread()
                    if answer:
                        self._driver.check_alive(lambda: self._send(Alive()))
                case command:
                    self._driver.give(command)
        except DriverError as error:
            self._send(Trouble.of(error.text))

    def close(self) -> None:
        if hasattr(self, "_driver"):
            self._driver.close()


async def serve(connection: socket.socket, make_driver: Callable[[Setup, Scheduler], GpioDriver]) -> None:
    """Own the pins until the connection closes, or until an error that a new process may not have."""
    loop, over = asyncio.get_running_loop(), asyncio.Event()

    def failed(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        loop.default_exception_handler(context)
        over.set()

    def readable() -> None:
        if packet := receive(connection):
            server.handle(packet)
        else:
            over.set()

    def send(message: object) -> None:
        with suppress(OSError):  # the service has ended, which ``readable`` detects as well
            connection.send(pack(message))

    server = DriverServer(lambda setup: make_driver(setup, loop), send)
    loop.set_exception_handler(failed)
    loop.add_reader(connection, readable)
    try:
        await over.wait()
    finally:
        server.close()


def main(make_driver: Callable[[Setup, Scheduler], GpioDriver] = make_driver) -> None:
    # A terminal sends these to this process, too; only the service reacts: it ends this process or stops the motor.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_IGN)
    faulthandler.enable()  # its traceback goes to the service's log
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1])), make_driver))


if __name__ == "__main__":
    main()
