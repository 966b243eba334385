"""The microsecond clock of the real program: it never steps back, whatever happens as its counter overflows."""

from __future__ import annotations

import pytest

from tests.firmware.board import Uno
from tests.firmware.toolchain import elf, symbols

DATA = 0x800000
"""avr-nm counts data from here."""


def overflow_at(clock_mhz: int) -> int:
    """The cycle at which an overflow has been counted."""
    address = symbols(elf(clock_mhz))["overflows"] - DATA
    uno = Uno(clock_mhz)
    uno.boot()
    before = uno.peek(address)
    while uno.peek(address) == before:
        uno.run_to(uno.cycle + 1000)
    nearly = uno.cycle - 1100
    uno.close()
    uno = Uno(clock_mhz)
    uno.run_to(nearly)
    while uno.peek(address) == before:
        uno.run_to(uno.cycle + 1)
    return uno.cycle


@pytest.mark.parametrize("clock_mhz", [16, 8])
def test_a_card_at_the_moment_of_an_overflow_does_not_turn_back_the_clock(clock_mhz: int) -> None:
    """Both interrupts wait then, the card's is served first, and what was read meanwhile must not count."""
    counted, clock = overflow_at(clock_mhz), symbols(elf(clock_mhz))["port_now_us"]
    late = {}
    for before in range(36, 94, 3):
        for edge in range(4, 14, 2):
            uno = Uno(clock_mhz)
            uno.boot()
            uno.run_to(counted - before)
            begun = uno.cycle
            uno.put_at(begun + edge, "exit", True)
            late[before, edge] = uno.us(begun) - uno.call(clock)
            uno.close()
    assert max(late.values()) - min(late.values()) < 50, late
