"""Plays a scenario on the simulated launcher, in virtual time, and says what differs from what it expects."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from msgspec import UNSET

from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import JournalError
from dispenser.launcher.messages import MessageError
from dispenser.scenario.launcher.expectations import Finding, NoticePattern, check
from dispenser.scenario.launcher.format import RawEdge, Scenario, Take
from dispenser.scenario.launcher.simulated import SimulatedLauncher
from dispenser.scenario.launcher.steps import ACTS, Act, Step
from dispenser.scenario.launcher.timeline import Timeline
from dispenser.service.requests import ServiceError
from dispenser.simulator import ToyError

PATIENCE_S = 60.0
"""How long a step waits for its notice."""
SETTLE_S = 3.0
"""How long the launcher is watched after the last step, at least."""
LONGEST_BURST_S = 120.0
"""How long a burst under way is waited for, beyond that."""
AFTER_LAST_S = 0.01
"""The service is stopped so long after the end of the last window, so that the window does not show it."""
_UNDER_WAY = ("suspense", "feeding", "retracting")
_REFUSALS = (ToyError, ServiceError, JournalError, MessageError)


@dataclass(frozen=True, slots=True)
class Play:
    """One take, played."""

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
        self.loop = self.loop_factory()
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
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
        """Steps that failed, and every expectation."""
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
        if awaited := NoticePattern.read(step.when, step.with_):
            fits, moments, first = awaited.fits, self.timeline.moments, len(self.timeline.moments)

            def come() -> bool:
                return sum(each.kind == "notice" and fits(each.type, each.data) for each in moments[first:]) >= step.nth

            if not await self._notices_until(come, PATIENCE_S):
                waited = f"waited {PATIENCE_S:g} s for {awaited}, which did not come {step.nth} ×"
                self._step_failed(number, step, waited)
                return False
        await self._until(self.loop.time() + (step.after or 0.0))
        return True

    async def _notices_until(self, done: Callable[[], bool], patience_s: float) -> bool:
        """Wait for notices until ``done``; whether it was, in so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while not done():
                    self.new_event.clear()
                    await self.new_event.wait()
        return done()

    async def _until(self, when_s: float) -> None:
        await asyncio.sleep(max(0.0, when_s - self.loop.time()))

    def _step_failed(self, number: int, step: Step, why: str) -> None:
        self._failed_steps.append(Finding(f"[[step]] {number}", step.phrase, why, self.loop.time()))

    async def _wait_for_the_end(self) -> None:
        """Until nothing moves any more and every window is over."""
        last_s = max([self.loop.time(), *(edge.at for edge in self.take.edges)]) + SETTLE_S
        for each in self.take.expectations.values():
            since_s = self.timeline.marks.get(each.since or "", 0.0)
            last_s = max(last_s, since_s + (each.window()[1] or 0.0) + AFTER_LAST_S)
        await self._until(last_s)
        await self._notices_until(
            lambda: self.service is None or self.service.snapshot()["state"] not in _UNDER_WAY, LONGEST_BURST_S
        )
