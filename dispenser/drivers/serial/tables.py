"""Messages and constants of the serial line, generated; firmware/PROTOCOL.md explains them.

Made by firmware/wire/generate.py from firmware/wire/messages.toml: change those.
"""

from __future__ import annotations

import enum
from typing import get_args

from dispenser.drivers.serial.packing import U8, U16, U32, OpenWords, Packed

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


class Hello(Packed, frozen=True):
    TYPE = 0x01
    protocol: U8
    dictionary: U32
    nonce: U16


class Feed(Packed, frozen=True):
    TYPE = 0x10
    run: U8
    cards: U8
    timeout_ms: U16
    blind_ms: U16
    stall_ms: U16
    duty: U8


class Retract(Packed, frozen=True):
    TYPE = 0x11
    run: U8
    duration_ms: U16
    duty: U8


class Stop(Packed, frozen=True):
    TYPE = 0x12


class Play(Packed, frozen=True):
    TYPE = 0x13
    chime: Chime


class Light(Packed, frozen=True):
    TYPE = 0x14
    on: U8


class ResetLatch(Packed, frozen=True):
    TYPE = 0x15


class Bye(Packed, frozen=True):
    TYPE = 0x16


class Heartbeat(Packed, frozen=True):
    TYPE = 0x20


class GetState(Packed, frozen=True):
    TYPE = 0x21


class Welcome(Packed, frozen=True):
    TYPE = 0x81
    nonce: U16
    protocol: U8
    dictionary: U32
    firmware_major: U8
    firmware_minor: U8
    firmware_patch: U8
    boot_id: U32
    reset_cause: ResetCause
    capabilities: Capability
    board: Board


class Ack(Packed, frozen=True):
    TYPE = 0x82
    command: U8
    result: Result


class State(Packed, frozen=True):
    TYPE = 0x83
    boot_id: U32
    uptime_ms: U32
    levels: Level
    latches: Latch
    presses: U16
    lid_rises: U16
    cards_seen: U16
    blocked_ms_0: U16
    blocked_ms_1: U16
    blocked_ms_2: U16
    blocked_ms_3: U16
    run: U8
    run_kind: RunKind
    run_cards: U8
    run_end: FeedEnd
    cell_mv: U16
    odds: Odds


Message = Hello | Feed | Retract | Stop | Play | Light | ResetLatch | Bye | Heartbeat | GetState | Welcome | Ack | State
MESSAGES: dict[int, type[Message]] = {kind.TYPE: kind for kind in get_args(Message)}
