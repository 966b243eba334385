"""The driver for gpiozero pins: a Raspberry Pi's, or mock pins with the toy behind them.

Three rules learnt from the field shape it. A callback of a pin factory is one guarded note in a queue (plus, for the
lid, the stop), because an exception there ends lgpio's only thread and every pin goes silent. Edges are missed at
times, so levels are read again about once a second and before every motor run. Nothing here starts a thread but
the motor guard, so a simulated launcher runs in virtual time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from gpiozero import DigitalOutputDevice, InputDevice

from dispenser.drivers.base import Capabilities, DriverError, Edge, Levels, PinsUnavailableError, Scheduler, Sink
from dispenser.drivers.beeper import Beeper, Melodies
from dispenser.drivers.debounce import Debouncer
from dispenser.drivers.factory import pin_errors
from dispenser.drivers.feeding import CardFeeder
from dispenser.drivers.motor import RETRY_S, Motor, MotorGuard
from dispenser.drivers.timing import GpioTiming
from dispenser.drivers.wiring import GpioWiring
from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    DriverRecovered,
    ExitBlocked,
    ExitCleared,
    Feed,
    FeedEnd,
    LidClosed,
    LidOpened,
    Press,
    Retract,
)

MAX_NOTED_EDGES = 4096
"""Raw edges that may wait for the loop; past that they are dropped, and the next re-reading of levels mends it."""


class GpioDriver:
    """One launcher on gpiozero pins; keeps the promises of ``drivers.base``.

    :param pin_factory: always explicit; there is no fallback.
    :param scheduler: time and timers (an asyncio loop).
    :param guard: run a ``MotorGuard`` thread; off for simulated pins, which live in one thread.
    :param on_released: called when the motor is off and its pins are released for good; not when they failed to be.
    """

    def __init__(
        self,
        wiring: GpioWiring,
        pin_factory: Any,
        scheduler: Scheduler,
        melodies: Melodies,
        *,
        timing: GpioTiming | None = None,
        guard: bool = False,
        on_released: Callable[[], object] = lambda: None,
    ) -> None:
        self.wiring = wiring
        self.capabilities = Capabilities(exit_sensor=wiring.exit is not None, retract=wiring.motor_backward is not None)
        self._factory = pin_factory
        self._scheduler = scheduler
        self._melodies = melodies
        self._timing = timing or GpioTiming()
        self._with_guard = guard
        self._on_released = on_released
        self._guard: MotorGuard | None = None
        self._noted: deque[tuple[str, bool, float]] = deque(maxlen=MAX_NOTED_EDGES)
        self._drain_wanted = False
        self._lid_rises = 0  # counted by the lid's own edge callback, before it stops the motor
        self._lid_rises_taken = 0  # how many of them the loop has heard of
        self._notes_dropped = False
        self._failed = False
        self._opened = False
        self._motor: Motor
        self._beeper: Beeper
        self._light: Any = None
        self._lid_open_high = not wiring.lid_active_high
        self._inputs: dict[str, tuple[Any, bool]] = {}  # line: its pin, and the level that means active
        self._callbacks: list[Callable[[float, int], None]] = []
        self._owned: list[Any] = []  # everything to close, in this order: the motor first
        self._settling: set[str] = set()  # lines whose filter has a timer under way
        self._filters = {
            "button": Debouncer(self._timing.button_settle_s),
            "lid": Debouncer(self._timing.lid_settle_s),
            "exit": Debouncer(self._timing.exit_settle_s),
        }

    # --- opening and closing ---

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        """Claim the pins, motor first and off; from now on events go to ``sink``."""
        self._sink = sink
        self._record_edge = record_edge
        self._pin_errors = pin_errors()
        try:
            self._claim()
        except self._pin_errors as error:
            self._release()
            raise PinsUnavailableError(
                f"cannot use the GPIO pins ({type(error).__name__}: {error}); is another program using them, and may "
                "this user open /dev/gpiochip0 (group gpio)? 'dispenser doctor' looks closer"
            ) from error
        self._opened = True

    def _claim(self) -> None:
        wiring, factory = self.wiring, self._factory
        self._motor = self._own(Motor(wiring, factory))
        self._feeder = CardFeeder(self._motor, self._scheduler, self._timing, self._guarded, self._sink)
        self._feeder.has_exit_sensor = wiring.exit is not None
        self._beeper = self._own(
            Beeper(
                wiring.buzzer,
                active=wiring.buzzer_active,
                melodies=self._melodies,
                scheduler=self._scheduler,
                pin_factory=factory,
                guarded=self._guarded,
            )
        )
        if wiring.light is not None:
            self._light = self._own(DigitalOutputDevice(wiring.light, initial_value=False, pin_factory=factory))
        # A line is active, in our words, when the button is down, the lid open, the exit blocked.
        self._listen("button", wiring.button, pull_up=not wiring.button_active_high, high=wiring.button_active_high)
        self._listen("lid", wiring.lid, pull_up=not wiring.lid_active_high, high=not wiring.lid_active_high)
        if wiring.exit is not None:
            self._listen("exit", wiring.exit, pull_up=None, high=wiring.exit_blocked_high)
        if self._with_guard:
            self._guard = self._own(MotorGuard(self._motor.off))
            self._feeder.guard = self._guard

    def _own(self, device: Any) -> Any:
        self._owned.append(device)
        return device

    def _listen(self, line: str, gpio: int, *, pull_up: bool | None, high: bool) -> None:
        """Claim an input that is active when its level is ``high``, and hear its edges.

        On the pin itself: a ``DigitalInputDevice`` remembers the last edge it heard and swallows the next one in the
        same direction, so that after one missed edge the lid could rise unheard.
        """
        active_state = high if pull_up is None else None
        device = self._own(InputDevice(gpio, pull_up=pull_up, active_state=active_state, pin_factory=self._factory))
        self._inputs[line] = (device.pin, high)
        self._filters[line] = Debouncer(self._filters[line].settle_s, level=self._active(line))
        callback = self._on_lid_edge if line == "lid" else self._edge_note(line)
        self._callbacks.append(callback)  # pins hold them weakly
        device.pin.edges = "both"
        device.pin.when_changed = callback

    def close(self) -> None:
        """Motor off, beeper and light off, pins released. May be called twice."""
        if self._opened:
            self._opened = False
            with suppress(*self._pin_errors):
                self._feeder.cancel()
            self._release()

    def _release(self) -> None:
        for device in self._owned:
            with suppress(
                *self._pin_errors
            ):  # a chip that has gone cannot be released, and its pins are no longer ours
                device.close()
                if device is self._motor:
                    self._on_released()
        self._owned.clear()
        self._inputs.clear()
        self._callbacks.clear()
        self._light = None

    # --- the pin factory's thread: notes only, and the interlock ---

    def _edge_note(self, line: str) -> Callable[[float, int], None]:
        _, high = self._inputs[line]

        def note(_: float, state: int) -> None:
            try:
                self._note(line, bool(state) == high)
            except Exception as error:  # noqa: BLE001 - one exception here ends lgpio's only thread
                self._stop_in_callback(error)

        return note

    def _on_lid_edge(self, _: float, state: int) -> None:
        """The interlock: motor off before anything else, on whatever thread the edge came."""
        try:
            if bool(state) == self._lid_open_high:
                self._lid_rises += 1
                self._motor.off()
            self._note("lid", bool(state) == self._lid_open_high)
        except Exception as error:  # noqa: BLE001 - one exception here ends lgpio's only thread
            self._stop_in_callback(error)

    def _note(self, line: str, level: bool) -> None:
        if len(self._noted) == MAX_NOTED_EDGES:
            self._notes_dropped = True
        self._noted.append((line, level, self._scheduler.time()))
        if not self._drain_wanted:
            self._drain_wanted = True
            self._scheduler.call_soon_threadsafe(self._drain)

    def _stop_in_callback(self, error: Exception) -> None:
        """Last resort of a callback that raised: motor off, and tell the loop if it still listens."""
        with suppress(*self._pin_errors):
            self._motor.off()
        with suppress(RuntimeError):  # the loop is closed: nobody is left to be told
            self._scheduler.call_soon_threadsafe(lambda: self._fail(error))

    # --- the scheduler's thread ---

    def _drain(self) -> None:
        self._drain_wanted = False
        while self._noted and self._opened:
            line, level, at_s = self._noted.popleft()
            self._guarded(lambda line=line, level=level, at_s=at_s: self._take(line, level, at_s))  # type: ignore[misc]
        if self._notes_dropped and self._opened:
            self._notes_dropped = False
            self._lid_rises_taken = self._lid_rises  # whatever was dropped, the levels tell how things are now
            self._guarded(self._look_at_all)

    def _take(self, line: str, level: bool, at_s: float, *, heard: bool = True) -> None:
        """One raw edge, in order; not ``heard`` when it was missed and found by looking."""
        if line == "lid" and level:
            self._lid_rises_taken += heard
        if self._record_edge is not None:
            self._record_edge(Edge(line, level, at_s))
        filter_ = self._filters[line]
        if line == "lid" and level:
            filter_.settle_s = 0.0  # an open lid counts at once; only a shut one must last
        elif line == "lid":
            filter_.settle_s = self._timing.lid_settle_s
        if filter_.edge(level, at_s):
            self._settled(line)
        elif filter_.due is not None and line not in self._settling:
            self._await_settling(line, filter_.due)

    def _await_settling(self, line: str, due: float) -> None:
        self._settling.add(line)
        self._scheduler.call_at(due, lambda: self._guarded(lambda: self._settle(line)))

    def _settle(self, line: str) -> None:
        self._settling.discard(line)
        filter_ = self._filters[line]
        if not self._opened or filter_.due is None:
            return
        if filter_.settle(self._scheduler.time()):
            self._settled(line)
        else:
            self._await_settling(line, filter_.due)

    def _settled(self, line: str) -> None:
        """A level that counts has changed."""
        filter_ = self._filters[line]
        match line, filter_.level:
            case "button", True:
                self._sink(Press())
            case "lid", True:
                self._sink(LidOpened())
                self._feeder.lid_opened()
            case "lid", False:
                self._sink(LidClosed())
            case "exit", True:
                self._feeder.exit_blocked(filter_.changed_at_s)
                self._sink(ExitBlocked())
            case "exit", False:
                blocked_ms = self._feeder.exit_cleared(filter_.changed_at_s)
                self._sink(ExitCleared(blocked_ms))
                self._feeder.count_reached()

    def _guarded(self, action: Callable[[], None]) -> None:
        """Run a step; a pin error in it turns the motor off and becomes a driver fault."""
        try:
            action()
        except self._pin_errors as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        with suppress(*self._pin_errors):
            self._feeder.cancel()
        try:
            self._motor.off()
        except self._pin_errors:
            if self._guard is not None:
                self._guard.arm(RETRY_S)  # it tries again until the pins take it
        if not self._failed:
            self._failed = True
            self._sink(
                DriverFailed(
                    f"The pins do not answer ({type(error).__name__}: {error}). The motor is off. "
                    "Check the wiring and that no other program uses the pins, then reset."
                )
            )

    # --- levels ---

    def _active(self, line: str) -> bool:
        """Level of a line now: button down, lid open, exit blocked."""
        pin, high = self._inputs[line]
        return bool(pin.state) == high

    def levels(self) -> Levels:
        """Levels that have lasted; changes that went unheard are taken first.

        :raises DriverError: when a pin does not answer.
        """
        try:
            self._look_at_all()
        except self._pin_errors as error:
            raise DriverError(f"a pin does not answer ({type(error).__name__}: {error}); check the wiring") from error
        return Levels(
            lid_open=self._filters["lid"].level,
            exit_blocked=self._filters["exit"].level,
            button_down=self._filters["button"].level,
        )

    def reread(self) -> None:
        """Read the levels again and take those that changed unheard as edges."""
        if self._guard is not None and self._guard.tripped.is_set():
            self._guard.tripped.clear()
            self._fail(TimeoutError("the motor ran past its limit and was turned off by the guard"))
            return
        try:
            self._look_at_all()
        except self._pin_errors as error:
            self._fail(error)
            return
        if self._failed:
            self._recover()

    def _recover(self) -> None:
        """The pins answer again: the motor must be off before anybody hears of it; nobody could turn it off before."""
        try:
            self._motor.off()
        except self._pin_errors:
            return  # not yet
        self._failed = False
        self._sink(DriverRecovered())

    def _look_at_all(self) -> None:
        for line in self._inputs:
            self._look_at(line)

    def _look_at(self, line: str) -> None:
        level = self._active(line)
        if level == self._filters[line].raw:
            return
        if line == "lid" and level:
            self._motor.off()
        self._take(line, level, self._scheduler.time(), heard=False)

    # --- commands ---

    def feed(self, command: Feed) -> None:
        """Run the motor until the cards are out; ends with one ``FeedEnded``, whatever happens."""
        self._guarded(lambda: self._start(command))

    def retract(self, command: Retract) -> None:
        """Run the motor backward for a moment; ends with one ``RetractEnded``."""
        self._guarded(lambda: self._start(command))

    def _start(self, command: Feed | Retract) -> None:
        self._drain()  # what is known must be heard before the motor starts
        self._look_at("lid")
        lid = self._filters["lid"]
        if self._failed or lid.raw or lid.level or self._lid_rose_unheard():
            self._feeder.refuse(command, FeedEnd.STOPPED if self._failed else FeedEnd.LID)
            return
        self._feeder.start(command)
        if self._lid_rose_unheard():  # on another thread, between the look and the start
            self._motor.off()

    def _lid_rose_unheard(self) -> bool:
        """An edge of the lid waits in the queue: the lid was up a moment ago, and has not rested since."""
        return self._lid_rises != self._lid_rises_taken

    def stop(self) -> None:
        """Motor off, now."""
        self._guarded(self._feeder.stop)

    def play(self, chime: Chime) -> None:
        self._guarded(lambda: self._beeper.play(chime))

    def light(self, on: bool) -> None:
        light = self._light
        if light is not None:
            self._guarded(light.on if on else light.off)
