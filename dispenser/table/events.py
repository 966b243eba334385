"""Events of the table: the journal keeps them, and they alone restore an evening.

``type`` is the type of the journal record; the other fields are its ``data``.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, get_args

from msgspec import Meta, Struct

MOST_TYPED: Final = 200
"""Length limit of typed text: above any name's, so that a name that is too long gets its own error message."""

Number = Annotated[int, Meta(ge=0, le=1 << 40)]
Count = Annotated[int, Meta(ge=0, le=999)]
Points = Annotated[int, Meta(ge=-9_999, le=9_999)]
Name = Annotated[str, Meta(max_length=MOST_TYPED)]
Word = Annotated[str, Meta(max_length=64)]


class TrackingMode(StrEnum):
    """How much the table is told."""

    COUNTER = "counter"  # Only what brings presses, cards or points
    REFEREE = "referee"  # Each card laid; hands are hidden and known by their size
    CARDS = "cards"  # The cards are on the phones


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that came about at the table.

    :param by: the person who did it; ``None`` for the launcher, or its owner.
    :param asked: what was asked for with it, as the evening's secret marks it.
    """

    type: ClassVar[str]  # Type of the journal record, made from the class name: `PressTaken` is `table.press.taken`

    def __init_subclass__(cls) -> None:
        cls.type = "table" + re.sub("([A-Z])", r".\1", cls.__name__).lower()

    by: Number | None = None
    request: Word | None = None
    asked: Word | None = None


class Opened(Event, frozen=True, kw_only=True):
    """An evening begins; ``commitment``: to the secret that its code and its shuffles come from."""

    table: Word
    commitment: Word


class Closed(Event, frozen=True, kw_only=True):
    """The evening is over."""


class Joined(Event, frozen=True, kw_only=True):
    """Somebody has sat down."""

    person: Number
    name: Name
    bot: bool = False
    secret: Word | None = None


class Left(Event, frozen=True, kw_only=True):
    """Somebody has gone."""

    person: Number


class SeatAsked(Event, frozen=True, kw_only=True):
    """A new phone asks for a seat.

    :param secret: SHA-256 of the secret of that phone; ``None``: the host has refused it.
    """

    person: Number
    secret: Word | None = None


class Claimed(Event, frozen=True, kw_only=True):
    """A seat has another phone."""

    person: Number
    secret: Word


class Renamed(Event, frozen=True, kw_only=True):
    """Somebody is called otherwise."""

    person: Number
    name: Name


class Seated(Event, frozen=True, kw_only=True):
    """How people sit, in the order of play."""

    order: list[Number]


class HostChanged(Event, frozen=True, kw_only=True):
    """Another person is the host."""

    person: Number


class Helps(Event, frozen=True, kw_only=True):
    """Somebody may play for another, or may no longer."""

    person: Number
    by_whom: Number
    yes: bool


class MatchBegun(Event, frozen=True, kw_only=True):
    """A match, or what follows of it when people or the tracking mode change.

    :param gone: seats that are out of the match, in the order in which they left it.
    :param dealer: the seat that deals the round under way or, between two, the next one; where the deal passes on.
    :param commitment: to the seed of its shuffles.
    """

    game: Word
    options: dict[str, Any]
    order: list[Number]
    tracking_mode: TrackingMode
    scores: list[int]
    commitment: Word
    gone: list[Number] = []
    dealer: Number | None = None
    deals: bool = False
    anew: bool = True


class MatchEnded(Event, frozen=True, kw_only=True):
    """A match is over or was stopped; ``seeds``: of all its shuffles, in the order of their commitments."""

    seeds: list[Word]


class TrackingModeChosen(Event, frozen=True, kw_only=True):
    """Another tracking mode holds from the next round on."""

    tracking_mode: TrackingMode


class RoundOpened(Event, frozen=True, kw_only=True):
    """A round begins: the launcher deals, or (counter) the table plays by itself.

    :param deals: seats that get their hands from the launcher, in turn.
    """

    deals: list[Number] = []


class Dealt(Event, frozen=True, kw_only=True):
    """A seat has its hand from the launcher, or a part of it."""

    press: Number | None
    seat: Number
    cards: Count


class Acted(Event, frozen=True, kw_only=True):
    """Something was done in the game; ``action``: ``[deed, seat, value]`` as the rules' notes write it."""

    action: list[Any]
    press: Number | None = None


class Charged(Event, frozen=True, kw_only=True):
    """Counter: a seat owes presses or cards."""

    seat: Number
    charge: Number
    number: Count


class Forgiven(Event, frozen=True, kw_only=True):
    """Counter: a debt is none."""

    debt: Number


class Paid(Event, frozen=True, kw_only=True):
    """Counter: a press, and what it brought, for the oldest debt; or for none."""

    press: Number
    cards: Count


class PressTaken(Event, frozen=True, kw_only=True):
    """A press of the launcher counts at the table: whose it is.

    :param seat: who pays or plays with it; ``None`` when it is just a press.
    """

    press: Number
    seat: Number | None = None


class PressDone(Event, frozen=True, kw_only=True):
    """What a press brought that nobody owes."""

    press: Number
    cards: Count


class CountAsked(Event, frozen=True, kw_only=True):
    """The launcher is not sure: how many cards came?

    :param why: how its burst ended, ``double`` for a suspected one, ``lost`` after a power cut.
    """

    press: Number
    likely: Count
    most: Count
    why: Word


class CountTold(Event, frozen=True, kw_only=True):
    """Somebody has counted."""

    press: Number
    cards: Count


class CardSet(Event, frozen=True, kw_only=True):
    """Another card was laid than was told; ``place``: of the action in the match's log, from 0."""

    place: Number
    action: list[Any]


class Scored(Event, frozen=True, kw_only=True):
    """A score was set right."""

    seat: Number
    score: Points


class Undone(Event, frozen=True, kw_only=True):
    """Somebody took back what was done last; ``steps``: actions of the game."""

    steps: Count


class Redone(Event, frozen=True, kw_only=True):
    """Somebody did again what was taken back."""

    steps: Count


class HostOnlySet(Event, frozen=True, kw_only=True):
    """Whether the host alone takes back and sets right."""

    yes: bool


class StandsIn(Event, frozen=True, kw_only=True):
    """Whose phone stands in for the launcher from now on; ``None``: the real one is used again."""

    person: Number | None = None


class Thrown(Event, frozen=True, kw_only=True):
    """The phone that stands in has said how many cards are to be taken from the pile."""

    press: Number
    person: Number
    cards: Count


class Paused(Event, frozen=True, kw_only=True):
    """The service was started anew: bots wait until somebody says that the evening goes on."""


class Continued(Event, frozen=True, kw_only=True):
    """Somebody has said so."""


PeopleEvent = Joined | Left | SeatAsked | Claimed | Renamed | Seated | HostChanged | Helps
LedgerEvent = Charged | Forgiven | Paid
MatchEvent = RoundOpened | Dealt | Acted | LedgerEvent | CountTold | CardSet | Undone | Redone
AnyEvent = (
    PeopleEvent | MatchEvent | Opened | Closed | MatchBegun | MatchEnded | TrackingModeChosen | PressTaken | PressDone
    | CountAsked | Scored | HostOnlySet | StandsIn | Thrown | Paused | Continued
)  # fmt: skip
EVENTS: Final[dict[str, type[Event]]] = {kind.type: kind for kind in get_args(AnyEvent)}  # By type
FAMILY: Final = "table.*"  # Pattern for journal queries that matches all events of tables
