"""Every input event, command and notice of the launcher machine.

Data flows one way: a driver (or the service, for a request from a person) hands *events* to the machine;
the machine answers with *commands* for the driver and *notices* for the world. None can be changed.
Times are seconds on the caller's monotonic clock and travel beside an event, never inside it.

``Notice.type`` is the journal's entry type; the fields of a notice are the entry's ``data``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from dispenser.language import Text
from dispenser.launcher.words import (
    AWAITING_A_PERSON,
    BLIND_S,
    MAX_BURST_CARDS,
    MAX_MOTOR_RUN_S,
    BurstEnd,
    Chime,
    FeedEnd,
    MessageError,
    Refusal,
    State,
    check_cards,
    check_limits,
    check_word,
)

__all__ = [  # besides all that stands below
    "AWAITING_A_PERSON",
    "BLIND_S",
    "MAX_BURST_CARDS",
    "MAX_MOTOR_RUN_S",
    "BurstEnd",
    "Chime",
    "FeedEnd",
    "MessageError",
    "Refusal",
    "State",
]

Said = list[Any] | None | UnsetType
"""What makes a ``detail`` a text in any language, see ``dispenser.language.recorded``."""


# --- commands: what the driver is asked to do ------------------------------------------------------------------------


class Feed(Struct, frozen=True):
    """Run the motor forward until ``cards`` have left.

    :param timeout_s: longest motor run, seconds; cannot be left out, at most ``MAX_MOTOR_RUN_S``.
    :param stall_s: longest time that something may lie in the exit, and the exit sensor see no edge, seconds.
    :param blind_s: longest time that the exit may stay clear, before the first card and between two, seconds. Neither
        counts without an exit sensor.
    :param duty: motor duty, above 0 and at most 1.
    """

    cards: int
    timeout_s: float
    stall_s: float
    blind_s: float = BLIND_S
    duty: float = 1.0

    def __post_init__(self) -> None:
        check_cards(self.cards, 1, MAX_BURST_CARDS)
        check_limits(self, timeout_s=MAX_MOTOR_RUN_S, stall_s=MAX_MOTOR_RUN_S, blind_s=MAX_MOTOR_RUN_S, duty=1.0)


class Retract(Struct, frozen=True):
    """Run the motor backward for ``duration_s`` seconds to free a card."""

    duration_s: float
    duty: float = 1.0

    def __post_init__(self) -> None:
        check_limits(self, duration_s=1.0, duty=1.0)


class Stop(Struct, frozen=True):
    """Motor off, now."""


class Play(Struct, frozen=True):
    """Play a chime; a chime that is playing is cut short."""

    chime: Chime


class Light(Struct, frozen=True):
    """Status light on or off."""

    on: bool


Command = Feed | Retract | Stop | Play | Light


# --- events: what the machine is told --------------------------------------------------------------------------------


class SwitchOn(Struct, frozen=True):
    """The launcher gets power. Levels are those read from the pins at that moment."""

    lid_open: bool
    exit_blocked: bool = False


class SwitchOff(Struct, frozen=True):
    """The launcher loses power on purpose (off switch, service stop)."""


class Press(Struct, frozen=True):
    """One push of the button, already debounced, or a request that stands for one.

    :param source: who pressed: ``button``, ``api``, ``web``, ``cli`` or the caller's own word.
    :param cards: ``None`` lets the odds decide; a number asks for exactly that many cards.
    :param request: the caller's own id, returned in the answer.
    """

    source: str = "button"
    cards: int | None = None
    request: str | None = None

    def __post_init__(self) -> None:
        if self.cards is not None:
            check_cards(self.cards, 1, MAX_BURST_CARDS)
        check_word("source", self.source)
        check_word("request", self.request)


class LidOpened(Struct, frozen=True):
    """The lid has left its switch. The driver has already stopped the motor."""


class LidClosed(Struct, frozen=True):
    """The lid rests on its switch, debounced."""


class ExitBlocked(Struct, frozen=True):
    """Something began to block the light barrier at the exit."""


class ExitCleared(Struct, frozen=True):
    """The light barrier is free again: one card has passed.

    :param blocked_ms: how long it was dark, in milliseconds.
    :param fed: it belongs to a feed. What was over before a feed began may be heard after that.
    """

    blocked_ms: float
    fed: bool = True


class FeedEnded(Struct, frozen=True):
    """The driver has ended a feed; motor off and the coast-down over.

    :param cards_seen: cards past the barrier since that feed began; ``None`` without an exit sensor.
    :param exit_blocked: something is in the barrier now.
    """

    cause: FeedEnd
    cards_seen: int | None
    exit_blocked: bool = False


class RetractEnded(Struct, frozen=True):
    """The driver has ended a retract; motor off.

    :param cause: ``TIMED`` when it ran its time, ``LID`` or ``STOPPED`` when it was cut short.
    """

    cause: FeedEnd
    exit_blocked: bool = False


class DriverFailed(Struct, frozen=True):
    """The driver or the service cannot go on. The motor is off.

    :param detail: what happened and what to do.
    :param cause: what must recover: ``driver``, ``journal``, or ``mistake`` (an error of ours).
    """

    detail: Text | str
    cause: str = "driver"


class DriverRecovered(Struct, frozen=True):
    """That cause of a ``DriverFailed`` is gone; the fault stays latched until all are, and ``Reset``."""

    cause: str = "driver"


class Reset(Struct, frozen=True):
    """A person says that a jam, an empty stack, a blind feed or a fault has been seen to.

    :param exit_blocked: what the driver reads at that moment, when it can.
    """

    request: str | None = None
    exit_blocked: bool | None = None

    def __post_init__(self) -> None:
        check_word("request", self.request)


class Load(Struct, frozen=True):
    """A person says how many cards are inside now (``cards``: 0 or more)."""

    cards: int
    request: str | None = None

    def __post_init__(self) -> None:
        check_cards(self.cards, 0, 999)
        check_word("request", self.request)


class EnterCount(Struct, frozen=True):
    """A person says how many cards really came out at a press (no exit sensor, or the sensor was wrong).

    :param counted_before: what was believed until now; 0 when nothing could count them.
    """

    press: int
    cards: int
    counted_before: int = 0
    request: str | None = None

    def __post_init__(self) -> None:
        check_cards(self.cards, 0, 999)
        check_word("request", self.request)


class Tick(Struct, frozen=True):
    """Time has passed: the machine looks at its deadline."""


Request = Press | Load | Reset | EnterCount
"""What a person asks for."""
_OfDriver = (
    LidOpened | LidClosed | ExitBlocked | ExitCleared | FeedEnded | RetractEnded | DriverFailed | DriverRecovered
)
Event = SwitchOn | SwitchOff | Request | _OfDriver | Tick


# --- notices: what the world hears -----------------------------------------------------------------------------------


class SwitchedOn(Struct, frozen=True):
    type: ClassVar[str] = "launcher.switched.on"
    lid_open: bool


class SwitchedOff(Struct, frozen=True):
    type: ClassVar[str] = "launcher.switched.off"


class StateChanged(Struct, frozen=True):
    """The machine is in another state.

    :param detail: why and what to do, in the states that wait for a person.
    :param refusal: why a press would be refused from now on; ``None`` when it would count. Where nothing else changes
        with it, ``BurstEnded`` and ``ExitChanged`` tell it.
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
    :param cards: the exact number asked for, or ``None`` when the odds decide.
    :param draw: number of the odds draw spent on it, for the audit; ``None`` for an exact number.
    """

    type: ClassVar[str] = "launcher.press.accepted"
    press: int
    source: str
    cards: int | None
    draw: int | None
    request: str | None = None


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

    :param press: the press it belongs to; ``None`` for a card that left outside a burst.
    :param number: 1 for the first card of the burst; 0 outside a burst.
    :param blocked_ms: how long it blocked the barrier, milliseconds.
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
    :param suspected_doubles: how many of the delivered may have been two cards, now that all can be held against one
        another.
    :param tries: feeds that were needed (0 for a dud).
    :param refusal: as in ``StateChanged``, which may follow.
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
    """The service died (power cut, kill) before this accepted press had its ``BurstEnded``; told at the next start.

    :param delivered: cards seen until then.
    """

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
    """Outside a burst something came into the exit (``blocked``) or was taken out of it; ``refusal`` as before."""

    type: ClassVar[str] = "launcher.exit.changed"
    blocked: bool
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


Answer = PressAccepted | PressRefused | CardsLoaded | WasReset | BurstCounted
"""What a request is answered with."""
_OfBurst = BurstStarted | CardLeft | BurstEnded | BurstLost
_OfState = SwitchedOn | SwitchedOff | StateChanged | LidWasOpened | LidWasClosed | ExitChanged | ChimePlayed
Notice = Answer | _OfBurst | _OfState
Output = Command | Notice
