"""``GpioDriver``: claims the pins, hands edges and commands to the reflex, tells the service what it reports."""

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
from dispenser.drivers.gpio.factory import edges_can_arrive, pin_errors, who_has
from dispenser.drivers.gpio.inputs import Input, Line
from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.reflex import Reflex
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.i18n import Text
from dispenser.launcher import messages as m

MAX_WAITING_EDGES = 4096
"""Raw edges that may wait for the loop, for bug reports; the oldest go first. Reports themselves are never dropped."""
GUESS_S = 0.25
"""How long a level of the exit that was read, and not heard of, must last: its edge, if it was not missed, brings the
time by which a card's length is judged."""
LONGEST_DELAY_S = 5.0
"""An edge that seems older than this, or to come, was timed by another clock: it counts as just heard."""


class GpioDriver(base.Driver):
    """One launcher on gpiozero pins. All methods but ``stop`` belong to the loop's thread.

    :param pin_factory: always explicit; there is no fallback.
    :param scheduler: the loop, for reports and chimes.
    :param clock: what the reflex goes by; ``None``: a thread of its own, which no loop can hold up.
    :param on_released: called when the motor is off and its pins are released for good; not when they failed to be.
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
        self._owned: list[Any] = []  # everything to close, in this order: the motor first
        self._inputs: dict[str, Input] = {}
        self._reports: deque[base.DriverEvent] = deque()
        self._edges: deque[base.Edge] = deque(maxlen=MAX_WAITING_EDGES)
        self._called = False
        self._signs = base.SignsOfLife(self._ask_for_a_beat)

    @property
    def capabilities(self) -> base.Capabilities:
        return self._wiring.capabilities

    # --- opening and closing ---

    def open(self, sink: base.Sink, record_edge: Callable[[base.Edge], None] | None = None) -> None:
        self._sink = sink
        self._record_edge = record_edge
        self._pin_errors = pin_errors()
        try:
            self._claim()
        except self._pin_errors as error:
            self._release()
            if who := who_has(error, self._wiring.lines(), self._factory):
                text = Text("cannot use the GPIO pins ({kind}: {error}): {who}").filled(who=who)
            else:
                text = Text(
                    "cannot use the GPIO pins ({kind}: {error}); is another program using them, and may this user "
                    "open /dev/gpiochip0 (group gpio)? 'dispenser doctor' looks closer"
                )
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
                self._inputs[name] = self._own(Input(name, wiring, factory))
        self._clock = self._given_clock or self._own(ThreadClock("alarm"))
        lid = self._inputs["lid"]
        self._reflex = Reflex(
            motor,
            self._lines(),
            lid_is_up=lambda: lid.active,
            timing=self._timing,
            clock=self._clock,
            report=self._report,
            on_beat=self._signs.heard,
        )
        for name, line in self._inputs.items():
            line.listen(partial(self._heard, name))

    def _own(self, device: Any) -> Any:
        self._owned.append(device)
        return device

    def _lines(self) -> dict[str, Line]:
        timing, now_s = self._timing, self._clock.time()
        settling: dict[str, dict[str, float]] = {
            "button": {"settle_s": timing.button_settle_s},
            "lid": {"settle_s": timing.lid_settle_s, "settle_active_s": 0.0},  # only a shut lid must last
            "exit": {"settle_s": timing.exit_settle_s, "guess_s": GUESS_S},
        }
        return {name: Line(line.active, now_s=now_s, **settling[name]) for name, line in self._inputs.items()}

    def close(self) -> None:
        if self._opened:
            self._opened = False
            with suppress(*self._pin_errors):
                self._reflex.close()
            self._release()

    def _release(self) -> None:
        motor_released = True
        for device in self._owned:
            try:
                device.close()
            except self._pin_errors:  # a chip that has gone cannot be released; its pins are no longer ours
                motor_released = motor_released and not isinstance(device, Motor)
        self._owned.clear()
        self._inputs.clear()
        self._light = None
        if motor_released:
            self._on_released()

    # --- the pin factory's thread ---

    def _heard(self, name: str, active: bool, ticks: float) -> None:
        """An edge. Nothing may be raised here: that would end lgpio's only thread."""
        try:
            if name == "lid" and active:
                self._reflex.lid_rose()
            at_s = self._time_of(ticks)
            self._reflex.edge(name, active, at_s)
            if self._record_edge is not None:
                self._edges.append(base.Edge(name, active, at_s))
                self._call_loop()
        except Exception as error:  # noqa: BLE001 - see above
            self._reflex.fail(error)

    def _time_of(self, ticks: float) -> float:
        """When an edge came, on our clock: pin factories have clocks of their own, the kernel's on lgpio."""
        now_s = self._clock.time()
        age_s = self._factory.ticks_diff(self._factory.ticks(), ticks)
        return now_s - age_s if 0 <= age_s <= LONGEST_DELAY_S else now_s

    def _report(self, event: base.DriverEvent) -> None:
        self._reports.append(event)
        self._call_loop()

    def _call_loop(self) -> None:
        if not self._called:
            self._called = True
            with suppress(RuntimeError):  # the loop is closed: nobody is left to be told
                self._scheduler.call_soon_threadsafe(self._tell)

    # --- the loop's thread ---

    def _tell(self) -> None:
        self._called = False
        while self._edges and self._record_edge is not None:
            self._record_edge(self._edges.popleft())
        while self._reports and self._opened:
            self._sink(self._reports.popleft())

    def _guarded(self, action: Callable[[], None]) -> Exception | None:
        """Run a step; an error in it, whatever it is, turns the motor off and becomes a driver fault."""
        try:
            action()
        except Exception as error:  # noqa: BLE001 - told, and seen to by the next reading of the levels
            self._reflex.fail(error)
            return error
        return None

    def _look_at(self, name: str) -> None:
        """Read a level; one that has changed unheard is taken as an edge.

        :raises Exception: whatever the pins raise.
        """
        self._reflex.looked(name, self._inputs[name].active)

    def _look(self) -> None:
        for name in self._inputs:
            self._look_at(name)
        self._reflex.settle()

    def _look_and_recover(self) -> None:
        self._look()
        self._reflex.recover()

    def levels(self) -> base.Levels:
        error = self._guarded(self._look)
        self._tell()
        if error is not None:
            what = Text("a pin does not answer ({kind}: {error}); check the wiring")
            raise base.DriverError(what.filled(kind=type(error).__name__, error=error)) from error
        lines = self._reflex.lines
        return base.Levels(
            lid_open=lines["lid"].level,
            exit_blocked="exit" in lines and lines["exit"].level,
            button_down=lines["button"].level,
        )

    def reread(self) -> None:
        self._guarded(self._look_and_recover)
        self._signs.second()
        self._tell()

    def _ask_for_a_beat(self) -> None:
        self._reflex.beat()

    @property
    def hangs(self) -> bool:
        return self._signs.missing or not edges_can_arrive()

    def give(self, command: m.Command) -> None:
        match command:
            case m.Feed() | m.Retract():
                self._guarded(partial(self._look_at, "lid"))
                self._reflex.start(command)
            case m.Stop():
                self._reflex.stop()
            case m.Play():
                self._guarded(partial(self._beeper.play, command.chime))
            case m.Light() if self._light is not None:
                self._guarded(self._light.on if command.on else self._light.off)
