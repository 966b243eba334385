"""Commands and answers of the API, beside the launcher's own types. OpenAPI is made from them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta, Struct

from dispenser.i18n import Text
from dispenser.journal import Record
from dispenser.launcher.commands import COMMANDS, MAX_NUMBER, Command
from dispenser.launcher.machine import Snapshot
from dispenser.launcher.messages import Notice, Order
from dispenser.simulator.commands import TOY_COMMANDS
from dispenser.simulator.faults import ToyFault
from dispenser.simulator.view import ToyView
from dispenser.table.commands import AnyCommand
from dispenser.table.evenings import EveningInBrief, EveningStory, Luck, MatchStory, PlayedMatch, PlayerRound
from dispenser.table.events import AnyEvent
from dispenser.web.owners import OF_OWNERS

MAX_SEQ: Final = MAX_NUMBER


class Computer(Command):
    """Switch the computer off, or start it anew."""

    act: Annotated[Literal["off", "restart"], Meta(description="What to do with it.", examples=["off"])]


class ComputerAsked(Struct):
    """What becomes of it.

    :param done: it goes off now; not so for a simulated launcher, which only says so.
    """

    done: bool


class TellTable(Command):
    """Say something to the table.

    :param tell: what; a view has it ready for each of its buttons.
    :param at: the `at` of the view that it was meant for.
    """

    tell: AnyCommand
    at: Annotated[int, Meta(ge=0, le=MAX_SEQ)] | None = None


class Demo(Command):
    """Play against two bots.

    :param name: what to be called.
    """

    name: Annotated[str, Meta(max_length=200)] = ""


def seen(view: ToyView) -> dict[str, Any]:
    """Return a view in the form of ``ToyNow``."""
    return {**asdict(view), "faults": {fault.value: fault.value in view.faults for fault in ToyFault}}


class LauncherNow(Snapshot, frozen=True, kw_only=True):
    """Everything a page must know to begin; then listen to the entries after `seq`.

    :param detail: what is wrong and what to do, in your language; empty when nothing is.
    :param journal: the id of the journal, whose numbers begin at 1; null while there is none.
    :param seq: the newest journal entry this snapshot knows of.
    :param simulated: the launcher is simulated, so `/toy` works.
    :param odds: those in force; null while there is no journal.
    :param workshop: somebody is in the workshop with it, so it is off for everybody else.
    :param commitment: SHA-256 of the secret seed, shown before the first draw.
    :param capabilities: what the driver can do, such as `exit_sensor`.
    :param broker_error: why the MQTT broker cannot be used; null while it can, or there is none.
    """

    journal: str | None
    seq: int
    simulated: bool
    odds: dict[str, Any] | None
    commitment: str | None
    workshop: bool
    capabilities: dict[str, bool]
    broker_error: str | None


@dataclass(frozen=True)
class ToyNow(ToyView):
    """The simulated launcher at one moment.

    :param faults: every fault there is, and whether it is on.
    """

    faults: dict[str, bool]  # type: ignore[assignment]


@dataclass(frozen=True)
class ScriptNow(ToyNow):
    """A simulated launcher that a script drives; then listen to the entries after `seq`.

    :param seq: the newest entry this snapshot knows of.
    :param script: name of the script.
    :param cards_inside: cards that have not left; one that sticks out is still inside.
    """

    seq: int
    script: str
    cards_inside: int


@dataclass(frozen=True)
class EntryPage:
    """Entries in order.

    :param last_seq: the newest entry of the journal, whether or not it is on this page.
    """

    entries: list[Record]
    last_seq: int


@dataclass(frozen=True)
class OddsAndLuck:
    """The odds against what really came, since these odds are in force.

    :param odds: those in force.
    :param expected: probability of each number of cards per press; 0 is a dud.
    :param came: how many presses brought so many cards. Presses that asked for a number are not in it.
    :param presses: presses left to luck that are in `came`.
    :param cards: cards they brought.
    :param longest_dry_run: most duds in a row.
    :param uncounted: bursts nobody has counted (no exit sensor): not in `came`.
    """

    odds: dict[str, Any]
    expected: dict[str, float]
    came: dict[str, int]
    presses: int
    cards: int
    duds: int
    longest_dry_run: int
    uncounted: int


@dataclass(frozen=True)
class Told:
    """What somebody said to the table is so now.

    :param at: of the table.
    :param anew: this phone is somebody else now: it opens its stream of views anew.
    """

    at: int
    anew: bool = False


class OpenWorkshop(Struct, forbid_unknown_fields=True):
    """Begin in the workshop; the launcher is off for everybody else."""

    kind: Literal["selftest", "calibrate", "manual"]


class TellWorkshop(Struct, forbid_unknown_fields=True):
    """One of the answers that the workshop offers now."""

    word: Annotated[str, Meta(max_length=20)]


class Nothing(Struct, forbid_unknown_fields=True):
    """There is nothing more to say."""


@dataclass(frozen=True)
class WorkshopIs:
    """Whether the workshop is open now."""

    open: bool


_AN_EVENING: Final = Text("write the number of an evening, as 'dispenser evenings' lists them, such as 5f0c2a9be1d4")


class DeleteEvening(Command):
    """Delete an evening that is over, for good.

    :param evening: its `id`.
    """

    evening: Annotated[str, Meta(pattern=r"^[0-9a-f]{1,64}$", examples=["5f0c2a9be1d4"], extra={"hint": _AN_EVENING})]


@dataclass(frozen=True)
class EveningPage:
    """Evenings, the newest first.

    :param more: there are older ones.
    """

    evenings: list[EveningInBrief]
    more: bool


@dataclass(frozen=True)
class WayIn:
    """An address at which phones reach the launcher.

    :param interface: of this machine, such as `wlan0`; empty for a name, which may lead nowhere.
    :param url: where its code lets one join.
    """

    host: str
    interface: str
    url: str


@dataclass(frozen=True)
class WifiToJoin:
    """The launcher's own Wi-Fi, which a phone must join first."""

    name: str
    password: str


@dataclass(frozen=True)
class Invitation:
    """How to join the table.

    :param is_open: whether the settings let phones in.
    :param url: the likeliest address, with the code; null when phones reach none.
    :param addresses: all there are, the likeliest first.
    :param wifi: the launcher's own, while it is open: for the owner, the host, and whoever is in it already.
    """

    code: str
    is_open: bool
    url: str | None
    addresses: list[WayIn]
    wifi: WifiToJoin | None = None


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Every answer that is not a success.

    :param error: one word for programs.
    :param message: one sentence for people.
    :param remedy: what to do about it.
    """

    error: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class Refused(Problem):
    """A command that was not carried out. Nothing moves.

    :param reason: why.
    :param entry: the refusal; or, for the owner, what the `id` was answered with when it was used before.
    """

    reason: str
    entry: Record | None = None


@dataclass(frozen=True, kw_only=True)
class TableRefused(Problem):
    """The table does not do that now, and nothing has changed.

    :param reason: one word for programs, such as `too_late`.
    :param rule: the rule of the game that forbids it; missing when none does.
    """

    reason: str
    rule: str = ""


NOTICES: Final = (*get_args(Notice), *get_args(AnyEvent))  # Types of journal records that OpenAPI describes
DESCRIBED: Final = (
    *COMMANDS.values(),
    *TOY_COMMANDS.values(),
    *(Computer, ComputerAsked),
    *(LauncherNow, Order, ToyNow, ScriptNow, Record, EntryPage, OddsAndLuck),
    *(TellTable, Demo, *get_args(AnyCommand), Told, WayIn, WifiToJoin, Invitation, Problem, Refused, TableRefused),
    *(OpenWorkshop, TellWorkshop, Nothing, WorkshopIs),
    *OF_OWNERS,
    *(DeleteEvening, EveningPage, EveningInBrief, PlayedMatch, EveningStory, MatchStory, PlayerRound, Luck),
    *NOTICES,
)
"""All types that get a schema in OpenAPI."""
