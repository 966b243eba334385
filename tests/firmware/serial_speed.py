"""How fast the running program speaks: what the registers of its serial line say."""

from __future__ import annotations

from tests.firmware.board import Uno
from tests.firmware.toolchain import elf

UCSR0A, UBRR0L, UBRR0H = 0xC0, 0xC4, 0xC5


def made(uno: Uno) -> float:
    """Bits a second."""
    clocks = 8 if uno.peek(UCSR0A) & 2 else 16
    return uno.hz / clocks / (uno.peek(UBRR0L) + 256 * uno.peek(UBRR0H) + 1)


def made_of(clock_mhz: int, baud: int) -> float:
    """The same of a program that was built for this speed."""
    uno = Uno(clock_mhz, program=elf(clock_mhz, BAUD=baud))
    uno.boot()
    return made(uno)
