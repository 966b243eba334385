"""Events of the table, stored in the journal; an evening is restored by replaying them.

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
    """How much of the game is entered: ``counter`` charges and points, ``referee`` each laid card, ``cards`` all."""

    COUNTER = "counter"  # Only what brings presses, cards or points
    REFEREE = "referee"  # Each card laid; hands are hidden and known by their size
    CARDS = "cards"  # The cards are on the phones


class Event(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An event at the table.

    :param by: number of the person who caused it; ``None`` for the launcher or its owner.
    :param request: ``id`` of the command that caused it.
    :param asked: keyed hash of that command, to recognize it when it is repeated.
    """

    type: ClassVar[str]  # Type of the journal record, made from the class name: `PressTaken` is `table.press.taken`

    def __init_subclass__(cls) -> None:
        cls.type = "table" + re.sub("([A-Z])", r".\1", cls.__name__).lower()

    by: Number | None = None
    request: Word | None = None
    asked: Word | None = None


class Opened(Event, frozen=True, kw_only=True):
    """An evening was opened; ``commitment``: SHA-256 of the secret from which its code and shuffles are derived."""

    table: Word
    commitment: Word


class Closed(Event, frozen=True, kw_only=True):
    """The evening was closed."""


class Joined(Event, frozen=True, kw_only=True):
    """A person or a bot has taken a seat; ``person`` is their number during the evening."""

    person: Number
    name: Name
    bot: bool = False
    secret: Word | None = None


class Left(Event, frozen=True, kw_only=True):
    """A person or a bot has left the table."""

    person: Number


class SeatAsked(Event, frozen=True, kw_only=True):
    """A new phone has requested a person's seat.

    :param secret: SHA-256 of the phone's secret; ``None``: the host has refused the request.
    """

    person: Number
    secret: Word | None = None


class Claimed(Event, frozen=True, kw_only=True):
    """The host has given a person's seat to the phone that requested it."""

    person: Number
    secret: Word


class Renamed(Event, frozen=True, kw_only=True):
    """A person has a new name."""

    person: Number
    name: Name


class Seated(Event, frozen=True, kw_only=True):
    """The order of the seats has changed; ``order``: numbers of the persons in the order of play."""

    order: list[Number]


class HostChanged(Event, frozen=True, kw_only=True):
    """Another person became the host."""

    person: Number


class Helps(Event, frozen=True, kw_only=True):
    """``by_whom`` may play for ``person``, or with ``yes`` false no longer."""

    person: Number
    by_whom: Number
    yes: bool


class MatchBegun(Event, frozen=True, kw_only=True):
    """A match was started, or continued with other people or in another tracking mode (``anew`` is false).

    :param order: numbers of the persons, by seat.
    :param scores: scores at the start, by seat.
    :param gone: seats that are out of the match, in the order in which they left it.
    :param dealer: seat that deals this round or, between two rounds, the next one; ``None`` if the game has no dealer.
    :param commitment: SHA-256 of the seed of its shuffles.
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
    """A match was ended; ``seeds``: the seeds of its shuffles, in the order of their commitments."""

    seeds: list[Word]


class TrackingModeChosen(Event, frozen=True, kw_only=True):
    """Another tracking mode was chosen, from the next round on."""

    tracking_mode: TrackingMode


class RoundOpened(Event, frozen=True, kw_only=True):
    """A round was started that the launcher deals or, in tracking mode ``counter``, people deal by hand.

    :param deals: seats that the launcher deals to, in order.
    """

    deals: list[Number] = []


class Dealt(Event, frozen=True, kw_only=True):
    """The launcher has dealt cards to a seat: its hand, or a part of it."""

    press: Number | None
    seat: Number
    cards: Count


class Acted(Event, frozen=True, kw_only=True):
    """An action was carried out in the game, ``[deed, seat, value]``; ``press`` delivered its cards."""

    action: list[Any]
    press: Number | None = None


class Charged(Event, frozen=True, kw_only=True):
    """Tracking mode ``counter``: a seat was charged with presses or cards."""

    seat: Number
    charge: Number
    number: Count


class Forgiven(Event, frozen=True, kw_only=True):
    """Tracking mode ``counter``: a debt was cancelled."""

    debt: Number


class Paid(Event, frozen=True, kw_only=True):
    """Tracking mode ``counter``: a press and its cards count towards the oldest debt, if there is one."""

    press: Number
    cards: Count


class PressTaken(Event, frozen=True, kw_only=True):
    """The launcher has accepted a press during the evening.

    :param seat: seat that the press is assigned to; ``None`` if no seat owes a press.
    """

    press: Number
    seat: Number | None = None


class PressDone(Event, frozen=True, kw_only=True):
    """Cards of a press that were not owed."""

    press: Number
    cards: Count


class CountAsked(Event, frozen=True, kw_only=True):
    """The number of cards of a press is uncertain: people must enter it.

    :param why: cause of the end of its burst; ``double`` for a suspected double feed, ``lost`` after a power cut.
    """

    press: Number
    likely: Count
    most: Count
    why: Word


class CountTold(Event, frozen=True, kw_only=True):
    """A person has entered the number of cards of a press."""

    press: Number
    cards: Count


class CardSet(Event, frozen=True, kw_only=True):
    """A laid card was corrected; ``place``: index of the replaced action in the match's log."""

    place: Number
    action: list[Any]


class Scored(Event, frozen=True, kw_only=True):
    """A score was corrected."""

    seat: Number
    score: Points


class Undone(Event, frozen=True, kw_only=True):
    """The last action was undone; ``steps``: number of game actions, 0 for a charge, its cancellation or payment."""

    steps: Count


class Redone(Event, frozen=True, kw_only=True):
    """The last undone action was redone; ``steps`` as in ``Undone``."""

    steps: Count


class HostOnlySet(Event, frozen=True, kw_only=True):
    """Only the host may undo and correct, or with ``yes`` false everybody with a seat."""

    yes: bool


class StandsIn(Event, frozen=True, kw_only=True):
    """The phone of ``person`` replaces the launcher; ``None``: the launcher is used again."""

    person: Number | None = None


class Thrown(Event, frozen=True, kw_only=True):
    """The phone that replaces the launcher has shown how many cards to take from the pile."""

    press: Number
    person: Number
    cards: Count


class Paused(Event, frozen=True, kw_only=True):
    """The service was restarted; bots wait until a person resumes the evening."""


class Continued(Event, frozen=True, kw_only=True):
    """A person has resumed the evening after a restart."""


PeopleEvent = Joined | Left | SeatAsked | Claimed | Renamed | Seated | HostChanged | Helps
LedgerEvent = Charged | Forgiven | Paid
MatchEvent = RoundOpened | Dealt | Acted | LedgerEvent | CountTold | CardSet | Undone | Redone
AnyEvent = (
    PeopleEvent | MatchEvent | Opened | Closed | MatchBegun | MatchEnded | TrackingModeChosen | PressTaken | PressDone
    | CountAsked | Scored | HostOnlySet | StandsIn | Thrown | Paused | Continued
)  # fmt: skip
EVENTS: Final[dict[str, type[Event]]] = {kind.type: kind for kind in get_args(AnyEvent)}  # By type
FAMILY: Final = "table.*"  # Pattern for journal queries that matches all events of tables
