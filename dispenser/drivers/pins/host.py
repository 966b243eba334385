"""The process that holds the pins: a ``GpioDriver`` at the service's command, with an interpreter of its own.

A thread cannot keep the time while something else holds the interpreter's lock: with C calls of 100 ms in the service,
a brake comes up to 100 ms late, which is two cards. Here nothing else runs. When the service ends, in whatever way,
the connection does, and the motor is off.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable

from dispenser.clocks import TimerHandle
from dispenser.clocks.thread import ThreadClock
from dispenser.drivers.base import Driver, DriverError, DriverEvent, Edge, execute
from dispenser.drivers.pins.post import LONGEST, Alive, Look, Opened, Reread, Seen, Setup, pack, unpack
from dispenser.launcher.messages import DriverFailed

_log = logging.getLogger(__name__)


class Loop:
    """The loop of a ``GpioDriver``: everything that belongs to the loop's thread runs on one clock's."""

    def __init__(self, clock: ThreadClock) -> None:
        self._clock = clock

    def time(self) -> float:
        return self._clock.time()

    def call_at(self, when: float, callback: Callable[[], None], /) -> TimerHandle:
        return self._clock.call_at(when, callback)

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> object:
        return self._clock.call_at(0.0, callback)


class Host:
    """Does for a driver what the service asks for, and sends what the driver tells."""

    def __init__(self, driver: Driver, send: Callable[[bytes], object]) -> None:
        self._driver = driver
        self._send = send

    def open(self) -> None:
        try:
            self._driver.open(self._tell, self._tell)
        except DriverError as error:
            self._tell(Opened(str(error)))
        else:
            self._tell(Opened())

    def take(self, packet: bytes) -> None:
        """One message of the service's. Whatever goes wrong with it: motor off, and say so."""
        try:
            self._do(unpack(packet))
        except Exception as error:  # noqa: BLE001 - whatever it is, the motor must be off and people must know
            _log.exception("a message of the service's could not be carried out")
            self._driver.stop()
            self._tell(
                DriverFailed(f"Unexpected error in the driver ({type(error).__name__}: {error}). Please report it.")
            )

    def _do(self, message: object) -> None:
        match message:
            case Look():
                self._tell(self._seen())
            case Reread():
                self._driver.reread()
                self._tell(Alive())
            case _:
                execute(self._driver, message)  # type: ignore[arg-type]

    def _seen(self) -> Seen:
        try:
            return Seen(self._driver.levels())
        except DriverError as error:
            return Seen(None, str(error))

    def _tell(self, message: DriverEvent | Edge | Opened | Seen | Alive) -> None:
        self._send(pack(message))

    def close(self) -> None:
        self._driver.close()


def serve(connection: socket.socket, make_driver: Callable[[Setup, Loop], Driver]) -> None:
    """Hold the pins until the connection ends.

    :param make_driver: raises ``DriverError`` when there are no pins.
    """
    first = connection.recv(LONGEST)
    if not first:
        return
    clock = ThreadClock("loop")
    try:
        host = Host(make_driver(unpack(first), Loop(clock)), lambda packet: _send(connection, packet))
    except DriverError as error:
        _send(connection, pack(Opened(str(error))))
        return
    clock.call_at(0.0, host.open)
    while packet := connection.recv(LONGEST):
        clock.call_at(0.0, lambda packet=packet: host.take(packet))  # type: ignore[misc]
    clock.close()
    host.close()


def _send(connection: socket.socket, packet: bytes) -> None:
    try:
        connection.send(packet)
    except OSError:  # the service has gone: that ends ``serve``, too
        _log.warning("the service has gone")
