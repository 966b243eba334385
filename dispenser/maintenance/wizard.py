"""The state machine of a wizard: steps that a person follows at the launcher, one after the other.

A step is a generator: it yields what it waits for, and returns its finding. A failed step can be repeated; a skipped
one is noted in the report. Whenever a step ends, the motor is stopped.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from dispenser.drivers.base import DriverError, DriverEvent, Edge
from dispenser.drivers.findings import Finding, Status
from dispenser.i18n import Text
from dispenser.launcher import messages as m

PATIENCE_S = 120.0  # Timeout for a person's action, seconds; then the launcher is assumed not to have noticed it

NOTHING_YET = Text("")


class Answer(enum.StrEnum):
    """Answers of a person. ``NOTHING``: they acted, and the launcher did not react."""

    GO = "go"
    YES = "yes"
    NO = "no"
    NOTHING = "nothing"
    OTHER_WAY = "other_way"
    SKIP = "skip"
    AGAIN = "again"
    STOP = "stop"


class Hand(enum.StrEnum):
    """Actions that a person is asked to carry out."""

    LIFT_LID = "lift_lid"
    SHUT_LID = "shut_lid"
    PUSH_BUTTON = "push_button"
    BLOCK_EXIT = "block_exit"
    FREE_EXIT = "free_exit"
    LOAD_CARDS = "load_cards"
    LOOK = "look"


@dataclass(frozen=True, slots=True)
class TimeIsUp:
    """The event of an expired timeout."""


Happened = DriverEvent | Edge | Answer | TimeIsUp


@dataclass(slots=True, eq=False)
class Wait:
    """What a step waits for. The wizard shows it and carries out its commands.

    :param within_s: timeout, seconds; ``None``: no timeout, or at ``until_s`` on the driver's clock.
    :ivar at_s: start time, set by the wizard.
    """

    say: Text
    hand: Hand | None = None
    seen: Text = NOTHING_YET
    answers: tuple[Answer, ...] = ()
    within_s: float | None = None
    commands: tuple[m.Command, ...] = ()
    until_s: float | None = None
    at_s: float = 0.0


Doing = Generator[Wait, Happened, Finding]  # A running step; it returns its finding
_Awaited = TypeVar("_Awaited")


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a wizard.

    :param check: its name in a report.
    :param if_lifted: finding that ends the step when the lid is opened after the cards were loaded, even between two
        runs: shutting the lid is no request to run the motor.
    """

    check: str
    title: Text
    begin: Callable[[], Doing]
    if_lifted: Finding | None = None


def first_of(wait: Wait, *kinds: type[_Awaited]) -> Generator[Wait, Happened, _Awaited | Answer | TimeIsUp]:
    """Wait for an event of the types ``kinds``, an answer or a timeout; return it. Ignore other events."""
    while True:
        happened = yield wait
        if isinstance(happened, (Answer, TimeIsUp, *kinds)):
            return cast("_Awaited | Answer | TimeIsUp", happened)


def came(say: Text, hand: Hand, kind: type, seen: Text = NOTHING_YET) -> Generator[Wait, Happened, bool]:
    """Ask the person for an action; return whether the launcher reported it."""
    return isinstance((yield from first_of(Wait(say, hand, seen, (Answer.NOTHING,), PATIENCE_S), kind)), kind)


def asked(
    say: Text, *answers: Answer, hand: Hand | None = Hand.LOOK, seen: Text = NOTHING_YET
) -> Generator[Wait, Happened, Answer]:
    """Ask a question and wait for its answer without a timeout."""
    return cast("Answer", (yield from first_of(Wait(say, hand, seen, answers))))


def run_of(feed: m.Feed | m.Retract, within_s: float, seen: Text = NOTHING_YET) -> Wait:
    """Return the ``Wait`` that starts a motor run and waits for its end."""
    return Wait(Text("The motor turns."), seen=seen, within_s=within_s, commands=(feed,))


def good(found: Text) -> Finding:
    return Finding("", Status.GOOD, found)


def wrong(found: Text, advice: Text) -> Finding:
    return Finding("", Status.WRONG, found, advice)


def left_out(why: Text) -> Finding:
    return Finding("", Status.NOTE, why)


ALWAYS = (Answer.SKIP, Answer.STOP)  # Answers that are always accepted
_TRY_AGAIN = Text("That did not go well. Look at it, then do this step again; or go on with the next one.")
_EARLY_S = 0.005  # Tolerance for timers that fire early because of rounding, seconds


@dataclass(frozen=True, slots=True)
class View:
    """The state that a terminal or a page shows.

    :param number: number of the current step, from 1; 0 at the end.
    :param answers: accepted answers, the most likely first.
    :param findings: of completed steps, and of a current one that failed.
    :param titles: titles of all steps, by check.
    """

    number: int
    steps: int
    check: str
    title: Text | str
    say: Text | str
    hand: Hand | None
    seen: Text
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...]
    titles: Mapping[str, Text]

    @property
    def over(self) -> bool:
        return self.number == 0


class Wizard:
    """Runs the steps one after the other.

    :param done: findings of steps to leave out.
    :ivar deadline: time at which ``TimeIsUp`` must be sent, seconds; ``None``: no timeout.
    """

    def __init__(self, steps: Sequence[Step], done: Collection[Finding] = ()) -> None:
        self._findings = {finding.check: finding for finding in done}
        self._titles = {step.check: step.title for step in steps}
        self._to_do = [step for step in steps if step.check not in self._findings]
        self._doing: Doing | None = None
        self._wait: Wait | None = None
        self.deadline: float | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Return the findings in the order of the steps."""
        return tuple(self._findings[check] for check in self._titles if check in self._findings)

    @property
    def over(self) -> bool:
        return not self._to_do

    def view(self) -> View:
        titles, findings = self._titles, self.findings
        if not self._to_do:
            return View(0, len(titles), "", "", "", None, NOTHING_YET, (), findings, titles)
        step, wait = self._to_do[0], self._wait or Wait(_TRY_AGAIN, answers=(Answer.AGAIN,))
        place, told = list(titles).index(step.check) + 1, (wait.say, wait.hand, wait.seen, (*wait.answers, *ALWAYS))
        return View(place, len(titles), step.check, step.title, *told, findings, titles)

    def step(self, event: Happened, now_s: float) -> list[m.Command]:
        """Handle an event; return commands for the driver."""
        if not self._to_do or self._is_meaningless(event, now_s):
            return []
        match event:
            case Answer.STOP:
                self._to_do = []
                return self._leave()
            case Answer.SKIP:
                if self._to_do[0].check not in self._findings:
                    self._end(left_out(Text("left out")))
                return [*self._leave(), *self._next(now_s)]
            case m.DriverFailed():
                return self._end(Finding("", Status.WRONG, event.detail))
            case m.LidOpened() if (lifted := self._to_do[0].if_lifted) and self.view().hand is not Hand.LOAD_CARDS:
                return self._end(lifted)
        return self.begin(now_s) if self._wait is None else self._send(event, now_s)

    def _is_meaningless(self, event: Happened, now_s: float) -> bool:
        """Return whether to ignore an event: an unwanted answer, an early timeout, or, between steps, no answer."""
        if isinstance(event, Answer):
            return event not in self.view().answers
        if isinstance(event, TimeIsUp):
            return self.deadline is None or now_s < self.deadline - _EARLY_S
        return self._wait is None

    def begin(self, now_s: float) -> list[m.Command]:
        """Start the next step, or repeat the current one."""
        if not self._to_do:
            return []
        self._findings.pop(self._to_do[0].check, None)
        self._doing = self._to_do[0].begin()
        return self._send(None, now_s)

    def _next(self, now_s: float) -> list[m.Command]:
        self._to_do = self._to_do[1:]
        return self.begin(now_s)

    def _send(self, event: Happened | None, now_s: float) -> list[m.Command]:
        """Resume the current step until it waits again or ends; return commands."""
        if self._doing is None:
            return []
        try:
            wait = next(self._doing) if event is None else self._doing.send(event)
        except StopIteration as end:
            finding: Finding = end.value
            commands = self._end(finding)
            return commands if finding.status is Status.WRONG else [*commands, *self._next(now_s)]
        except DriverError as error:  # the inputs cannot be read
            return self._end(Finding("", Status.WRONG, error.text))
        if wait is self._wait:  # unchanged, so keep its deadline
            return []
        self._wait = wait
        wait.at_s = now_s
        self.deadline = wait.until_s if wait.within_s is None else now_s + wait.within_s
        return list(wait.commands)

    def _end(self, finding: Finding) -> list[m.Command]:
        check = self._to_do[0].check
        self._findings[check] = replace(finding, check=check)
        return self._leave()

    def _leave(self) -> list[m.Command]:
        """Close the current step and stop the motor."""
        if self._doing is not None:
            self._doing.close()
        self._doing = self._wait = self.deadline = None
        return [m.Stop()]
