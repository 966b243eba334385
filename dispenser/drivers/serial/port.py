"""The serial port under the serial driver: bytes in, bytes out."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import termios
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import serial
from serial.tools import list_ports

from dispenser.drivers.base import DriverError
from dispenser.drivers.serial import tables as wire
from dispenser.i18n import Text, verbatim

if TYPE_CHECKING:
    import asyncio

BY_ID = Path("/dev/serial/by-id")
"""Names that stay the same when a cable is pulled and plugged in again, and wherever it is plugged in."""
BY_PATH = Path("/dev/serial/by-path")
"""Names that stay the same for as long as the cable stays in its socket."""
USB_DEVICES = Path("/sys/bus/usb/devices")
PROGRAMS = "/usr/bin:/bin:/usr/sbin:/sbin"
CH340 = ("1a86", "7523")
"""Vendor and product of the adapter on most Nano clones; brltty's udev rule takes it for a braille display."""
WRITE_TIMEOUT_S = 0.2
"""A frame fits the kernel's buffer many times; a device that takes nothing for so long is gone."""
CLOSE_PATIENCE_S = 0.2
"""A port is closed at once, unless its adapter hangs: then the kernel waits half a minute for what was written."""
_BRLTTY = Text(
    "a CH340 adapter is plugged in and has no serial port: brltty, which is for braille displays, seems to have taken "
    "it. If nobody needs brltty here: 'sudo apt remove brltty', then pull the plug and put it in again"
)
_NAME_IT = Text('--serial-port /dev/…, or port = "/dev/…" under [driver] in the settings')


class SerialPortError(DriverError, OSError):
    """The line to the microcontroller cannot be used. Says what to do."""


def ports() -> list[str]:
    """Serial devices that are plugged in, each by a name that stays."""
    return sorted(_names().values())


def name_by_socket(port: str) -> str:
    """The name in ``/dev/serial/by-path`` of a port whose name in ``by-id`` another board has, too; else empty."""
    name = _names().get(os.path.realpath(port), "") if Path(port).parent == BY_ID else ""
    return name if name != port else ""


def _names() -> dict[str, str]:
    """Device file to the name to use for it.

    Of boards of one make without serial numbers, udev gives only one the name in ``by-id``, and at the next start
    perhaps another one: they go by their sockets.
    """
    by_id, by_path = _links(BY_ID), _links(BY_PATH)
    makes = {port.device: (port.vid, port.pid, port.serial_number) for port in _usb_ports()}
    alike = {makes[device] for device in by_path.keys() - by_id.keys() if device in makes}
    by_socket = {device: name for device, name in by_path.items() if device not in by_id or makes.get(device) in alike}
    return by_id | by_socket


def _links(folder: Path) -> dict[str, str]:
    """Device file to its name in the folder, the first one if there are several."""
    try:
        return {os.path.realpath(name): str(name) for name in sorted(folder.iterdir(), reverse=True)}
    except OSError:
        return {}


def _usb_ports() -> list[Any]:
    """What pyserial knows of the serial ports on USB."""
    with suppress(OSError, TypeError, ValueError):  # one was pulled while it was looked at
        return [port for port in list_ports.comports() if port.vid is not None]
    return []


def _find_again(known: Any, path: str) -> str:
    """The device file that a board has now: the path, unless the kernel has given the board another one.

    :param known: what pyserial knew of its port. It is known by its serial number, or else by its socket.
    """
    make = (known.vid, known.pid, known.serial_number)
    found = [port for port in _usb_ports() if (port.vid, port.pid, port.serial_number) == make]
    if not known.serial_number or len(found) > 1:
        found = [port for port in found if port.location == known.location]
    there = [port.device for port in found]
    return path if os.path.realpath(path) in there or len(there) != 1 else there[0]


def brltty_has_it() -> Text | None:
    """What to do where brltty has taken a CH340 adapter; ``None`` where it has not."""
    if shutil.which("brltty", path=PROGRAMS) is None:
        return None
    for device in USB_DEVICES.glob("*"):
        if _identity(device) == CH340 and not any(device.glob("*:*/ttyUSB*")):
            return _BRLTTY
    return None


def _identity(device: Path) -> tuple[str, ...]:
    with suppress(OSError):
        return tuple((device / name).read_text(encoding="ascii").strip() for name in ("idVendor", "idProduct"))
    return ()


def find_port(port: str) -> str:
    """The device file to open: the one given, else the only one in ``/dev/serial/by-id``.

    :raises SerialPortError: none, or several.
    """
    if port:
        return port
    found = ports()
    if not found:
        raise SerialPortError(
            brltty_has_it()
            or Text(
                "no serial device is plugged in. Use a USB cable that carries data; a port that is not in "
                "{folder} must be named: {remedy}"
            ).filled(folder=BY_ID, remedy=_NAME_IT)
        )
    if len(found) > 1:
        raise SerialPortError(
            Text("several serial devices are plugged in ({ports}): name the launcher's, {remedy}").filled(
                ports=", ".join(found), remedy=_NAME_IT
            )
        )
    return found[0]


class SerialPort:
    """A serial port: a line of bytes to the microcontroller. Opening it resets most Arduino boards (DTR).

    :param port: device file, best one in ``/dev/serial/by-id``; empty takes the only one there.
    :param baud: bits per second, as the firmware was built.
    """

    def __init__(self, port: str = "", baud: int = wire.BAUD) -> None:
        self._wanted = port
        self._known: Any = None  # what pyserial says of the port that was open last
        self.baud = baud
        self._serial: Any = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closer: threading.Thread | None = None

    def open(self) -> None:
        """Take the line for us alone; after a loss that of the same board, also where it has another device file now.

        :raises SerialPortError: with what to do.
        """
        path = find_port(self._wanted)
        if self._closer is not None and self._closer.is_alive():  # to open it would be to wait for that
            raise SerialPortError(
                Text("the serial adapter at {path} hangs: pull its plug, and plug it in again").filled(path=path)
            )
        device = path if self._known is None else _find_again(self._known, path)
        try:
            self._serial = serial.Serial(device, self.baud, timeout=0.0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
            # whatever opens it now, modem managers too, is told no
            fcntl.ioctl(self._serial.fileno(), termios.TIOCEXCL)
        except (OSError, ValueError, termios.error) as error:
            self.close()
            text = Text("cannot open the serial port {path}: {why}")
            raise SerialPortError(text.filled(path=path, why=_why(error))) from error
        self._wanted = path  # after a loss that one again, and not what else is plugged in then
        device = os.path.realpath(device)
        self._known = next((port for port in _usb_ports() if port.device == device), self._known)

    def read(self, timeout_s: float) -> bytes:
        """What has come; waits for the first byte, at most so long. Only before ``listen``.

        :raises SerialPortError: the line is gone.
        """
        self._wait_at_most(timeout_s)
        return _read_some(self._serial)

    def listen(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        """From now on, on the running asyncio loop, ``received`` gets what comes; ``lost`` is called once, at the end.

        :raises SerialPortError: the line is gone already.
        """
        import asyncio

        self._wait_at_most(0.0)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._serial.fileno(), self._readable, received, lost)

    def _readable(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        try:
            data = _read_some(self._serial)
        except SerialPortError as error:
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

        :raises SerialPortError: the line is gone.
        """
        if self._serial is None:
            raise SerialPortError(Text("the serial port is closed"))
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
    """What the serial port raises in here becomes a ``SerialPortError``."""
    try:
        yield
    except serial.SerialTimeoutException as error:
        raise SerialPortError(Text("the serial adapter takes nothing any more")) from error
    except (OSError, termios.error) as error:
        raise SerialPortError(Text("the microcontroller's plug was pulled, or its adapter failed")) from error


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
    """Why a port cannot be opened; pyserial tells the system's number, or leaves it in the error before."""
    numbers = (getattr(error, "errno", None), *getattr(error.__context__, "args", ()))
    if errno.ENOENT in numbers:
        return _not_there()
    return next((_WHY[number] for number in numbers if number in _WHY), verbatim(error))


def _not_there() -> Text:
    if taken := brltty_has_it():
        return Text("it is not there; {why}").filled(why=taken)
    if found := ports():
        text = Text("it is not there; plugged in are {ports}: if one of them is the launcher's, name that, {remedy}")
        return text.filled(ports=", ".join(found), remedy=_NAME_IT)
    return Text("it is not there; is the microcontroller plugged in? No other serial port is")
