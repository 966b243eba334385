"""Flash, RAM and stack of the real program: counted, measured, bounded."""

from __future__ import annotations

import pytest

from tests.firmware.busy import stack_stays_within_the_call_graph
from tests.firmware.stack import deepest
from tests.firmware.toolchain import elf, sizes

FLASH_BYTES = 16 * 1024
RAM_BYTES = 1024


def static_ram(clock_mhz: int) -> int:
    sections = sizes(elf(clock_mhz))
    return sections[".data"] + sections[".bss"] + sections.get(".noinit", 0)


@pytest.mark.parametrize("clock_mhz", [16, 8])
def test_flash_and_ram_are_within_their_goals(clock_mhz: int) -> None:
    sections = sizes(elf(clock_mhz))
    assert sections[".text"] + sections[".data"] <= FLASH_BYTES
    main, interrupt = deepest(clock_mhz)
    assert static_ram(clock_mhz) + main.size + interrupt.size <= RAM_BYTES, "the deepest stack included"


@pytest.mark.parametrize("clock_mhz", [16, 8])
def test_the_stack_stays_within_what_the_call_graph_allows(clock_mhz: int) -> None:
    stack_stays_within_the_call_graph(clock_mhz, 10, 1)
