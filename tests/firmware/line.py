"""A host made of single frames: what the tests say to a device, and what they hear."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, encode

M = TypeVar("M")
ANSWER_US = 20_000
"""Within this time every frame is answered: two frames on the wire and a main loop."""
STEP_US = 500


class Lined(Protocol):
    """A device with a serial line."""

    def run(self, us: int) -> None: ...

    def send(self, stream: bytes) -> None: ...

    def sent(self) -> bytes: ...


class Host:
    """The other end of the line. It speaks only when told to."""

    def __init__(self, device: Lined) -> None:
        self.device = device
        self.heard: list[Frame] = []
        self.sequence = 0
        self._decoder = FrameDecoder()

    def listen(self) -> list[Frame]:
        """The frames that came since the last call."""
        data = self.device.sent()
        frames = self._decoder.feed(data)
        self.heard += frames
        return frames

    def say(self, message: Any, sequence: int = 0) -> None:
        stream = b"\0" + encode(Frame(sequence, message))  # the zero ends whatever noise came before
        self.device.send(stream)

    def wait_for(self, kind: type[M], sequence: int | None = None, within_us: int = ANSWER_US) -> M:
        """Let time pass until such a message comes.

        :raises AssertionError: it does not.
        """
        for _ in range(within_us // STEP_US):
            self.device.run(STEP_US)
            for frame in self.listen():
                if isinstance(frame.message, kind) and sequence in {None, frame.sequence}:
                    return frame.message
        raise AssertionError(f"no {kind.__name__} within {within_us / 1000} ms; heard {self.heard[-5:]}")

    def hello(
        self, *, protocol: int = wire.VERSION, dictionary: int = wire.DICTIONARY, nonce: int = 77
    ) -> wire.Welcome:
        self.sequence = 0
        self.say(wire.Hello(protocol, dictionary, nonce))
        return self.wait_for(wire.Welcome)

    def command(self, message: Any) -> wire.Result:
        """Give a command and hear what became of it."""
        self.sequence = self.sequence % 255 + 1
        return self.repeat(message)

    def repeat(self, message: Any) -> wire.Result:
        """The same sequence number again."""
        self.say(message, self.sequence)
        ack = self.wait_for(wire.Ack, self.sequence)
        assert ack.command == message.TYPE
        return ack.result

    def state(self) -> wire.State:
        """Ask for a report; counts as a sign of life."""
        self.say(wire.Heartbeat(), 200)
        return self.wait_for(wire.State, 200)

    def look(self) -> wire.State:
        """Ask for a report without a sign of life."""
        self.say(wire.GetState(), 201)
        return self.wait_for(wire.State, 201)

    def run(self, us: int, beat_us: int = 100_000) -> None:
        """Let time pass with heartbeats."""
        while us > 0:
            self.say(wire.Heartbeat(), 199)
            self.device.run(min(us, beat_us))
            us -= beat_us
            self.listen()


def feed(
    run: int = 1,
    cards: int = 3,
    timeout_ms: int = 2000,
    stall_ms: int = 600,
    duty: int = 255,
    blind_ms: int | None = None,
) -> wire.Feed:
    """A feed; unless told otherwise the exit may stay clear for as long as dark."""
    return wire.Feed(run, cards, timeout_ms, stall_ms if blind_ms is None else blind_ms, stall_ms, duty)
