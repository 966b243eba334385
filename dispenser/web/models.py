"""Request and response types that only the API uses, and the list of all types that OpenAPI describes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any, Final, Literal, get_args

from msgspec import Meta, Struct

from dispenser.i18n import Text
from dispenser.journal import Record
from dispenser.launcher.commands import COMMANDS, MAX_NUMBER, Command
from dispenser.launcher.machine import Snapshot
from dispenser.launcher.messages import Notice, Order
from dispenser.simulator.commands import SIMULATOR_COMMANDS
from dispenser.simulator.faults import SimulatorFault
from dispenser.simulator.view import SimulatorView
from dispenser.table.commands import AnyCommand
from dispenser.table.evenings import EveningInBrief, EveningStory, Luck, MatchStory, PlayedMatch, PlayerRound
from dispenser.table.events import AnyEvent
from dispenser.web.owners import OF_OWNERS

MAX_SEQ: Final = MAX_NUMBER


class Computer(Command):
    """Switch the computer off or restart it."""

    act: Annotated[Literal["off", "restart"], Meta(description="`off` or `restart`.", examples=["off"])]


class TableCommand(Command):
    """A command to the table.

    :param command: the command. A view contains it for each of its buttons. "Host only" includes the owner.
    :param at: `at` of the view that the user saw; a command of the game is refused if the game has changed since.
    """

    command: AnyCommand
    at: Annotated[int, Meta(ge=0, le=MAX_SEQ)] | None = None


class Demo(Command):
    """Start a match against two bots.

    :param name: the player's name; default: Sam.
    """

    name: Annotated[str, Meta(max_length=200)] = ""


def seen(view: SimulatorView) -> dict[str, Any]:
    """Return a view in the form of ``SimulatorNow``."""
    return {**asdict(view), "faults": {fault.value: fault.value in view.faults for fault in SimulatorFault}}


class LauncherNow(Snapshot, frozen=True, kw_only=True):
    """The current state of the launcher. All records up to `seq` are included.

    :param detail: the error and its remedy, in the language of the request; empty without an error.
    :param journal: id of the journal in which `seq` counts; null while the journal cannot be used.
    :param seq: number of the newest record.
    :param simulated: the launcher is simulated, so `/simulator` can be used.
    :param odds: the odds in force; null while the journal cannot be used.
    :param workshop: the workshop is open, so presses are refused.
    :param commitment: SHA-256 of the secret seed of the odds, published before the first draw.
    :param capabilities: features of the hardware, such as `exit_sensor`.
    :param broker_error: why the MQTT broker cannot be used; null without an error or a broker.
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
class SimulatorNow(SimulatorView):
    """State of the simulated launcher.

    :param faults: every possible fault, and whether it is on.
    """

    faults: dict[str, bool]  # type: ignore[assignment]


@dataclass(frozen=True)
class ScriptNow(SimulatorNow):
    """State of a simulated launcher that a script controls. All records up to `seq` are included.

    :param seq: number of the newest record.
    :param script: name of the script.
    :param cards_inside: cards that have not left; one that sticks out is still inside.
    """

    seq: int
    script: str
    cards_inside: int


@dataclass(frozen=True)
class RecordPage:
    """A page of records in ascending order.

    :param last_seq: number of the newest record of the journal, on this page or not.
    """

    records: list[Record]
    last_seq: int


@dataclass(frozen=True)
class OddsAndLuck:
    """Expected and actual distribution of cards per press since the odds in force began; only presses by the odds.

    :param odds: the odds in force.
    :param expected: probability of each number of cards; 0 is a dud.
    :param came: how many presses delivered each number of cards.
    :param presses: sum of `came`.
    :param cards: cards that these presses delivered.
    :param longest_dry_run: largest number of duds in a row.
    :param uncounted: presses whose cards were not counted (no exit sensor); not in `came`.
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
class CommandResult:
    """The result of a command to the table.

    :param at: version of the table after the command.
    :param reopen_stream: the client has taken or left a seat, so it must open its stream of views again.
    """

    at: int
    reopen_stream: bool = False


class OpenWorkshop(Struct, forbid_unknown_fields=True):
    """Open the workshop."""

    kind: Literal["selftest", "calibrate", "manual"]


class WorkshopAnswer(Struct, forbid_unknown_fields=True):
    """An answer that the state of the workshop offers."""

    answer: Annotated[str, Meta(max_length=20)]


class Nothing(Struct, forbid_unknown_fields=True):
    """An empty object."""


@dataclass(frozen=True)
class WorkshopState:
    """Whether the workshop is open."""

    open: bool


_AN_EVENING: Final = Text("write the number of an evening, as 'dispenser evenings' lists them, such as 5f0c2a9be1d4")


class DeleteEvening(Command):
    """Delete an evening that is over, for good.

    :param evening: `id` of the evening.
    """

    evening: Annotated[str, Meta(pattern=r"^[0-9a-f]{1,64}$", examples=["5f0c2a9be1d4"], extra={"hint": _AN_EVENING})]


@dataclass(frozen=True)
class EveningPage:
    """A page of evenings, newest first.

    :param more: there are older evenings.
    """

    evenings: list[EveningInBrief]
    more: bool


@dataclass(frozen=True)
class PhoneAddress:
    """An address at which phones reach the launcher.

    :param host: host name or IP address.
    :param interface: network interface of an IP address, such as `wlan0`; empty for a name, which some phones cannot
        resolve.
    :param url: link with the code that joins the table.
    """

    host: str
    interface: str
    url: str


@dataclass(frozen=True)
class WifiToJoin:
    """The launcher's own Wi-Fi, to be joined first."""

    name: str
    password: str


@dataclass(frozen=True)
class Invitation:
    """How to join the table.

    :param code: the code to type on the page `/t`.
    :param is_open: whether the settings allow phones to join.
    :param url: `url` of the first address; null without an address.
    :param addresses: addresses for phones, likeliest first.
    :param wifi: the launcher's own Wi-Fi if it is on and the client may know its password; else null.
    """

    code: str
    is_open: bool
    url: str | None
    addresses: list[PhoneAddress]
    wifi: WifiToJoin | None = None


@dataclass(frozen=True, kw_only=True)
class Problem:
    """The body of every error response.

    :param error: error code, such as `owner_needed`.
    :param message: one sentence for the user, in the language of the request.
    :param remedy: what the user can do about it; absent without one.
    """

    error: str
    message: str
    remedy: str = ""


@dataclass(frozen=True, kw_only=True)
class Refused(Problem):
    """A command to the launcher that was not carried out.

    :param reason: code of the reason, such as `lid_open`.
    :param record: record of the refusal; for a reused `id` the first answer to it, and only for the owner.
    """

    reason: str
    record: Record | None = None


@dataclass(frozen=True, kw_only=True)
class TableRefused(Problem):
    """A command that the table refuses. Nothing has changed.

    :param reason: code of the reason, such as `too_late`.
    :param rule: id of the game's rule that forbids it, such as `E-14`; absent without one.
    """

    reason: str
    rule: str = ""


NOTICES: Final = (*get_args(Notice), *get_args(AnyEvent))  # Types of journal records that OpenAPI describes
DESCRIBED: Final = (
    *COMMANDS.values(),
    *SIMULATOR_COMMANDS.values(),
    Computer,
    *(LauncherNow, Order, SimulatorNow, ScriptNow, Record, RecordPage, OddsAndLuck),
    *(TableCommand, Demo, *get_args(AnyCommand), CommandResult),
    *(PhoneAddress, WifiToJoin, Invitation, Problem, Refused, TableRefused),
    *(OpenWorkshop, WorkshopAnswer, Nothing, WorkshopState),
    *OF_OWNERS,
    *(DeleteEvening, EveningPage, EveningInBrief, PlayedMatch, EveningStory, MatchStory, PlayerRound, Luck),
    *NOTICES,
)
"""All types that get a schema in OpenAPI."""
