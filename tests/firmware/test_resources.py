"""Flash, RAM and stack of the real program: counted and measured."""

from __future__ import annotations

import pytest

from dispenser.drivers.serial import tables as wire
from tests.firmware.avr import SRAM, STACK_PAINT
from tests.firmware.board import Uno
from tests.firmware.line import Host, feed
from tests.firmware.toolchain import elf, sizes

FLASH_BYTES = 16 * 1024
RAM_BYTES = 1024


def static_ram(clock_mhz: int) -> int:
    sections = sizes(elf(clock_mhz))
    return sections[".data"] + sections[".bss"] + sections.get(".noinit", 0)


def busy(uno: Uno, rounds: int) -> None:
    """Everything at once: a session with every command, cards, presses, the lid."""
    uno.boot()
    host = Host(uno)
    host.hello()
    uno.run(20_000)
    for number in range(1, rounds + 1):
        begin = uno.cycle
        for edge in range(8):
            uno.put_at(begin + uno.cycles(edge * 5_100), "exit", edge % 2 == 0)
            uno.put_at(begin + uno.cycles(edge * 6_300), "button", edge % 2 == 0)
        uno.put_at(begin + uno.cycles(30_000), "lid", number % 5 == 0)
        for message in (
            feed(run=number),
            wire.Play(wire.Chime(number % 8)),
            wire.Retract(number, 40, 200),
            wire.Stop(),
        ):
            host.say(message, number * 4 % 255 + 1)
            host.say(wire.Heartbeat(), 9)
            uno.run(9_000)
        uno.run(20_000)


def stack(clock_mhz: int) -> int:
    """Bytes of the stack that were ever used while everything happened at once."""
    uno = Uno(clock_mhz)
    busy(uno, 10)
    lowest = next(at for at in range(SRAM.start + static_ram(clock_mhz), SRAM.stop) if uno.peek(at) != STACK_PAINT)
    return SRAM.stop - lowest


@pytest.mark.parametrize("clock_mhz", [16, 8])
def test_flash_and_ram_are_within_their_goals(clock_mhz: int) -> None:
    """Half of each is free: room for an interrupt at a deeper place than was met here."""
    sections = sizes(elf(clock_mhz))
    assert sections[".text"] + sections[".data"] <= FLASH_BYTES
    assert static_ram(clock_mhz) + stack(clock_mhz) <= RAM_BYTES
