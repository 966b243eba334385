"""Every bit of every frame, hurt on the line in an evening of the driver with the core."""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.hurt_frames import (
    ANSWERED,
    SAID,
    Hurt,
    Rig,
    bits_of,
    hurt_bits_are_made_good,
    hurt_resets_are_made_good,
)

PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", SAID + ANSWERED, ids=lambda kind: kind.__name__)
def test_any_one_hurt_bit_is_made_good(kind: type[wire.Message], part: int) -> None:
    hurt_bits_are_made_good(kind, range(part, bits_of(kind), PARTS))


@pytest.mark.parametrize("kind", [wire.Ack, wire.State, wire.Heartbeat], ids=lambda kind: kind.__name__)
def test_a_later_one_is_made_good_too(kind: type[wire.Message]) -> None:
    """The closing zero of each in turn: two frames run together."""
    for nth in range(1, 12):
        Rig(Hurt(kind, bits_of(kind) - 8, nth)).evening()


def test_a_reset_of_the_lock_is_made_good() -> None:
    hurt_resets_are_made_good(range(bits_of(wire.ResetLatch)))
