"""Run the simulated physics on a clock, in a thread apart from whoever drives the pins.

Threads, on a clock that has its own thread (real time):

* the *clock's* thread executes physics at its times and calls the listeners;
* *pins*, a thread of the clockwork, calls devices back, one edge after the other, as a pin factory does;
* *any* thread may act on the launcher, read its state, or write to an output pin.

One lock guards the physics. It is never held during a device's callback. A write to a pin never waits for it, as the
writer may hold locks: it is queued with its time, and the physics applies it at that time. If the physics has already
passed that time (somebody read the state between the write and its queueing), it applies it at once.

On any other clock (virtual time in tests) all this runs on one thread, before the action or the write returns; but a
running callback is never interrupted by the next.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from dispenser.clocks import Clock, ThreadClock, TimerHandle
from dispenser.clocks.virtual import VirtualWorld
from dispenser.simulator.pins import SimulatorFactory, SimulatorPin


class Clockwork:
    """Runs the physics of one simulated launcher on a clock.

    :param clock: ``None`` is real time, on a thread that ends with the clockwork.
    :param factory: its pins use this clock from now on.
    """

    def __init__(self, clock: Clock | None, factory: SimulatorFactory) -> None:
        self.factory = factory
        self._clock = clock or ThreadClock("simulator")
        self._pins = ThreadClock("simulator-pins") if isinstance(self._clock, ThreadClock) else None
        self._threads = [self._pins, None if clock else self._clock]
        self.agenda = VirtualWorld(self._clock.time())
        self._lock = threading.RLock()
        self._happening = False  # the thread that holds the lock is executing physics
        self._writes: deque[tuple[float, Callable[[], None]]] = deque()
        self._woken = False  # _wake is scheduled
        self._notifications: deque[Callable[[], None]] = deque()
        self._notifying = False
        self._closed = False
        self._timer: TimerHandle | None = None
        self._timer_s = math.inf
        factory.clock = self._clock
        factory.callbacks = self._pins or self._clock
        factory.on_writes = self._on_writes

    @contextmanager
    def acting(self) -> Iterator[None]:
        """Hold the lock for an action or a look, after executing everything that is due."""
        with self._lock:
            if self._happening:  # nested call
                yield
                return
            now_s = self._clock.time()
            while self._next_happens(now_s):
                pass
            self.agenda.pass_to(now_s)
            self._happening = True
            try:
                yield
            finally:
                self._happening = False
                self._arm()
        self._run_notifications()

    def note(self, at_s: float, write: Callable[[], None]) -> None:
        """Queue a write to a pin with its time; ``write`` applies it. The factory calls ``on_writes`` afterwards."""
        if not self._closed:
            self._writes.append((at_s, write))

    def show(self, pin: SimulatorPin, level: bool) -> None:
        """Set the level of an input pin: readable at once; then call its listener back."""
        if pin.put(level):
            self._send(self._pins, partial(pin.notify, self.agenda.time(), level))

    def notify(self, notification: Callable[[], None]) -> None:
        """Call ``notification`` in order with other notifications, without holding a lock."""
        self._send(self._clock, notification)

    def _send(self, thread: Clock | None, notification: Callable[[], None]) -> None:
        if self._pins is None or thread is None:
            self._notifications.append(notification)
        else:
            thread.call_at(self.agenda.time(), notification)

    def close(self) -> None:
        """Stop timers and threads and ignore further writes. May be called twice."""
        with self._lock:
            self._closed = True
            self.agenda.clear()
            self._arm()
        for thread in self._threads:
            if isinstance(thread, ThreadClock):
                thread.close()

    # --- due events ---

    def _wake(self) -> None:
        self._woken = False
        try:
            while self._happened():
                self._run_notifications()
        finally:
            with self._lock:
                self._arm()

    def _happened(self) -> bool:
        with self._lock:
            return self._next_happens(self._clock.time())

    def _next_happens(self, now_s: float) -> bool:
        """Execute the next write or agenda entry, whichever is earlier; return ``False`` if none is due."""
        next_s = self.agenda.next_s()
        write = bool(self._writes) and self._writes[0][0] <= next_s
        if not write and next_s > now_s:
            return False
        self._happening = True
        if write:
            at_s, take = self._writes.popleft()
            self.agenda.pass_to(at_s)
            take()
        else:
            self.agenda.step()
        self._happening = False
        return True

    def _on_writes(self) -> None:
        """Process new writes. Called on the writing thread, which must not wait for the physics."""
        if self._pins is not None:
            if not self._woken:
                self._woken = True
                self._clock.call_at(self._clock.time(), self._wake)
            return
        with self._lock:
            # Earlier agenda entries are left to the timer: edges must not reach a device during its own write.
            while not self._happening and self._writes and self._writes[0][0] <= self.agenda.next_s():
                self._next_happens(-math.inf)
            self._arm()
        self._run_notifications()

    def _run_notifications(self) -> None:
        """Run queued notifications in order, including those added meanwhile (single-threaded clocks only)."""
        if self._notifying:
            return
        self._notifying = True
        try:
            while self._notifications:
                self._notifications.popleft()()
        finally:
            self._notifying = False

    def _arm(self) -> None:
        if self._happening:
            return
        next_s = self.agenda.next_s()
        if next_s == self._timer_s:
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._timer_s = next_s
        if next_s != math.inf:
            self._timer = self._clock.call_at(next_s, self._on_timer)

    def _on_timer(self) -> None:
        with self._lock:
            self._timer, self._timer_s = None, math.inf
        self._wake()
