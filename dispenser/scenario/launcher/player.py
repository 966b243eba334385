"""Plays a scenario on the simulated launcher, in virtual time, and says what came of it."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from msgspec import UNSET

from dispenser.journal import JournalError
from dispenser.launcher.messages import MessageError
from dispenser.scenario.launcher.acts import Step
from dispenser.scenario.launcher.expectations import Expectation, NoticePattern
from dispenser.scenario.launcher.format import RawEdge, Scenario, Take
from dispenser.scenario.launcher.judge import Finding, judge
from dispenser.scenario.launcher.process import StageLoop
from dispenser.scenario.launcher.promises import check_promises
from dispenser.scenario.launcher.stage import Stage
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
_NEEDS_FILES = ("kill the service", "stop the service", "start the service", "disk full", "disk read-only")
_UNDER_WAY = ("suspense", "feeding", "retracting")
_CANNOT = (ToyError, ServiceError, JournalError, MessageError)


@dataclass(frozen=True, slots=True)
class Play:
    """One take, played: its findings (expectations first, then promises) and all that was seen."""

    take: Take
    findings: tuple[Finding, ...]
    timeline: Timeline

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings)


def play(scenario: Scenario) -> list[Play]:
    """Play all takes of a scenario."""
    return [play_take(take) for take in scenario.takes]


def play_take(take: Take, *, keep_journal: Path | None = None) -> Play:
    """Play one take. Takes no real time to speak of; must not be called from a running event loop.

    :param keep_journal: leave the journal in this new file.
    """
    loop = StageLoop()
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        if keep_journal is None and not any(step.phrase in _NEEDS_FILES for step in take.steps):
            return runner.run(_Player(take, loop).play(None))
        with tempfile.TemporaryDirectory(prefix="dispenser-scenario-") as folder:
            played = runner.run(_Player(take, loop).play(Path(folder)))
            if keep_journal is not None:
                newest = max(Path(folder).glob("journal-*.sqlite3"), key=lambda path: path.name)
                shutil.copy(newest, keep_journal)
            return played


class _Player:
    """Walks through the steps of one take."""

    def __init__(self, take: Take, loop: StageLoop) -> None:
        self._take = take
        self._loop = loop
        self._hitches: list[Finding] = []

    async def play(self, folder: Path | None) -> Play:
        take = self._take
        self._stage = stage = Stage(self._loop, take.setup, take.raw_lines, take.seed, folder)
        self._timeline = timeline = stage.timeline
        try:
            stage.computer.start()
            await self._walk()
        finally:
            await stage.close()
        expected = [judge(name, each, timeline) for name, each in take.expectations.items()]
        return Play(take, (*self._hitches, *expected, *check_promises(stage)), timeline)

    async def _walk(self) -> None:
        for edge in self._take.edges:
            self._loop.world.call_at(edge.at, partial(self._drive, edge))
        for number, step in enumerate(self._take.steps, 1):
            if not await self._reach(number, step):
                return
            if step.name:
                self._timeline.marks[step.name] = self._loop.time()
            await self._perform(number, step)
        await self._see_it_out()

    def _drive(self, edge: RawEdge) -> None:
        self._timeline.note(self._loop.time(), "step", f"edge: {edge.line} {'active' if edge.active else 'inactive'}")
        self._stage.toy.drive_line(edge.line, edge.active)

    # --- the moment of a step ---

    async def _reach(self, number: int, step: Step) -> bool:
        if step.at is not UNSET:
            if step.at < self._loop.time() - 1e-9:
                self._hitch(number, step, f"its time, {step.at:g} s, was over when the step before was done")
            await self._until(step.at)
            return True
        awaited = step.awaited()
        if awaited is not None and not await self._notice(awaited, step.nth):
            self._hitch(number, step, f"waited {PATIENCE_S:g} s for {awaited}, which did not come {step.nth} ×")
            return False
        await self._until(self._loop.time() + (step.after or 0.0))
        return True

    async def _notice(self, awaited: NoticePattern, nth: int) -> bool:
        """Wait until the wanted notice has come since the step before."""
        moments = self._timeline.moments
        seen, number = len(moments), 0
        deadline = self._loop.time() + PATIENCE_S
        while self._loop.time() < deadline:
            for moment in moments[seen:]:
                seen += 1
                number += moment.kind == "notice" and awaited.fits(moment.type, moment.data)
                if number == nth:
                    return True
            await self._stage.watch.next_notice(deadline)
        return False

    async def _until(self, when_s: float) -> None:
        await asyncio.sleep(max(0.0, when_s - self._loop.time()))

    # --- the step ---

    async def _perform(self, number: int, step: Step) -> None:
        begin_s = self._loop.time()
        for time in range(step.times):
            await self._until(begin_s + time * step.every)
            self._timeline.note(self._loop.time(), "step", step.words)
            try:
                step.act(self._stage, **step.keys)
            except _CANNOT as error:
                self._hitch(number, step, str(error))

    def _hitch(self, number: int, step: Step, what: str) -> None:
        self._hitches.append(Finding(f"[[step]] {number}", step.phrase, what, self._loop.time()))

    # --- the end ---

    async def _see_it_out(self) -> None:
        """Until nothing moves any more and every window is over."""
        last_s = max([self._loop.time(), *(edge.at for edge in self._take.edges)]) + SETTLE_S
        ends = [self._end(each) + AFTER_LAST_S for each in self._take.expectations.values()]
        await self._until(max(last_s, *ends))
        deadline = self._loop.time() + LONGEST_BURST_S
        while self._loop.time() < deadline and self._under_way():
            await self._stage.watch.next_notice(deadline)

    def _end(self, expectation: Expectation) -> float:
        from_s, until_s = expectation.window()
        begin_s = self._timeline.marks.get(expectation.since, 0.0) if expectation.since else 0.0
        return begin_s + (until_s or from_s)

    def _under_way(self) -> bool:
        service = self._stage.computer.service
        return service is not None and service.snapshot()["state"] in _UNDER_WAY
