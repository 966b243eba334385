"""Plays a scenario on the simulated launcher, in virtual time, and says what differs from what it expects."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from msgspec import UNSET

from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import JournalError
from dispenser.launcher.messages import MessageError
from dispenser.scenario.launcher.assertions import Finding, check
from dispenser.scenario.launcher.expectations import Expectation, NoticePattern
from dispenser.scenario.launcher.format import RawEdge, Scenario, Take
from dispenser.scenario.launcher.simulated import SimulatedLauncher
from dispenser.scenario.launcher.steps import ACTS, Act, Step
from dispenser.scenario.launcher.timeline import Timeline
from dispenser.service.requests import ServiceError
from dispenser.simulator import ToyError

PATIENCE_S = 60.0
"""How long a step waits for its notice."""
SETTLE_S = 3.0
"""How long the launcher is watched after the last step; a burst may take longer."""
AFTER_LAST_S = 0.01
"""The service is stopped so long after the end of the last window, that nothing of this is seen in it."""
LONGEST_BURST_S = 120.0
"""And how long a burst under way is waited for, beyond that."""
_UNDER_WAY = ("suspense", "feeding", "retracting")
_REFUSALS = (ToyError, ServiceError, JournalError, MessageError)


@dataclass(frozen=True, slots=True)
class Play:
    """One take, played: what came of its steps and expectations, and all that was seen."""

    take: Take
    findings: tuple[Finding, ...]
    timeline: Timeline

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings)


def play(scenario: Scenario) -> list[Play]:
    """Play all takes of a scenario. Takes no real time to speak of; must not be called from a running event loop."""
    return [ScenarioRunner(take).run() for take in scenario.takes]


class ScenarioRunner(SimulatedLauncher):
    """Plays one take. The project's tests have a runner of their own, which can do more to the computer.

    :cvar acts: what each phrase under ``do`` does.
    """

    acts: ClassVar[Mapping[str, Act]] = ACTS
    loop_factory: ClassVar[type[VirtualLoop]] = VirtualLoop

    def __init__(self, take: Take) -> None:
        super().__init__(take.setup, take.raw_lines, take.seed)
        self.take = take
        self._failed_steps: list[Finding] = []

    def run(self) -> Play:
        """Play it."""
        with asyncio.Runner(loop_factory=self.loop_factory) as runner:
            return runner.run(self._play())

    async def _play(self) -> Play:
        self.set_up()
        try:
            self.start_service()
            await self._do_steps()
        finally:
            await self.close()
        return Play(self.take, tuple(self.findings()), self.timeline)

    def findings(self) -> Iterator[Finding]:
        """What came of it all."""
        yield from self._failed_steps
        for name, each in self.take.expectations.items():
            yield check(name, each, self.timeline)

    async def _do_steps(self) -> None:
        for edge in self.take.edges:
            self.loop.world.call_at(edge.at, partial(self._drive, edge))
        for number, step in enumerate(self.take.steps, 1):
            if not await self._wait_for_its_moment(number, step):
                return
            begin_s = self.loop.time()
            if step.name:
                self.timeline.marks[step.name] = begin_s
            for time in range(step.times):
                await self._until(begin_s + time * step.every)
                self.timeline.note(self.loop.time(), "step", step.words)
                try:
                    self.acts[step.phrase](self, **step.keys)
                except _REFUSALS as error:
                    self._step_failed(number, step, str(error))
        await self._wait_for_the_end()

    def _drive(self, edge: RawEdge) -> None:
        self.timeline.note(self.loop.time(), "step", f"edge: {edge.line} {'active' if edge.active else 'inactive'}")
        self.toy.drive_line(edge.line, edge.active)

    async def _wait_for_its_moment(self, number: int, step: Step) -> bool:
        if step.at is not UNSET:
            if step.at < self.loop.time() - 1e-9:
                self._step_failed(number, step, f"its time, {step.at:g} s, was over when the step before was done")
            await self._until(step.at)
            return True
        awaited = step.awaited()
        if awaited is not None and not await self._notice(awaited, step.nth):
            waited = f"waited {PATIENCE_S:g} s for {awaited}, which did not come {step.nth} ×"
            self._step_failed(number, step, waited)
            return False
        await self._until(self.loop.time() + (step.after or 0.0))
        return True

    async def _notice(self, awaited: NoticePattern, nth: int) -> bool:
        """Wait until the wanted notice has come so often since the step before."""
        moments = self.timeline.moments
        first = len(moments)
        deadline_s = self.loop.time() + PATIENCE_S
        while self.loop.time() < deadline_s:
            fitting = (each.kind == "notice" and awaited.fits(each.type, each.data) for each in moments[first:])
            if sum(fitting) >= nth:
                return True
            await self._next_notice(deadline_s)
        return False

    async def _next_notice(self, deadline_s: float) -> None:
        self.new_event.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(deadline_s):
                await self.new_event.wait()

    async def _until(self, when_s: float) -> None:
        await asyncio.sleep(max(0.0, when_s - self.loop.time()))

    def _step_failed(self, number: int, step: Step, why: str) -> None:
        self._failed_steps.append(Finding(f"[[step]] {number}", step.phrase, why, self.loop.time()))

    async def _wait_for_the_end(self) -> None:
        """Until nothing moves any more and every window is over."""
        last_s = max([self.loop.time(), *(edge.at for edge in self.take.edges)]) + SETTLE_S
        ends = [self._end(each) + AFTER_LAST_S for each in self.take.expectations.values()]
        await self._until(max(last_s, *ends))
        deadline_s = self.loop.time() + LONGEST_BURST_S
        while self.loop.time() < deadline_s and self.service is not None:
            if self.service.snapshot()["state"] not in _UNDER_WAY:
                return
            await self._next_notice(deadline_s)

    def _end(self, expectation: Expectation) -> float:
        from_s, until_s = expectation.window()
        begin_s = self.timeline.marks.get(expectation.since, 0.0) if expectation.since else 0.0
        return begin_s + (until_s or from_s)
