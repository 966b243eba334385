"""The real program on a simulated Uno: what firmware/avr/board.h says about its pins, as one device."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.firmware.avr import Happening, Mcu
from tests.firmware.host import BRAKED
from tests.firmware.toolchain import elf

LID, BUTTON, EXIT = "D2", "D3", "B0"
ENABLE, BACKWARD, FORWARD = "D4", "D5", "D6"
PIEZO, LIGHT = "B3", "B5"

PORTB, PORTD = 0x25, 0x2B
TCCR0A, TCCR0B, OCR0A, OCR0B = 0x44, 0x45, 0x47, 0x48
TCCR2A, TCCR2B, OCR2A = 0xB0, 0xB1, 0xB3
COM0A1, COM0B1, COM2A0 = 0x80, 0x20, 0x40
PRESCALERS_2 = (0, 1, 8, 32, 64, 128, 256, 1024)

START_US = 400_000
"""Within this time after power-on it plays: 262 ms of them it collects noise."""
BAUD = {16: 115_200, 8: 38_400}


@dataclass(frozen=True, slots=True)
class Did:
    """The motor (duty, negative backward, 0 off, ``BRAKED``), the tone (tenths of a hertz) or the light, and when."""

    cycle: int
    kind: str
    value: int


class Uno(Mcu):
    """The program on a board whose lid is shut, button up and exit free; power is on from the first cycle.

    :param clock_mhz: 16 or 8.
    """

    def __init__(
        self, clock_mhz: int = 16, *, program: Path | None = None, supply_mv: int = 5000, held_button: bool = False
    ) -> None:
        super().__init__(
            program or elf(clock_mhz),
            hz=clock_mhz * 1_000_000,
            baud=BAUD[clock_mhz],
            supply_mv=supply_mv,
            outputs=(ENABLE, LIGHT),
            registers=(TCCR0A, OCR0A, OCR0B, TCCR2A, TCCR2B, OCR2A),
        )
        self.put("lid", False)
        self.put("button", held_button)
        self.put("exit", False)
        self._told = {"motor": 0, "tone": 0, "light": 0}
        self._did: list[Did] = []
        self._sent = bytearray()
        self.resets: list[Happening] = []

    def boot(self) -> None:
        """Let it start up."""
        self.run(START_US)
        self.look()

    # --- inputs by name ---

    def put(self, line: str, active: bool) -> None:
        self.put_at(self.cycle, line, active)

    def put_at(self, cycle: int, line: str, active: bool) -> None:
        pin, level = wire_of(line, active)
        super().put_at(cycle, pin, level)

    # --- outputs ---

    @property
    def enabled(self) -> bool:
        return self.high(ENABLE)

    @property
    def motor(self) -> int:
        """From the registers: simavr's PWM pins are not to be trusted after a write to their port."""
        if not self.enabled:
            return 0
        mode = self.peek(TCCR0A)
        forward = self.peek(OCR0A) if mode & COM0A1 else 255 * self.high(FORWARD)
        backward = self.peek(OCR0B) if mode & COM0B1 else 255 * self.high(BACKWARD)
        if forward == backward == 255:
            return BRAKED
        return forward - backward

    @property
    def tone(self) -> int:
        """Tenths of a hertz, as the timer's registers make it."""
        select = self.peek(TCCR2B) & 7
        if not (select and self.peek(TCCR2A) & COM2A0):
            return 0
        return round(self.hz * 10 / (2 * PRESCALERS_2[select] * (self.peek(OCR2A) + 1)))

    @property
    def light(self) -> bool:
        return self.high(LIGHT)

    def look(self) -> list[Happening]:
        """Take note of what has happened: bytes for ``sent``, resets into ``resets``."""
        heard = self.happenings()
        for happening in heard:
            if happening.kind == "byte":
                self._sent.append(happening.value)
            elif happening.kind == "reset":
                self.resets.append(happening)
        return heard

    def sent(self) -> bytes:
        self.look()
        sent, self._sent = bytes(self._sent), bytearray()
        return sent

    def follow_to(self, cycle: int) -> list[Did]:
        """Run, and tell how motor, tone and light change, each at its cycle; moments under 20 us are left out."""
        self.look()
        self._told = {"motor": self.motor, "tone": self.tone, "light": int(self.light)}
        settled_at = None
        while self.cycle < cycle:
            self.run_to(min(cycle, settled_at or cycle), stop_early=settled_at is None)
            heard = self.look()
            if settled_at is None and any(happening.kind != "byte" for happening in heard):
                settled_at = self.cycle + self.cycles(20)
            elif settled_at is not None and self.cycle >= settled_at:
                self._note(self.cycle - self.cycles(20))
                settled_at = None
        did, self._did = self._did, []
        return did

    def follow(self, us: float) -> list[Did]:
        return self.follow_to(self.cycle + self.cycles(us))

    def motor_changes(self, us: float) -> list[int]:
        """What the motor does in the time to come."""
        return [did.value for did in self.follow(us) if did.kind == "motor"]

    def _note(self, cycle: int) -> None:
        for kind, value in (("motor", self.motor), ("tone", self.tone), ("light", int(self.light))):
            if self._told[kind] != value:
                self._told[kind] = value
                self._did.append(Did(cycle, kind, value))


def wire_of(line: str, active: bool) -> tuple[str, bool]:
    """Pin and level: an open lid, a blocked exit are high, a pressed button is low."""
    if line == "lid":
        return LID, active
    return (BUTTON, not active) if line == "button" else (EXIT, active)
