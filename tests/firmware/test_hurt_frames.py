"""One bit of one frame is hurt in an evening of the driver with the core: a sample of the bits of every kind of frame.

``tests/nightly/firmware`` hurts every bit.
"""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.hurt_frames import (
    ANSWERED,
    SAID,
    bits_of,
    hurt_bits_are_made_good,
    hurt_resets_are_made_good,
)

STEP = 23
"""From one bit that is hurt to the next: every place in a byte comes up."""


@pytest.mark.parametrize("kind", SAID + ANSWERED, ids=lambda kind: kind.__name__)
def test_a_hurt_bit_is_made_good(kind: type[wire.Message]) -> None:
    hurt_bits_are_made_good(kind, range(0, bits_of(kind), STEP))


@pytest.mark.parametrize("kind", SAID + ANSWERED, ids=lambda kind: kind.__name__)
def test_a_hurt_closing_zero_is_made_good(kind: type[wire.Message]) -> None:
    """Two frames run together."""
    hurt_bits_are_made_good(kind, [bits_of(kind) - 8])


def test_a_reset_of_the_lock_is_made_good() -> None:
    hurt_resets_are_made_good(range(0, bits_of(wire.ResetLatch), STEP))
