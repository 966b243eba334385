"""What goes over the API, as pydantic models: commands in, entries and views out. OpenAPI is made from them."""

from __future__ import annotations

import re
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, WithJsonSchema, create_model

from dispenser.launcher.messages import MAX_BURST_CARDS
from dispenser.toy.faults import ToyFault as Fault
from dispenser.toy.parameters import ToyParameters

MAX_SEQ = 2**53
_DIGITS = re.compile("[0-9]{1,16}")


def _whole(value: object) -> object:
    """To JSON 3 and 3.0 are one number; to Python they are not."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _read_digits(value: object) -> object:
    """What stands in an address is a text; only digits are a number there, not `+3`, `3.0` or `3_0`."""
    if isinstance(value, str) and not _DIGITS.fullmatch(value):
        raise ValueError("a whole number is written in digits only, at most 16")
    return value


def _numbered(least: int, most: int) -> Any:
    return Annotated[
        int | None,
        BeforeValidator(_read_digits),
        Field(ge=least, le=most),
        WithJsonSchema({"type": "integer", "minimum": least, "maximum": most}),
    ]


WholeNumber = Annotated[int, BeforeValidator(_whole)]
Seq = _numbered(0, MAX_SEQ)
LONGEST_PAGE = 500
PageLength = _numbered(1, LONGEST_PAGE)
EntryType = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=r"^[^*]*\*?$")]
RequestId = Annotated[
    str,
    Field(
        pattern=r"^[A-Za-z0-9._:-]{1,64}$",
        description="Your own id for this command. The same id again gives the same answer, and nothing moves twice.",
        examples=["table-3:press-17"],
    ),
]


class Command(BaseModel):
    """What every command may carry."""

    model_config = ConfigDict(extra="forbid", strict=True)
    id: RequestId | None = None


class Press(Command):
    """Press the button: the odds decide what comes."""


class Eject(Command):
    """Ask for exactly so many cards; luck has no say."""

    cards: WholeNumber = Field(ge=1, le=MAX_BURST_CARDS, description="Cards to eject.", examples=[5])

    @classmethod
    def at_most(cls, cards: int) -> type[Eject]:
        """The same, described for a launcher that takes fewer at a time; asked for more, it says so itself."""
        field = cls.model_fields["cards"]
        fewer = Field(
            ge=1,
            le=MAX_BURST_CARDS,
            description=field.description,
            examples=field.examples,
            json_schema_extra={"maximum": cards},
        )
        return create_model("Eject", __base__=cls, __doc__=cls.__doc__, cards=(WholeNumber, fewer))


class Load(Command):
    """Say how many cards are inside now."""

    cards: WholeNumber = Field(ge=0, le=999, description="Cards in the launcher.", examples=[112])


class Reset(Command):
    """Say that a jam, an empty stack or a fault has been seen to."""


class Count(Command):
    """Say how many cards really came out at a press."""

    press: WholeNumber = Field(ge=1, le=MAX_SEQ, description="Number of the press.", examples=[17])
    cards: WholeNumber = Field(ge=0, le=999, description="Cards that came out.", examples=[3])


class ToyCommand(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ToyLid(ToyCommand):
    """Lift or shut the simulated lid."""

    open: bool


class ToyButton(ToyCommand):
    """Push the simulated button with a finger: the contact bounces, the driver debounces."""

    hold_s: float = Field(default=0.15, gt=0, le=10, description="How long it is held, seconds.")


class ToyFault(ToyCommand):
    """Switch a fault of the simulated launcher on or off."""

    fault: str = Field(
        description="One of the names in `GET /toy`.",
        examples=["roller_jam"],
        json_schema_extra={"enum": [fault.value for fault in Fault]},
    )
    on: bool
    cards: WholeNumber = Field(
        default=1, ge=1, le=112, description="How many cards a jam, double feed or misfeed strikes; others last."
    )


class ToyCells(ToyCommand):
    """Change the simulated cells: a voltage, or new ones. Give one of the two."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["voltage_v"], "properties": {"voltage_v": {"type": "number"}, "new": {"const": False}}},
                {"required": ["new"], "properties": {"voltage_v": {"type": "null"}, "new": {"const": True}}},
            ]
        }
    )
    voltage_v: float | None = Field(
        default=None,
        ge=0,
        le=ToyParameters().cell_fresh_v,
        description="Voltage of all cells together, volts.",
        examples=[2.7],
    )
    new: bool = Field(default=False, description="Put in new cells.")


class ToyStack(ToyCommand):
    """Fill the simulated stack."""

    cards: WholeNumber = Field(ge=0, le=112, description="Cards in the stack.", examples=[112])


class ToyOut(BaseModel):
    """The simulated launcher at one moment."""

    model_config = ConfigDict(extra="allow")
    time_s: float = Field(description="The toy's clock, seconds.")
    lid_open: bool = Field(description="The lid itself, whatever its contact says.")
    button_down: bool
    cards_in_stack: int
    cards_in_path: int = Field(description="Between the stack and the table: moving, sticking out or jammed.")
    cards_out: int = Field(description="Cards that have left since ever.")
    card_in_exit: bool = Field(description="A card is in the light barrier, whatever the sensor says.")
    motor: float = Field(description="Speed of the roller, -1 (backward) to 1 (full, fresh cells).")
    motor_commanded: float = Field(description="Duty that the pins ask for, -1 to 1.")
    cell_voltage_v: float = Field(description="All cells together, under the present load, volts.")
    tone_hz: float | None = Field(description="What the beeper sounds, hertz.")
    light_on: bool
    jammed: bool
    faults: dict[str, bool] = Field(description="Every fault there is, and whether it is on.")


class EntryOut(BaseModel):
    """One journal entry. `data` depends on `type`; see the schemas named like the types."""

    seq: int = Field(description="Number of the entry, from 1 without a gap.", examples=[41])
    time: str = Field(description="UTC, ISO 8601 with microseconds.", examples=["2026-01-31T18:30:00.123456Z"])
    source: str = Field(description="Who caused it.", examples=["launcher"])
    type: str = Field(examples=["launcher.burst.ended"])
    data: dict[str, Any] = Field(
        examples=[{"press": 17, "planned": 5, "delivered": 2, "cause": "lid", "sticking_out": False}]
    )


class EntryPage(BaseModel):
    """Entries in order."""

    entries: list[EntryOut]
    last_seq: int = Field(description="The newest entry of the journal, whether or not it is on this page.")


class SnapshotOut(BaseModel):
    """Everything a page must know to begin; then listen to the entries after `seq`."""

    model_config = ConfigDict(extra="allow")
    seq: int = Field(description="The newest journal entry this snapshot knows of.")
    state: str = Field(examples=["ready"])
    detail: str = Field(description="What is wrong and what to do, in your language; empty when nothing is.")
    lid_open: bool
    exit_blocked: bool = Field(description="A card, or something else, is in the exit.")
    cards_inside: int | None = Field(description="Estimate from what was loaded and what left; null: nobody said.")
    dud_streak: int = Field(description="Duds since the last press that fired.")
    presses: int = Field(description="Number of the last press.")
    burst_press: int | None = Field(description="The press whose burst is under way.")
    burst_delivered: int = Field(description="Cards that have left in the burst under way.")
    refusal: str | None = Field(description="Why a press would be refused now; null when it would count.")
    simulated: bool = Field(description="The launcher is simulated, so `/toy` works.")
    odds: dict[str, Any] | None = Field(description="The odds in force; null while there is no journal.")
    commitment: str | None = Field(description="SHA-256 of the secret seed, shown before the first draw.")
    capabilities: dict[str, bool] = Field(examples=[{"exit_sensor": True, "retract": True}])


class ScriptOut(BaseModel):
    """A simulated launcher that a script drives; then listen to the entries after `seq`."""

    seq: int = Field(description="The newest entry this snapshot knows of.")
    simulated: bool = Field(description="Always: `/toy` works.")
    script: str = Field(description="Name of the script.", examples=["blink.py"])
    lid_open: bool
    button_down: bool
    exit_blocked: bool = Field(description="A card is in the light barrier.")
    jammed: bool
    cards_inside: int = Field(description="Cards that have not left; one that sticks out is still inside.")
    motor: float = Field(description="Duty that the pins ask for, -1 to 1.")
    tone_hz: float | None = Field(description="What the beeper sounds, hertz.")
    light: bool


class OddsOut(BaseModel):
    """The odds against what really came, since these odds are in force."""

    odds: dict[str, Any] = Field(description="The odds in force.")
    expected: dict[str, float] = Field(
        description="Probability of each number of cards per press; 0 is a dud.", examples=[{"0": 0.6, "3": 0.4}]
    )
    came: dict[str, int] = Field(
        description="How many presses brought so many cards. Presses that asked for a number are not in it.",
        examples=[{"0": 12, "3": 7}],
    )
    presses: int = Field(description="Presses left to luck that are in `came`.")
    cards: int = Field(description="Cards they brought.")
    duds: int
    longest_dry_run: int = Field(description="Most duds in a row.")
    uncounted: int = Field(description="Bursts nobody has counted (no exit sensor): not in `came`.")


class ProblemOut(BaseModel):
    """Every answer that is not a success."""

    error: str = Field(description="One word for programs.", examples=["body_too_large"])
    message: str = Field(description="One sentence for people.")
    remedy: str | None = Field(default=None, description="What to do about it.")


class RefusedOut(ProblemOut):
    """A command that was not carried out. Nothing moves."""

    reason: str = Field(description="Why.", examples=["lid_open"])
    entry: EntryOut = Field(description="The refusal; or what the `id` was answered with when it was used before.")
