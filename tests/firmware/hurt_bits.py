"""Bits hurt on the line, one or a pair of them, the zeros around a frame included; at both ends.

A frame stands in a stream with others around it, so that two that run together, and one that falls into two, are among
what is tried.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder, encode
from tests.firmware.host import HostCore
from tests.firmware.line import feed
from tests.firmware.toolchain import FIRMWARE

VECTORS: dict[str, Any] = json.loads((FIRMWARE / "wire" / "vectors.json").read_text(encoding="utf-8"))
SHOWN = {vector["name"]: bytes.fromhex(vector["encoded"]) for vector in VECTORS["frames"]}
BEFORE, BEHIND = encode(Frame(77, wire.Light(1))), encode(Frame(9, wire.Heartbeat()))
SHORT = [wire.Stop(), wire.Heartbeat(), wire.GetState(), wire.ResetLatch(), wire.Bye()]


def commands() -> list[bytes]:
    """Every short command with every sequence number, and every feed that is like the machine's."""
    frames = [Frame(number, message) for message in SHORT for number in range(256)]
    frames += [Frame(number, wire.Play(chime)) for chime in wire.Chime for number in range(256)]
    frames += [Frame(number, wire.Ack(message.TYPE, wire.Result.DONE)) for message in SHORT for number in range(256)]
    frames += [
        Frame(number, feed(run=number, cards=cards, timeout_ms=600 + 200 * cards, blind_ms=120, stall_ms=500))
        for cards in range(1, 31)
        for number in range(1, 256, 25)
    ]
    return [encode(frame) for frame in frames]


def streams(frame: bytes) -> list[tuple[bytes, range]]:
    """The frame among others, as a host writes them (a zero before each) and as a device does; what may be hurt."""
    host = b"\0" + BEFORE + b"\0" + frame + b"\0" + BEHIND
    device = BEFORE + frame + BEHIND
    return [
        (host, range(len(BEFORE) + 1, len(BEFORE) + len(frame) + 3)),
        (device, range(len(BEFORE) - 1, len(BEFORE) + len(frame))),
    ]


def choices(bits: int, *, pairs: bool) -> int:
    return bits * (bits - 1) // 2 if pairs else bits


def core_makes(frames: list[bytes], *, pairs: bool) -> tuple[int, int]:
    """How many ways of hurting them were tried on the core, and how many made another frame."""
    core = HostCore()
    tried = wrong = 0
    for frame in frames:
        for stream, hurt in streams(frame):
            more, bad = core.flips(stream, hurt, pairs=pairs)
            assert more == choices(8 * len(hurt), pairs=pairs)
            tried, wrong = tried + more, wrong + bad
    return tried, wrong


def python_makes(frames: list[bytes], *, pairs: bool) -> tuple[int, int]:
    """The same on the Python decoder."""
    tried = wrong = 0
    for frame in frames:
        for stream, hurt in streams(frame):
            right = FrameDecoder().feed(stream)
            assert len(right) == 3
            bits = range(8 * hurt.start, 8 * hurt.stop)
            spoilt = bytearray(stream)
            for flipped in itertools.combinations(bits, 1 + pairs):
                for bit in flipped:
                    spoilt[bit // 8] ^= 1 << bit % 8
                tried += 1
                wrong += any(heard not in right for heard in FrameDecoder().feed(bytes(spoilt)))
                for bit in flipped:
                    spoilt[bit // 8] ^= 1 << bit % 8
    return tried, wrong


def no_hurt_bit_makes_another_frame(frames: list[bytes], *, least: int) -> None:
    """One bit at a time, at both decoders; so many ways at least."""
    for makes in (core_makes, python_makes):
        tried, wrong = makes(frames, pairs=False)
        print(f"{makes.__name__}: {tried} bits")
        assert wrong == 0, f"{makes.__name__}: {wrong} of {tried} ways made another frame"
        assert tried >= least


def no_pair_of_hurt_bits_makes_another_frame(frames: list[bytes], *, least: int) -> None:
    """Every pair of bits, at the core's decoder; so many ways at least."""
    tried, wrong = core_makes(frames, pairs=True)
    print(f"{tried} pairs of bits, {wrong} wrong")
    assert wrong == 0, f"{wrong} of {tried} ways made another frame"
    assert tried >= least
