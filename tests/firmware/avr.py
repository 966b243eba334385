"""One simulated ATmega328P: pins, serial line and registers in virtual time, by way of the simavr shim.

The same inputs give the same cycles, always. Times are clock cycles; ``us`` converts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cffi import FFI

from tests.firmware.toolchain import HERE, declarations, simavr_shim

NOT_WITHIN = 0xFFFFFFFF
ENDLESS_LOOP = 0xCFFF
"""``rjmp .-2``: where the C runtime stays after ``exit``."""
SRAM = range(0x100, 0x900)
STACK_PAINT = 0xC5
"""What all RAM holds at first."""
SPL = 0x5D
"""Stack pointer, low byte."""
MCUSR_POWER_ON, MCUSR_EXTERNAL, MCUSR_BROWN_OUT, MCUSR_WATCHDOG = 1, 2, 4, 8


@dataclass(frozen=True, slots=True)
class Happening:
    """What happened at a cycle.

    :ivar kind: ``pin`` (an output changed), ``input`` (one was put to a level), ``register``, ``byte`` or ``reset``.
    :ivar where: the pin, such as ``D4``; of a register its data address.
    :ivar value: level, byte, what a register was set to, or ``MCUSR`` after a reset.
    """

    cycle: int
    kind: str
    where: str
    value: int


_KINDS = {"P": "pin", "I": "input", "R": "register", "U": "byte", "X": "reset"}


@cache
def _shim() -> tuple[FFI, Any]:
    ffi = FFI()
    ffi.cdef(declarations(HERE / "simavr" / "shim.h"))
    return ffi, ffi.dlopen(str(simavr_shim()))


class Mcu:
    """A microcontroller with a program.

    :param elf: the program.
    :param hz: its clock.
    :param baud: how fast bytes are sent to it.
    :param supply_mv: its supply, and the reference of its analog inputs.
    :param outputs: output pins to listen to, such as ``D4``.
    :param registers: data addresses of registers to listen to.
    """

    def __init__(
        self,
        elf: Path,
        *,
        hz: int = 16_000_000,
        baud: int = 115_200,
        supply_mv: int = 5000,
        outputs: Iterable[str] = (),
        registers: Iterable[int] = (),
    ) -> None:
        self.hz = hz
        self._ffi, self._lib = _shim()
        self._mcu = self._lib.mcu_new(str(elf).encode(), hz, baud, supply_mv)
        if not self._mcu:
            raise RuntimeError(f"simavr cannot load {elf}")
        self._buffer = self._ffi.new("mcu_event_t[]", 4096)
        self._unread: list[Happening] = []
        for pin in outputs:
            self._lib.mcu_watch_pin(self._mcu, *_pin(pin))
        for address in registers:
            self._lib.mcu_watch_register(self._mcu, address)

    def close(self) -> None:
        if self._mcu:
            self._lib.mcu_free(self._mcu)
            self._mcu = None

    # --- time ---

    @property
    def cycle(self) -> int:
        return int(self._lib.mcu_cycle(self._mcu))

    def cycles(self, us: float) -> int:
        return round(us * self.hz / 1e6)

    def us(self, cycles: int) -> float:
        return cycles * 1e6 / self.hz

    def run_to(self, cycle: int, *, stop_early: bool = False) -> None:
        """Let it run; with ``stop_early`` only until an output changes or a byte is sent."""
        state = self._lib.mcu_run(self._mcu, cycle, stop_early)
        if state in {6, 7}:
            raise RuntimeError(f"the program died at cycle {self.cycle}, pc 0x{self.program_counter:x}")

    def run(self, us: float) -> None:
        self.run_to(self.cycle + self.cycles(us))

    # --- outside ---

    def put(self, pin: str, level: bool) -> None:
        """A level on an input, now."""
        self._lib.mcu_input(self._mcu, *_pin(pin), level)

    def put_at(self, cycle: int, pin: str, level: bool) -> None:
        self._lib.mcu_input_at(self._mcu, cycle, *_pin(pin), level)

    def send(self, frame: bytes) -> None:
        """Bytes for its serial line, one after the other at the line's pace."""
        self._lib.mcu_send(self._mcu, frame, len(frame))

    def supply(self, millivolts: int) -> None:
        self._lib.mcu_supply(self._mcu, millivolts)

    def reset(self, mcusr: int = MCUSR_EXTERNAL) -> None:
        self._lib.mcu_reset(self._mcu, mcusr)

    def hang(self, *, interrupts: bool) -> None:
        """From now on it runs in circles, as if its main loop had a fault; with or without its interrupts."""
        for address in range(0, 0x8000, 2):
            if self._lib.mcu_flash_word(self._mcu, address) == ENDLESS_LOOP:
                self._lib.mcu_jump(self._mcu, address, interrupts)
                return
        raise RuntimeError("no endless loop in the program")

    def call(self, address: int) -> int:
        """Call a function without arguments, here and now; its 32-bit result. The program is spoilt afterwards."""
        back = next(a for a in range(0, 0x8000, 2) if self._lib.mcu_flash_word(self._mcu, a) == ENDLESS_LOOP)
        stack = self.peek(SPL) | self.peek(SPL + 1) << 8
        self.poke(stack, back // 2 & 0xFF)
        self.poke(stack - 1, back // 2 >> 8)
        self.poke(SPL, stack - 2 & 0xFF)
        self.poke(SPL + 1, stack - 2 >> 8)
        self._lib.mcu_jump(self._mcu, address, True)
        while self.program_counter != back:
            self.run_to(self.cycle + 1)
        return sum(self.peek(register) << 8 * place for place, register in enumerate(range(22, 26)))

    # --- listening ---

    def happenings(self) -> list[Happening]:
        """What has happened since the last call, in order."""
        while count := self._lib.mcu_events(self._mcu, self._buffer, len(self._buffer)):
            self._unread += [_happening(self._buffer[number]) for number in range(count)]
        heard, self._unread = self._unread, []
        return heard

    def sweep(
        self, count: int, *, every: int = 1, edge: tuple[str, bool], until_low: str, pulse: int = 0, window: int = 300
    ) -> tuple[list[int], list[int]]:
        """After each of ``count`` instructions from here on: what if the edge came now?

        :param pulse: the edge is taken back after so many cycles; 0 lets it stay.
        :param window: how long each is watched, cycles.
        :returns: for each, the cycles until the output is low for good (``NOT_WITHIN`` the window), and the program
            counter that the edge struck.
        """
        latencies, counters = self._ffi.new("uint32_t[]", count), self._ffi.new("uint32_t[]", count)
        pin, level = edge
        done = self._lib.mcu_sweep(
            self._mcu, count, every, *_pin(pin), level, *_pin(until_low), pulse, window, latencies, counters
        )
        if done:
            raise RuntimeError("the sweep could not be run to its end")
        return list(latencies), list(counters)

    # --- inside ---

    def peek(self, address: int) -> int:
        return int(self._lib.mcu_peek(self._mcu, address))

    def poke(self, address: int, value: int) -> None:
        self._lib.mcu_poke(self._mcu, address, value)

    def high(self, pin: str) -> bool:
        """The microcontroller drives this pin high (as a plain output)."""
        port, bit = _pin(pin)
        base = 0x24 + 3 * (port[0] - ord("B"))
        return bool(self.peek(base) >> bit & self.peek(base + 1) >> bit & 1)

    @property
    def program_counter(self) -> int:
        return int(self._lib.mcu_program_counter(self._mcu))

    def eeprom(self, offset: int, count: int) -> bytes:
        room = self._ffi.new("uint8_t[]", count)
        self._lib.mcu_eeprom_read(self._mcu, offset, room, count)
        return bytes(self._ffi.buffer(room))

    def put_eeprom(self, offset: int, content: bytes) -> None:
        self._lib.mcu_eeprom_write(self._mcu, offset, content, len(content))

    def asleep(self) -> dict[str, int]:
        """Cycles asleep so far, by sleep mode."""
        names = {0: "idle", 1: "adc", 2: "power_down", 3: "power_save", 6: "standby", 7: "extended_standby"}
        return {name: count for mode, name in names.items() if (count := int(self._lib.mcu_asleep(self._mcu, mode)))}


def _pin(name: str) -> tuple[bytes, int]:
    return name[0].encode(), int(name[1])


def _happening(event: Any) -> Happening:
    kind = _KINDS[chr(event.kind)]
    port = chr(event.port) if kind in {"pin", "input"} else ""
    return Happening(event.cycle, kind, f"{port}{event.index}", event.value)
