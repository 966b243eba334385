"""Find and open the serial port; read and write bytes."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import termios
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import serial

from dispenser.drivers.base import DriverError
from dispenser.drivers.serial import tables as wire
from dispenser.i18n import Text, verbatim

if TYPE_CHECKING:
    import asyncio

BY_ID = Path("/dev/serial/by-id")
"""Device names that do not depend on the USB port or the order of plugging in."""
WRITE_TIMEOUT_S = 0.2  # A frame is far smaller than the kernel's buffer; a device that blocks this long is gone
_NAME_IT = Text('--serial-port /dev/…, or port = "/dev/…" under [driver] in the settings')


class SerialPortError(DriverError, OSError):
    """The line to the microcontroller cannot be used. The text says what to do."""


def ports() -> list[str]:
    """Return the serial devices that are plugged in, by their stable names."""
    return sorted(map(str, BY_ID.glob("*")))


def find_port(port: str) -> str:
    """Return the device file to open: the one given, else the only one in ``/dev/serial/by-id``.

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


class SerialPort:
    """A serial port to the microcontroller. Opening it resets most Arduino boards (DTR).

    :param port: device file, preferably in ``/dev/serial/by-id``; empty: the only one there.
    :param baud: bits per second, as the firmware was built.
    """

    def __init__(self, port: str = "", baud: int = wire.BAUD) -> None:
        self._path = port
        self.baud = baud
        self._port: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def open(self) -> None:
        """Open the line exclusively; after a loss the one of the same name.

        :raises SerialPortError: the text says what to do.
        """
        path = find_port(self._path)
        try:
            port = serial.Serial(path, self.baud, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
            fcntl.ioctl(port.fileno(), termios.TIOCEXCL)  # refuses later opens, such as by modem managers
        except (OSError, ValueError, termios.error) as error:
            text = Text("cannot open the serial port {path}: {why}")
            raise SerialPortError(text.filled(path=path, why=_why(error))) from error
        self._path = path  # reopen this one after a loss, not another device
        self._port = port

    def read(self, timeout_s: float) -> bytes:
        """Return received bytes; wait for them, at most ``timeout_s``.

        :raises SerialPortError: the line is gone.
        """
        try:
            if not select.select([self._port], [], [], timeout_s)[0]:
                return b""
            data = os.read(self._port.fileno(), 4096)
        except OSError as error:
            raise _gone() from error
        if not data:
            raise _gone()
        return data

    def listen(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        """Call ``received`` with bytes from now on, on the running loop; call ``lost`` once, at the end."""
        import asyncio

        def readable() -> None:
            try:
                data = self.read(0)
            except SerialPortError as error:
                self.close()
                lost(error)
            else:
                received(data)

        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._port, readable)

    def write(self, data: bytes) -> None:
        """Send without waiting for the transmission. May be called from any thread.

        :raises SerialPortError: the line is gone.
        """
        if (port := self._port) is None:
            raise SerialPortError(Text("the serial port is closed"))
        try:
            port.write(data)
        except serial.SerialTimeoutException as error:
            raise SerialPortError(Text("the serial adapter takes nothing any more")) from error
        except OSError as error:
            raise _gone() from error

    def close(self) -> None:
        """Close the port; no callback is called any more. Idempotent.

        The kernel still sends what was written.
        """
        loop, self._loop = self._loop, None
        port, self._port = self._port, None
        if loop is not None:
            loop.remove_reader(port)
        if port is not None:
            port.close()


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
    """Return why a port cannot be opened; pyserial keeps the errno, or leaves it in the error's context."""
    numbers = (getattr(error, "errno", None), *getattr(error.__context__, "args", ()))
    if errno.ENOENT in numbers:
        return _not_there()
    return next((_WHY[number] for number in numbers if number in _WHY), verbatim(error))


def _not_there() -> Text:
    if found := ports():
        text = Text("it is not there; plugged in are {ports}: if one of them is the launcher's, name that, {remedy}")
        return text.filled(ports=", ".join(found), remedy=_NAME_IT)
    return Text("it is not there; is the microcontroller plugged in? No other serial port is")
