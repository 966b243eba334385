"""Plays a scenario in virtual time: the real service, driver and journal on a simulated launcher.

Only time, physics and odds are simulated. Everything observable is recorded on a timeline.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from itertools import count
from typing import Any, ClassVar, get_args

from msgspec import UNSET

from dispenser.clocks.virtual import VirtualLoop
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError, Record, public_data
from dispenser.launcher.commands import Command
from dispenser.launcher.messages import MessageError, Outcome
from dispenser.launcher.settings import MachineSettings
from dispenser.scenario.launcher.expectations import Finding, NoticePattern, check
from dispenser.scenario.launcher.format import LineName, Planned, RawEdge, Scenario, Take
from dispenser.scenario.launcher.steps import ACTS, Act, Step
from dispenser.scenario.launcher.timeline import Moment, Timeline
from dispenser.service.assembly import IN_MEMORY, named_seed, simulator_seed, simulator_wiring
from dispenser.service.requests import ServiceError
from dispenser.service.service import Service
from dispenser.simulator import Happening, Simulator, SimulatorError, SimulatorEvent, SimulatorFactory

PATIENCE_S = 60.0  # Timeout of a step that waits for a notice
SETTLE_S = 3.0  # Minimum time of observation after the last step
LONGEST_BURST_S = 120.0  # Timeout, beyond that, for a burst under way
AFTER_LAST_S = 0.01
"""Delay of the service's stop after the last window, so that the window does not include the stop."""
_UNDER_WAY = ("suspense", "feeding", "retracting")
_REFUSALS = (SimulatorError, ServiceError, JournalError, MessageError)
AROUND = 15  # Moments of the timeline shown with a failure
_SIGNS = {"step": "*", "notice": "-", "answer": "=", "change": " "}
_SHOWN = {"motor", "lid", "exit", "light", "beeper", "service"}
_LONG_FIELDS = {"settings", "said"}


@dataclass(frozen=True, slots=True)
class Play:
    take: Take
    findings: tuple[Finding, ...]
    timeline: Timeline

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings)


def play(scenario: Scenario) -> list[Play]:
    """Play all takes in virtual time. Must not be called from a running event loop."""
    return [ScenarioRunner(take).run() for take in scenario.takes]


@dataclass
class PlannedOdds:
    """Odds that return planned outcomes in order; the last one is repeated.

    :param numbers: of the draws, from 1; shared by restarted launchers, so that they continue the plan.
    """

    plan: list[Planned]
    numbers: Iterator[int]
    settings: MachineSettings

    def reset(self) -> None:
        """Do nothing: the plan does not depend on how long the launcher has been on."""

    def draw(self) -> Outcome:
        number, low_s, high_s = next(self.numbers), self.settings.suspense_min_s, self.settings.suspense_max_s
        planned, suspense = self.plan[min(number, len(self.plan)) - 1], 0.5
        if planned.suspense is not UNSET and high_s > low_s:
            suspense = min(1 - 2**-53, (planned.suspense - low_s) / (high_s - low_s))
        return Outcome(number, planned.cards, suspense)

    def describe(self) -> dict[str, Any]:
        return {"planned": [planned.cards for planned in self.plan]}


class ScenarioRunner:
    """Plays one take. The project's tests have a subclass, which can do more to the computer.

    :cvar acts: handler of each phrase under ``do``.
    :ivar service: the running service, or ``None``.
    """

    acts: ClassVar[Mapping[str, Act]] = ACTS
    loop_factory: ClassVar[type[VirtualLoop]] = VirtualLoop
    pin_factory: ClassVar[type[SimulatorFactory]] = SimulatorFactory
    simulator_class: ClassVar[type[Simulator]] = Simulator

    def __init__(self, take: Take) -> None:
        self.take = take
        self.setup = take.setup
        self.timeline = Timeline()
        self.pins = self.pin_factory()
        self.service: Service | None = None
        self.service_is = "stopped"
        self._new_notice = asyncio.Event()
        self._failed_steps: list[Finding] = []
        self._draws = count(1)
        self._requests: list[asyncio.Task[None]] = []

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
        """Yield the failed steps, and the result of every expectation."""
        yield from self._failed_steps
        for name, each in self.take.expectations.items():
            yield check(name, each, self.timeline)

    async def _do_steps(self) -> None:
        def drive(edge: RawEdge) -> None:
            self.timeline.note(self.loop.time(), "step", f"edge: {edge.line} {'active' if edge.active else 'inactive'}")
            self.simulator.drive_line(edge.line, edge.active)

        for edge in self.take.edges:
            self.loop.world.call_at(edge.at, partial(drive, edge))
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
        """Wait for notices until ``done`` or a timeout; return whether it is done."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience_s):
                while not done():
                    self._new_notice.clear()
                    await self._new_notice.wait()
        return done()

    async def _until(self, when_s: float) -> None:
        await asyncio.sleep(max(0.0, when_s - self.loop.time()))

    def _step_failed(self, number: int, step: Step, why: str) -> None:
        self._failed_steps.append(Finding(f"[[step]] {number}", step.phrase, why, self.loop.time()))

    async def _wait_for_the_end(self) -> None:
        """Wait until all windows are over and no burst is under way."""
        last_s = max([self.loop.time(), *(edge.at for edge in self.take.edges)]) + SETTLE_S
        for each in self.take.expectations.values():
            since_s = self.timeline.marks.get(each.since or "", 0.0)
            last_s = max(last_s, since_s + (each.window()[1] or 0.0) + AFTER_LAST_S)
        await self._until(last_s)
        await self._notices_until(
            lambda: self.service is None or self.service.snapshot()["state"] not in _UNDER_WAY, LONGEST_BURST_S
        )

    # --- the launcher ---

    def set_up(self) -> None:
        """Create the simulated launcher on the running loop."""
        setup, wiring = self.setup, simulator_wiring(self.setup.settings)
        cards, world, seed = setup.cards_at_first, self.loop.world, simulator_seed(self.take.seed)
        self.simulator = self.simulator_class(
            setup.simulator, wiring, self.pins, world, seed, cards=cards, lid_open=setup.begun["lid"]
        )
        for name in self.take.raw_lines:
            self.simulator.drive_line(name, setup.begun[name])
        wires = {name: getattr(wiring, name) for name in get_args(LineName)}
        self._wires = {name: (self.pins.pin(wire.gpio), wire.active_high) for name, wire in wires.items() if wire}
        self.simulator.add_listener(self.simulator_changed)
        self.loop.on_idle = self.observe
        self.observe()

    def start_service(self) -> None:
        self.service = self.new_service(self.loop, self.setup.cards_at_first)
        self.service.start()
        self.subscribe()
        self.service_is = "running"

    def new_service(self, loop: Any, cards: int | None) -> Service:
        """Create a service on the simulated pins, not started.

        :param loop: the driver's event loop and clock.
        :param cards: initial number of cards; ``None``: the service reads it from the journal.
        """
        settings, plan = self.setup.settings, self.setup.plan
        return Service(
            GpioDriver(settings.pins, self.pins, loop, timing=settings.timing, clock=loop),
            settings,
            self.open_journal,
            partial(named_seed, self.take.seed),
            simulator=self.simulator,
            cards_inside=cards,
            make_odds=(lambda _: PlannedOdds(plan, self._draws, settings.launcher)) if plan else None,
        )

    def open_journal(self) -> Journal:
        return Journal.open(IN_MEMORY)

    def running(self) -> Service:
        """:raises ServiceError: no service is running."""
        if self.service is None:
            raise ServiceError(Text("no service is running"))
        return self.service

    async def stop_service(self) -> None:
        service, self.service = self.service, None
        if service is not None:
            await service.stop()
            self.service_is = "stopped"

    def ask(self, words: str, command: Command, source: str = "api") -> None:
        """Send the service a command, and record the answer when it comes."""
        self._requests.append(self.loop.create_task(self._ask(words, command, source)))

    async def _ask(self, words: str, command: Command, source: str) -> None:
        try:
            answer = (await self.handle(command, source)).type
        except (ServiceError, JournalError, ValueError) as error:
            answer = str(error)
        self.note_answer(words, answer)

    async def handle(self, command: Command, source: str) -> Record:
        return await self.running().handle(command, source)

    def note_answer(self, words: str, answer: str) -> None:
        self.timeline.note(self.loop.time(), "answer", f"{words}: {answer}", data={"answer": answer})

    async def close(self) -> None:
        """Stop the service, and cancel the commands without an answer."""
        self.observe()
        self.timeline.end_s = self.loop.time()
        await self.stop_service()
        for task in self._requests:
            task.cancel()

    # --- observation ---

    def observe(self) -> None:
        """Record changed values on the timeline."""
        now_s, values = self.loop.time(), self.values()
        for name in self.timeline.observe(now_s, values):
            if name in _SHOWN:
                self.timeline.note(now_s, "change", f"{name} {values[name]}", name)

    def values(self) -> dict[str, Any]:
        """Return the current values of all condition variables."""
        view = self.simulator.view()
        lid_open = self.active("lid") if "lid" in self.take.raw_lines else view.lid_open
        known = self.service.snapshot() if self.service is not None else {"state": "off"}
        return {
            "motor": "forward" if view.motor_commanded > 0 else "backward" if view.motor_commanded else "off",
            "lid": "open" if lid_open else "shut",
            "exit": "blocked" if self.active("exit") else "free",
            "light": "on" if view.light_on else "off",
            "beeper": "on" if view.tone_hz else "off",
            "service": self.service_is,
            **{name: getattr(view, name) for name in ("cards_out", "cards_in_stack", "cards_in_path")},
            **{name: known.get(name) for name in ("state", "cards_inside", "presses", "dud_streak")},
        }

    def active(self, line: str) -> bool:
        """Return the state of an input line: button down, lid open, exit blocked."""
        pin, active_high = self._wires.get(line, (None, True))
        return pin is not None and pin.outside == active_high

    def simulator_changed(self, event: SimulatorEvent) -> None:
        if event.happening is Happening.BUTTON:
            self.timeline.note(event.time_s, "change", f"button {'down' if event.value else 'up'}", "button")

    def subscribe(self, after: int = 0) -> None:
        """Subscribe to the running service, and read the notices that it has already written."""
        service = self.running()
        for record in service.journal.read(after=after):
            self.on_record(record)  # the first ones were written before a subscription was possible
        service.event_bus.on("", self.on_record)

    def on_record(self, record: Record) -> None:
        self.observe()  # record the cause first
        data = public_data(record.data)
        shown = {key: value for key, value in data.items() if value is not None and key not in _LONG_FIELDS}
        details = " ".join(f"{key}={value}" for key, value in shown.items())
        self.timeline.note(self.loop.time(), "notice", f"{record.type} {details}".strip(), record.type, data)
        self._new_notice.set()


# --- report ---


def line(moment: Moment) -> str:
    """Format one moment of the timeline."""
    return f"{moment.at_s:9.3f}  {_SIGNS[moment.kind]} {moment.words}"


def failures(plays: list[Play]) -> Iterator[str]:
    """Yield the lines of a report: each failed finding, with its first take and the timeline around it."""
    told = Counter[str]()
    for play in plays:
        for finding in play.findings:
            told[key := f"{finding.name} {finding.what}"] += not finding.passed
            if not finding.passed and told[key] == 1:
                yield from _paragraph(finding, play)
    for key, times in told.items():
        if times > 1:
            yield f"{key}: failed in {times} of {len(plays)} takes; the first is shown"


def _paragraph(finding: Finding, play: Play) -> Iterator[str]:
    take = f" (with {play.take.variant})" if play.take.variant else ""
    yield f"{finding.name} did not hold{take}"
    yield f"  expected: {finding.what}"
    yield f"  seen:     {finding.seen}"
    yield "  around it:"
    for moment in play.timeline.around(finding.at_s, AROUND):
        here = ">" if abs(moment.at_s - finding.at_s) < 1e-6 else " "
        yield f"   {here} {line(moment)}"
    yield ""


def as_dict(play: Play, *, with_timeline: bool) -> dict[str, Any]:
    """Return a play as values for JSON."""
    findings = [{**asdict(finding), "passed": finding.passed} for finding in play.findings]
    told: dict[str, Any] = {"variant": play.take.variant, "passed": play.passed, "findings": findings}
    if with_timeline:
        told["timeline"] = [asdict(moment) for moment in play.timeline.moments]
    return told
