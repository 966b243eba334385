"""A wizard on the simulated launcher in virtual time, and somebody who does what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dispenser.drivers.base import Levels
from dispenser.drivers.findings import Finding
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.launcher.settings import MachineSettings
from dispenser.maintenance.bench import Bench, simulate_hand
from dispenser.maintenance.manual import Manual
from dispenser.maintenance.selftest import Launcher
from dispenser.maintenance.wizard import Answer, Hand, View, Wizard
from dispenser.service.assembly import simulator_wiring
from dispenser.service.settings import Settings
from dispenser.simulator import Simulator, SimulatorEvent, SimulatorFactory, SimulatorParameters
from dispenser.simulator.view import Happening
from tests.conftest import FakeScheduler

THINK_S = 0.6
"""How long somebody takes to do as told: a lid has settled by then."""


class Workbench:
    """A simulator, its driver, and a person.

    :ivar answers: what the person says when asked, by the check; else the first answer offered.
    :ivar tied: what the person leaves undone, and says that nothing happens.
    """

    def __init__(
        self, parameters: SimulatorParameters | None = None, wiring: GpioWiring | None = None, *, seed: int = 1
    ) -> None:
        self.scheduler = FakeScheduler()
        self.wiring = wiring or GpioWiring()
        self.simulator = Simulator(
            parameters or SimulatorParameters.flawless(),
            simulator_wiring(replace(Settings(), pins=self.wiring)),
            factory := SimulatorFactory(),
            self.scheduler,
            seed,
            cards=40,
        )
        self.settings = replace(
            MachineSettings(),
            can_retract=self.wiring.capabilities.retract,
            has_exit_sensor=self.wiring.capabilities.exit_sensor,
        )
        self.driver = GpioDriver(self.wiring, factory, self.scheduler, timing=GpioTiming(), clock=self.scheduler)
        self.bench: Bench | None = None
        self.driver.open(self.handle, self.handle)
        self.answers: dict[str, Answer] = {}
        self.tied: set[Hand] = set()
        self.motor: list[float] = []
        self.simulator.add_listener(self._note)

    def handle(self, event: object) -> None:
        """What the driver tells, or a person."""
        if self.bench is not None:
            self.bench.handle(event)

    def _note(self, event: SimulatorEvent) -> None:
        if event.happening is Happening.MOTOR and isinstance(event.value, float | int):
            self.motor.append(float(event.value))

    def launcher(self) -> Launcher:
        return Launcher(self.driver.capabilities, self.settings, self.levels, self.wiring.lines())

    def levels(self) -> Levels:
        return self.driver.levels()

    def run(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)

    def join(self, machine: Wizard | Manual) -> Bench:
        self.bench = Bench(machine, self.driver, self.scheduler)
        self.bench.begin()
        return self.bench

    def go_through(self, wizard: Wizard, until: Callable[[View], bool] = lambda view: view.over) -> tuple[Finding, ...]:
        """Somebody does what the wizard asks for, until it is over or as told."""
        self.join(wizard)
        return self.go_through_on(wizard, until)

    def go_through_on(
        self, wizard: Wizard, until: Callable[[View], bool] = lambda view: view.over
    ) -> tuple[Finding, ...]:
        """The same with one that has begun."""
        for _ in range(600):
            view = wizard.view()
            if until(view):
                return wizard.findings
            self._do(view)
            self.run(THINK_S)
        raise AssertionError(f"still at {wizard.view()}")

    def _do(self, view: View) -> None:
        said = self.answers.get(view.check)
        if view.hand in self.tied:
            self.handle(Answer.NOTHING)
            return
        if view.hand is not None:
            simulate_hand(self.simulator, view.hand)
        if said in view.answers:
            self.handle(said)
        elif view.hand is None or view.hand in (Hand.LOOK, Hand.LOAD_CARDS):
            if view.answers[0] is Answer.AGAIN:
                self.handle(Answer.SKIP)
            elif view.answers[0] not in (Answer.SKIP, Answer.NOTHING):
                self.handle(view.answers[0])
