"""The serial driver and the core when one bit of one frame is hurt: what was asked is done once, without a word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.driver import SerialDriver
from dispenser.drivers.serial.frames import FrameDecoder, decode
from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    DriverRecovered,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    Light,
    Play,
    Retract,
    RetractEnded,
)
from tests.contract.serial_bench import WorldLink
from tests.firmware.world import HostDevice, World

STOPPED_WITHIN_S = 0.09
"""A STOP that was hurt is said again after 60 ms."""


@dataclass
class Hurt:
    """Which bit of which frame: the ``nth`` of its kind since the link is told so."""

    kind: type[wire.Message]
    bit: int
    nth: int = 0

    def take(self, kind: type[wire.Message] | None, data: bytes) -> bytes:
        """The frame as it arrives, zeros around it included."""
        if kind is not self.kind or self.bit < 0:
            return data
        if self.nth:
            self.nth -= 1
            return data
        hurt = bytearray(data)
        hurt[self.bit // 8] ^= 1 << self.bit % 8
        self.bit = -1
        return bytes(hurt)

    @property
    def done(self) -> bool:
        return self.bit < 0


class HurtLink(WorldLink):
    """A line that hurts one bit. What a device says reaches the host frame by frame."""

    def __init__(self, world: World, device: HostDevice, hurt: Hurt) -> None:
        super().__init__(world, device)
        self.hurt = hurt
        self.cut = False  # nothing that the host says arrives
        self._saying = b""

    def write(self, data: bytes) -> None:
        (frame,) = FrameDecoder().feed(data)
        if not self.cut:
            super().write(self.hurt.take(type(frame.message), data))

    def _from_device(self, data: bytes) -> None:
        *frames, self._saying = (self._saying + data).split(b"\0")
        for said in frames:
            frame = decode(said)
            super()._from_device(self.hurt.take(type(frame.message) if frame else None, said + b"\0"))


class Rig:
    """Driver, core and toy; the hurt comes when ``hurt.bit`` is set."""

    def __init__(self, hurt: Hurt) -> None:
        self.device = HostDevice(byte_us=87)
        self.world = World(self.device, cards=60)
        self.world.start()
        self.toy = self.world.toy
        self.link = HurtLink(self.world, self.device, hurt)
        self.driver = SerialDriver(self.link, self.world.scheduler)
        self.events: list[object] = []

    def of(self, *kinds: type) -> list[object]:
        return [event for event in self.events if isinstance(event, kinds)]

    def evening(self) -> None:
        """Everything that a driver asks of a board, and how it must end, whatever was hurt."""
        self.driver.open(self.events.append)
        self.driver.give(Light(True))
        self.driver.give(Play(Chime.SUSPENSE))
        self.world.run(0.3)
        assert self.toy.view().light_on
        self.driver.give(Feed(cards=3, timeout_s=2.0, stall_s=0.5))
        self.world.run(1.0)
        self.driver.reread()
        self.world.run(0.3)
        assert self.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 3)]
        assert (len(self.of(ExitCleared)), self.toy.view().cards_out) == (3, 3)
        self.driver.give(Retract(0.05))
        self.world.run(0.5)
        assert self.of(RetractEnded) == [RetractEnded(FeedEnd.TIMED)]
        self.driver.give(Feed(cards=20, timeout_s=5.0, stall_s=0.5))
        self.world.run(0.25)
        assert self.toy.view().motor_commanded == 1.0
        self.driver.stop()
        self.world.run(STOPPED_WITHIN_S)
        assert self.toy.view().motor_commanded == 0.0
        self.world.run(0.5)
        _, ended = self.of(FeedEnded)
        assert isinstance(ended, FeedEnded)
        assert ended.cause is FeedEnd.STOPPED
        assert self.of(DriverFailed) == []
        self.driver.close()


def bits_of(kind: type[wire.Message]) -> int:
    """On the line, zeros around it included; a device puts none before it."""
    zeros = 2 if kind.TYPE < wire.DEVICE_NUMBERS else 1
    return 8 * (1 + 3 + kind.layout().size + 2 + zeros)


SAID = [wire.Hello, wire.Light, wire.Play, wire.Feed, wire.Retract, wire.Stop, wire.Heartbeat]
ANSWERED = [wire.Welcome, wire.Ack, wire.State]


def hurt_bits_are_made_good(kind: type[wire.Message], bits: Iterable[int]) -> None:
    """Each in an evening of its own; the zeros around the frame are among its bits."""
    for bit in bits:
        hurt = Hurt(kind, bit)
        try:
            Rig(hurt).evening()
        except AssertionError as error:
            raise AssertionError(f"bit {bit} of the first {kind.__name__}: {error}") from error
        assert hurt.done, f"there is no bit {bit}"


def hurt_resets_are_made_good(bits: Iterable[int]) -> None:
    """The reset of a lock, each bit in a session of its own."""
    for bit in bits:
        rig = Rig(Hurt(wire.ResetLatch, bit))
        rig.driver.open(rig.events.append)
        rig.driver.give(Feed(cards=30, timeout_s=5.0, stall_s=0.5))
        rig.world.run(0.1)
        rig.link.cut = True
        rig.world.run(wire.HOST_SILENT_MS / 1000 + 0.2)
        rig.link.cut = False
        rig.world.run(1.0)
        assert rig.events[-1] == DriverRecovered(), "and the lock is known; a person resets"
        rig.events.clear()
        rig.driver.give(Feed(cards=2, timeout_s=2.0, stall_s=0.5))
        rig.world.run(1.0)
        assert rig.of(FeedEnded, DriverFailed) == [FeedEnded(FeedEnd.COUNT, 2)]
        assert rig.link.hurt.done
