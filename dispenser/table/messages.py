"""What people say to the table, and what the table writes down.

*Tells* are what a phone sends; *entries* are what came of them, in the journal before anybody hears of it. The entries
alone bring the table back. Persons are numbered from 1 in the order in which they came, and a number is never used
again in an evening; seats are places of a match from 0, in the order of play.

``type`` is the journal's entry type; the other fields of an entry are its ``data``.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, get_args

from msgspec import Meta, Struct

Number = Annotated[int, Meta(ge=0, le=1 << 40)]
Count = Annotated[int, Meta(ge=0, le=999)]
Points = Annotated[int, Meta(ge=-9_999, le=9_999)]
Name = Annotated[str, Meta(max_length=200)]
Word = Annotated[str, Meta(max_length=64)]


class Telling(StrEnum):
    """How much the table is told."""

    COUNTER = "counter"
    """Only what brings presses, cards or points."""
    REFEREE = "referee"
    """Each card laid; hands are hidden and known by their size."""
    CARDS = "cards"
    """The cards are on the phones."""


# --- tells: what a phone sends ---------------------------------------------------------------------------------------


class Tell(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that somebody does at the table."""


class Open(Tell, frozen=True, tag="open"):
    """Begin an evening; whoever does is the host, and named."""

    name: Name = ""


class Join(Tell, frozen=True, tag="join"):
    """Take a seat."""

    name: Name


class Guest(Tell, frozen=True, tag="guest"):
    """Give a seat to somebody without a phone: any neighbour taps for them."""

    name: Name


class Bot(Tell, frozen=True, tag="bot"):
    """Let a bot sit down."""


class Leave(Tell, frozen=True, tag="leave"):
    """Go home."""


class LetGo(Tell, frozen=True, tag="let_go"):
    """The host lets a seat go: it can be claimed on another phone, and neighbours tap for it; bots leave for good."""

    person: Number


class Claim(Tell, frozen=True, tag="claim"):
    """Sit down again where one sat, on another phone."""

    person: Number


class Rename(Tell, frozen=True, tag="rename"):
    """Be called otherwise."""

    name: Name
    person: Number | None = None


class Swap(Tell, frozen=True, tag="swap"):
    """Two people change places; in the middle of a round it holds from the next one on."""

    person: Number
    other: Number


class HandOver(Tell, frozen=True, tag="hand_over"):
    """Make another person the host."""

    person: Number


class Vote(Tell, frozen=True, tag="vote"):
    """Wish that this person were the host, whose phone is away."""

    person: Number


class Help(Tell, frozen=True, tag="help"):
    """Play for somebody (a sleeping child), or no longer. The one played for says so, or the host."""

    person: Number
    by_whom: Number
    yes: bool = True


class Start(Tell, frozen=True, tag="start"):
    """Begin a match."""

    game: Word
    options: dict[Word, int | str | bool] = {}  # noqa: RUF012 - msgspec copies it
    telling: Telling = Telling.REFEREE
    deals: bool = False
    """The launcher deals: each presses once."""


class ChangeTelling(Tell, frozen=True, tag="telling"):
    """Tell the table more, or less.

    :param position: what the table cannot know of a round under way, as ``Game.begin`` takes it, names in English.
    """

    telling: Telling
    position: dict[Word, Any] | None = None


class Deal(Tell, frozen=True, tag="deal"):
    """Begin the next round."""


class Act(Tell, frozen=True, tag="act"):
    """Do something in the game: ``[deed, seat, value]`` as the rules' notes write it."""

    action: list[Any]


class ChargeSeat(Tell, frozen=True, tag="charge"):
    """Counter: a card was laid, or something forgotten, that brings presses or cards.

    :param seat: who owes them.
    :param charge: its place in the game's list of charges.
    :param number: presses or cards, where the charge leaves that open.
    """

    seat: Number
    charge: Number
    number: Count | None = None


class Forgive(Tell, frozen=True, tag="forgive"):
    """Counter: that is not owed after all."""

    debt: Number


class Out(Tell, frozen=True, tag="out"):
    """The round is over: who went out, and the points left in each hand, by seat."""

    seat: Number
    points: list[Points]


class TellCount(Tell, frozen=True, tag="count"):
    """So many cards came out at that press."""

    press: Number
    cards: Count


class SetScore(Tell, frozen=True, tag="score"):
    """The score of a seat is another."""

    seat: Number
    score: Points


class Undo(Tell, frozen=True, tag="undo"):
    """Take back what was done last."""


class Redo(Tell, frozen=True, tag="redo"):
    """Do again what was taken back last."""


class EndMatch(Tell, frozen=True, tag="end"):
    """Stop this match where it is."""


class Close(Tell, frozen=True, tag="close"):
    """End the evening."""


class HostOnly(Tell, frozen=True, tag="host_only"):
    """Whether the host alone takes back and sets right."""

    yes: bool


AnyTell = (
    Open | Join | Guest | Bot | Leave | LetGo | Claim | Rename | Swap | HandOver | Vote | Help | Start | ChangeTelling
    | Deal | Act | ChargeSeat | Forgive | Out | TellCount | SetScore | Undo | Redo | EndMatch | Close | HostOnly
)  # fmt: skip


# --- entries ---------------------------------------------------------------------------------------------------------


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that came about at the table.

    :param by: the person who did it; ``None`` for the launcher, or its owner.
    :param request: the caller's own id.
    """

    type: ClassVar[str]
    by: Number | None = None
    request: Word | None = None


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


class Released(Entry, frozen=True, kw_only=True):
    """A seat has no phone any more."""

    type: ClassVar[str] = "table.released"
    person: Number


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


class Voted(Entry, frozen=True, kw_only=True):
    """Somebody wishes for another host."""

    type: ClassVar[str] = "table.voted"
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
    :param rounds: rounds that were played before.
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
    rounds: Count = 0
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
    deals: list[Number] = []  # noqa: RUF012 - msgspec copies it


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


AnyEntry = (
    Opened | Closed | Joined | Left | Released | Claimed | Renamed | Seated | HostChanged | Voted | Helps | MatchBegun
    | MatchEnded | TellingWished | RoundOpened | Dealt | Acted | Charged | Forgiven | Paid | PressTaken | PressDone
    | CountAsked | CountTold | Scored | Undone | Redone | HostOnlySet
)  # fmt: skip
ENTRIES: Final[dict[str, type[Entry]]] = {kind.type: kind for kind in get_args(AnyEntry)}
"""By type."""
SECRET_FIELDS: Final = frozenset({"secret"})
"""Fields of entries that leave the journal for nobody."""
