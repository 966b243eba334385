"""Output events of the launcher machine, which the journal keeps, with their states and reasons.

``type`` is the journal's entry type; the fields of a notice are the entry's ``data``.
"""

from __future__ import annotations

import enum
import math
from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from dispenser.i18n import SpokenError, Text

MAX_MOTOR_RUN_S = 10.0
"""Longest motor run of any command, seconds: 112 cards at 57 ms are 6.4 s, and nobody needs them all at once."""
MAX_BURST_CARDS = 30
BLIND_S = 0.12
"""Longest time that a feed may run with a clear exit, seconds. The simulated launcher's first card reaches the sensor
after 80 ms on flat cells; on fresh ones two cards are out after 170 ms, so no third leaves unseen."""


class MessageError(SpokenError, ValueError):
    """An invalid message, such as a feed without a time limit. The text names the field and the reason."""


def check_cards(cards: int, least: int, most: int) -> None:
    if not least <= cards <= most:
        text = Text("cards must be {least} to {most}, not {cards}")
        raise MessageError(text.filled(least=least, most=most, cards=cards))


def check_limits(message: object, **highest: float) -> None:
    """Check that figures of a command are finite, above 0 and not above their limits."""
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


class Refusal(enum.Enum):
    """Why a press was refused.

    ``CARD_IN_EXIT``: a card was fed into the exit. ``EXIT_DARK``: none was, so something else makes it dark.
    ``NOTHING_OWED``, ``COUNT_FIRST``: an order waits for no push now, or for the count of the last one.
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
    """Why a burst ended. ``BLIND``: the exit sensor saw nothing, though cards may be inside: nobody knows what left."""

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


Said = list[Any] | None | UnsetType  # Translatable form of a `detail`, see `dispenser.i18n.recorded`


class SwitchedOn(Struct, frozen=True):
    """The launcher is in use, or a phone that stands in for it: its cards come from a pile on the table."""

    type: ClassVar[str] = "launcher.switched.on"
    lid_open: bool
    stand_in: bool = False


class SwitchedOff(Struct, frozen=True):
    type: ClassVar[str] = "launcher.switched.off"


class StateChanged(Struct, frozen=True):
    """The machine is in another state.

    :param detail: why and what to do, in the states that wait for a person.
    :param refusal: why a press would be refused from now on; ``None`` when it would count. ``BurstEnded``,
        ``ExitChanged`` and ``OrderChanged`` tell it, too.
    """

    type: ClassVar[str] = "launcher.state.changed"
    old: State
    new: State
    detail: str = ""
    refusal: Refusal | None = None
    said: Said = UNSET


class PressAccepted(Struct, frozen=True):
    """A press counts. What it brings is told by ``BurstStarted`` and ``BurstEnded``, not here.

    :param press: number of this press since the journal began; refused presses are counted too, without a gap.
    :param cards: the exact number asked for or ordered, or ``None`` when the odds decide.
    :param draw: number of the odds draw spent on it, for the audit; ``None`` for an exact number.
    :param ordered: it asked for no number itself: the order in force did, and is spent with it.
    """

    type: ClassVar[str] = "launcher.press.accepted"
    press: int
    source: str
    cards: int | None
    draw: int | None
    request: str | None = None
    ordered: bool = False


class PressRefused(Struct, frozen=True):
    """A press does not count, and why. Nothing moves."""

    type: ClassVar[str] = "launcher.press.refused"
    press: int
    source: str
    reason: Refusal
    request: str | None = None


class BurstStarted(Struct, frozen=True):
    """The drum roll is over and cards are about to leave."""

    type: ClassVar[str] = "launcher.burst.started"
    press: int
    planned: int


class CardLeft(Struct, frozen=True):
    """The exit sensor saw a card leave.

    :param press: ``None`` for a card that left outside a burst.
    :param number: 1 for the first card of the burst; 0 outside a burst.
    :param blocked_ms: how long it blocked the barrier.
    :param suspected_double: beside the cards before it, it was dark so long that two overlapping cards are likely.
    """

    type: ClassVar[str] = "launcher.card.left"
    press: int | None
    number: int
    blocked_ms: float
    suspected_double: bool


class BurstEnded(Struct, frozen=True):
    """The answer to an accepted press; exactly one for each.

    :param planned: cards that should have left; 0 for a dud.
    :param delivered: cards that left, a card sticking out included; ``None`` when nothing could count them.
    :param sticking_out: a card is still in the exit; it belongs to whoever pressed.
    :param suspected_doubles: how many of them may have been two cards, now that all can be compared.
    :param tries: feeds that were needed (0 for a dud).
    """

    type: ClassVar[str] = "launcher.burst.ended"
    press: int
    planned: int
    delivered: int | None
    cause: BurstEnd
    sticking_out: bool = False
    suspected_doubles: int = 0
    tries: int = 0
    dud_streak: int = 0
    refusal: Refusal | None = None


class BurstLost(Struct, frozen=True):
    """The service died before this accepted press had its ``BurstEnded``; told at the next start."""

    type: ClassVar[str] = "launcher.burst.lost"
    press: int
    delivered: int


class BurstCounted(Struct, frozen=True):
    """Somebody said how many cards really came out at a press, and how many were believed until then."""

    type: ClassVar[str] = "launcher.burst.counted"
    press: int
    cards: int
    counted_before: int
    request: str | None = None


class LidWasOpened(Struct, frozen=True):
    type: ClassVar[str] = "launcher.lid.opened"


class LidWasClosed(Struct, frozen=True):
    type: ClassVar[str] = "launcher.lid.closed"


class ExitChanged(Struct, frozen=True):
    """Outside a burst something came into the exit (``blocked``) or was taken out of it."""

    type: ClassVar[str] = "launcher.exit.changed"
    blocked: bool
    refusal: Refusal | None = None


class OrderChanged(Struct, frozen=True):
    """What the next push brings is another now, see ``Order``; after a switching on it is luck, which nobody tells.

    :param refusal: unlike ``why``, it knows of the lid and of whatever else is in the way of a press.
    """

    type: ClassVar[str] = "launcher.order.changed"
    cards: int | None
    why: Refusal | None
    refusal: Refusal | None = None


class CardsLoaded(Struct, frozen=True):
    """How many cards are inside now, as a person said."""

    type: ClassVar[str] = "launcher.cards.loaded"
    cards: int
    request: str | None = None


class ChimePlayed(Struct, frozen=True):
    type: ClassVar[str] = "launcher.chime.played"
    chime: Chime


class WasReset(Struct, frozen=True):
    """``Reset`` was heard; ``state`` is where the machine is now (a fault that persists stays)."""

    type: ClassVar[str] = "launcher.reset"
    state: State
    request: str | None = None


Answer = PressAccepted | PressRefused | CardsLoaded | WasReset | BurstCounted  # Answers to requests
_OfBurst = BurstStarted | CardLeft | BurstEnded | BurstLost
_OfState = (
    SwitchedOn | SwitchedOff | StateChanged | OrderChanged | LidWasOpened | LidWasClosed | ExitChanged | ChimePlayed
)
Notice = Answer | _OfBurst | _OfState
