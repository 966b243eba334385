"""The serial port under the serial driver: which one it is, and bytes in and out of it."""

from __future__ import annotations

import errno
import fcntl
import termios
from collections.abc import Callable
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import serial
from serial.threaded import Protocol, ReaderThread

from dispenser.drivers.base import DriverError
from dispenser.drivers.serial import tables as wire
from dispenser.i18n import Text, verbatim

if TYPE_CHECKING:
    import asyncio

BY_ID = Path("/dev/serial/by-id")
"""Names that stay the same when a cable is pulled and plugged in again, and wherever it is plugged in."""
WRITE_TIMEOUT_S = 0.2  # A frame fits the kernel's buffer many times; a device that takes nothing for so long is gone
_NAME_IT = Text('--serial-port /dev/…, or port = "/dev/…" under [driver] in the settings')


class SerialPortError(DriverError, OSError):
    """The line to the microcontroller cannot be used. Says what to do."""


def ports() -> list[str]:
    """Serial devices that are plugged in, each by a name that stays."""
    return sorted(map(str, BY_ID.glob("*")))


def find_port(port: str) -> str:
    """The device file to open: the one given, else the only one in ``/dev/serial/by-id``.

    :raises SerialPortError: none, or several.
    """
    if port:
        return port
    found = ports()
    if not found:
        text = Text(
            "no serial device is plugged in. Use a USB cable that carries data; a port that is not in "
            "{folder} must be named: {remedy}"
        )
        raise SerialPortError(text.filled(folder=BY_ID, remedy=_NAME_IT))
    if len(found) > 1:
        text = Text("several serial devices are plugged in ({ports}): name the launcher's, {remedy}")
        raise SerialPortError(text.filled(ports=", ".join(found), remedy=_NAME_IT))
    return found[0]


class _Serial(serial.Serial):  # type: ignore[misc]
    @property
    def in_waiting(self) -> int:
        """The reader thread expects a ``SerialException`` when the plug is pulled; anything else would end it mute."""
        try:
            return int(super().in_waiting)
        except OSError as error:
            raise serial.SerialException(str(error)) from error


class SerialPort(Protocol):  # type: ignore[misc]
    """A serial port: a line of bytes to the microcontroller. Opening it resets most Arduino boards (DTR).

    A ``ReaderThread`` of pyserial puts what comes into a queue; whoever reads, or the loop, takes it from there.

    :param port: device file, best one in ``/dev/serial/by-id``; empty takes the only one there.
    :param baud: bits per second, as the firmware was built.
    """

    def __init__(self, port: str = "", baud: int = wire.BAUD) -> None:
        self._path = port
        self.baud = baud
        self._reader: Any = None
        self._inbox: SimpleQueue[bytes | SerialPortError] = SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Take the line for us alone; after a loss that of the same name.

        :raises SerialPortError: with what to do.
        """
        path = find_port(self._path)
        try:
            port = _Serial(path, self.baud, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
            fcntl.ioctl(port.fileno(), termios.TIOCEXCL)  # whatever opens it now, modem managers too, is told no
        except (OSError, ValueError, termios.error) as error:
            text = Text("cannot open the serial port {path}: {why}")
            raise SerialPortError(text.filled(path=path, why=_why(error))) from error
        self._path = path  # after a loss that one again, and not what else is plugged in then
        self._inbox = SimpleQueue()
        self._reader = ReaderThread(port, lambda: self)
        self._reader.start()

    # --- on the reader thread ---

    def data_received(self, data: bytes) -> None:
        self._put(data)

    def connection_lost(self, exc: Exception | None) -> None:
        if exc is not None:
            self._put(_gone())

    def _put(self, what: bytes | SerialPortError) -> None:
        self._inbox.put(what)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._deliver)

    # --- for whoever opened it ---

    def read(self, timeout_s: float) -> bytes:
        """What has come; waits for it, at most so long. Only before ``listen``.

        :raises SerialPortError: the line is gone.
        """
        try:
            what = self._inbox.get(timeout=timeout_s)
        except Empty:
            return b""
        if isinstance(what, SerialPortError):
            raise what
        return what

    def listen(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        """From now on ``received`` gets what comes, on the running loop; ``lost`` is called once, at the end."""
        import asyncio

        self._received, self._lost = received, lost
        self._loop = asyncio.get_running_loop()
        self._loop.call_soon(self._deliver)

    def _deliver(self) -> None:
        while self._loop is not None and not self._inbox.empty():
            what = self._inbox.get()
            if isinstance(what, SerialPortError):
                self._loop = None
                self._lost(what)
            else:
                self._received(what)

    def write(self, data: bytes) -> None:
        """Send; does not wait until it is sent. From any thread.

        :raises SerialPortError: the line is gone.
        """
        if (reader := self._reader) is None:
            raise SerialPortError(Text("the serial port is closed"))
        try:
            reader.write(data)
        except serial.SerialTimeoutException as error:
            raise SerialPortError(Text("the serial adapter takes nothing any more")) from error
        except OSError as error:
            raise _gone() from error

    def close(self) -> None:
        """Give the line back; no callback is called any more. May be called twice.

        What was written is still sent: the kernel sees to that.
        """
        self._loop = None
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()


def _gone() -> SerialPortError:
    return SerialPortError(Text("the microcontroller's plug was pulled, or its adapter failed"))


_NOT_ALLOWED = Text("this user may not open it; 'sudo adduser $USER dialout', then log in anew")
_IN_USE = Text("another program uses it (a running launcher, a serial monitor?); end that one")
_NO_PORT = Text("it is not a serial port; 'ls /dev/serial/by-id' shows some")
_WHY = {
    errno.EPERM: _NOT_ALLOWED,
    errno.EACCES: _NOT_ALLOWED,
    errno.EAGAIN: _IN_USE,
    errno.EBUSY: _IN_USE,
    errno.ENOTTY: _NO_PORT,
    errno.EISDIR: _NO_PORT,
}


def _why(error: Exception) -> Text:
    """Why a port cannot be opened; pyserial keeps the system's number, or leaves it in the error before."""
    numbers = (getattr(error, "errno", None), *getattr(error.__context__, "args", ()))
    if errno.ENOENT in numbers:
        return _not_there()
    return next((_WHY[number] for number in numbers if number in _WHY), verbatim(error))


def _not_there() -> Text:
    if found := ports():
        text = Text("it is not there; plugged in are {ports}: if one of them is the launcher's, name that, {remedy}")
        return text.filled(ports=", ".join(found), remedy=_NAME_IT)
    return Text("it is not there; is the microcontroller plugged in? No other serial port is")
