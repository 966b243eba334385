"""What the steps of a wizard are made of: a step says what to do, waits, and ends with a finding."""

from __future__ import annotations

import enum
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeVar, cast

from dispenser.drivers.base import DriverEvent, Edge
from dispenser.drivers.findings import Finding, Status
from dispenser.i18n import Text
from dispenser.launcher import messages as m

PATIENCE_S = 120.0
"""How long a step waits for a hand before it takes it that nothing reaches the launcher, seconds."""

NOTHING_YET = Text("")


class Answer(enum.StrEnum):
    """What a person can say to a wizard. ``SKIP`` and ``STOP`` can be said at any time, and are the wizard's own.

    ``NOTHING``: they did as they were told, and the launcher has not noticed.
    """

    GO = "go"
    YES = "yes"
    NO = "no"
    NOTHING = "nothing"
    OTHER_WAY = "other_way"
    SKIP = "skip"
    AGAIN = "again"
    STOP = "stop"


class Hand(enum.StrEnum):
    """What a person is asked to do."""

    LIFT_LID = "lift_lid"
    SHUT_LID = "shut_lid"
    PUSH_BUTTON = "push_button"
    BLOCK_EXIT = "block_exit"
    FREE_EXIT = "free_exit"
    LOAD_CARDS = "load_cards"
    LOOK = "look"


@dataclass(frozen=True, slots=True)
class TimeIsUp:
    """Nothing came in time."""


Happened = DriverEvent | Edge | Answer | TimeIsUp


@dataclass(slots=True, eq=False)
class Wait:
    """What a step waits for; the wizard shows it and carries out its commands.

    :param say: what to do now, or what goes on.
    :param seen: what was seen so far in this step.
    :param answers: what may be said now.
    :param within_s: after so long ``TimeIsUp`` happens; ``None``: never.
    :param until_s: or at that time, on the driver's clock.
    :ivar at_s: when it began, which the wizard notes.
    """

    say: Text
    hand: Hand | None = None
    seen: Text = NOTHING_YET
    answers: tuple[Answer, ...] = ()
    within_s: float | None = None
    commands: tuple[m.Command, ...] = ()
    until_s: float | None = None
    at_s: float = 0.0


Doing = Generator[Wait, Happened, Finding]
"""A step under way; what it returns is what was found."""
_Awaited = TypeVar("_Awaited")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a wizard.

    :param check: its name in a report, one word.
    :param begin: begins it, once more at each try.
    """

    check: str
    title: Text
    begin: Callable[[], Doing]


def first_of(wait: Wait, *kinds: type[_Awaited]) -> Generator[Wait, Happened, _Awaited | Answer | TimeIsUp]:
    """Wait for one of these, for an answer, or until the time is up; what else happens does not matter to the step."""
    while True:
        happened = yield wait
        if isinstance(happened, (Answer, TimeIsUp, *kinds)):
            return cast("_Awaited | Answer | TimeIsUp", happened)


def good(check: str, found: Text) -> Finding:
    return Finding(check, Status.GOOD, found)


def wrong(check: str, found: Text, advice: Text) -> Finding:
    return Finding(check, Status.WRONG, found, advice)


def left_out(check: str, why: Text) -> Finding:
    return Finding(check, Status.NOTE, why)
