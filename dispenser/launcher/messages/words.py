"""Limits, states and reasons that messages are made of."""

from __future__ import annotations

import enum
import math

MAX_MOTOR_RUN_S = 10.0
"""No command may ask for a longer run: 112 cards at 57 ms are 6.4 s, and nobody needs them all at once."""
MAX_BURST_CARDS = 30
"""No burst may be larger, whatever the odds or a request say."""


class MessageError(ValueError):
    """A message that may not exist, such as a feed without a time limit. The text says which field and why."""


def check_word(name: str, text: str | None) -> None:
    """What people and programs send along ends in the journal and on screens: short, printable, nothing else."""
    if text is not None and not (0 < len(text) <= 64 and text.isprintable()):
        raise MessageError(f"{name} must be 1 to 64 printable characters, not {text[:80]!a}")


def check_limit(name: str, value: float, highest: float) -> None:
    """A figure of a command must be finite, above 0, and not above its limit."""
    if not (math.isfinite(value) and 0 < value <= highest):
        raise MessageError(f"{name} must be above 0 and at most {highest}, not {value}")


class State(enum.Enum):
    """States of the launcher machine; the values are what the journal and the API show."""

    OFF = "off"
    OPEN = "open"
    READY = "ready"
    SUSPENSE = "suspense"
    FEEDING = "feeding"
    RETRACTING = "retracting"
    JAMMED = "jammed"
    EMPTY = "empty"
    FAULT = "fault"


class Refusal(enum.Enum):
    """Why a press was refused."""

    OFF = "off"
    BUSY = "busy"
    LID_OPEN = "lid_open"
    EMPTY = "empty"
    JAMMED = "jammed"
    CARD_IN_EXIT = "card_in_exit"
    FAULT = "fault"


class FeedEnd(enum.Enum):
    """Why the driver ended a feed."""

    COUNT = "count"
    TIMED = "timed"
    TIMEOUT = "timeout"
    STALL = "stall"
    LID = "lid"
    STOPPED = "stopped"


class BurstEnd(enum.Enum):
    """Why a burst ended. ``DUD``: the odds said no card. ``COMPLETE``: all that were planned came out."""

    DUD = "dud"
    COMPLETE = "complete"
    TIMED = "timed"
    LID = "lid"
    JAMMED = "jammed"
    EMPTY = "empty"
    OFF = "off"
    FAULT = "fault"


class Chime(enum.Enum):
    """Short melodies of the beeper. The notes are in ``launcher/chimes.py``."""

    LID_SHUT = "lid_shut"
    SUSPENSE = "suspense"
    FIRE = "fire"
    DUD = "dud"
    REFUSED = "refused"
    JAMMED = "jammed"
    EMPTY = "empty"
    FAULT = "fault"
