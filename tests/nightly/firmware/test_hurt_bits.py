"""Every bit and every pair of bits of every frame, hurt on the line."""

from __future__ import annotations

import pytest

from tests.firmware.hurt_bits import (
    SHOWN,
    commands,
    no_hurt_bit_makes_another_frame,
    no_pair_of_hurt_bits_makes_another_frame,
    python_makes,
)


@pytest.mark.parametrize("name", [name for name in SHOWN if not name.startswith("a random")])
def test_no_pair_of_hurt_bits_makes_another_frame_for_python(name: str) -> None:
    tried, wrong = python_makes([SHOWN[name]], pairs=True)
    print(f"Python, {name}: {tried} pairs of bits")
    assert wrong == 0


def test_no_hurt_bit_makes_another_frame_of_any_command() -> None:
    no_hurt_bit_makes_another_frame(commands(), least=500_000)


def test_no_pair_of_hurt_bits_makes_another_frame_of_any_command() -> None:
    no_pair_of_hurt_bits_makes_another_frame(commands(), least=20_000_000)
