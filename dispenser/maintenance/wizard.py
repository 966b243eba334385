"""One step after the other: a pure machine, fed one event at a time.

A step that has found something wrong may be done again; one that is left out says so in the report. Whatever ends a
step (an answer, an error of the driver, the end of it all), the motor is told to stop.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from dispenser.drivers.base import DriverError
from dispenser.drivers.findings import Finding, Status
from dispenser.i18n import Text
from dispenser.launcher import messages as m
from dispenser.maintenance.steps import NOTHING_YET, Answer, Doing, Hand, Happened, Step, TimeIsUp, Wait

ALWAYS = (Answer.SKIP, Answer.STOP)
"""What can be said at any time."""
_AFTER_TROUBLE: tuple[Answer, ...] = (Answer.AGAIN, Answer.SKIP, Answer.STOP)
_TRY_AGAIN = Text("That did not go well. Look at it, then do this step again; or go on with the next one.")
_LEFT_OUT = Text("left out")
_EARLY_S = 0.005
"""A timer may ring so early: clocks are rounded."""


@dataclass(frozen=True, slots=True)
class View:
    """All that a terminal or a page shows.

    :param number: of the step under way, from 1; 0 when there is none any more.
    :param check: its name in the report.
    :param title: what it is about.
    :param say: what to do now.
    :param seen: what was seen so far.
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
        self._order = list(self._titles)
        self._to_do = [step for step in steps if step.check not in self._findings]
        self._doing: Doing | None = None
        self._wait: Wait | None = None
        self.deadline: float | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """In the order of the steps."""
        return tuple(self._findings[check] for check in self._order if check in self._findings)

    @property
    def over(self) -> bool:
        return not self._to_do

    def view(self) -> View:
        wait, all_ = self._wait, len(self._order)
        if not self._to_do:
            return View(0, all_, "", "", "", None, NOTHING_YET, (), self.findings, self._titles)
        say, hand, seen, answers = _TRY_AGAIN, None, NOTHING_YET, _AFTER_TROUBLE
        if wait is not None:
            say, hand, seen, answers = wait.say, wait.hand, wait.seen, (*wait.answers, *ALWAYS)
        check = self._to_do[0].check
        place, title = self._order.index(check) + 1, self._titles[check]
        return View(place, all_, check, title, say, hand, seen, answers, self.findings, self._titles)

    def begin(self, now_s: float) -> list[m.Command]:
        """The first step; to be called once."""
        return self._begin(now_s)

    def step(self, event: Happened, now_s: float) -> list[m.Command]:
        """Take what happened; return what the driver is to do."""
        if not self._to_do or self._is_meaningless(event, now_s):
            return []
        check = self._to_do[0].check
        match event:
            case Answer.STOP:
                self._to_do = []
                return self._leave()
            case Answer.SKIP:
                self._findings.setdefault(check, Finding(check, Status.NOTE, _LEFT_OUT))
                return [*self._leave(), *self._next(now_s)]
            case m.DriverFailed():
                self._found(Finding(check, Status.WRONG, event.detail))
                return self._leave()
        return self._begin(now_s) if self._wait is None else self._send(event, now_s)

    def _is_meaningless(self, event: Happened, now_s: float) -> bool:
        """An answer that was not asked for, a time that is not up; between two steps, all but answers."""
        if isinstance(event, Answer):
            return event not in self.view().answers
        if isinstance(event, TimeIsUp):
            return self.deadline is None or now_s < self.deadline - _EARLY_S
        return self._wait is None

    def _begin(self, now_s: float) -> list[m.Command]:
        if not self._to_do:
            return []
        step = self._to_do[0]
        self._findings.pop(step.check, None)
        self._doing = step.begin()
        return self._send(None, now_s)

    def _next(self, now_s: float) -> list[m.Command]:
        self._to_do = self._to_do[1:]
        return self._begin(now_s)

    def _send(self, event: Happened | None, now_s: float) -> list[m.Command]:
        """Let the step under way go on until it waits again, or has ended."""
        if self._doing is None:
            return []
        try:
            wait = next(self._doing) if event is None else self._doing.send(event)
        except StopIteration as end:
            finding: Finding = end.value
            self._found(finding)
            commands = self._leave()
            return commands if finding.status is Status.WRONG else [*commands, *self._next(now_s)]
        except DriverError as error:  # the inputs cannot be read
            self._found(Finding(self._to_do[0].check, Status.WRONG, error.text))
            return self._leave()
        if wait is self._wait:  # it still waits for the same thing
            return []
        self._wait = wait
        wait.at_s = now_s
        self.deadline = wait.until_s if wait.within_s is None else now_s + wait.within_s
        return list(wait.commands)

    def _found(self, finding: Finding) -> None:
        self._findings[finding.check] = finding

    def _leave(self) -> list[m.Command]:
        """The step under way is over."""
        if self._doing is not None:
            self._doing.close()
        self._doing = self._wait = self.deadline = None
        return [m.Stop()]
