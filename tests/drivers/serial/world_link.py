"""A line to the device of a world, in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, decode
from dispenser.drivers.serial.port import SerialPortError
from tests.firmware.world import Device, World

Disturb = Callable[[Frame | None, bytes], bytes]
"""Gets a frame with its bytes on the line; returns the bytes that arrive."""


def undisturbed(_: Frame | None, data: bytes) -> bytes:
    return data


def all_lost(_: Frame | None, __: bytes) -> bytes:
    return b""


def mute(frame: Frame | None, data: bytes) -> bytes:
    """Nothing that the device says arrives."""
    return b"" if frame is None or frame.message.TYPE >= wire.DEVICE_NUMBERS else data


def reports_lost(frame: Frame | None, data: bytes) -> bytes:
    """What the device says of its own accord is lost; answers pass."""
    return b"" if frame is not None and not frame.sequence and isinstance(frame.message, wire.State) else data


class WorldLink:
    """Does as ``SerialPort`` does.

    :param boot_s: opening it resets the device, as DTR does on most boards; how long its boot loader is deaf then.
        ``None``: no reset.
    :ivar broken: nothing passes, and opening fails.
    :ivar disturb: changes each frame, either way.
    :ivar loop: on which the driver is told what comes.
    """

    def __init__(self, world: World, device: Device, boot_s: float | None = 0.0) -> None:
        self.broken = False
        self.disturb: Disturb = undisturbed
        self.baud = wire.BAUD
        self.opened = self.to_host = 0
        self.written = bytearray()
        self.loop: Any = world.scheduler
        self._world = world
        self._device = device
        self._boot_s = boot_s
        self._deaf_until_s = 0.0
        self._piece = b""  # the frame that the device has begun
        self._waiting = b""
        self._received: Callable[[bytes], None] | None = None
        self._lost: Callable[[OSError], None] | None = None
        self._is_open = False
        world.received = self._from_device

    def sent(self, kind: type[wire.Message]) -> list[wire.Message]:
        """The commands of a kind that the driver has sent, repetitions included."""
        frames = FrameDecoder().feed(bytes(self.written))
        return [frame.message for frame in frames if isinstance(frame.message, kind)]

    # --- what happens to it ---

    def unplug(self) -> None:
        self.broken = True
        lost, self._received, self._lost = self._lost, None, None
        if lost is not None:
            lost(OSError(5, "Input/output error"))

    def plug(self) -> None:
        self.broken = False

    def restart(self, cause: wire.ResetCause, boot_s: float = 0.0) -> None:
        """The device begins anew; deaf and mute while its boot loader runs."""
        self._deaf_until_s = self._world.scheduler.time() + boot_s
        self._piece = b""
        self._device.start(cause)
        self._world.show()

    # --- as SerialPort ---

    def open(self) -> None:
        if self.broken:
            raise SerialPortError("cannot open the serial port: it is not there")
        self._is_open = True
        self.opened += 1
        if self._boot_s is not None:
            self.restart(wire.ResetCause.EXTERNAL, self._boot_s)
        self._waiting = b""

    def read(self, timeout_s: float) -> bytes:
        end_s = self._world.scheduler.time() + timeout_s
        while not self._waiting and self._world.scheduler.time() < end_s:
            self._world.run(min(0.001, end_s - self._world.scheduler.time()))
            self._check()
        data, self._waiting = self._waiting, b""
        return data

    def listen(self, received: Callable[[bytes], None], lost: Callable[[OSError], None]) -> None:
        self._received, self._lost = self._on_the_loop(received), self._on_the_loop(lost)

    def write(self, data: bytes) -> None:
        self._check()
        self.written += data
        (frame,) = FrameDecoder().feed(data)
        arriving = self.disturb(frame, data)
        if not self._is_deaf():
            self._device.send(arriving)
            self._world.show()

    def close(self) -> None:
        self._is_open = False
        self._received = self._lost = None

    # --- inside ---

    def _on_the_loop(self, take: Callable[[Any], None]) -> Callable[[Any], None]:
        """Nothing more is told once this opening is over."""
        opening = self.opened

        def tell(what: Any) -> None:
            if self._is_open and opening == self.opened:
                take(what)

        return lambda what: self.loop.call_soon_threadsafe(lambda: tell(what))

    def _check(self) -> None:
        if self.broken or not self._is_open:
            raise OSError(5, "Input/output error")

    def _is_deaf(self) -> bool:
        return self._world.scheduler.time() < self._deaf_until_s

    def _from_device(self, data: bytes) -> None:
        *pieces, self._piece = (self._piece + data).split(b"\0")
        for piece in pieces:
            arriving = self.disturb(decode(piece), piece + b"\0")
            if not self.broken and self._is_open and not self._is_deaf():
                self._arrive(arriving)

    def _arrive(self, data: bytes) -> None:
        self.to_host += len(data)
        if self._received is not None:
            self._received(data)
        else:
            self._waiting += data
