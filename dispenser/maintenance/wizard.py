"""The state machine of a wizard: steps that a person follows at the launcher, one after the other.

A step is a generator: it yields what it waits for and returns what it found. One that has found something wrong may be
done again; one that is left out says so in the report. Whatever ends a step, the motor is told to stop.
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

PATIENCE_S = 120.0  # How long a step waits for a hand before it takes it that nothing reaches the launcher, seconds

NOTHING_YET = Text("")


class Answer(enum.StrEnum):
    """What a person can say. ``NOTHING``: they did as they were told, and the launcher has not noticed."""

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

    :param within_s: after so long ``TimeIsUp`` happens; ``None``: never, or at ``until_s`` on the driver's clock.
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


Doing = Generator[Wait, Happened, Finding]  # A step under way; what it returns is what was found
_Awaited = TypeVar("_Awaited")


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    :param check: its name in a report.
    :param if_lifted: what a lid that is lifted once the cards are in ends it with, were it for a moment between two
        runs: who shuts it again has not asked for the motor.
    """

    check: str
    title: Text
    begin: Callable[[], Doing]
    if_lifted: Finding | None = None


def first_of(wait: Wait, *kinds: type[_Awaited]) -> Generator[Wait, Happened, _Awaited | Answer | TimeIsUp]:
    """Wait for one of these, for an answer, or until the time is up; what else happens does not matter to the step."""
    while True:
        happened = yield wait
        if isinstance(happened, (Answer, TimeIsUp, *kinds)):
            return cast("_Awaited | Answer | TimeIsUp", happened)


def came(say: Text, hand: Hand, kind: type, seen: Text = NOTHING_YET) -> Generator[Wait, Happened, bool]:
    """Ask for a hand; whether the launcher noticed it."""
    return isinstance((yield from first_of(Wait(say, hand, seen, (Answer.NOTHING,), PATIENCE_S), kind)), kind)


def asked(
    say: Text, *answers: Answer, hand: Hand | None = Hand.LOOK, seen: Text = NOTHING_YET
) -> Generator[Wait, Happened, Answer]:
    """Wait for an answer as long as it takes."""
    return cast("Answer", (yield from first_of(Wait(say, hand, seen, answers))))


def run_of(feed: m.Feed | m.Retract, within_s: float, seen: Text = NOTHING_YET) -> Wait:
    """A motor run under way."""
    return Wait(Text("The motor turns."), seen=seen, within_s=within_s, commands=(feed,))


def good(found: Text) -> Finding:
    return Finding("", Status.GOOD, found)


def wrong(found: Text, advice: Text) -> Finding:
    return Finding("", Status.WRONG, found, advice)


def left_out(why: Text) -> Finding:
    return Finding("", Status.NOTE, why)


ALWAYS = (Answer.SKIP, Answer.STOP)  # What can be said at any time
_TRY_AGAIN = Text("That did not go well. Look at it, then do this step again; or go on with the next one.")
_EARLY_S = 0.005  # A timer may ring so early: clocks are rounded


@dataclass(frozen=True, slots=True)
class View:
    """All that a terminal or a page shows.

    :param number: of the step under way, from 1; 0 when there is none any more.
    :param answers: what may be said now, the most likely first.
    :param findings: of the steps that are done, and of the one that went wrong.
    :param titles: of all steps, by check.
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
    """Goes through the steps.

    :param done: findings of steps that need not be done again.
    :ivar deadline: when ``TimeIsUp`` is to be heard, seconds; ``None``: nothing to wait for.
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
        """In the order of the steps."""
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
        """Take what happened; return what the driver is to do."""
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
        """An answer that was not asked for, a time that is not up; between two steps, all but answers."""
        if isinstance(event, Answer):
            return event not in self.view().answers
        if isinstance(event, TimeIsUp):
            return self.deadline is None or now_s < self.deadline - _EARLY_S
        return self._wait is None

    def begin(self, now_s: float) -> list[m.Command]:
        """Begin the next step, or this one again."""
        if not self._to_do:
            return []
        self._findings.pop(self._to_do[0].check, None)
        self._doing = self._to_do[0].begin()
        return self._send(None, now_s)

    def _next(self, now_s: float) -> list[m.Command]:
        self._to_do = self._to_do[1:]
        return self.begin(now_s)

    def _send(self, event: Happened | None, now_s: float) -> list[m.Command]:
        """Let the step under way go on until it waits again, or has ended."""
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
        if wait is self._wait:  # it still waits for the same thing
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
        """The step under way is over."""
        if self._doing is not None:
            self._doing.close()
        self._doing = self._wait = self.deadline = None
        return [m.Stop()]
