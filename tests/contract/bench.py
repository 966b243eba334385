"""What the contract test asks of a launcher on a bench: a driver, and hands that do things to the device behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dispenser.drivers.base import Driver, DriverEvent, Edge, Sink
from dispenser.drivers.fallback import FallbackDriver
from dispenser.drivers.gpio.client import GpioProcessDriver
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.ipc import Setup
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.service.assembly import simulator_wiring
from dispenser.service.settings import Settings
from dispenser.simulator import Simulator, SimulatorParameters
from tests.conftest import FakeScheduler
from tests.contract.serial_bench import Bench, SerialBench
from tests.drivers.gpio.memory_process import MemoryProcess
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.firmware.host import EXIT_SENSOR, RETRACT


class GpioBench(Bench):
    """The GPIO driver on mock pins with the simulator behind them."""

    def __init__(self, wiring: GpioWiring) -> None:
        self.scheduler = FakeScheduler()
        self.factory = TroubleFactory()
        self.wiring = wiring
        self.simulator = Simulator(
            SimulatorParameters.flawless(),
            simulator_wiring(replace(Settings(), pins=wiring)),
            self.factory,
            self.scheduler,
            1,
        )
        self.driver: Driver = GpioDriver(wiring, self.factory, self.scheduler, clock=self.scheduler)

    def run(self, seconds: float) -> None:
        self.scheduler.run_for(seconds)

    def now(self) -> float:
        return self.scheduler.time()

    def hold_exit(self, blocked: bool) -> None:
        if self.wiring.exit is not None:
            super().hold_exit(blocked)

    def miss_edges(self, missing: bool) -> None:
        self.factory.deaf = set(self.wiring.lines().values()) if missing else set()

    def break_link(self, broken: bool) -> None:
        self.factory.failing = set(self.wiring.lines().values()) if broken else set()


class ProcessBench(GpioBench):
    """The same with the pins held by another process, but for the sockets between the two."""

    def __init__(self) -> None:
        super().__init__(GpioWiring())
        gpio = self.driver
        self.driver = GpioProcessDriver(
            Setup(self.wiring, GpioTiming()), lambda: MemoryProcess(lambda _: gpio, self.scheduler), self.scheduler
        )


class UsedAgain(FallbackDriver):
    """A phone has stood in for it."""

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        super().open(sink, record_edge)
        for stands_in in (True, False):
            self.change_over(stands_in=stands_in)


def used_again(bench: GpioBench | SerialBench) -> Bench:
    scheduler = bench.scheduler if isinstance(bench, GpioBench) else bench.world.scheduler
    bench.driver = UsedAgain(bench.driver, scheduler)
    return bench


BENCHES: dict[str, Callable[[], Bench]] = {
    "gpio, full wiring": lambda: GpioBench(GpioWiring()),
    "gpio, one MOSFET": lambda: GpioBench(GpioWiring(motor_backward=None, motor_enable=None)),
    "gpio, no exit sensor": lambda: GpioBench(GpioWiring(exit=None)),
    "gpio, active buzzer, no PWM": lambda: GpioBench(GpioWiring(buzzer_active=True, motor_pwm=False)),
    "gpio, everything active high": lambda: GpioBench(
        GpioWiring(button_active_high=True, lid_active_high=True, exit_blocked_high=False)
    ),
    "gpio, in a process": ProcessBench,
    "gpio, a phone has stood in": lambda: used_again(GpioBench(GpioWiring())),
    "gpio, no exit sensor, a phone has stood in": lambda: used_again(GpioBench(GpioWiring(exit=None))),
    "serial": SerialBench,
    "serial, a phone has stood in": lambda: used_again(SerialBench()),
    "serial, one MOSFET": lambda: SerialBench(EXIT_SENSOR),
    "serial, no exit sensor": lambda: SerialBench(RETRACT),
}
"""The drivers on trial, by name. A new driver joins with one line."""


class Ears:
    """Keeps every event with the time it was heard at and what the motor did at that instant."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.heard: list[tuple[float, DriverEvent]] = []
        self.motor_then: list[float] = []
        self.edges: list[Edge] = []

    def __call__(self, event: DriverEvent) -> None:
        self.heard.append((self._bench.now(), event))
        self.motor_then.append(self._bench.motor())

    @property
    def events(self) -> list[DriverEvent]:
        return [event for _, event in self.heard]

    def of(self, *kinds: type) -> list[DriverEvent]:
        return [event for event in self.events if isinstance(event, kinds)]

    def clear(self) -> None:
        self.heard.clear()
        self.motor_then.clear()
