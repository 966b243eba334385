"""Events: what the machine is told."""

from __future__ import annotations

from dataclasses import dataclass

from dispenser.language import Text
from dispenser.launcher.messages.words import MAX_BURST_CARDS, FeedEnd, MessageError, check_word


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
            raise MessageError(
                Text("cards must be 1 to {most}, not {cards}: ask for fewer at a time").filled(
                    most=MAX_BURST_CARDS, cards=self.cards
                )
            )
        check_word("source", self.source)
        check_word("request", self.request)


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
    :param fed: it belongs to a feed. What was over before a feed began may be heard after that.
    """

    blocked_ms: float
    fed: bool = True


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
    """The driver or the service cannot go on. The motor is off.

    :param detail: what happened and what to do.
    :param cause: what must recover: ``driver``, ``journal``, or ``mistake`` (an error of ours).
    """

    detail: Text | str
    cause: str = "driver"


@dataclass(frozen=True, slots=True)
class DriverRecovered:
    """That cause of a ``DriverFailed`` is gone; the fault stays latched until all are, and ``Reset``."""

    cause: str = "driver"


@dataclass(frozen=True, slots=True)
class Reset:
    """A person says that a jam, an empty stack, a blind feed or a fault has been seen to.

    :param exit_blocked: what the driver reads at that moment, when it can.
    """

    request: str | None = None
    exit_blocked: bool | None = None

    def __post_init__(self) -> None:
        check_word("request", self.request)


@dataclass(frozen=True, slots=True)
class Load:
    """A person says how many cards are inside now (``cards``: 0 or more)."""

    cards: int
    request: str | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.cards <= 999:
            raise MessageError(Text("cards must be 0 to 999, not {cards}").filled(cards=self.cards))
        check_word("request", self.request)


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
            raise MessageError(Text("cards must be 0 to 999, not {cards}").filled(cards=self.cards))
        check_word("request", self.request)


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
