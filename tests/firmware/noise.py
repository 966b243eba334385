"""Noise on the serial line of the real program."""

from __future__ import annotations

from random import Random

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, encode
from tests.firmware.board import Uno
from tests.firmware.line import Host, feed


def motor_changes(uno: Uno, us: float) -> list[int]:
    """What the motor does in the time to come."""
    return [did.value for did in uno.follow(us) if did.kind == "motor"]


def noise_moves_nothing(uno: Uno, host: Host, seed: int, pieces: int) -> None:
    """So many hurt feeds and pieces of random bytes, at random times: the motor never starts, and a host is heard."""
    random = Random(seed)
    for _ in range(pieces):
        stream = bytearray(encode(Frame(random.randrange(256), feed(run=random.randrange(256)))))
        stream[random.randrange(len(stream) - 1)] ^= 1 << random.randrange(8)
        uno.send(bytes(stream) if random.random() < 0.5 else random.randbytes(random.randint(1, 120)))
        assert motor_changes(uno, random.uniform(500, 12_000)) == [], f"seed {seed}"
    while uno.unsent:
        assert motor_changes(uno, 10_000) == [], f"seed {seed}"
    uno.run(100_000)
    assert host.hello().protocol == wire.VERSION
