"""A simulator on a bench: wires, devices, a clock, and a recorder of every raw edge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from gpiozero import DigitalInputDevice, Motor

from dispenser.simulator import Line, Simulator, SimulatorEvent, SimulatorFactory, SimulatorParameters, SimulatorWiring
from tests.conftest import FakeScheduler

WIRING = SimulatorWiring(
    button=Line(5, active_high=False),
    lid=Line(6),
    exit=Line(13),
    motor_forward=Line(18),
    motor_backward=Line(19),
    buzzer=Line(12),
    light=Line(21),
)


class BenchScheduler(FakeScheduler):
    """Counts the timers that fire."""

    def __init__(self) -> None:
        super().__init__()
        self.wakeups = 0

    def call_at(self, when: float, callback: Callable[[], object]) -> Any:
        def fire() -> None:
            self.wakeups += 1
            callback()

        return super().call_at(when, fire)


@dataclass(frozen=True, slots=True)
class RawEdge:
    line: str
    active: bool
    at_s: float


@dataclass
class Rig:
    """A simulator with a motor device and input devices on its pins."""

    simulator: Simulator
    factory: SimulatorFactory
    scheduler: Any
    motor: Motor
    edges: list[RawEdge] = field(default_factory=list)
    events: list[SimulatorEvent] = field(default_factory=list)
    on_edge: Callable[[RawEdge], None] | None = None
    _kept: list[object] = field(default_factory=list)

    @classmethod
    def build(
        cls,
        parameters: SimulatorParameters | None = None,
        *,
        wiring: SimulatorWiring = WIRING,
        scheduler: Any = None,
        seed: int = 1,
        cards: int | None = None,
        lid_open: bool = False,
    ) -> Rig:
        factory = SimulatorFactory()
        scheduler = scheduler or BenchScheduler()
        simulator = Simulator(
            parameters or SimulatorParameters.flawless(),
            wiring,
            factory,
            scheduler,
            seed,
            cards=cards,
            lid_open=lid_open,
        )
        backward, enable = wiring.motor_backward, wiring.motor_enable
        motor = Motor(
            wiring.motor_forward.gpio,
            backward.gpio if backward else 27,
            enable=enable.gpio if enable else None,
            pin_factory=factory,
        )
        rig = cls(simulator, factory, scheduler, motor)
        simulator.add_listener(rig.events.append)
        for name in ("button", "lid", "exit"):
            line: Line | None = getattr(wiring, name)
            if line is not None:
                rig._record(name, line)
        return rig

    def _record(self, name: str, line: Line) -> None:
        device = DigitalInputDevice(
            line.gpio, pull_up=None, active_state=line.active_high, bounce_time=None, pin_factory=self.factory
        )

        def changed(ticks: float, state: float) -> None:
            edge = RawEdge(name, bool(state) == line.active_high, ticks)
            self.edges.append(edge)
            if self.on_edge is not None:
                self.on_edge(edge)

        device.pin.when_changed = changed
        self._kept += [device, changed]

    def run(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)

    def of(self, line: str) -> list[RawEdge]:
        return [edge for edge in self.edges if edge.line == line]

    def level(self, line: str) -> bool:
        """The state that the wire shows now."""
        wire: Line = getattr(WIRING, line)
        return bool(self.factory.pin(wire.gpio).state) == wire.active_high

    def blocked_ms(self) -> list[float]:
        """How long the exit was dark, card after card."""
        times = [edge.at_s for edge in self.of("exit")]
        return [(light - dark) * 1e3 for dark, light in zip(times[::2], times[1::2], strict=False)]

    def periods_ms(self) -> list[float]:
        """From one card out to the next."""
        cleared = [edge.at_s for edge in self.of("exit") if not edge.active]
        return [(later - sooner) * 1e3 for sooner, later in pairwise(cleared)]

    def feed(self, cards: int, *, limit_s: float = 3.0) -> int:
        """Motor on until so many cards have cleared the exit, as a driver does it; returns how many did."""
        seen: list[RawEdge] = []

        def count(edge: RawEdge) -> None:
            if edge.line == "exit" and not edge.active and len(seen) < cards:
                seen.append(edge)
                if len(seen) == cards:
                    self.motor.stop()

        self.on_edge = count
        self.motor.forward()
        self.run(limit_s)
        self.motor.stop()
        self.on_edge = None
        self.run(0.5)
        return len(seen)

    def retract(self, seconds: float = 0.15) -> None:
        self.motor.backward()
        self.run(seconds)
        self.motor.stop()
        self.run(0.5)

    def check(self) -> None:
        """What holds at any time."""
        view = self.simulator.view()
        assert view.cards_loaded == view.cards_in_stack + view.cards_in_path + view.cards_out, view
        assert min(view.cards_in_stack, view.cards_in_path, view.cards_out) >= 0, view
        assert view.cards_in_path <= 2, view
        assert view.cards_in_path or not view.card_in_exit, view
        assert view.card_in_exit or not view.jammed, view
        assert -1.0 <= view.motor <= 1.0, view
        assert self.scheduler.pending <= 1
