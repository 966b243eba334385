"""Bits hurt on the line make no other frame: those of the vectors, and of a sample of the commands.

``tests/nightly/firmware`` tries every command.
"""

from __future__ import annotations

import pytest

from tests.firmware.host import HostCore
from tests.firmware.hurt_bits import (
    SHOWN,
    commands,
    no_hurt_bit_makes_another_frame,
    no_pair_of_hurt_bits_makes_another_frame,
    streams,
)

SAMPLE = commands()[::61]
"""61 divides none of the ranges that the commands run through, so every kind is among them."""


@pytest.mark.parametrize("name", SHOWN)
def test_no_hurt_bit_makes_another_frame_of_one_that_the_vectors_show(name: str) -> None:
    no_hurt_bit_makes_another_frame([SHOWN[name]], least=100)


@pytest.mark.parametrize("name", SHOWN)
def test_no_pair_of_hurt_bits_makes_another_frame_of_one_that_the_vectors_show(name: str) -> None:
    no_pair_of_hurt_bits_makes_another_frame([SHOWN[name]], least=100)


def test_no_hurt_bit_makes_another_frame_of_a_command() -> None:
    no_hurt_bit_makes_another_frame(SAMPLE, least=10_000)


def test_no_pair_of_hurt_bits_makes_another_frame_of_a_command() -> None:
    no_pair_of_hurt_bits_makes_another_frame(SAMPLE, least=300_000)


@pytest.mark.parametrize("pairs", [False, True], ids=["a bit", "a pair"])
def test_a_frame_that_hurt_bits_do_make_is_found(pairs: bool) -> None:
    """The alarm is not deaf: here they make good a frame that was hurt before."""
    stop = bytearray(SHOWN["a stop"])
    stop[3] ^= 0x22 if pairs else 0x02
    for stream, hurt in streams(bytes(stop)):
        assert HostCore().flips(stream, hurt, pairs=pairs)[1] >= 1
