"""Output events of the launcher machine, which are stored in the journal, with their states and reasons.

``type`` is the record's type; the fields are the record's ``data``.
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
    """States of the launcher. In ``jammed``, ``empty``, ``blind`` and ``fault`` it waits for a person."""

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

    ``CARD_IN_EXIT``: a card was fed into the exit. ``EXIT_DARK``: the exit is dark although no card was fed into it.
    ``NOTHING_OWED``: the game expects no press. ``COUNT_FIRST``: the count of the last press must be entered first.
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
    """Why a burst ended. ``BLIND``: the exit sensor saw nothing, and it is not known whether cards left."""

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
    """Short melodies of the beeper; ``GET /api/v1/chimes`` returns the notes."""

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
    """The launcher is switched on; with ``stand_in`` a phone replaces it, and cards come from a pile on the table."""

    type: ClassVar[str] = "launcher.switched.on"
    lid_open: bool
    stand_in: bool = False


class SwitchedOff(Struct, frozen=True):
    """The service has ended; the motor is off."""

    type: ClassVar[str] = "launcher.switched.off"


class StateChanged(Struct, frozen=True):
    """The machine has changed its state.

    :param detail: the reason and the remedy, in states that wait for a person.
    :param refusal: why a press would be refused from now on; ``None`` if it would be accepted. ``BurstEnded``,
        ``ExitChanged`` and ``OrderChanged`` have it, too.
    """

    type: ClassVar[str] = "launcher.state.changed"
    old: State
    new: State
    detail: str = ""
    refusal: Refusal | None = None
    said: Said = UNSET


class PressAccepted(Struct, frozen=True):
    """A press was accepted. ``BurstStarted`` and ``BurstEnded`` report its cards.

    :param press: number of this press since the journal began, without gaps; refused presses have numbers, too.
    :param cards: the exact number of cards, or ``None`` when the odds decide.
    :param draw: number of the odds draw, for the audit; ``None`` for an exact number.
    :param ordered: the number comes from the order in force, which this press uses up.
    """

    type: ClassVar[str] = "launcher.press.accepted"
    press: int
    source: str
    cards: int | None
    draw: int | None
    request: str | None = None
    ordered: bool = False


class PressRefused(Struct, frozen=True):
    """A press was refused; ``reason`` says why. Nothing moves."""

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
    :param blocked_ms: how long it blocked the exit sensor.
    :param suspected_double: it blocked the sensor much longer than the cards before it, as two overlapping cards do.
    """

    type: ClassVar[str] = "launcher.card.left"
    press: int | None
    number: int
    blocked_ms: float
    suspected_double: bool


class BurstEnded(Struct, frozen=True):
    """The result of an accepted press; exactly one for each.

    :param planned: cards that should have left; 0 for a dud.
    :param delivered: cards that left, a card sticking out included; ``None`` when nothing could count them.
    :param sticking_out: a card is still in the exit; it belongs to this press.
    :param suspected_doubles: how many may have been two cards, after comparing all cards of the burst.
    :param tries: number of feeds (0 for a dud).
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
    """The service was killed before this accepted press had its ``BurstEnded``; recorded at the next start."""

    type: ClassVar[str] = "launcher.burst.lost"
    press: int
    delivered: int


class BurstCounted(Struct, frozen=True):
    """A person entered the number of cards of a press; ``counted_before`` is the number until then."""

    type: ClassVar[str] = "launcher.burst.counted"
    press: int
    cards: int
    counted_before: int
    request: str | None = None


class LidWasOpened(Struct, frozen=True):
    """Somebody lifted the lid; a motor that was running is off."""

    type: ClassVar[str] = "launcher.lid.opened"


class LidWasClosed(Struct, frozen=True):
    """Somebody shut the lid."""

    type: ClassVar[str] = "launcher.lid.closed"


class ExitChanged(Struct, frozen=True):
    """Outside a burst the exit was blocked or became free."""

    type: ClassVar[str] = "launcher.exit.changed"
    blocked: bool
    refusal: Refusal | None = None


class OrderChanged(Struct, frozen=True):
    """The order for the next press has changed, see ``Order``. After ``SwitchedOn`` there is none, without this event.

    :param refusal: why a press would be refused now, by the order or anything else, such as the lid.
    """

    type: ClassVar[str] = "launcher.order.changed"
    cards: int | None
    why: Refusal | None
    refusal: Refusal | None = None


class CardsLoaded(Struct, frozen=True):
    """A person entered how many cards are inside now."""

    type: ClassVar[str] = "launcher.cards.loaded"
    cards: int
    request: str | None = None


class ChimePlayed(Struct, frozen=True):
    """The beeper plays a melody; ``GET /api/v1/chimes`` returns its notes."""

    type: ClassVar[str] = "launcher.chime.played"
    chime: Chime


class WasReset(Struct, frozen=True):
    """``Reset`` was executed; ``state`` is the state after it (a fault that persists stays)."""

    type: ClassVar[str] = "launcher.reset"
    state: State
    request: str | None = None


Answer = PressAccepted | PressRefused | CardsLoaded | WasReset | BurstCounted  # Answers to requests
_OfBurst = BurstStarted | CardLeft | BurstEnded | BurstLost
_OfState = (
    SwitchedOn | SwitchedOff | StateChanged | OrderChanged | LidWasOpened | LidWasClosed | ExitChanged | ChimePlayed
)
Notice = Answer | _OfBurst | _OfState
