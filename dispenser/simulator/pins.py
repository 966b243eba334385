"""gpiozero mock pins whose inputs the simulator sets and whose outputs it observes.

Pins may be used from any thread. The factory's lock keeps a pin's level and its records consistent; no other lock is
acquired while it is held, so that it is always held briefly.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPWMPin, PinState

from dispenser.clocks import Clock, TimerHandle

HISTORY_STATES = 32

OnOutput = Callable[[float, float | None, float | None], None]
"""Time of the change on the factory's clock; level or duty (``None``: no device drives the pin); PWM frequency, Hz."""


class SimulatorPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin with PWM that the simulator is connected to.

    As an input it has the level set by :meth:`drive`, whatever its pull is, so that constructing a device on it does
    not shut an open lid. As an output it calls ``on_output`` at every change of state, duty, frequency or function, at
    once and in order; the effects follow in the factory's ``on_writes``, after the pin's lock is released. Only the
    last ``HISTORY_STATES`` states are kept. With a ``bounce_time``, an edge is reported once the level has been stable
    for that time, as in lgpio; the level itself can be read at once.
    """

    _state: float

    def __init__(self, factory: SimulatorFactory, info: object) -> None:
        self._outside: bool | None = None
        self.on_output: OnOutput | None = None
        self._settling: TimerHandle | None = None
        self._notified: float = False
        super().__init__(factory, info)

    @property
    def output(self) -> float | None:
        """Return the level or duty that a device sets on this pin, 0 to 1; ``None`` while no device drives it."""
        return float(self._state) if self._function == "output" else None

    @property
    def outside(self) -> bool:
        """Return the level set from outside."""
        return bool(self._outside)

    def drive(self, level: bool) -> None:
        """Set the level from outside. An input calls its device back; an output keeps its own level."""
        if self.put(level):
            self.notify(self.factory.ticks(), level)

    def put(self, level: bool) -> bool:
        """Set the level from outside, readable at once, without a callback.

        :returns: whether that is an edge of an input, for which the caller must call :meth:`notify`.
        """
        with self.factory.lock:
            self._outside = level
            return self._function == "input" and self._assign(level)

    def notify(self, ticks: float, level: float) -> None:
        """Call the device back if it listens to such edges; with a bounce time, once the level is stable.

        :param ticks: time of the edge on the factory's clock; this call may be later.
        """
        if not self._bounce or self.factory.callbacks is None:
            self._call(ticks, level)
            return
        if self._settling is not None:
            self._settling.cancel()
        still_s = ticks + self._bounce
        self._settling = self.factory.callbacks.call_at(still_s, lambda: self._settle(still_s, level))

    def _settle(self, ticks: float, level: float) -> None:
        if level != self._notified:
            self._notified = level
            self._call(ticks, level)

    def _set_bounce(self, value: float | None) -> None:
        super()._set_bounce(value)
        if self._settling is not None:
            self._settling.cancel()
        self._notified = self._state

    def _call(self, ticks: float, level: float) -> None:
        kept = self._when_changed  # a weak reference: another thread may close the device meanwhile
        callback = None if kept is None else kept()
        if callback is not None and self._edges in {"both", "rising" if level else "falling"}:
            callback(ticks, level)

    def clear_states(self) -> None:
        self._last_change = self.factory.ticks()
        self.states: deque[PinState] = deque([PinState(0.0, self._state)], maxlen=HISTORY_STATES)

    def _call_when_changed(self) -> None:
        self.notify(self._last_change, self._state)

    def _assign(self, value: float) -> bool:
        if self._state == value:
            return False
        ticks = self.factory.ticks()
        self._state = value
        self.states.append(PinState(ticks - self._last_change, value))
        self._last_change = ticks
        return True

    def _change_state(self, value: float) -> bool:
        with self.factory.lock:
            if self._function == "input":
                # The pull applies to a floating wire only; an outside level overrides it.
                return self._assign(value if self._outside is None else self._outside)
            changed = self._assign(value)
            if changed:
                self._note_output()
        if changed:
            self.factory.on_writes()
        return changed

    def _set_function(self, value: str) -> None:
        before = self._function
        super()._set_function(value)
        if value == before:
            return
        with self.factory.lock:
            if value == "output":
                # A claimed output starts low; MockPin would keep the level it had as an input.
                self._state = 0.0
            elif self._outside is not None:
                self._state = self._outside
            elif self._get_pull() == "floating":
                self._state = False
            self._note_output()
        self.factory.on_writes()

    def _set_frequency(self, value: float | None) -> None:
        before = self._get_frequency()
        super()._set_frequency(value)
        if value != before:
            with self.factory.lock:
                self._note_output()
            self.factory.on_writes()

    def _note_output(self) -> None:
        """Report the current output, with the lock held: a signal handler may have written in between."""
        if self.on_output is not None:
            self.on_output(self.factory.ticks(), self.output, self._frequency)


class SimulatorFactory(MockFactory):  # type: ignore[misc]
    """A pin factory whose pins are :class:`SimulatorPin`. Pass it to every gpiozero device as ``pin_factory``.

    :ivar clock: the clock of :meth:`ticks`, set by the launcher on these pins; ``None``: the monotonic clock.
    :ivar callbacks: the clock on whose thread devices are called back.
    :ivar on_writes: called after outputs have changed, on the thread that changed them, without a lock.
    """

    def __init__(self) -> None:
        super().__init__(pin_class=SimulatorPin)
        self.lock = threading.RLock()
        self.clock: Clock | None = None
        self.callbacks: Clock | None = None
        self.on_writes: Callable[[], None] = lambda: None

    def ticks(self) -> float:
        """Return the time for edges, seconds, on the launcher's clock."""
        return time.monotonic() if self.clock is None else self.clock.time()
