"""Limits, states and reasons that messages are made of."""

from __future__ import annotations

import enum
import math

from dispenser.i18n import SpokenError, Text

MAX_MOTOR_RUN_S = 10.0
"""No command may ask for a longer run: 112 cards at 57 ms are 6.4 s, and nobody needs them all at once."""
MAX_BURST_CARDS = 30
"""No burst may be larger, whatever the odds or a request say."""
BLIND_S = 0.12
"""How long a feed may run with nothing in the exit, seconds. The simulated launcher's first card needs 80 ms to reach
the sensor on flat cells; on fresh ones two cards are out after 170, so no third leaves in the dark."""


class MessageError(SpokenError, ValueError):
    """A message that may not exist, such as a feed without a time limit. The text says which field and why."""


def check_cards(cards: int, least: int, most: int) -> None:
    """:raises MessageError: so many cards can be neither asked for nor told."""
    if not least <= cards <= most:
        text = Text("cards must be {least} to {most}, not {cards}")
        raise MessageError(text.filled(least=least, most=most, cards=cards))


def check_word(name: str, text: str | None) -> None:
    """What people and programs send along ends in the journal and on screens: short, printable, nothing else."""
    if text is not None and not (0 < len(text) <= 64 and text.isprintable()):
        raise MessageError(
            Text("{name} must be 1 to 64 printable characters, not {text!a}").filled(name=name, text=text[:80])
        )


def check_limits(message: object, **highest: float) -> None:
    """Figures of a command must be finite, above 0, and not above their limits."""
    for name, limit in highest.items():
        value = getattr(message, name)
        if not (math.isfinite(value) and 0 < value <= limit):
            text = Text("{name} must be above 0 and at most {highest}, not {value}")
            raise MessageError(text.filled(name=name, highest=limit, value=value))


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
    BLIND = "blind"
    FAULT = "fault"


AWAITING_A_PERSON = frozenset({State.JAMMED, State.EMPTY, State.BLIND, State.FAULT})
"""States that last until somebody has seen to the launcher."""


class Refusal(enum.Enum):
    """Why a press was refused.

    ``CARD_IN_EXIT``: a card was fed into the exit. ``EXIT_DARK``: none was, so something else makes it dark.
    ``NOTHING_OWED``, ``COUNT_FIRST``: whoever gives the launcher its orders waits for no push now, or wants to know
    first how many cards came at the last one.
    """

    OFF = "off"
    BUSY = "busy"
    LID_OPEN = "lid_open"
    EMPTY = "empty"
    JAMMED = "jammed"
    BLIND = "blind"
    CARD_IN_EXIT = "card_in_exit"
    EXIT_DARK = "exit_dark"
    FAULT = "fault"
    NOTHING_OWED = "nothing_owed"
    COUNT_FIRST = "count_first"


OF_AN_ORDER = frozenset({Refusal.NOTHING_OWED, Refusal.COUNT_FIRST})
"""The reasons that only an order gives."""


class FeedEnd(enum.Enum):
    """Why the driver ended a feed.

    ``BLIND``: the exit sensor saw nothing at all and is clear. ``STALL``: it saw something and then nothing more, or it
    has been dark from the start.
    """

    COUNT = "count"
    TIMED = "timed"
    TIMEOUT = "timeout"
    STALL = "stall"
    BLIND = "blind"
    LID = "lid"
    STOPPED = "stopped"


class BurstEnd(enum.Enum):
    """Why a burst ended.

    ``DUD``: the odds said no card. ``COMPLETE``: all that were planned came out. ``BLIND``: the exit sensor saw
    nothing, though cards may be inside: nobody knows what left.
    """

    DUD = "dud"
    COMPLETE = "complete"
    TIMED = "timed"
    LID = "lid"
    JAMMED = "jammed"
    EMPTY = "empty"
    BLIND = "blind"
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
