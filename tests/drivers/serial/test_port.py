"""The true serial port, on a pseudo-terminal: opening, forwarding, losing, closing."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import pty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from dispenser.drivers.serial import port as serial_port
from dispenser.drivers.serial.port import SerialPort, SerialPortError, find_port, ports
from tests.firmware.pty_rig import PtyLauncher

PATIENCE_S = 30
TIOCGEXCL = 0x80045440
"""Linux: whether a terminal is for one alone. ``termios`` does not name it."""


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[PtyLauncher]:
    with PtyLauncher(tmp_path) as launcher:
        yield launcher


# --- which port ---------------------------------------------------------------------------------------------------


@pytest.fixture
def by_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "by-id"
    folder.mkdir()
    monkeypatch.setattr(serial_port, "BY_ID", folder)
    return folder


def test_the_only_serial_device_is_taken_and_of_several_none_is_guessed(by_id: Path) -> None:
    with pytest.raises(SerialPortError, match=r"no serial device.*cable"):
        find_port("")
    (by_id / "one").touch()
    assert find_port("") == str(by_id / "one")
    (by_id / "two").touch()
    assert ports() == [str(by_id / "one"), str(by_id / "two")]
    with pytest.raises(SerialPortError, match=r"one.*two.*port ="):
        find_port("")
    assert find_port("/dev/ttyACM7") == "/dev/ttyACM7"


# --- opening ------------------------------------------------------------------------------------------------------


def test_a_port_that_is_not_there_is_told_with_those_that_are(by_id: Path, tmp_path: Path) -> None:
    with pytest.raises(SerialPortError, match=r"nothing.*it is not there"):
        SerialPort(str(tmp_path / "nothing")).open()
    (by_id / "usb-launcher").touch()
    with pytest.raises(SerialPortError, match=r"ttyUSB0.*not there.*by-id/usb-launcher.*port ="):
        SerialPort(str(tmp_path / "ttyUSB0")).open()


@pytest.mark.parametrize(
    ("number", "words"), [(errno.EACCES, "adduser"), (errno.EBUSY, "another program"), (errno.EIO, "went wrong")]
)
def test_why_a_port_cannot_be_opened(monkeypatch: pytest.MonkeyPatch, number: int, words: str) -> None:
    def refuse(*_: object) -> None:
        raise serial.SerialException(number, "went wrong")

    monkeypatch.setattr(serial.Serial, "open", refuse)
    with pytest.raises(SerialPortError, match=words):
        SerialPort("/dev/anything").open()


def test_a_port_is_for_one_program_alone(launcher: PtyLauncher) -> None:
    """Also for one that asks for no lock, as a modem manager does: the kernel refuses it (but for root)."""
    first, second = SerialPort(launcher.port), SerialPort(launcher.port)
    first.open()
    exclusive = bytearray(4)
    fcntl.ioctl(launcher.descriptor, TIOCGEXCL, exclusive)
    assert exclusive[0]
    with pytest.raises(SerialPortError, match="another program"):
        second.open()
    first.close()
    second.open()
    second.close()


def test_after_a_loss_the_same_port_is_opened_and_not_what_else_is_there(by_id: Path, launcher: PtyLauncher) -> None:
    named = by_id / "usb-launcher"
    named.symlink_to(launcher.port)
    port = SerialPort()
    port.open()
    port.close()
    named.unlink()
    (by_id / "usb-printer").symlink_to(launcher.port)
    with pytest.raises(SerialPortError, match="usb-launcher"):
        port.open()


# --- bytes --------------------------------------------------------------------------------------------------------


async def until_in_loop(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not happened():  # noqa: ASYNC110 - a port is no event
            await asyncio.sleep(0.005)


def test_bytes_are_told_on_the_loop_until_the_line_is_closed() -> None:
    host, device = pty.openpty()
    heard: list[bytes] = []

    async def listen() -> None:
        port = SerialPort(os.ttyname(device))
        port.open()
        assert port.read(0.0) == b""
        os.write(host, b"\0before\0")
        assert port.read(PATIENCE_S)[:1] == b"\0"
        port.listen(heard.append, lambda error: pytest.fail(str(error)))
        os.write(host, b"\0hello\0\xff")
        await until_in_loop(lambda: b"".join(heard).endswith(b"\0hello\0\xff"))
        port.write(b"\0there\0")
        assert os.read(host, 100) == b"\0there\0"
        told = len(heard)
        os.write(host, b"late")
        port.close()
        port.close()
        await asyncio.sleep(0)
        assert len(heard) == told
        with pytest.raises(OSError, match="closed"):
            port.write(b"x")

    asyncio.run(listen())
    os.close(host)
    os.close(device)


def test_a_line_that_goes_is_told_once() -> None:
    host, device = pty.openpty()
    lost: list[OSError] = []

    async def listen() -> None:
        port = SerialPort(os.ttyname(device))
        port.open()
        os.close(device)
        port.listen(lambda _: None, lost.append)
        os.close(host)
        await until_in_loop(lambda: lost)
        with pytest.raises(SerialPortError):
            port.write(b"x")
        port.close()

    asyncio.run(listen())
    assert len(lost) == 1


def test_a_line_that_goes_before_anybody_listens_is_told_to_whoever_reads() -> None:
    host, device = pty.openpty()
    port = SerialPort(os.ttyname(device))
    port.open()
    os.close(device)
    os.close(host)
    with pytest.raises(SerialPortError, match="plug was pulled"):
        port.read(PATIENCE_S)
    port.close()
