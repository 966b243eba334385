"""What the table writes down: the entries of an evening, which alone bring it back.

``type`` is the journal's entry type; the other fields of an entry are its ``data``.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, get_args

from msgspec import Struct

from dispenser.table.words import Count, Name, Number, Points, Telling, Word


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that came about at the table.

    :param by: the person who did it; ``None`` for the launcher, or its owner.
    :param request: the caller's own id.
    :param asked: what was asked for with it, as the evening's secret marks it.
    """

    type: ClassVar[str]
    by: Number | None = None
    request: Word | None = None
    asked: Word | None = None


class Opened(Entry, frozen=True, kw_only=True):
    """An evening begins.

    :param table: a name for it, never used twice.
    :param commitment: to the secret that its code and its shuffles come from.
    """

    type: ClassVar[str] = "table.opened"
    table: Word
    commitment: Word


class Closed(Entry, frozen=True, kw_only=True):
    """The evening is over."""

    type: ClassVar[str] = "table.closed"


class Joined(Entry, frozen=True, kw_only=True):
    """Somebody has sat down.

    :param secret: SHA-256 of the secret of their phone; ``None`` without a phone.
    """

    type: ClassVar[str] = "table.joined"
    person: Number
    name: Name
    bot: bool = False
    secret: Word | None = None


class Left(Entry, frozen=True, kw_only=True):
    """Somebody has gone."""

    type: ClassVar[str] = "table.left"
    person: Number


class SeatAsked(Entry, frozen=True, kw_only=True):
    """A new phone asks for a seat.

    :param secret: SHA-256 of the secret of that phone; ``None``: the host has refused it.
    """

    type: ClassVar[str] = "table.seat.asked"
    person: Number
    secret: Word | None = None


class Claimed(Entry, frozen=True, kw_only=True):
    """A seat has another phone."""

    type: ClassVar[str] = "table.claimed"
    person: Number
    secret: Word


class Renamed(Entry, frozen=True, kw_only=True):
    """Somebody is called otherwise."""

    type: ClassVar[str] = "table.renamed"
    person: Number
    name: Name


class Seated(Entry, frozen=True, kw_only=True):
    """How people sit, in the order of play."""

    type: ClassVar[str] = "table.seated"
    order: list[Number]


class HostChanged(Entry, frozen=True, kw_only=True):
    """Another person is the host."""

    type: ClassVar[str] = "table.host"
    person: Number


class Helps(Entry, frozen=True, kw_only=True):
    """Somebody may play for another, or may no longer."""

    type: ClassVar[str] = "table.helps"
    person: Number
    by_whom: Number
    yes: bool


class MatchBegun(Entry, frozen=True, kw_only=True):
    """A match, or what follows of it when people or the telling change.

    :param order: the persons on its seats.
    :param scores: by seat.
    :param gone: seats that are out of the match, in the order in which they left it.
    :param rounds: rounds that were played before.
    :param dealer: the seat that deals the round under way or, between two, the next one; where the deal passes on.
    :param commitment: to the seed of its shuffles.
    :param anew: a new match; else it goes on.
    """

    type: ClassVar[str] = "table.match.begun"
    game: Word
    options: dict[str, Any]
    order: list[Number]
    telling: Telling
    scores: list[int]
    commitment: Word
    gone: list[Number] = []
    rounds: Count = 0
    dealer: Number | None = None
    deals: bool = False
    anew: bool = True


class MatchEnded(Entry, frozen=True, kw_only=True):
    """A match is over or was stopped.

    :param seeds: of all its shuffles, in the order of their commitments.
    """

    type: ClassVar[str] = "table.match.ended"
    seeds: list[Word]


class TellingWished(Entry, frozen=True, kw_only=True):
    """From the next round on the table is told more, or less."""

    type: ClassVar[str] = "table.telling"
    telling: Telling


class RoundOpened(Entry, frozen=True, kw_only=True):
    """A round begins: the launcher deals, or (counter) the table plays by itself.

    :param deals: seats that get their hands from the launcher, in turn.
    """

    type: ClassVar[str] = "table.round.opened"
    deals: list[Number] = []


class Dealt(Entry, frozen=True, kw_only=True):
    """A seat has its hand from the launcher, or a part of it."""

    type: ClassVar[str] = "table.dealt"
    press: Number | None
    seat: Number
    cards: Count


class Acted(Entry, frozen=True, kw_only=True):
    """Something was done in the game.

    :param action: ``[deed, seat, value]`` as the rules' notes write it.
    :param press: the press of the launcher that it was.
    """

    type: ClassVar[str] = "table.acted"
    action: list[Any]
    press: Number | None = None


class Charged(Entry, frozen=True, kw_only=True):
    """Counter: a seat owes presses or cards."""

    type: ClassVar[str] = "table.charged"
    seat: Number
    charge: Number
    number: Count


class Forgiven(Entry, frozen=True, kw_only=True):
    """Counter: a debt is none."""

    type: ClassVar[str] = "table.forgiven"
    debt: Number


class Paid(Entry, frozen=True, kw_only=True):
    """Counter: a press, and what it brought, for the oldest debt; or for none."""

    type: ClassVar[str] = "table.paid"
    press: Number
    cards: Count


class PressTaken(Entry, frozen=True, kw_only=True):
    """A press of the launcher counts at the table: whose it is.

    :param seat: who pays or plays with it; ``None`` when it is just a press.
    """

    type: ClassVar[str] = "table.press.taken"
    press: Number
    seat: Number | None = None


class PressDone(Entry, frozen=True, kw_only=True):
    """What a press brought that nobody owes."""

    type: ClassVar[str] = "table.press.done"
    press: Number
    cards: Count


class CountAsked(Entry, frozen=True, kw_only=True):
    """The launcher is not sure: how many cards came?

    :param why: how its burst ended, ``double`` for a suspected one, ``lost`` after a power cut.
    """

    type: ClassVar[str] = "table.count.asked"
    press: Number
    likely: Count
    most: Count
    why: Word


class CountTold(Entry, frozen=True, kw_only=True):
    """Somebody has counted."""

    type: ClassVar[str] = "table.count.told"
    press: Number
    cards: Count


class CardSet(Entry, frozen=True, kw_only=True):
    """Another card was laid than was told.

    :param place: of the action in the match's log, from 0.
    :param action: what was done instead.
    """

    type: ClassVar[str] = "table.card.set"
    place: Number
    action: list[Any]


class Scored(Entry, frozen=True, kw_only=True):
    """A score was set right."""

    type: ClassVar[str] = "table.scored"
    seat: Number
    score: Points


class Undone(Entry, frozen=True, kw_only=True):
    """Somebody took back what was done last.

    :param steps: actions of the game.
    """

    type: ClassVar[str] = "table.undone"
    steps: Count


class Redone(Entry, frozen=True, kw_only=True):
    """Somebody did again what was taken back."""

    type: ClassVar[str] = "table.redone"
    steps: Count


class HostOnlySet(Entry, frozen=True, kw_only=True):
    """Whether the host alone takes back and sets right."""

    type: ClassVar[str] = "table.host.only"
    yes: bool


class StandsIn(Entry, frozen=True, kw_only=True):
    """Whose phone stands in for the launcher from now on; ``None``: the real one is used again."""

    type: ClassVar[str] = "table.stands.in"
    person: Number | None = None


class Thrown(Entry, frozen=True, kw_only=True):
    """The phone that stands in has said how many cards are to be taken from the pile.

    :param person: whose phone it is.
    """

    type: ClassVar[str] = "table.thrown"
    press: Number
    person: Number
    cards: Count


class Paused(Entry, frozen=True, kw_only=True):
    """The service was started anew: bots wait until somebody says that the evening goes on."""

    type: ClassVar[str] = "table.paused"


class Continued(Entry, frozen=True, kw_only=True):
    """Somebody has said so."""

    type: ClassVar[str] = "table.continued"


AnyEntry = (
    Opened | Closed | Joined | Left | SeatAsked | Claimed | Renamed | Seated | HostChanged | Helps
    | MatchBegun | MatchEnded | TellingWished | RoundOpened | Dealt | Acted | Charged | Forgiven | Paid
    | PressTaken | PressDone
    | CountAsked | CountTold | CardSet | Scored | Undone | Redone | HostOnlySet | StandsIn
    | Thrown | Paused | Continued
)  # fmt: skip
ENTRIES: Final[dict[str, type[Entry]]] = {kind.type: kind for kind in get_args(AnyEntry)}
"""By type."""
FAMILY: Final = "table.*"
"""All that tables write, as a journal is asked for it."""
