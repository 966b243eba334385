"""Messages, words and figures of the serial line.

Made by firmware/wire/generate.py from firmware/wire/messages.toml: change those.
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass
from typing import ClassVar, Self

VERSION = 2
DICTIONARY = 0xF1EE524E
BAUD = 115200
"""Bits per second unless a board is built for another rate; 8 data bits, no parity, 1 stop bit."""
MAX_PAYLOAD = 64
"""Bytes of payload in a frame."""
MAX_BURST_CARDS = 30
"""Most cards a FEED may ask for."""
MAX_MOTOR_RUN_MS = 10000
"""Longest motor run a FEED may ask for."""
MAX_RETRACT_MS = 1000
"""Longest motor run a RETRACT may ask for."""
HOST_SILENT_MS = 1000
"""Without a valid frame for so long while the motor runs: motor off, latched."""
HOST_GONE_MS = 2000
"""Without a valid frame for so long: the device plays alone."""
DEVICE_NUMBERS = 128
"""Messages from the device are numbered from here on, those from the host below."""


class LauncherState(enum.IntEnum):
    """States of the launcher machine, for a device that plays alone."""

    OFF = 0
    OPEN = 1
    READY = 2
    SUSPENSE = 3
    FEEDING = 4
    RETRACTING = 5
    JAMMED = 6
    EMPTY = 7
    BLIND = 8
    FAULT = 9


class FeedEnd(enum.IntEnum):
    """Why a motor run ended."""

    RUNNING = 0
    COUNT = 1
    TIMED = 2
    TIMEOUT = 3
    STALL = 4
    BLIND = 5
    LID = 6
    STOPPED = 7


class BurstEnd(enum.IntEnum):
    """Why a burst ended, for a device that plays alone."""

    DUD = 0
    COMPLETE = 1
    TIMED = 2
    LID = 3
    JAMMED = 4
    EMPTY = 5
    BLIND = 6
    OFF = 7
    FAULT = 8


class Chime(enum.IntEnum):
    """Short melodies of the beeper."""

    LID_SHUT = 0
    SUSPENSE = 1
    FIRE = 2
    DUD = 3
    REFUSED = 4
    JAMMED = 5
    EMPTY = 6
    FAULT = 7


class Result(enum.IntEnum):
    """What became of a command."""

    DONE = 0
    BAD_ARGUMENT = 1
    UNKNOWN_COMMAND = 2
    NO_SESSION = 3
    LATCHED = 4


class RunKind(enum.IntEnum):
    """What the motor did last."""

    NONE = 0
    FEED = 1
    RETRACT = 2


class ResetCause(enum.IntEnum):
    """Why the device started."""

    POWER_ON = 0
    EXTERNAL = 1
    BROWN_OUT = 2
    WATCHDOG = 3
    UNKNOWN = 4

    @classmethod
    def _missing_(cls, value: object) -> Self:  # noqa: ARG003
        return cls.UNKNOWN


class Odds(enum.IntEnum):
    """The odds of a device that plays alone."""

    TOY = 0
    MEMORYLESS = 1
    COUNTDOWN = 2


class Board(enum.IntEnum):
    """What the device runs on."""

    UNKNOWN = 0
    ATMEGA328P_16MHZ = 1
    ATMEGA328P_8MHZ = 2
    HOST = 3

    @classmethod
    def _missing_(cls, value: object) -> Self:  # noqa: ARG003
        return cls.UNKNOWN


class Capability(enum.IntFlag):
    """What this launcher can do."""

    EXIT_SENSOR = 1
    RETRACT = 2


class Level(enum.IntFlag):
    """Levels that count (filtered), and what the device is doing."""

    LID_OPEN = 1
    EXIT_BLOCKED = 2
    BUTTON_DOWN = 4
    MOTOR_ON = 8
    LIGHT_ON = 16
    HOSTED = 32


class Latch(enum.IntFlag):
    """Why the motor is locked until RESET_LATCH; HELLO clears host_silent, too, power-on all."""

    HOST_SILENT = 1
    MOTOR_GUARD = 2
    WATCHDOG = 4


@dataclass(frozen=True, slots=True)
class Hello:
    """From the host. Begins a session: motor, sound and light off, the latch host_silent cleared, the last sequence
    number forgotten. Answered with WELCOME and, if version and dictionary are the device's own, a STATE. If they
    are not, no session begins.

    :param protocol: version of this dictionary's framing and rules.
    :param dictionary: hash of the dictionary.
    :param nonce: any number; WELCOME returns it.
    """

    TYPE: ClassVar[int] = 0x01
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">BIH")

    protocol: int
    dictionary: int
    nonce: int

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.protocol,
            self.dictionary,
            self.nonce,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            values[0],
            values[1],
            values[2],
        )


@dataclass(frozen=True, slots=True)
class Feed:
    """From the host. Run the motor forward until so many cards have left. Refused runs are runs too: STATE tells
    their end (lid: the lid is open; stopped: a latch is set, and the ACK says latched), and the motor has not
    moved. Without the capability exit_sensor nothing is counted: the run ends with timed after timeout_ms; cards,
    blind_ms and stall_ms must be in range and mean nothing; run_cards, cards_seen and blocked_ms stay 0.

    :param run: the host's number for this run, 1 to 255; STATE returns it.
    :param cards: 1 to max_burst_cards.
    :param timeout_ms: longest motor run, 1 to max_motor_run_ms.
    :param blind_ms: longest time with a clear exit, before the first card and between two, 1 to max_motor_run_ms.
    :param stall_ms: longest time without an edge of the exit sensor while something darkens it, 1 to max_motor_run_ms.
    :param duty: motor duty, 1 to 255 (255: always on).
    """

    TYPE: ClassVar[int] = 0x10
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">BBHHHB")

    run: int
    cards: int
    timeout_ms: int
    blind_ms: int
    stall_ms: int
    duty: int

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.run,
            self.cards,
            self.timeout_ms,
            self.blind_ms,
            self.stall_ms,
            self.duty,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            values[0],
            values[1],
            values[2],
            values[3],
            values[4],
            values[5],
        )


@dataclass(frozen=True, slots=True)
class Retract:
    """From the host. Run the motor backward for a moment; it ends with timed. Refused like FEED; without the
    capability retract it is a bad_argument.

    :param run: the host's number for this run, 1 to 255; STATE returns it.
    :param duration_ms: 1 to max_retract_ms.
    :param duty: motor duty, 1 to 255.
    """

    TYPE: ClassVar[int] = 0x11
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">BHB")

    run: int
    duration_ms: int
    duty: int

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.run,
            self.duration_ms,
            self.duty,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            values[0],
            values[1],
            values[2],
        )


@dataclass(frozen=True, slots=True)
class Stop:
    """From the host. Motor off, now, whatever payload comes with it. A run under way ends with the cause stopped.
    Nothing else changes.
    """

    TYPE: ClassVar[int] = 0x12
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">")

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack()

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        cls.LAYOUT.unpack(payload)
        return cls()


@dataclass(frozen=True, slots=True)
class Play:
    """From the host. Play a chime; one that is playing is cut short. The chimes that a device has for itself when it
    plays alone (low cells, choosing the odds) cannot be asked for.

    :param chime: which.
    """

    TYPE: ClassVar[int] = 0x13
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">B")

    chime: Chime

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.chime,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        :raises ValueError: a word that the dictionary does not know.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            Chime(values[0]),
        )


@dataclass(frozen=True, slots=True)
class Light:
    """From the host. Status light.

    :param on: 1 on, 0 off.
    """

    TYPE: ClassVar[int] = 0x14
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">B")

    on: int

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.on,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            values[0],
        )


@dataclass(frozen=True, slots=True)
class ResetLatch:
    """From the host. Clear the latches: a person has seen to it. The motor stays off."""

    TYPE: ClassVar[int] = 0x15
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">")

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack()

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        cls.LAYOUT.unpack(payload)
        return cls()


@dataclass(frozen=True, slots=True)
class Bye:
    """From the host. Ends the session: motor, sound and light off; the device plays alone from now on. Without a
    session: bye is done.
    """

    TYPE: ClassVar[int] = 0x16
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">")

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack()

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        cls.LAYOUT.unpack(payload)
        return cls()


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """From the host. The host is alive; say it every 100 ms while the motor runs, else once a second. Answered with
    a STATE that has the same sequence number; not acknowledged.
    """

    TYPE: ClassVar[int] = 0x20
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">")

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack()

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        cls.LAYOUT.unpack(payload)
        return cls()


@dataclass(frozen=True, slots=True)
class GetState:
    """From the host. Answered like HEARTBEAT, with or without a session, but does not count as a sign of life."""

    TYPE: ClassVar[int] = 0x21
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">")

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack()

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        """
        cls.LAYOUT.unpack(payload)
        return cls()


@dataclass(frozen=True, slots=True)
class Welcome:
    """From the device. Answer to HELLO, with its sequence number; sent whatever the HELLO's version was.

    :param nonce: from the HELLO.
    :param protocol: version of the device's framing and rules.
    :param dictionary: hash of the device's dictionary.
    :param firmware_major: firmware version.
    :param firmware_minor: firmware version.
    :param firmware_patch: firmware version.
    :param boot_id: another number at every start of the device.
    :param reset_cause: why it started.
    :param capabilities: what it can do.
    :param board: what it runs on.
    """

    TYPE: ClassVar[int] = 0x81
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">HBIBBBIBBB")

    nonce: int
    protocol: int
    dictionary: int
    firmware_major: int
    firmware_minor: int
    firmware_patch: int
    boot_id: int
    reset_cause: ResetCause
    capabilities: Capability
    board: Board

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.nonce,
            self.protocol,
            self.dictionary,
            self.firmware_major,
            self.firmware_minor,
            self.firmware_patch,
            self.boot_id,
            self.reset_cause,
            self.capabilities,
            self.board,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        :raises ValueError: a word that the dictionary does not know.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            values[0],
            values[1],
            values[2],
            values[3],
            values[4],
            values[5],
            values[6],
            ResetCause(values[7]),
            Capability(values[8]),
            Board(values[9]),
        )


@dataclass(frozen=True, slots=True)
class Ack:
    """From the device. Answer to every command from FEED to BYE, with its sequence number. A command that was
    carried out and comes again with its sequence number is not carried out again, and its answer is the same
    again. Also the answer to what is no command: unknown_command for a number below device_numbers that this
    dictionary does not have, bad_argument for a payload of the wrong length (STOP has none that is wrong); HELLO
    of the wrong length is dropped. A host must look at the command, too: the answer to a frame that was damaged
    may carry its number.

    :param command: number of the message that is answered.
    :param result: what became of it.
    """

    TYPE: ClassVar[int] = 0x82
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">BB")

    command: int
    result: Result

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.command,
            self.result,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        :raises ValueError: a word that the dictionary does not know.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            values[0],
            Result(values[1]),
        )


@dataclass(frozen=True, slots=True)
class State:
    """From the device. Everything that is known, so that a lost report loses nothing: counters wrap, and the next
    report carries what the lost one said. Sent at every change within a session (at most one every few
    milliseconds; sequence number 0), and in answer to HEARTBEAT and GET_STATE with their sequence number.

    :param boot_id: as in WELCOME.
    :param uptime_ms: since the start of the device.
    :param levels: levels that count.
    :param latches: why the motor is locked.
    :param presses: pushes of the button so far.
    :param lid_rises: how often the lid has gone up so far.
    :param cards_seen: times the exit was blocked and free again so far, whatever the motor did.
    :param blocked_ms_0: how long the newest of them was dark; 65535: that or longer.
    :param blocked_ms_1: the one before.
    :param blocked_ms_2: the one before that.
    :param blocked_ms_3: and the one before that.
    :param run: the host's number for the last run; 0: none yet in this session.
    :param run_kind: what it was; none before the first of a session.
    :param run_cards: cards seen since that run began, the coast-down included.
    :param run_end: why it ended; running until the motor is off and has coasted down.
    :param cell_mv: supply voltage; 0: not measured.
    :param odds: what it plays with when it is alone, kept through power-off.
    """

    TYPE: ClassVar[int] = 0x83
    LAYOUT: ClassVar[struct.Struct] = struct.Struct(">IIBBHHHHHHHBBBBHB")

    boot_id: int
    uptime_ms: int
    levels: Level
    latches: Latch
    presses: int
    lid_rises: int
    cards_seen: int
    blocked_ms_0: int
    blocked_ms_1: int
    blocked_ms_2: int
    blocked_ms_3: int
    run: int
    run_kind: RunKind
    run_cards: int
    run_end: FeedEnd
    cell_mv: int
    odds: Odds

    def pack(self) -> bytes:
        """The payload.

        :raises struct.error: a number does not fit its field.
        """
        return self.LAYOUT.pack(
            self.boot_id,
            self.uptime_ms,
            self.levels,
            self.latches,
            self.presses,
            self.lid_rises,
            self.cards_seen,
            self.blocked_ms_0,
            self.blocked_ms_1,
            self.blocked_ms_2,
            self.blocked_ms_3,
            self.run,
            self.run_kind,
            self.run_cards,
            self.run_end,
            self.cell_mv,
            self.odds,
        )

    @classmethod
    def unpack(cls, payload: bytes) -> Self:
        """From a payload.

        :raises struct.error: its length is wrong.
        :raises ValueError: a word that the dictionary does not know.
        """
        values = cls.LAYOUT.unpack(payload)
        return cls(
            values[0],
            values[1],
            Level(values[2]),
            Latch(values[3]),
            values[4],
            values[5],
            values[6],
            values[7],
            values[8],
            values[9],
            values[10],
            values[11],
            RunKind(values[12]),
            values[13],
            FeedEnd(values[14]),
            values[15],
            Odds(values[16]),
        )


Message = Hello | Feed | Retract | Stop | Play | Light | ResetLatch | Bye | Heartbeat | GetState | Welcome | Ack | State

MESSAGES: dict[int, type[Message]] = {
    Hello.TYPE: Hello,
    Feed.TYPE: Feed,
    Retract.TYPE: Retract,
    Stop.TYPE: Stop,
    Play.TYPE: Play,
    Light.TYPE: Light,
    ResetLatch.TYPE: ResetLatch,
    Bye.TYPE: Bye,
    Heartbeat.TYPE: Heartbeat,
    GetState.TYPE: GetState,
    Welcome.TYPE: Welcome,
    Ack.TYPE: Ack,
    State.TYPE: State,
}
"""The class of each kind of frame."""
