"""What goes over the API of the workshop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal

from msgspec import Meta, Struct


class OpenWorkshop(Struct, forbid_unknown_fields=True):
    """Begin in the workshop; the launcher is off for everybody else."""

    kind: Literal["selftest", "calibrate", "manual"]


class TellWorkshop(Struct, forbid_unknown_fields=True):
    """One of the answers that the workshop offers now."""

    word: Annotated[str, Meta(max_length=20)]


class CloseWorkshop(Struct, forbid_unknown_fields=True):
    """The launcher is everybody's again."""


@dataclass(frozen=True)
class WorkshopWord:
    """What somebody may say in the workshop now.

    :param answer: what to send.
    :param label: in your language; a key of a terminal stands in square brackets.
    """

    answer: str
    label: str


@dataclass(frozen=True)
class WorkshopFinding:
    """What a step has found."""

    check: str
    title: str
    status: Literal["good", "note", "wrong"]
    text: str
    remedy: str


@dataclass(frozen=True)
class WorkshopStep:
    """Where a self-test or a calibration is.

    :param number: of the step, from 1 on; 0 when all are over.
    :param hand: what a hand is to do at the launcher; null for nothing.
    :param seen: what was seen so far.
    :param over: nothing more is asked.
    """

    number: int
    steps: int
    check: str
    title: str
    say: str
    hand: str | None
    seen: str
    answers: list[WorkshopWord]
    findings: list[WorkshopFinding]
    over: bool


@dataclass(frozen=True)
class WorkshopNow:
    """All that there is to see in the workshop, in your language.

    :param number: of what there is to see: another one at each change.
    :param trouble: what went wrong; empty when nothing did.
    :param done: what has become of a calibration.
    :param wizard: of a self-test or a calibration.
    :param figures: what a calibration has measured, ms.
    :param proposals: settings that follow from it.
    :param levels: by hand: of lid, button and exit.
    :param acts: by hand: what may be done.
    """

    open: bool
    number: int = 0
    kind: str = ""
    trouble: str = ""
    done: str = ""
    wizard: WorkshopStep | None = None
    figures: list[dict[str, Any]] = field(default_factory=list)
    proposals: list[dict[str, Any]] = field(default_factory=list)
    levels: dict[str, bool] = field(default_factory=dict)
    moving: str | None = None
    light: bool = False
    acts: list[WorkshopWord] = field(default_factory=list)
    said: str = ""


@dataclass(frozen=True)
class WorkshopIs:
    """Whether the workshop is open now."""

    open: bool


OF_WORKSHOP: Final = (
    *(OpenWorkshop, TellWorkshop, CloseWorkshop),
    *(WorkshopWord, WorkshopFinding, WorkshopStep, WorkshopNow, WorkshopIs),
)
