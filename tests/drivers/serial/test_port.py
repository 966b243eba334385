"""The true serial port, on a pseudo-terminal: opening, forwarding, losing, closing; and the driver on top of it."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import os
import pty
import select
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import serial
from serial.tools import list_ports
from serial.tools.list_ports_common import ListPortInfo

from dispenser.drivers.base import DriverEvent
from dispenser.drivers.serial import port as serial_port
from dispenser.drivers.serial.driver import SerialDriver
from dispenser.drivers.serial.handshake import ask
from dispenser.drivers.serial.port import SerialPort, SerialPortError, brltty_has_it, find_port, name_by_socket, ports
from dispenser.launcher.messages import DriverFailed, DriverRecovered, Feed, FeedEnd, FeedEnded, Press
from tests.drivers.serial.patient import be_patient
from tests.drivers.serial.pty_board import PtyBoard
from tests.drivers.serial.serial_rig import SerialRig
from tests.waiting import wait_until

PATIENCE_S = 30
TIOCGEXCL = 0x80045440
"""Linux: whether a terminal is for one alone. ``termios`` does not name it."""


@pytest.fixture
def board(tmp_path: Path) -> Iterator[PtyBoard]:
    with PtyBoard(tmp_path) as board:
        yield board


# --- which port ---------------------------------------------------------------------------------------------------


@pytest.fixture
def by_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "by-id"
    monkeypatch.setattr(serial_port, "BY_ID", folder)
    monkeypatch.setattr(serial_port, "BY_PATH", tmp_path / "by-path")
    return folder


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> list[ListPortInfo]:
    """What pyserial sees on USB."""
    found: list[ListPortInfo] = []
    monkeypatch.setattr(list_ports, "comports", lambda: list(found))
    return found


def usb_port(device: Path | str, serial_number: str | None = None, location: str = "1-1") -> ListPortInfo:
    """A CH340's port as pyserial describes it."""
    port: Any = ListPortInfo(os.path.realpath(device))
    port.vid, port.pid, port.serial_number, port.location = 0x1A86, 0x7523, serial_number, location
    return port


def test_the_only_serial_device_is_taken(by_id: Path) -> None:
    by_id.mkdir()
    (by_id / "usb-Arduino").touch()
    assert find_port("") == str(by_id / "usb-Arduino")


def test_without_a_serial_device_it_says_what_to_do(by_id: Path) -> None:
    with pytest.raises(SerialPortError, match=r"no serial device.*cable"):
        find_port("")
    by_id.mkdir()
    with pytest.raises(SerialPortError, match=r"no serial device.*cable"):
        find_port("")


def test_of_several_serial_devices_none_is_guessed(by_id: Path) -> None:
    by_id.mkdir()
    (by_id / "one").touch()
    (by_id / "two").touch()
    with pytest.raises(SerialPortError, match=r"one.*two.*port ="):
        find_port("")
    assert find_port("/dev/ttyACM7") == "/dev/ttyACM7"


def link_to(folder: Path, name: str, device: Path) -> str:
    folder.mkdir(exist_ok=True)
    (folder / name).symlink_to(device)
    return str(folder / name)


def test_boards_that_share_a_name_go_by_their_sockets(by_id: Path, tmp_path: Path, plugged: list[ListPortInfo]) -> None:
    """Clones without a serial number: udev gives the name in by-id to one of them."""
    devices = [tmp_path / f"ttyUSB{number}" for number in range(3)]
    for device in devices:
        device.touch()
    by_path = tmp_path / "by-path"
    sockets = [link_to(by_path, f"usb-0:{number}", device) for number, device in enumerate(devices)]
    for number, device in enumerate(devices):
        link_to(by_path, f"usbv2-0:{number}", device)
    shared = link_to(by_id, "usb-1a86_USB_Serial-if00-port0", devices[1])
    alone = link_to(by_id, "usb-Arduino_75330303035351F0B1A2-if00", devices[2])
    plugged += [usb_port(devices[0]), usb_port(devices[1], location="1-2"), usb_port(devices[2], "7533", "1-3")]
    assert ports() == sorted([*sockets[:2], alone])
    assert (name_by_socket(shared), name_by_socket(alone), name_by_socket(sockets[0])) == (sockets[1], "", "")
    with pytest.raises(SerialPortError, match=r"several.*by-path/usb-0:0.*by-path/usb-0:1"):
        find_port("")
    (by_path / "usb-0:0").unlink()
    (by_path / "usbv2-0:0").unlink()
    assert ports() == sorted([shared, alone]), "that of one board alone is good"


@pytest.fixture
def ch340(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A CH340 in sysfs whose interface has no port, on a computer with brltty."""
    device = tmp_path / "devices/1-1.2"
    (device / "1-1.2:1.0").mkdir(parents=True)
    (tmp_path / "devices/usb1").mkdir()
    (device / "idVendor").write_text("1a86\n")
    (device / "idProduct").write_text("7523\n")
    (tmp_path / "brltty").touch(mode=0o755)
    monkeypatch.setattr(serial_port, "USB_DEVICES", tmp_path / "devices")
    monkeypatch.setattr(serial_port, "PROGRAMS", str(tmp_path))
    return device


@pytest.mark.usefixtures("by_id")
def test_a_ch340_that_brltty_has_taken_is_told(ch340: Path, tmp_path: Path) -> None:
    for port in ("", str(tmp_path / "ttyUSB0")):
        with pytest.raises(SerialPortError, match=r"brltty.*sudo apt remove brltty"):
            SerialPort(port).open()
    (ch340 / "1-1.2:1.0/ttyUSB0").mkdir()
    assert brltty_has_it() is None, "it has its port"


def test_a_ch340_without_a_port_is_not_put_down_to_a_brltty_that_is_not_installed(ch340: Path, tmp_path: Path) -> None:
    assert brltty_has_it() is not None
    (tmp_path / "brltty").unlink()
    assert brltty_has_it() is None


# --- opening ------------------------------------------------------------------------------------------------------


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SerialPortError, match=r"nothing.*it is not there"):
        SerialPort(str(tmp_path / "nothing")).open()


def test_a_port_that_is_not_there_is_told_with_those_that_are(by_id: Path, tmp_path: Path) -> None:
    link_to(by_id, "usb-launcher", tmp_path / "ttyUSB1")
    with pytest.raises(SerialPortError, match=r"ttyUSB0.*not there.*by-id/usb-launcher.*port ="):
        SerialPort(str(tmp_path / "ttyUSB0")).open()


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "adduser"),
        (errno.EBUSY, "another program"),
        (errno.EAGAIN, "another program"),
        (errno.EIO, "went wrong"),
    ],
)
def test_why_a_port_cannot_be_opened(monkeypatch: pytest.MonkeyPatch, number: int, words: str) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise serial.SerialException(number, "went wrong")

    monkeypatch.setattr(serial, "Serial", refuse)
    with pytest.raises(SerialPortError, match=words):
        SerialPort("/dev/anything").open()


def test_a_port_is_for_one_program_alone(board: PtyBoard) -> None:
    first, second = SerialPort(board.port), SerialPort(board.port)
    first.open()
    with pytest.raises(SerialPortError, match="another program"):
        second.open()
    first.close()
    second.open()
    second.close()


# --- bytes --------------------------------------------------------------------------------------------------------


async def until_in_loop(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not happened():  # noqa: ASYNC110 - a port is no event
            await asyncio.sleep(0.005)


async def turns_of_the_loop() -> None:
    """More than it takes to be told of what a port has."""
    for _ in range(10):
        await asyncio.sleep(0)


def test_bytes_are_told_on_the_loop_until_the_line_is_closed() -> None:
    host, device = pty.openpty()
    heard: list[bytes] = []

    async def listen() -> None:
        link = SerialPort(os.ttyname(device))
        link.open()
        assert link.read(0.0) == b""
        link.listen(heard.append, lambda error: pytest.fail(str(error)))
        os.write(host, b"\0hello\0\xff")
        await until_in_loop(lambda: b"".join(heard) == b"\0hello\0\xff")
        link.write(b"\0there\0")
        assert os.read(host, 100) == b"\0there\0"
        link.close()
        link.close()
        os.write(host, b"more")
        select.select([device], [], [], PATIENCE_S)
        await turns_of_the_loop()
        with pytest.raises(OSError, match="closed"):
            link.write(b"x")

    asyncio.run(listen())
    assert b"".join(heard) == b"\0hello\0\xff"
    os.close(host)
    os.close(device)


def test_bytes_that_were_there_when_the_line_was_closed_are_not_told() -> None:
    """The loop knows already that it has something to read, and is not to read it any more."""
    host, device = pty.openpty()
    heard: list[bytes] = []
    errors: list[object] = []

    async def listen() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: errors.append(context))
        link = SerialPort(os.ttyname(device))
        link.open()
        link.listen(heard.append, lambda error: pytest.fail(str(error)))
        os.write(host, b"late")
        select.select([device], [], [], PATIENCE_S)
        loop.call_soon(link.close)
        await turns_of_the_loop()

    asyncio.run(listen())
    assert (heard, errors) == ([], [])
    os.close(host)
    os.close(device)


def test_a_line_that_goes_is_told_once() -> None:
    host, device = pty.openpty()
    lost: list[OSError] = []

    async def listen() -> None:
        link = SerialPort(os.ttyname(device))
        link.open()
        os.close(device)
        link.listen(lambda _: None, lost.append)
        os.close(host)
        await until_in_loop(lambda: lost)
        await turns_of_the_loop()
        link.close()

    asyncio.run(listen())
    assert len(lost) == 1


# --- the driver on it, in real time -------------------------------------------------------------------------------


def test_who_is_there(board: PtyBoard) -> None:
    welcome, state = ask(SerialPort(board.port), time.monotonic)
    assert welcome.firmware_minor == 2
    assert state is not None
    assert state.cell_mv == 4500
    wait_until(lambda: not board.board.hosted)


@pytest.fixture
def _patient(board: PtyBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the driver nor the board takes the other for silent that merely gets no processor."""
    board.waits_for_host = True
    be_patient(monkeypatch.setattr)


@pytest.mark.usefixtures("_patient")
def test_cards_a_press_an_unplugged_cable_and_its_return(board: PtyBoard) -> None:
    heard: list[DriverEvent] = []

    async def evening() -> None:
        something = asyncio.Event()

        def hear(event: DriverEvent) -> None:
            heard.append(event)
            something.set()

        async def wait_for(kind: type, count: int = 1) -> None:
            async with asyncio.timeout(PATIENCE_S):
                while sum(isinstance(event, kind) for event in heard) < count:
                    something.clear()
                    await something.wait()

        driver = SerialDriver(SerialPort(board.port), asyncio.get_running_loop())
        driver.open(hear)
        driver.feed(Feed(cards=3, timeout_s=3, stall_s=1))
        await wait_for(FeedEnded)
        board.do(board.board.press)
        await wait_for(Press)
        board.unplug()
        await wait_for(DriverFailed)
        driver.reread()
        board.plug()
        driver.reread()
        await wait_for(DriverRecovered)
        driver.feed(Feed(cards=1, timeout_s=3, stall_s=1))
        await wait_for(FeedEnded, 2)
        driver.close()

    asyncio.run(evening())
    ended = [event for event in heard if isinstance(event, FeedEnded)]
    assert ended == [FeedEnded(FeedEnd.COUNT, 3), FeedEnded(FeedEnd.COUNT, 1)]
    wait_until(lambda: not board.board.hosted)


@pytest.mark.long
@pytest.mark.usefixtures("_patient")
def test_a_loop_that_sleeps_in_a_burst_cuts_it_short_no_more_than_one_that_wakes(board: PtyBoard) -> None:
    """In real threads: the board would stop the motor of a host that says nothing for a second.

    Its clock stands still for a host that is silent for longer than half of that, so the wait for it would not end.
    """
    heard: list[DriverEvent] = []

    async def burst() -> None:
        ended = asyncio.Event()

        def hear(event: DriverEvent) -> None:
            heard.append(event)
            if isinstance(event, FeedEnded | DriverFailed):
                ended.set()

        driver = SerialDriver(SerialPort(board.port), asyncio.get_running_loop())
        driver.open(hear)
        driver.feed(Feed(cards=25, timeout_s=5, stall_s=1))
        await until_in_loop(lambda: board.board.motor)
        begun_s = board.board.scheduler.time()
        wait_until(lambda: board.board.scheduler.time() > begun_s + 1.5)  # the loop stands still meanwhile
        async with asyncio.timeout(PATIENCE_S):
            await ended.wait()
        driver.close()

    asyncio.run(burst())
    assert not any(isinstance(event, DriverFailed) for event in heard), heard
    assert heard[-1] == FeedEnded(FeedEnd.COUNT, 25)


# --- what a port may do to us -----------------------------------------------------------------------------------------


def test_an_error_of_the_terminal_layer_is_ours_too(board: PtyBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    """``termios.error`` is no ``OSError``, and the library under us lets it through."""

    def broken(*_: object) -> None:
        raise termios.error(errno.EIO, "Input/output error")

    monkeypatch.setattr(termios, "tcflush", broken)
    with pytest.raises(SerialPortError, match="cannot open"):
        SerialPort(board.port).open()
    monkeypatch.undo()
    link = SerialPort(board.port)
    link.open()
    monkeypatch.setattr(termios, "tcsetattr", broken)
    monkeypatch.setattr(termios, "tcgetattr", broken)
    with pytest.raises(SerialPortError):
        link.read(0.01)
    monkeypatch.undo()
    link.close()


def test_an_adapter_that_hangs_does_not_hang_us_when_it_is_closed(
    board: PtyBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The kernel waits up to 30 s for what an adapter does not take; meanwhile nobody can open the port."""
    lets_go = threading.Event()
    monkeypatch.setattr(serial_port, "CLOSE_PATIENCE_S", 0.01)

    class HangingPort(serial.Serial):  # type: ignore[misc]
        def close(self) -> None:
            lets_go.wait(PATIENCE_S)
            super().close()

    monkeypatch.setattr("dispenser.drivers.serial.port.serial.Serial", HangingPort)
    link = SerialPort(board.port)
    link.open()
    link.close()
    assert not lets_go.is_set(), "we are here although the port is not closed yet"
    link.close()
    with pytest.raises(SerialPortError, match="hangs"):
        link.open()
    lets_go.set()
    wait_until(lambda: not any(thread.name == "serial closer" for thread in threading.enumerate()))
    link.open()
    link.close()


def test_after_a_loss_the_same_port_is_opened_and_not_what_else_is_there(
    by_id: Path, tmp_path: Path, board: PtyBoard
) -> None:
    by_id.mkdir()
    launcher = by_id / "usb-launcher"
    launcher.symlink_to(board.port)
    link = SerialPort()
    link.open()
    link.close()
    launcher.unlink()
    (by_id / "usb-printer").symlink_to(board.port)
    with pytest.raises(SerialPortError, match="usb-launcher"):
        link.open()


@pytest.mark.usefixtures("by_id")
@pytest.mark.parametrize(
    ("serial_number", "other", "socket", "found"),
    [
        ("7533", "7534", "1-3", True),
        ("7533", "7533", "1-3", False),  # which of the two?
        (None, None, "1-1", True),
        (None, None, "1-3", False),  # not where ours was
    ],
)
def test_a_board_that_comes_back_under_another_device_file_is_found_again(
    tmp_path: Path, plugged: list[ListPortInfo], serial_number: str | None, other: str | None, socket: str, found: bool
) -> None:
    host, device = pty.openpty()
    old, here = tmp_path / "ttyUSB0", Path(os.ttyname(device))
    old.symlink_to(here)
    plugged.append(usb_port(here, serial_number, "1-1"))
    link = SerialPort(str(old))
    link.open()
    link.close()
    old.unlink()
    plugged[:] = [usb_port(tmp_path / "ttyUSB4", other, "1-4")]
    with pytest.raises(SerialPortError, match="ttyUSB0"):
        link.open()
    plugged.append(usb_port(here, serial_number, socket))
    if found:
        link.open()
        link.close()
    else:
        with pytest.raises(SerialPortError, match="ttyUSB0"):
            link.open()
    os.close(host)
    os.close(device)


@pytest.mark.usefixtures("by_id")
def test_the_board_is_opened_and_not_what_has_its_device_file_now(tmp_path: Path, plugged: list[ListPortInfo]) -> None:
    host, device = pty.openpty()
    stranger, ours = tmp_path / "ttyUSB0", Path(os.ttyname(device))
    stranger.symlink_to(ours)
    plugged.append(usb_port(ours, "7533"))
    link = SerialPort(str(stranger))
    link.open()
    link.close()
    stranger.unlink()
    stranger.touch()  # which is no serial port
    plugged.append(usb_port(stranger, "7534"))
    link.open()
    link.close()
    os.close(host)
    os.close(device)


def test_who_asks_for_no_lock_is_told_no_as_well(board: PtyBoard) -> None:
    """A modem manager does not know flock; the kernel refuses it (but for root)."""
    exclusive = []
    link = SerialPort(board.port)
    link.open()
    state = bytearray(4)
    fcntl.ioctl(board.device, TIOCGEXCL, state)
    exclusive.append(state[0])
    link.close()
    fcntl.ioctl(board.device, TIOCGEXCL, state)
    exclusive.append(state[0])
    assert exclusive == [1, 0]


def test_a_port_that_opens_and_cannot_be_listened_to_is_closed_again() -> None:
    rig = SerialRig()
    rig.link.unplug()
    rig.run(0.1)
    rig.link.plug()
    listen = rig.link.listen

    def fails(*_: object) -> None:
        raise OSError("gone again")

    rig.link.listen = fails  # type: ignore[method-assign, assignment]
    rig.driver.reread()
    rig.link.listen = listen  # type: ignore[method-assign]
    rig.live(2)
    assert rig.of(DriverRecovered) == [DriverRecovered()]
