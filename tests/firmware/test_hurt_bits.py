"""Bits hurt on the line: every one of every frame, and every pair, the zeros around it included; at both ends.

A frame stands in a stream with others around it, so that two that run together, and one that falls into two, are among
what is tried.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from dispenser.drivers.wire import tables as wire
from dispenser.drivers.wire.frames import Frame, FrameDecoder, encode
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


@pytest.mark.parametrize("name", SHOWN)
def test_no_hurt_bit_and_no_pair_of_them_makes_another_frame_of_one_that_the_vectors_show(name: str) -> None:
    for pairs in (False, True):
        tried, wrong = core_makes([SHOWN[name]], pairs=pairs)
        print(f"core, {name}: {tried} {'pairs of bits' if pairs else 'bits'}")
        assert (wrong, tried > 100) == (0, True)
    tried, wrong = python_makes([SHOWN[name]], pairs=False)
    assert (wrong, tried > 100) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SHOWN if not name.startswith("a random")])
def test_nor_does_it_for_python(name: str) -> None:
    tried, wrong = python_makes([SHOWN[name]], pairs=True)
    print(f"Python, {name}: {tried} pairs of bits")
    assert wrong == 0


def test_no_hurt_bit_makes_another_frame_of_any_command() -> None:
    for makes in (core_makes, python_makes):
        tried, wrong = makes(commands(), pairs=False)
        print(f"{makes.__name__}: {tried} bits")
        assert (wrong, tried > 500_000) == (0, True)


@pytest.mark.slow
def test_no_pair_of_hurt_bits_makes_another_frame_of_any_command() -> None:
    tried, wrong = core_makes(commands(), pairs=True)
    print(f"{tried} pairs of bits, {wrong} wrong")
    assert (wrong, tried > 20_000_000) == (0, True)


@pytest.mark.parametrize("pairs", [False, True], ids=["a bit", "a pair"])
def test_a_frame_that_hurt_bits_do_make_is_found(pairs: bool) -> None:
    """The alarm is not deaf: here they make good a frame that was hurt before."""
    stop = bytearray(SHOWN["a stop"])
    stop[3] ^= 0x22 if pairs else 0x02
    for stream, hurt in streams(bytes(stop)):
        assert HostCore().flips(stream, hurt, pairs=pairs)[1] >= 1
