"""Every input event, command and notice of the launcher machine.

Data flows one way: a driver (or the service, for a request from a person) hands *events* to the machine;
the machine answers with *commands* for the driver and *notices* for the world. All are frozen dataclasses.
Times are seconds on the caller's monotonic clock and travel beside an event, never inside it.

``Notice.type`` is the journal's entry type; the fields of a notice are the entry's ``data``.
"""

from __future__ import annotations

import enum
import math
from dataclasses import dataclass
from typing import ClassVar

MAX_MOTOR_RUN_S = 10.0
"""No command may ask for a longer run: 112 cards at 57 ms are 6.4 s, and nobody needs them all at once."""
MAX_BURST_CARDS = 30
"""No burst may be larger, whatever the odds or a request say."""


class MessageError(ValueError):
    """A message that may not exist, such as a feed without a time limit. The text says which field and why."""


def _word(name: str, text: str | None) -> None:
    """What people and programs send along ends in the journal and on screens: short, printable, nothing else."""
    if text is not None and not (0 < len(text) <= 64 and text.isprintable()):
        raise MessageError(f"{name} must be 1 to 64 printable characters, not {text[:80]!a}")


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


# --- events: what the machine is told -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SwitchOn:
    """The launcher gets power. Levels are those read from the pins at that moment."""

    lid_open: bool
    exit_blocked: bool = False


@dataclass(frozen=True, slots=True)
class SwitchOff:
    """The launcher loses power on purpose (off switch, service stop)."""


@dataclass(frozen=True, slots=True)
class Press:
    """One push of the button, already debounced, or a request that stands for one.

    :param source: who pressed: ``button``, ``api``, ``web``, ``cli`` or the caller's own word.
    :param cards: ``None`` lets the odds decide; a number asks for exactly that many cards.
    :param request: the caller's own id, returned in the answer.
    """

    source: str = "button"
    cards: int | None = None
    request: str | None = None

    def __post_init__(self) -> None:
        if self.cards is not None and not 1 <= self.cards <= MAX_BURST_CARDS:
            raise MessageError(f"cards must be 1 to {MAX_BURST_CARDS}, not {self.cards}: ask for fewer at a time")
        _word("source", self.source)
        _word("request", self.request)


@dataclass(frozen=True, slots=True)
class LidOpened:
    """The lid has left its switch. The driver has already stopped the motor."""


@dataclass(frozen=True, slots=True)
class LidClosed:
    """The lid rests on its switch, debounced."""


@dataclass(frozen=True, slots=True)
class ExitBlocked:
    """Something began to block the light barrier at the exit."""


@dataclass(frozen=True, slots=True)
class ExitCleared:
    """The light barrier is free again: one card has passed.

    :param blocked_ms: how long it was dark, in milliseconds.
    """

    blocked_ms: float


@dataclass(frozen=True, slots=True)
class FeedEnded:
    """The driver has ended a feed; motor off and the coast-down over.

    :param cards_seen: cards past the barrier since that feed began; ``None`` without an exit sensor.
    :param exit_blocked: something is in the barrier now.
    """

    cause: FeedEnd
    cards_seen: int | None
    exit_blocked: bool = False


@dataclass(frozen=True, slots=True)
class RetractEnded:
    """The driver has ended a retract; motor off.

    :param cause: ``TIMED`` when it ran its time, ``LID`` or ``STOPPED`` when it was cut short.
    """

    cause: FeedEnd
    exit_blocked: bool = False


@dataclass(frozen=True, slots=True)
class DriverFailed:
    """The driver or the service cannot go on. The motor is off. ``detail`` says what happened and what to do."""

    detail: str


@dataclass(frozen=True, slots=True)
class DriverRecovered:
    """The cause of the last ``DriverFailed`` is gone; the fault stays latched until ``Reset``."""


@dataclass(frozen=True, slots=True)
class Reset:
    """A person says that a jam, an empty stack or a fault has been seen to."""

    request: str | None = None

    def __post_init__(self) -> None:
        _word("request", self.request)


@dataclass(frozen=True, slots=True)
class Load:
    """A person says how many cards are inside now (``cards``: 0 or more)."""

    cards: int
    request: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.cards <= 999:
            raise MessageError(f"cards must be 0 to 999, not {self.cards}")
        _word("request", self.request)


@dataclass(frozen=True, slots=True)
class EnterCount:
    """A person says how many cards really came out at a press (no exit sensor, or the sensor was wrong).

    :param counted_before: what was believed until now; 0 when nothing could count them.
    """

    press: int
    cards: int
    counted_before: int = 0
    request: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.cards <= 999:
            raise MessageError(f"cards must be 0 to 999, not {self.cards}")
        _word("request", self.request)


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: the machine looks at its deadline."""


Event = (
    SwitchOn
    | SwitchOff
    | Press
    | LidOpened
    | LidClosed
    | ExitBlocked
    | ExitCleared
    | FeedEnded
    | RetractEnded
    | DriverFailed
    | DriverRecovered
    | Reset
    | Load
    | EnterCount
    | Tick
)


# --- commands: what the driver is asked to do ---------------------------------------------------------------------


def _limited(name: str, value: float, highest: float) -> None:
    if not (math.isfinite(value) and 0 < value <= highest):
        raise MessageError(f"{name} must be above 0 and at most {highest}, not {value}")


@dataclass(frozen=True, slots=True)
class Feed:
    """Run the motor forward until ``cards`` have left.

    :param timeout_s: longest motor run, seconds; cannot be left out, at most ``MAX_MOTOR_RUN_S``.
    :param stall_s: longest time without an edge of the exit sensor before the driver gives up, seconds.
    :param duty: motor duty, above 0 and at most 1.
    """

    cards: int
    timeout_s: float
    stall_s: float
    duty: float = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.cards <= MAX_BURST_CARDS:
            raise MessageError(f"cards must be 1 to {MAX_BURST_CARDS}, not {self.cards}")
        _limited("timeout_s", self.timeout_s, MAX_MOTOR_RUN_S)
        _limited("stall_s", self.stall_s, MAX_MOTOR_RUN_S)
        _limited("duty", self.duty, 1.0)


@dataclass(frozen=True, slots=True)
class Retract:
    """Run the motor backward for ``duration_s`` seconds to free a card."""

    duration_s: float
    duty: float = 1.0

    def __post_init__(self) -> None:
        _limited("duration_s", self.duration_s, 1.0)
        _limited("duty", self.duty, 1.0)


@dataclass(frozen=True, slots=True)
class Stop:
    """Motor off, now."""


@dataclass(frozen=True, slots=True)
class Play:
    """Play a chime; a chime that is playing is cut short."""

    chime: Chime


@dataclass(frozen=True, slots=True)
class Light:
    """Status light on or off."""

    on: bool


Command = Feed | Retract | Stop | Play | Light


# --- notices: what the world hears --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SwitchedOn:
    type: ClassVar[str] = "launcher.switched.on"
    lid_open: bool


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    type: ClassVar[str] = "launcher.switched.off"


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The machine is in another state. ``detail`` says why and what to do in ``jammed``, ``empty``, ``fault``."""

    type: ClassVar[str] = "launcher.state.changed"
    old: State
    new: State
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PressAccepted:
    """A press counts. What it brings is told by ``BurstStarted`` and ``BurstEnded``, not here.

    :param press: number of this press since the journal began; refused presses are counted too, without a gap.
    :param cards: the exact number asked for, or ``None`` when the odds decide.
    :param draw: number of the odds draw spent on it, for the audit; ``None`` for an exact number.
    """

    type: ClassVar[str] = "launcher.press.accepted"
    press: int
    source: str
    cards: int | None
    draw: int | None
    request: str | None = None


@dataclass(frozen=True, slots=True)
class PressRefused:
    """A press does not count, and why. Nothing moves."""

    type: ClassVar[str] = "launcher.press.refused"
    press: int
    source: str
    reason: Refusal
    request: str | None = None


@dataclass(frozen=True, slots=True)
class BurstStarted:
    """The drum roll is over and cards are about to leave."""

    type: ClassVar[str] = "launcher.burst.started"
    press: int
    planned: int


@dataclass(frozen=True, slots=True)
class CardLeft:
    """The exit sensor saw a card leave.

    :param press: the press it belongs to; ``None`` for a card that left outside a burst.
    :param number: 1 for the first card of the burst; 0 outside a burst.
    :param blocked_ms: how long it blocked the barrier, milliseconds.
    :param suspected_double: it was dark so long that two overlapping cards are likely.
    """

    type: ClassVar[str] = "launcher.card.left"
    press: int | None
    number: int
    blocked_ms: float
    suspected_double: bool


@dataclass(frozen=True, slots=True)
class BurstEnded:
    """The answer to an accepted press; exactly one for each.

    :param planned: cards that should have left; 0 for a dud.
    :param delivered: cards that left, a card sticking out included; ``None`` when nothing could count them.
    :param sticking_out: a card is still in the exit; it belongs to whoever pressed.
    :param suspected_doubles: how many of the delivered may have been two cards.
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


@dataclass(frozen=True, slots=True)
class BurstLost:
    """The service died (power cut, kill) before this accepted press had its ``BurstEnded``; told at the next start.

    :param delivered: cards seen until then.
    """

    type: ClassVar[str] = "launcher.burst.lost"
    press: int
    delivered: int


@dataclass(frozen=True, slots=True)
class BurstCounted:
    """Somebody said how many cards really came out at a press, and how many were believed until then."""

    type: ClassVar[str] = "launcher.burst.counted"
    press: int
    cards: int
    counted_before: int
    request: str | None = None


@dataclass(frozen=True, slots=True)
class LidWasOpened:
    type: ClassVar[str] = "launcher.lid.opened"


@dataclass(frozen=True, slots=True)
class LidWasClosed:
    type: ClassVar[str] = "launcher.lid.closed"


@dataclass(frozen=True, slots=True)
class ExitChanged:
    """Outside a burst something came into the exit (``blocked``) or was taken out of it."""

    type: ClassVar[str] = "launcher.exit.changed"
    blocked: bool


@dataclass(frozen=True, slots=True)
class CardsLoaded:
    """How many cards are inside now, as a person said."""

    type: ClassVar[str] = "launcher.cards.loaded"
    cards: int
    request: str | None = None


@dataclass(frozen=True, slots=True)
class ChimePlayed:
    type: ClassVar[str] = "launcher.chime.played"
    chime: Chime


@dataclass(frozen=True, slots=True)
class WasReset:
    """``Reset`` was heard; ``state`` is where the machine is now (a fault that persists stays)."""

    type: ClassVar[str] = "launcher.reset"
    state: State
    request: str | None = None


Notice = (
    SwitchedOn
    | SwitchedOff
    | StateChanged
    | PressAccepted
    | PressRefused
    | BurstStarted
    | CardLeft
    | BurstEnded
    | BurstLost
    | BurstCounted
    | LidWasOpened
    | LidWasClosed
    | ExitChanged
    | CardsLoaded
    | ChimePlayed
    | WasReset
)

Output = Command | Notice


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the machine knows now; the API adds the journal's ``seq`` and the service's own facts.

    :param detail: what is wrong and what to do, for people; empty when nothing is.
    :param cards_inside: estimate from what was loaded and what left; ``None`` when nobody said.
    :param dud_streak: duds since the last press that fired.
    :param presses: number of the last press.
    :param burst_press: the press whose burst is under way, if any.
    """

    state: State
    detail: str
    lid_open: bool
    exit_blocked: bool
    cards_inside: int | None
    dud_streak: int
    presses: int
    burst_press: int | None
    burst_delivered: int

    @classmethod
    def nothing_known(cls, why: str) -> Snapshot:
        """Before there is a machine: a fault, and why."""
        return cls(
            state=State.FAULT,
            detail=why,
            lid_open=False,
            exit_blocked=False,
            cards_inside=None,
            dud_streak=0,
            presses=0,
            burst_press=None,
            burst_delivered=0,
        )
