"""The serial port under the serial driver: bytes in, bytes out."""

from __future__ import annotations

import errno
import fcntl
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import serial

from dispenser.drivers.base import DriverError
from dispenser.drivers.wire import tables as wire
from dispenser.language import Text, verbatim

if TYPE_CHECKING:
    import asyncio

BY_ID = Path("/dev/serial/by-id")
"""Names that stay the same when a cable is pulled and plugged in again, and wherever it is plugged in."""
WRITE_TIMEOUT_S = 0.2
"""A frame fits the kernel's buffer many times; a device that takes nothing for so long is gone."""
CLOSE_PATIENCE_S = 0.2
"""A port is closed at once, unless its adapter hangs: then the kernel waits half a minute for what was written."""
_NAME_IT = Text('--serial-port /dev/…, or port = "/dev/…" under [driver] in the settings')


class LinkError(DriverError, OSError):
    """The line to the microcontroller cannot be used. Says what to do."""


def ports() -> list[str]:
    """Serial devices that are plugged in."""
    try:
        return sorted(str(path) for path in BY_ID.iterdir())
    except OSError:
        return []


def find_port(port: str) -> str:
    """The device file to open: the one given, else the only one in ``/dev/serial/by-id``.

    :raises LinkError: none, or several.
    """
    if port:
        return port
    found = ports()
    if not found:
        raise LinkError(
            Text(
                "no serial device is plugged in. Use a USB cable that carries data; a port that is not in "
                "{folder} must be named: {remedy}"
            ).filled(folder=BY_ID, remedy=_NAME_IT)
        )
    if len(found) > 1:
        raise LinkError(
            Text("several serial devices are plugged in ({ports}): name the launcher's, {remedy}").filled(
                ports=", ".join(found), remedy=_NAME_IT
            )
        )
    return found[0]


class SerialLink:
    """A serial port: a line of bytes to the microcontroller. Opening it resets most Arduino boards (DTR).

    :param port: device file, best one in ``/dev/serial/by-id``; empty takes the only one there.
    :param baud: bits per second, as the firmware was built.
    """

    def __init__(self, port: str = "", baud: int = wire.BAUD) -> None:
        self._wanted = port
        self.baud = baud
        self._serial: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closer: threading.Thread | None = None

    def open(self) -> None:
        """Take the line for us alone.

        :raises LinkError: with what to do.
        """
        path = find_port(self._wanted)
        if self._closer is not None and self._closer.is_alive():  # to open it would be to wait for that
            raise LinkError(
                Text("the serial adapter at {path} hangs: pull its plug, and plug it in again").filled(path=path)
            )
        try:
            self._serial = serial.Serial(path, self.baud, timeout=0.0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
            # whatever opens it now, modem managers too, is told no
            fcntl.ioctl(self._serial.fileno(), termios.TIOCEXCL)
        except (OSError, ValueError, termios.error) as error:
            self.close()
            text = Text("cannot open the serial port {path}: {why}")
            raise LinkError(text.filled(path=path, why=_why(error))) from error
        self._wanted = path  # after a loss that one again, and not what else is plugged in then

    def read(self, timeout_s: float) -> bytes:
        """What has come; waits for the first byte, at most so long. Only before ``listen``.

        :raises LinkError: the line is gone.
        """
        self._wait_at_most(timeout_s)
        return _read_some(self._serial)

    def listen(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        """From now on, on the running asyncio loop, ``received`` gets what comes; ``lost`` is called once, at the end.

        :raises LinkError: the line is gone already.
        """
        import asyncio

        self._wait_at_most(0.0)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._serial.fileno(), self._readable, received, lost)

    def _readable(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        try:
            data = _read_some(self._serial)
        except LinkError as error:
            self._stop_listening()
            lost(error)
        else:
            received(data)

    def _stop_listening(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None:
            loop.remove_reader(self._serial.fileno())

    def _wait_at_most(self, timeout_s: float) -> None:
        with _loss_told():
            self._serial.timeout = timeout_s

    def write(self, data: bytes) -> None:
        """Send; does not wait until it is sent.

        :raises LinkError: the line is gone.
        """
        if self._serial is None:
            raise LinkError(Text("the serial port is closed"))
        with _loss_told():
            self._serial.write(data)

    def close(self) -> None:
        """Give the line back; no callback is called any more. May be called twice.

        What was written is still sent: the kernel sees to that.
        """
        if self._serial is None:
            return
        self._stop_listening()
        port, self._serial = self._serial, None
        with suppress(OSError, termios.error):
            fcntl.ioctl(port.fileno(), termios.TIOCNXCL)
        self._closer = threading.Thread(target=_close, args=(port,), name="serial closer", daemon=True)
        self._closer.start()
        self._closer.join(CLOSE_PATIENCE_S)


def _close(port: Any) -> None:
    with suppress(OSError, termios.error):
        port.close()


def _read_some(port: Any) -> bytes:
    """At least one byte, unless the timeout is over; and all that have come meanwhile."""
    with _loss_told():
        first: bytes = port.read(1)
        return first + port.read(port.in_waiting) if first else b""


@contextmanager
def _loss_told() -> Iterator[None]:
    """What the serial port raises in here becomes a ``LinkError``."""
    try:
        yield
    except serial.SerialTimeoutException as error:
        raise LinkError(Text("the serial adapter takes nothing any more")) from error
    except (OSError, termios.error) as error:
        raise LinkError(Text("the microcontroller's plug was pulled, or its adapter failed")) from error


_NOT_ALLOWED = Text("this user may not open it; 'sudo adduser $USER dialout', then log in anew")
_IN_USE = Text("another program uses it (a running launcher, a serial monitor?); end that one")
_NO_PORT = Text("it is not a serial port; 'ls /dev/serial/by-id' shows some")
_WHY = {
    errno.ENOENT: Text("it is not there; is the microcontroller plugged in? 'ls /dev/serial/by-id' shows what is"),
    errno.EPERM: _NOT_ALLOWED,
    errno.EACCES: _NOT_ALLOWED,
    errno.EAGAIN: _IN_USE,
    errno.EBUSY: _IN_USE,
    errno.ENOTTY: _NO_PORT,
    errno.EISDIR: _NO_PORT,
}


def _why(error: Exception) -> Text:
    """Why a port cannot be opened; pyserial tells the system's number, or leaves it in the error before."""
    numbers = (getattr(error, "errno", None), *getattr(error.__context__, "args", ()))
    return next((_WHY[number] for number in numbers if number in _WHY), verbatim(error))
