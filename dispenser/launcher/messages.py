# ruff: noqa: F403, F405 - callers import output events from here, too
"""Input events and driver commands of the launcher machine; its output events are in ``notices.py``.

A driver (or the service, for a person) sends *events* to the machine, which returns *commands* for the driver and
*notices* for the journal and its subscribers. Times are monotonic seconds, passed beside an event, not in it.
"""

from __future__ import annotations

from msgspec import Struct

from dispenser.i18n import Text
from dispenser.launcher.notices import *

# --- commands to the driver ---


class Feed(Struct, frozen=True):
    """Run the motor forward until ``cards`` have left.

    :param timeout_s: longest motor run, at most ``MAX_MOTOR_RUN_S``.
    :param stall_s: longest time without an edge of the exit sensor while the exit is blocked.
    :param blind_s: longest time that the exit may stay clear, before the first card and between two. ``stall_s`` and
        ``blind_s`` are ignored without an exit sensor.
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
    """Turn the motor off at once."""


class Play(Struct, frozen=True):
    """Play a chime; it replaces one that is playing."""

    chime: Chime


class Light(Struct, frozen=True):
    """Status light on or off."""

    on: bool


Command = Feed | Retract | Stop | Play | Light

# --- input events ---


class SwitchOn(Struct, frozen=True):
    """The launcher gets power, or a phone replaces it (``stand_in``): cards come from a pile on the table."""

    lid_open: bool
    exit_blocked: bool = False
    stand_in: bool = False


class SwitchOff(Struct, frozen=True):
    """The launcher is switched off on purpose (off switch, service stop)."""


class Press(Struct, frozen=True):
    """One debounced push of the button, or a request that counts as one.

    :param source: who pressed: ``button``, ``api``, ``web``, ``cli`` or the caller's own word.
    :param cards: exact number of cards; ``None``: the order in force or the odds decide.
    :param request: the caller's own id, returned in the answer.
    """

    source: str = "button"
    cards: int | None = None
    request: str | None = None

    def __post_init__(self) -> None:
        if self.cards is not None:
            check_cards(self.cards, 1, MAX_BURST_CARDS)


class LidOpened(Struct, frozen=True):
    """The lid switch opened. The driver has already stopped the motor."""


class LidClosed(Struct, frozen=True):
    """The lid switch closed, debounced."""


class ExitBlocked(Struct, frozen=True):
    """The light barrier at the exit was interrupted."""


class ExitCleared(Struct, frozen=True):
    """The light barrier at the exit is free again: one card has passed.

    :param fed: the edge belongs to a feed; ``False`` for one from before the feed that is reported late.
    """

    blocked_ms: float
    fed: bool = True


class FeedEnded(Struct, frozen=True):
    """The driver has ended a feed; the motor is off and the coast-down over.

    :param cards_seen: cards past the barrier since that feed began; ``None`` without an exit sensor.
    """

    cause: FeedEnd
    cards_seen: int | None
    exit_blocked: bool = False


class RetractEnded(Struct, frozen=True):
    """The driver has ended a retract; the motor is off. Cause ``LID`` or ``STOPPED``: it was cut short."""

    cause: FeedEnd
    exit_blocked: bool = False


class DriverFailed(Struct, frozen=True):
    """The driver failed. The motor is off. ``detail``: what happened and what to do."""

    detail: Text | str


class DriverRecovered(Struct, frozen=True):
    """The failure reported by ``DriverFailed`` is over; the fault stays latched until ``Reset``."""


class Reset(Struct, frozen=True):
    """A person has dealt with a jam, an empty stack, a blind feed or a fault; ``exit_blocked`` if it can be read."""

    request: str | None = None
    exit_blocked: bool | None = None


class Load(Struct, frozen=True):
    """A person enters how many cards are inside now."""

    cards: int
    request: str | None = None

    def __post_init__(self) -> None:
        check_cards(self.cards, 0, 999)


class EnterCount(Struct, frozen=True):
    """A person enters how many cards really left at a press (no exit sensor, or a wrong count).

    :param counted_before: the count until now; 0 without one.
    """

    press: int
    cards: int
    counted_before: int = 0
    request: str | None = None

    def __post_init__(self) -> None:
        check_cards(self.cards, 0, 999)


class Order(Struct, frozen=True):
    """What the next press without a number of its own delivers. The program that leads a game sets it.

    An accepted press uses up an exact order; presses are then refused until the next order. A press with its own number
    ignores the order and leaves it in force. When the launcher is switched on, the odds decide.

    :param cards: ``None``: the odds decide; a number: exactly that many cards; 0: the press is refused.
    :param why: reason of the refusal if ``cards`` is 0, else ``None``.
    """

    cards: int | None = None
    why: Refusal | None = None

    def __post_init__(self) -> None:
        if self.cards is not None:
            check_cards(self.cards, 0, MAX_BURST_CARDS)
        if not (self.why in OF_AN_ORDER if self.cards == 0 else self.why is None):
            reasons = ", ".join(sorted(reason.value for reason in OF_AN_ORDER))
            text = Text("why must be one of {reasons} when cards is 0, and nothing else, not {why}")
            raise MessageError(text.filled(reasons=reasons, why=self.why.value if self.why else None))


class Tick(Struct, frozen=True):
    """A timer event: the machine checks its deadline."""


class Outcome(Struct, frozen=True):
    """One draw of the odds: its number from 1, cards (0: a dud), and position in the suspense range, [0, 1)."""

    draw: int
    cards: int
    suspense: float


Request = Press | Load | Reset | EnterCount  # Requests by a person
_OfDriver = (
    LidOpened | LidClosed | ExitBlocked | ExitCleared | FeedEnded | RetractEnded | DriverFailed | DriverRecovered
)
Event = SwitchOn | SwitchOff | Request | Order | _OfDriver | Tick
Output = Command | Notice
