"""Every notice of the launcher machine: what the world hears.

``type`` is the journal's entry type; the fields of a notice are the entry's ``data``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec import UNSET, Struct, UnsetType

from dispenser.launcher.words import BurstEnd, Chime, Refusal, State

Said = list[Any] | None | UnsetType
"""What makes a ``detail`` a text in any language, see ``dispenser.i18n.recorded``."""


class SwitchedOn(Struct, frozen=True):
    """The launcher is in use.

    :param stand_in: a phone stands in for it until it is switched on again: its cards come from a pile on the table.
    """

    type: ClassVar[str] = "launcher.switched.on"
    lid_open: bool
    stand_in: bool = False


class SwitchedOff(Struct, frozen=True):
    type: ClassVar[str] = "launcher.switched.off"


class StateChanged(Struct, frozen=True):
    """The machine is in another state.

    :param detail: why and what to do, in the states that wait for a person.
    :param refusal: why a press would be refused from now on; ``None`` when it would count. Where nothing else changes
        with it, ``BurstEnded``, ``ExitChanged`` and ``OrderChanged`` tell it.
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


class OrderChanged(Struct, frozen=True):
    """What the next push brings is another now; after a switching on it is luck, which nobody tells.

    :param cards: exactly so many; 0 when a push is refused, ``None`` when luck decides.
    :param why: why it is refused.
    :param refusal: as before; unlike ``why``, it knows of the lid and of whatever else is in the way of a press.
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


Answer = PressAccepted | PressRefused | CardsLoaded | WasReset | BurstCounted
"""What a request is answered with."""
_OfBurst = BurstStarted | CardLeft | BurstEnded | BurstLost
_OfState = (
    SwitchedOn | SwitchedOff | StateChanged | OrderChanged | LidWasOpened | LidWasClosed | ExitChanged | ChimePlayed
)
Notice = Answer | _OfBurst | _OfState
