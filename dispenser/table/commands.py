"""Commands that a phone can send to the table. ``person``: number from ``Joined``; ``seat``: index in the match."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from dispenser.table.events import Count, Name, Number, Points, TrackingMode, Word


class Command(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do"):
    """A command of a person to the table."""


class Open(Command, frozen=True, tag="open"):
    """Open an evening. With a name, the sender gets a seat and becomes the host."""

    name: Name = ""


class Join(Command, frozen=True, tag="join"):
    """Take a seat. The answer sets the cookie of the seat."""

    name: Name


class Guest(Command, frozen=True, tag="guest"):
    """Add a person without a phone; anybody at the table may act for them."""

    name: Name


class Bot(Command, frozen=True, tag="bot"):
    """Add a bot."""


class Leave(Command, frozen=True, tag="leave"):
    """Give up one's own seat."""


class LetGo(Command, frozen=True, tag="let_go"):
    """Remove a person or a bot from the table (host only)."""

    person: Number


class Claim(Command, frozen=True, tag="claim"):
    """Request a person's seat for this phone, for somebody who changes phones. The host must confirm it."""

    person: Number


class Confirm(Command, frozen=True, tag="confirm"):
    """Grant or refuse a ``Claim`` of that person's seat (host only)."""

    person: Number
    yes: bool = True


class Rename(Command, frozen=True, tag="rename"):
    """Change a person's name; without ``person``, one's own."""

    name: Name
    person: Number | None = None


class Swap(Command, frozen=True, tag="swap"):
    """Swap the seats of two people (host only). During a round it takes effect with the next one."""

    person: Number
    other: Number


class HandOver(Command, frozen=True, tag="hand_over"):
    """Make another person the host (host only)."""

    person: Number


class Help(Command, frozen=True, tag="help"):
    """Allow ``by_whom`` to play for ``person``, or end this. For that person and the host; the helper may end it."""

    person: Number
    by_whom: Number
    yes: bool = True


class Start(Command, frozen=True, tag="start"):
    """Start a match in this ``tracking_mode``; ``deals``: the launcher deals (host only)."""

    game: Word
    options: dict[Word, int | str | bool] = {}
    tracking_mode: TrackingMode = TrackingMode.REFEREE
    deals: bool = False


class ChangeTrackingMode(Command, frozen=True, tag="tracking_mode"):
    """Choose another tracking mode from the next round on."""

    tracking_mode: TrackingMode


class Deal(Command, frozen=True, tag="deal"):
    """Start the next round."""


class Act(Command, frozen=True, tag="act"):
    """Carry out an action in the game, ``[deed, seat, value]``. A view contains it for each of its buttons."""

    action: list[Any]


class ChargeSeat(Command, frozen=True, tag="charge"):
    """Tracking mode ``counter``: charge a seat with the presses or cards that a laid card or an offence costs.

    :param charge: index in the game's list of charges.
    :param number: presses or cards, for a charge without a fixed number.
    """

    seat: Number
    charge: Number
    number: Count | None = None


class Forgive(Command, frozen=True, tag="forgive"):
    """Tracking mode ``counter``: cancel a debt."""

    debt: Number


class Out(Command, frozen=True, tag="out"):
    """End the round: the seat that went out, and the points left in each hand, by seat."""

    seat: Number
    points: list[Points]


class SetCount(Command, frozen=True, tag="count"):
    """Enter how many cards a press delivered."""

    press: Number
    cards: Count


class SetCard(Command, frozen=True, tag="card"):
    """Correct a laid card.

    :param place: index of the action in the match's log.
    :param action: the action that replaces it, as in ``Act``.
    """

    place: Number
    action: list[Any]


class SetScore(Command, frozen=True, tag="score"):
    """Correct the score of a seat, between two rounds."""

    seat: Number
    score: Points


class Undo(Command, frozen=True, tag="undo"):
    """Undo the last action."""


class Redo(Command, frozen=True, tag="redo"):
    """Redo the last action that was undone."""


class EndMatch(Command, frozen=True, tag="end"):
    """End the match, finished or not (host only)."""


class Close(Command, frozen=True, tag="close"):
    """Close the evening, with its match (host only)."""


class HostOnly(Command, frozen=True, tag="host_only"):
    """Set whether only the host may undo and correct (host only)."""

    yes: bool


class StandIn(Command, frozen=True, tag="stand_in"):
    """Use a phone in place of the launcher (host only), or with ``yes`` false the launcher again.

    :param person: the person whose phone it is; default: the sender.
    """

    yes: bool = True
    person: Number | None = None


class Continue(Command, frozen=True, tag="continue"):
    """Resume the evening after a restart of the service; bots wait for this."""


AnyCommand = (
    Open | Join | Guest | Bot | Leave | LetGo | Claim | Confirm | Rename | Swap | HandOver | Help | Start
    | ChangeTrackingMode | Deal | Act | ChargeSeat | Forgive | Out | SetCount | SetCard | SetScore | Undo | Redo
    | EndMatch | Close
    | HostOnly | StandIn | Continue
)  # fmt: skip
