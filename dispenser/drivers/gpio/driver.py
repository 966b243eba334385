"""``GpioDriver``: claim the pins, pass edges and commands to the run supervisor, report its events."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from gpiozero import DigitalOutputDevice

from dispenser.clocks import Clock, ThreadClock
from dispenser.drivers import base
from dispenser.drivers.gpio.beeper import Beeper
from dispenser.drivers.gpio.factory import pin_errors, who_has
from dispenser.drivers.gpio.inputs import DebouncedInput, InputPin
from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.run_supervisor import RunSupervisor
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.i18n import Text
from dispenser.launcher import messages as m

MAX_EDGE_AGE_S = 5.0
"""An edge older than this, or in the future, was timed by another clock: it counts as received now."""


class GpioDriver(base.Driver):
    """One launcher on gpiozero pins. All methods but ``stop`` run on the loop's thread.

    :param pin_factory: always explicit; there is no fallback.
    :param scheduler: the loop, for reports and chimes.
    :param clock: for the run supervisor; ``None``: a thread of its own, which no loop can delay.
    :param on_released: called when the motor is off and its pins are released; not if they could not be.
    """

    def __init__(
        self,
        wiring: GpioWiring,
        pin_factory: Any,
        scheduler: base.Scheduler,
        *,
        timing: GpioTiming | None = None,
        clock: Clock | None = None,
        on_released: Callable[[], object] = lambda: None,
    ) -> None:
        self._wiring = wiring
        self._factory = pin_factory
        self._scheduler = scheduler
        self._timing = timing or GpioTiming()
        self._given_clock = clock
        self._on_released = on_released
        self._opened = False
        self._owned: list[Any] = []  # devices to close in this order: the motor first
        self._pins: dict[str, InputPin] = {}
        self._notifications: deque[Callable[[], None]] = deque()

    @property
    def capabilities(self) -> base.Capabilities:
        return self._wiring.capabilities

    # --- opening and closing ---

    def open(self, sink: base.Sink, record_edge: Callable[[base.Edge], None] | None = None) -> None:
        self._sink = sink
        self._record_edge = record_edge
        try:
            self._claim()
        except pin_errors() as error:
            self._release()
            text = Text(
                "cannot use the GPIO pins ({kind}: {error}); is another program using them, and may this user "
                "open /dev/gpiochip0 (group gpio)? 'dispenser doctor' looks closer"
            )
            if who := who_has(error, self._wiring.lines()):
                text = Text("cannot use the GPIO pins ({kind}: {error}): {who}").filled(who=who)
            raise base.PinsUnavailableError(text.filled(kind=type(error).__name__, error=error)) from error
        self._opened = True

    def _claim(self) -> None:
        wiring, factory = self._wiring, self._factory
        motor = self._own(Motor(wiring, factory))
        self._beeper = self._own(Beeper(wiring, factory, self._scheduler, self._guarded))
        self._light: Any = None
        if wiring.light is not None:
            self._light = self._own(DigitalOutputDevice(wiring.light, initial_value=False, pin_factory=factory))
        for name in ("button", "lid", "exit"):
            if name in wiring.lines():
                self._pins[name] = self._own(InputPin(name, wiring, factory))
        self._clock = self._given_clock or self._own(ThreadClock("alarm"))
        lid = self._pins["lid"]
        self._supervisor = RunSupervisor(
            motor,
            self._debounced(),
            lid_is_up=lambda: lid.active,
            timing=self._timing,
            clock=self._clock,
            report=partial(self._notify, self._sink),
        )
        for name, pin in self._pins.items():
            pin.listen(partial(self._on_edge, name))

    def _own(self, device: Any) -> Any:
        self._owned.append(device)
        return device

    def _debounced(self) -> dict[str, DebouncedInput]:
        timing, now_s = self._timing, self._clock.time()
        settling: dict[str, dict[str, float]] = {
            "button": {"settle_s": timing.button_settle_s},
            "lid": {"settle_s": timing.lid_settle_s, "settle_active_s": 0.0},  # only a shut lid must be stable
            "exit": {"settle_s": timing.exit_settle_s},
        }
        return {name: DebouncedInput(pin.active, now_s=now_s, **settling[name]) for name, pin in self._pins.items()}

    def close(self) -> None:
        if self._opened:
            self._opened = False
            with suppress(*pin_errors()):
                self._supervisor.close()
            self._release()

    def _release(self) -> None:
        motor_released = True
        for device in self._owned:
            try:
                device.close()
            except pin_errors():  # a removed chip cannot be released; its pins are no longer ours
                motor_released = motor_released and not isinstance(device, Motor)
        self._owned.clear()
        self._pins.clear()
        self._light = None
        if motor_released:
            self._on_released()

    # --- on the pin factory's thread ---

    def _on_edge(self, name: str, active: bool, ticks: float) -> None:
        """Handle an edge; never raises, as that would end lgpio's only thread."""
        try:
            if name == "lid" and active:
                self._supervisor.lid_rose()
            at_s = self._time_of(ticks)
            self._supervisor.edge(name, active, at_s)
            if self._record_edge is not None:
                self._notify(self._record_edge, base.Edge(name, active, at_s))
        except Exception as error:  # noqa: BLE001 - see above
            self._supervisor.fail(error)

    def _time_of(self, ticks: float) -> float:
        """Convert an edge's ticks to our clock: pin factories have their own clocks, lgpio the kernel's."""
        now_s = self._clock.time()
        age_s = self._factory.ticks_diff(self._factory.ticks(), ticks)
        return now_s - age_s if 0 <= age_s <= MAX_EDGE_AGE_S else now_s

    def _notify(self, listener: Callable[[Any], None], what: base.DriverEvent | base.Edge) -> None:
        self._notifications.append(partial(listener, what))
        with suppress(RuntimeError):  # the loop is closed: no receiver
            self._scheduler.call_soon_threadsafe(self._deliver)

    # --- on the loop's thread ---

    def _deliver(self) -> None:
        while self._notifications and self._opened:
            self._notifications.popleft()()

    def _guarded(self, action: Callable[[], None]) -> Exception | None:
        """Run ``action``; any exception turns the motor off, is reported as a driver fault, and is returned."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - reported; the next reading of the levels may end the fault
            self._supervisor.fail(error)
            return error
        return None

    def _read_level(self, name: str) -> None:
        """Read one level; a change without an edge is handled as an edge."""
        self._supervisor.level_read(name, self._pins[name].active)

    def _read_levels(self) -> None:
        for name in self._pins:
            self._read_level(name)
        self._supervisor.settle()

    def levels(self) -> base.Levels:
        error = self._guarded(self._read_levels)
        self._deliver()
        if error is not None:
            what = Text("a pin does not answer ({kind}: {error}); check the wiring")
            raise base.DriverError(what.filled(kind=type(error).__name__, error=error)) from error
        inputs = self._supervisor.inputs
        return base.Levels(
            lid_open=inputs["lid"].level,
            exit_blocked="exit" in inputs and inputs["exit"].level,
            button_down=inputs["button"].level,
        )

    def reread(self) -> None:
        if self._guarded(self._read_levels) is None:
            self._supervisor.recover()
        self._deliver()

    def check_alive(self, alive: Callable[[], None]) -> None:
        """Call ``alive`` on the loop's thread, unless a thread hangs in a pin or the clock's thread hangs."""

        def on_clock_thread() -> None:
            self._scheduler.call_soon_threadsafe(alive)

        self._supervisor.check_alive(on_clock_thread)

    def give(self, command: m.Command) -> None:
        match command:
            case m.Feed() | m.Retract():
                self._guarded(partial(self._read_level, "lid"))
                self._supervisor.start(command)
            case m.Stop():
                self._supervisor.stop()
            case m.Play():
                self._guarded(partial(self._beeper.play, command.chime))
            case m.Light() if self._light is not None:
                self._guarded(self._light.on if command.on else self._light.off)
