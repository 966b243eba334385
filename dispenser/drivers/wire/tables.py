"""Messages, words and figures of the serial line; firmware/PROTOCOL.md says what each of them means.

Made by firmware/wire/generate.py from firmware/wire/messages.toml: change those.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from struct import Struct
from typing import get_args

from dispenser.drivers.wire.packing import OpenWords, Packed

VERSION = 2
DICTIONARY = 0xF1EE524E
BAUD = 115200
MAX_PAYLOAD = 64
MAX_BURST_CARDS = 30
MAX_MOTOR_RUN_MS = 10000
MAX_RETRACT_MS = 1000
HOST_SILENT_MS = 1000
HOST_GONE_MS = 2000
DEVICE_NUMBERS = 128


class LauncherState(enum.IntEnum):
    OFF, OPEN, READY, SUSPENSE, FEEDING, RETRACTING, JAMMED, EMPTY, BLIND, FAULT = range(10)


class FeedEnd(enum.IntEnum):
    RUNNING, COUNT, TIMED, TIMEOUT, STALL, BLIND, LID, STOPPED = range(8)


class BurstEnd(enum.IntEnum):
    DUD, COMPLETE, TIMED, LID, JAMMED, EMPTY, BLIND, OFF, FAULT = range(9)


class Chime(enum.IntEnum):
    LID_SHUT, SUSPENSE, FIRE, DUD, REFUSED, JAMMED, EMPTY, FAULT = range(8)


class Result(enum.IntEnum):
    DONE, BAD_ARGUMENT, UNKNOWN_COMMAND, NO_SESSION, LATCHED = range(5)


class RunKind(enum.IntEnum):
    NONE, FEED, RETRACT = range(3)


class ResetCause(OpenWords):
    POWER_ON, EXTERNAL, BROWN_OUT, WATCHDOG, UNKNOWN = range(5)


class Odds(enum.IntEnum):
    TOY, MEMORYLESS, COUNTDOWN = range(3)


class Board(OpenWords):
    UNKNOWN, ATMEGA328P_16MHZ, ATMEGA328P_8MHZ, HOST = range(4)


class Capability(enum.IntFlag):
    EXIT_SENSOR, RETRACT = 1, 2


class Level(enum.IntFlag):
    LID_OPEN, EXIT_BLOCKED, BUTTON_DOWN, MOTOR_ON, LIGHT_ON, HOSTED = 1, 2, 4, 8, 16, 32


class Latch(enum.IntFlag):
    HOST_SILENT, MOTOR_GUARD, WATCHDOG = 1, 2, 4


@dataclass(frozen=True, slots=True)
class Hello(Packed):
    TYPE = 0x01
    LAYOUT = Struct(">BIH")
    protocol: int
    dictionary: int
    nonce: int


@dataclass(frozen=True, slots=True)
class Feed(Packed):
    TYPE = 0x10
    LAYOUT = Struct(">BBHHHB")
    run: int
    cards: int
    timeout_ms: int
    blind_ms: int
    stall_ms: int
    duty: int


@dataclass(frozen=True, slots=True)
class Retract(Packed):
    TYPE = 0x11
    LAYOUT = Struct(">BHB")
    run: int
    duration_ms: int
    duty: int


@dataclass(frozen=True, slots=True)
class Stop(Packed):
    TYPE = 0x12
    LAYOUT = Struct(">")


@dataclass(frozen=True, slots=True)
class Play(Packed):
    TYPE = 0x13
    LAYOUT = Struct(">B")
    chime: Chime


@dataclass(frozen=True, slots=True)
class Light(Packed):
    TYPE = 0x14
    LAYOUT = Struct(">B")
    on: int


@dataclass(frozen=True, slots=True)
class ResetLatch(Packed):
    TYPE = 0x15
    LAYOUT = Struct(">")


@dataclass(frozen=True, slots=True)
class Bye(Packed):
    TYPE = 0x16
    LAYOUT = Struct(">")


@dataclass(frozen=True, slots=True)
class Heartbeat(Packed):
    TYPE = 0x20
    LAYOUT = Struct(">")


@dataclass(frozen=True, slots=True)
class GetState(Packed):
    TYPE = 0x21
    LAYOUT = Struct(">")


@dataclass(frozen=True, slots=True)
class Welcome(Packed):
    TYPE = 0x81
    LAYOUT = Struct(">HBIBBBIBBB")
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


@dataclass(frozen=True, slots=True)
class Ack(Packed):
    TYPE = 0x82
    LAYOUT = Struct(">BB")
    command: int
    result: Result


@dataclass(frozen=True, slots=True)
class State(Packed):
    TYPE = 0x83
    LAYOUT = Struct(">IIBBHHHHHHHBBBBHB")
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


Message = Hello | Feed | Retract | Stop | Play | Light | ResetLatch | Bye | Heartbeat | GetState | Welcome | Ack | State
MESSAGES: dict[int, type[Message]] = {kind.TYPE: kind for kind in get_args(Message)}
