"""Commands of the table: what a phone can send."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from dispenser.table.events import Count, Name, Number, Points, TrackingMode, Word


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """Something that somebody does at the table."""


class Open(Command, frozen=True, tag="open"):
    """Begin an evening; whoever does is the host, and named."""

    name: Name = ""


class Join(Command, frozen=True, tag="join"):
    """Take a seat."""

    name: Name


class Guest(Command, frozen=True, tag="guest"):
    """Give a seat to somebody without a phone: any neighbour taps for them."""

    name: Name


class Bot(Command, frozen=True, tag="bot"):
    """Let a bot sit down."""


class Leave(Command, frozen=True, tag="leave"):
    """Go home."""


class LetGo(Command, frozen=True, tag="let_go"):
    """The host frees a seat: whoever had it leaves."""

    person: Number


class Claim(Command, frozen=True, tag="claim"):
    """Ask for a seat that somebody has, on a new phone of theirs: the host confirms that it is."""

    person: Number


class Confirm(Command, frozen=True, tag="confirm"):
    """The host says whether the phone that asks for a seat is that person's."""

    person: Number
    yes: bool = True


class Rename(Command, frozen=True, tag="rename"):
    """Be called otherwise."""

    name: Name
    person: Number | None = None


class Swap(Command, frozen=True, tag="swap"):
    """Two people change places; in the middle of a round it holds from the next one on."""

    person: Number
    other: Number


class HandOver(Command, frozen=True, tag="hand_over"):
    """Make another person the host."""

    person: Number


class Help(Command, frozen=True, tag="help"):
    """Play for somebody (a sleeping child), or no longer. The one played for says so, or the host."""

    person: Number
    by_whom: Number
    yes: bool = True


class Start(Command, frozen=True, tag="start"):
    """Begin a match."""

    game: Word
    options: dict[Word, int | str | bool] = {}
    tracking_mode: TrackingMode = TrackingMode.REFEREE
    deals: bool = False  # The launcher deals: each presses once


class ChangeTrackingMode(Command, frozen=True, tag="tracking_mode"):
    """Choose another tracking mode, which holds from the next round on."""

    tracking_mode: TrackingMode


class Deal(Command, frozen=True, tag="deal"):
    """Begin the next round."""


class Act(Command, frozen=True, tag="act"):
    """Do something in the game: ``[deed, seat, value]`` as the rules' notes write it."""

    action: list[Any]


class ChargeSeat(Command, frozen=True, tag="charge"):
    """Counter: a card was laid, or something forgotten, that brings presses or cards.

    :param charge: its place in the game's list of charges.
    """

    seat: Number
    charge: Number
    number: Count | None = None


class Forgive(Command, frozen=True, tag="forgive"):
    """Counter: that is not owed after all."""

    debt: Number


class Out(Command, frozen=True, tag="out"):
    """The round is over: who went out, and the points left in each hand, by seat."""

    seat: Number
    points: list[Points]


class TellCount(Command, frozen=True, tag="count"):
    """So many cards came out at that press."""

    press: Number
    cards: Count


class SetCard(Command, frozen=True, tag="card"):
    """Another card was laid than was told.

    :param place: of the action in the match's log, from 0.
    :param action: what was done instead, as in ``Act``.
    """

    place: Number
    action: list[Any]


class SetScore(Command, frozen=True, tag="score"):
    """The score of a seat is another."""

    seat: Number
    score: Points


class Undo(Command, frozen=True, tag="undo"):
    """Take back what was done last."""


class Redo(Command, frozen=True, tag="redo"):
    """Do again what was taken back last."""


class EndMatch(Command, frozen=True, tag="end"):
    """Stop this match where it is."""


class Close(Command, frozen=True, tag="close"):
    """End the evening."""


class HostOnly(Command, frozen=True, tag="host_only"):
    """Whether the host alone takes back and sets right."""

    yes: bool


class StandIn(Command, frozen=True, tag="stand_in"):
    """A phone is the launcher, or (``yes`` is false) the real one is again.

    :param person: whose phone; one's own, when nobody is named.
    """

    yes: bool = True
    person: Number | None = None


class Continue(Command, frozen=True, tag="continue"):
    """The evening goes on: bots waited for somebody to say so."""


AnyCommand = (
    Open | Join | Guest | Bot | Leave | LetGo | Claim | Confirm | Rename | Swap | HandOver | Help | Start
    | ChangeTrackingMode | Deal | Act | ChargeSeat | Forgive | Out | TellCount | SetCard | SetScore | Undo | Redo
    | EndMatch | Close
    | HostOnly | StandIn | Continue
)  # fmt: skip
