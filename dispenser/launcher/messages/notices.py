"""Notices: what the world hears."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from dispenser.launcher.messages.words import BurstEnd, Chime, Refusal, State


@dataclass(frozen=True, slots=True)
class SwitchedOn:
    type: ClassVar[str] = "launcher.switched.on"
    lid_open: bool


@dataclass(frozen=True, slots=True)
class SwitchedOff:
    type: ClassVar[str] = "launcher.switched.off"


@dataclass(frozen=True, slots=True)
class StateChanged:
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
    :param suspected_double: beside the cards before it, it was dark so long that two overlapping cards are likely.
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
    """Outside a burst something came into the exit (``blocked``) or was taken out of it; ``refusal`` as before."""

    type: ClassVar[str] = "launcher.exit.changed"
    blocked: bool
    refusal: Refusal | None = None


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


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the machine knows now; the API adds the journal's ``seq`` and the service's own facts.

    :param detail: what is wrong and what to do, for people; empty when nothing is.
    :param cards_inside: estimate from what was loaded and what left; ``None`` when nobody said.
    :param dud_streak: duds since the last press that fired.
    :param presses: number of the last press.
    :param burst_press: the press whose burst is under way, if any.
    :param refusal: why a press would be refused now; ``None`` when it would count.
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
    refusal: Refusal | None

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
            refusal=Refusal.FAULT,
        )
