"""The core on this computer: C called through cffi, on a board of memory and virtual time.

There is one core in a process (its state is static, as on the microcontroller); ``HostCore()`` takes a fresh board.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from cffi import FFI

from dispenser.launcher.messages import BurstEnd, State
from tests.firmware.toolchain import FIRMWARE, HERE, core_library, declarations

BRAKED = 1000
EXIT_SENSOR, RETRACT = 1, 2
STATES = tuple(State)
BURST_ENDS = tuple(BurstEnd)


@dataclass(frozen=True, slots=True)
class Happening:
    """One thing that the core did.

    :param us: when, microseconds since the board began.
    :param kind: ``motor`` (duty, negative backward, 0 off, ``BRAKED``), ``tone`` (tenths of a hertz, 0 silent),
        ``light``, ``state`` (number), ``draw`` (cards | suspense in ms << 8), ``byte``, ``burst`` (cause | cards << 8),
        ``memory`` (address << 8 | value).
    """

    us: int
    kind: str
    value: int


_KINDS = {
    "M": "motor",
    "T": "tone",
    "L": "light",
    "S": "state",
    "O": "draw",
    "B": "byte",
    "E": "burst",
    "W": "memory",
}


@cache
def _core() -> tuple[FFI, Any]:
    ffi = FFI()
    core = FIRMWARE / "core"
    for name in ("core.h", "odds.h", "frame.h", "events.h", "brain.h", "session.h"):
        ffi.cdef(declarations(core / name))
    ffi.cdef(declarations(HERE / "host" / "host.h"))
    return ffi, ffi.dlopen(str(core_library()))


class HostCore:
    """A fresh board with the core on it, not yet switched on.

    :param byte_us: how long a byte takes on the serial line; 0 for no time at all, 87 for 115,200 baud.
    :param clock_us: what its 32-bit clock shows at the start.
    :param noise: seed of its noise source.
    """

    def __init__(
        self,
        *,
        capabilities: int = EXIT_SENSOR | RETRACT,
        byte_us: int = 0,
        clock_us: int = 0,
        noise: int = 1,
    ) -> None:
        self._ffi, self._lib = _core()
        self._lib.host_begin(capabilities, byte_us, clock_us, noise)
        self._buffer = self._ffi.new("host_event_t[]", 4096)
        self._unread: list[Happening] = []
        self._sent = bytearray()

    def start(self, reset_cause: int = 0) -> None:
        """Power on, or a reset."""
        self._lib.host_start(reset_cause)

    # --- time ---

    @property
    def now_us(self) -> int:
        return int(self._lib.host_now())

    def run(self, us: int) -> None:
        self.run_to(self.now_us + us)

    def run_to(self, us: int, *, stop_early: bool = False) -> None:
        self._lib.host_run(us, stop_early)
        self.check()

    def check(self) -> None:
        """The core kept to the rules of its board."""
        if self._lib.host_mistakes():
            text = self._ffi.string(self._lib.host_last_mistake()).decode()
            raise AssertionError(f"{self._lib.host_mistakes()} mistakes of the core, the last one: {text}")

    # --- outside ---

    def put(self, line: str, active: bool) -> None:
        """``lid`` (open), ``button`` (down) or ``exit`` (blocked), now."""
        self._lib.host_input(ord(line[0]), active)

    def send(self, stream: bytes) -> None:
        self._lib.host_send(stream, len(stream))

    def cells(self, millivolts: int) -> None:
        self._lib.host_cells(millivolts)

    def memory(self) -> bytes:
        return bytes(self._lib.host_memory_at(address) for address in range(16))

    def put_memory(self, content: bytes) -> None:
        for address, value in enumerate(content):
            self._lib.host_memory(address, value)

    def script(self, outcomes: Sequence[tuple[int, int]]) -> None:
        """The next outcomes of the odds: (cards, suspense in ms)."""
        cards, suspense = zip(*outcomes, strict=True) if outcomes else ((), ())
        self._lib.host_script(list(cards), list(suspense), len(outcomes))

    # --- looking ---

    @property
    def motor(self) -> int:
        return int(self._lib.host_motor())

    @property
    def tone(self) -> int:
        return int(self._lib.host_tone())

    @property
    def light(self) -> bool:
        return bool(self._lib.host_light())

    @property
    def hosted(self) -> bool:
        return bool(self._lib.session_is_on())

    def brain(self) -> Any:
        brain = self._ffi.new("struct brain_view *")
        self._lib.brain_look(brain)
        return brain

    @property
    def state(self) -> State:
        return STATES[self.brain().state]

    def happenings(self, *kinds: str) -> list[Happening]:
        """What has happened since the last call, in order; bytes are in ``sent`` and nowhere else."""
        self._collect()
        heard, self._unread = self._unread, []
        return [happening for happening in heard if not kinds or happening.kind in kinds]

    def sent(self) -> bytes:
        """Bytes that it has sent since the last call."""
        self._collect()
        sent, self._sent = bytes(self._sent), bytearray()
        return sent

    def _collect(self) -> None:
        while count := self._lib.host_events(self._buffer, len(self._buffer)):
            for number in range(count):
                event = self._buffer[number]
                if event.kind == ord("B"):
                    self._sent.append(event.value)
                else:
                    self._unread.append(Happening(event.us, _KINDS[chr(event.kind)], event.value))

    # --- parts by themselves ---

    def frames(self, stream: bytes) -> list[tuple[int, int, int, bytes]]:
        """What the frame decoder finds: (version, type, sequence, payload)."""
        frame, found = self._ffi.new("struct frame *"), []
        self._lib.frame_forget()
        for byte in stream:
            if self._lib.frame_take(byte, frame):
                payload = bytes(self._ffi.buffer(frame.payload, frame.length))
                found.append((frame.version, frame.type, frame.sequence, payload))
        return found

    def frame(self, type_: int, sequence: int, payload: bytes) -> bytes:
        """What the frame encoder sends."""
        self.sent()
        assert self._lib.frame_send(type_, sequence, payload, len(payload))
        return self.sent()

    def choose_odds(self, kind: int) -> None:
        self._lib.odds_choose(kind)

    def draw(self) -> tuple[int, int]:
        outcome = self._ffi.new("struct odds_outcome *")
        self._lib.odds_draw(outcome)
        return outcome.cards, outcome.suspense_ms


def motor_starts(happenings: Iterable[Happening]) -> int:
    """How often the motor was turned on, the brake left out."""
    starts, before = 0, 0
    for happening in happenings:
        if happening.kind == "motor":
            starts += before in {0, BRAKED} and happening.value not in {0, BRAKED}
            before = happening.value
    return starts
