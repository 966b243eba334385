"""What the firmware must conform to: the Python machine on the GPIO driver, on bare mock pins in virtual time."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from dispenser.drivers.base import DriverEvent
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.settings import MachineSettings
from dispenser.simulator import SimulatorFactory, SimulatorPin
from tests.conftest import FakeScheduler
from tests.firmware.host import BRAKED, BURST_ENDS, EXIT_SENSOR, RETRACT, STATES, Happening

SETTINGS = MachineSettings()


@dataclass(frozen=True, slots=True)
class Edge:
    """One edge of a trace: ``lid`` (active: open), ``button`` (down) or ``exit`` (blocked)."""

    us: int
    line: str
    active: bool


@dataclass(frozen=True, slots=True)
class _Outcome:
    draw: int
    cards: int
    suspense: float


class ScriptedOutcomes:
    """The odds as a list of (cards, suspense in ms)."""

    def __init__(self, outcomes: Iterable[tuple[int, int]]) -> None:
        self._outcomes = deque(outcomes)
        self._drawn = 0

    def reset(self) -> None:
        """A list has no memory."""

    def draw(self) -> _Outcome:
        self._drawn += 1
        cards, suspense_ms = self._outcomes.popleft()
        low, high = SETTINGS.suspense_min_s, SETTINGS.suspense_max_s
        return _Outcome(self._drawn, cards, (suspense_ms / 1000 - low) / (high - low))


class Reference:
    """The Python launcher, switched on with the levels that its pins have; keeps a log like the host core's.

    :param capabilities: ``EXIT_SENSOR``, ``RETRACT``: what its wiring has.
    :param scheduler: shared with whoever moves the pins.
    :param factory: its pins are the launcher's.
    """

    def __init__(
        self,
        outcomes: Sequence[tuple[int, int]],
        scheduler: FakeScheduler | None = None,
        factory: SimulatorFactory | None = None,
        capabilities: int = EXIT_SENSOR | RETRACT,
    ) -> None:
        self.scheduler = scheduler or FakeScheduler(0.0)
        self.log: list[Happening] = []
        self._begun_s = self.scheduler.time()
        bridge, sensor = bool(capabilities & RETRACT), bool(capabilities & EXIT_SENSOR)
        self._wiring = GpioWiring(motor_backward=24 if bridge else None, exit=22 if sensor else None)
        self._factory = factory or SimulatorFactory()
        self._factory.clock = self.scheduler
        self._driver = GpioDriver(self._wiring, self._factory, self.scheduler, clock=self.scheduler)
        settings = replace(SETTINGS, can_retract=bridge, has_exit_sensor=sensor)
        self._machine = LauncherMachine(settings, ScriptedOutcomes(outcomes))
        self._inbox: deque[m.Event] = deque()
        self._taking = False
        self._told: dict[str, int] = {"motor": 0, "tone": 0, "light": 0}

    # --- outside ---

    def put(self, line: str, active: bool) -> None:
        """A level on an input: all of them, before ``switch_on``."""
        gpio = getattr(self._wiring, line)
        if gpio is not None:
            self._pin(gpio).drive(active if line in {"lid", "exit"} else not active)

    def switch_on(self) -> None:
        self._driver.open(self._handle)
        for gpio in (self._wiring.motor_enable, self._wiring.motor_forward, self._wiring.motor_backward):
            if gpio is not None:
                self._pin(gpio).on_output = self._look_at_motor
        self._pin(self._wiring.buzzer).on_output = self._look_at_tone
        self._pin(self._wiring.light).on_output = self._look_at_light
        levels = self._driver.levels()
        self._handle(m.SwitchOn(lid_open=levels.lid_open, exit_blocked=levels.exit_blocked))

    def play(self, edges: Iterable[Edge], until_us: int) -> None:
        """Put the edges on the pins at their times."""
        for edge in edges:
            self._run_to(edge.us)
            self.put(edge.line, edge.active)
        self._run_to(until_us)

    def close(self) -> None:
        self._driver.close()

    # --- inside ---

    def _pin(self, gpio: int | None) -> SimulatorPin:
        pin = self._factory.pin(gpio)
        assert isinstance(pin, SimulatorPin)
        return pin

    def _run_to(self, us: int) -> None:
        self.scheduler.run_for(self._begun_s + us / 1e6 - self.scheduler.time())

    def now_us(self) -> int:
        return round((self.scheduler.time() - self._begun_s) * 1e6)

    def _note(self, kind: str, value: int) -> None:
        if self._told.get(kind) != value:
            if kind in self._told:
                self._told[kind] = value
            self.log.append(Happening(self.now_us(), kind, value))

    def _handle(self, event: DriverEvent | m.SwitchOn | m.Tick) -> None:
        """One event at a time, as the service's inbox has it."""
        self._inbox.append(event)
        if self._taking:
            return
        self._taking = True
        while self._inbox:
            self._take(self._inbox.popleft())
        self._taking = False

    def _take(self, event: m.Event) -> None:
        outputs = self._machine.step(event, self.scheduler.time())
        for output in outputs:
            match output:
                case m.StateChanged(new=new):
                    self._note("state", STATES.index(new))
                case m.BurstEnded(cause=cause, delivered=delivered):
                    self._note("burst", BURST_ENDS.index(cause) | (delivered or 0) << 8)
        commands = [output for output in outputs if isinstance(output, m.Command)]
        for command in sorted(commands, key=lambda command: not isinstance(command, m.Stop)):
            self._driver.give(command)
        self._await(self._machine.deadline)

    def _await(self, deadline: float | None) -> None:
        if deadline is not None:
            self.scheduler.call_at(deadline, self._tick(deadline))

    def _tick(self, deadline: float) -> Callable[[], None]:
        return lambda: self._handle(m.Tick()) if self._machine.deadline == deadline else None

    def _look_at_motor(self, *_: object) -> None:
        wiring = self._wiring
        enable, forward, backward = (
            (self._pin(gpio).output or 0.0) if gpio is not None else 0.0
            for gpio in (wiring.motor_enable, wiring.motor_forward, wiring.motor_backward)
        )
        if not enable:
            self._note("motor", 0)
        elif forward and backward:
            self._note("motor", BRAKED)
        else:
            self._note("motor", round(255 * (forward - backward)))

    def _look_at_tone(self, *_: object) -> None:
        pin = self._pin(self._wiring.buzzer)
        sounds = pin.output is not None and 0 < pin.output < 1 and pin.frequency
        self._note("tone", round(pin.frequency * 10) if sounds else 0)

    def _look_at_light(self, *_: object) -> None:
        self._note("light", int(bool(self._pin(self._wiring.light).output)))
