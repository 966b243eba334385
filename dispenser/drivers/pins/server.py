"""The process that holds the pins: a ``GpioDriver`` at the service's command, with an interpreter of its own.

A thread cannot keep the time while something else holds the interpreter's lock: with C calls of 100 ms in the service,
a brake comes up to 100 ms late, which is two cards. Here nothing else runs. When the service ends, in whatever way,
the connection does, and the motor is off.
"""

from __future__ import annotations

import logging
import math
import os
import select
import socket
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from dispenser.clocks import Agenda, Timer
from dispenser.drivers.base import Driver, DriverError, DriverEvent, Edge, execute
from dispenser.drivers.pins.post import Look, Opened, Reread, Seen, Setup, pack, receive, trouble, unpack
from dispenser.launcher.messages import DriverFailed, DriverRecovered

_log = logging.getLogger(__name__)


class Loop:
    """The loop of a ``GpioDriver`` in a process that has nothing else to do: packets, timers, calls of other threads.

    asyncio would do, and take 3 MB and a tenth of a second on a small Pi for it.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._agenda = Agenda()
        self._calls: deque[Callable[[], None]] = deque()
        self._bell = os.eventfd(0)

    def time(self) -> float:
        return time.monotonic()

    def call_at(self, when: float, callback: Callable[[], None], /) -> Timer:
        return self._agenda.call_at(when, callback)

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> None:
        self._calls.append(callback)
        os.eventfd_write(self._bell, 1)

    def run(self, take: Callable[[bytes], None]) -> None:
        """Until the connection ends."""
        while True:
            inputs: list[Any] = [self._connection, self._bell]
            ready, _, _ = select.select(inputs, [], [], self._rest_s())
            if self._bell in ready:
                os.eventfd_read(self._bell)
                for _ in range(len(self._calls)):
                    self._calls.popleft()()
            if self._connection in ready:
                packet = receive(self._connection)
                if not packet:
                    return
                take(packet)
            self._call_due()

    def _rest_s(self) -> float | None:
        next_s = self._agenda.next_s()
        return None if next_s == math.inf else max(0.0, next_s - time.monotonic())

    def _call_due(self) -> None:
        while self._agenda.next_s() <= time.monotonic():
            if (callback := self._agenda.take()) is not None:
                callback()


class Host:
    """Does for a driver what the service asks for, and sends what the driver tells."""

    def __init__(self, driver: Driver, send: Callable[[bytes], object]) -> None:
        self._driver = driver
        self._send = send

    def open(self) -> None:
        try:
            self._driver.open(self._tell, self._tell)
        except Exception as error:  # noqa: BLE001 - pin libraries have errors of their own; the service tells this one
            self._tell(Opened(trouble(error)))
        else:
            self._tell(Opened())

    def take(self, packet: bytes) -> None:
        """One message of the service's. Whatever goes wrong with it: motor off, and say so."""
        try:
            self._do(unpack(packet))
        except Exception as error:  # noqa: BLE001 - whatever it is, the motor must be off and people must know
            self._driver.stop()
            _log.exception("a message of the service's could not be carried out")
            what = (
                f"Unexpected error in the driver ({type(error).__name__}: {error}). The motor is off. Please report it."
            )
            self._tell(DriverFailed(what, cause="mistake"))
            self._tell(DriverRecovered(cause="mistake"))

    def _do(self, message: object) -> None:
        match message:
            case Look():
                self._tell(self._seen())
            case Reread():
                self._driver.reread()
            case _:
                execute(self._driver, message)  # type: ignore[arg-type]

    def _seen(self) -> Seen:
        try:
            return Seen(self._driver.levels())
        except DriverError as error:
            return Seen(None, trouble(error))

    def _tell(self, message: DriverEvent | Edge | Opened | Seen) -> None:
        self._send(pack(message))

    def close(self) -> None:
        self._driver.close()


def serve(connection: socket.socket, make_driver: Callable[[Setup, Loop], Driver]) -> None:
    """Hold the pins until the connection ends.

    :param make_driver: raises ``DriverError`` when there are no pins.
    """
    first = receive(connection)
    if not first:
        return
    loop = Loop(connection)
    try:
        host = Host(make_driver(unpack(first), loop), lambda packet: _send(connection, packet))
    except Exception as error:  # noqa: BLE001 - as in ``Host.open``
        _send(connection, pack(Opened(trouble(error))))
        return
    try:
        host.open()
        loop.run(host.take)
    finally:
        host.close()


def _send(connection: socket.socket, packet: bytes) -> None:
    try:
        connection.send(packet)
    except OSError:  # the service has gone: that ends ``serve``, too
        _log.warning("the service has gone")
