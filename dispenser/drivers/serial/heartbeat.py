"""Heartbeats: the microcontroller hears that we are alive, and we hear that it is.

The firmware stops the motor of a silent host, because a run that nobody can stop any more must end: the cable is
pulled, this program is dead or hangs. A loop that is late for a moment is none of that, and its burst shall be whole:
so a thread (``BackupHeartbeat``) beats in place of the loop (``Heartbeat``) for as long as the loop may come back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from dispenser.clocks import Clock, ThreadClock, TimerHandle
from dispenser.drivers.base import Alarm, Scheduler

BEAT_S = 0.1
"""Ten beats in the second after which the firmware stops the motor of a silent host."""
MAX_UNANSWERED = 4
"""After so many beats in a row without any report the line counts as broken."""
LOOP_PATIENCE_S = 2.0
"""A loop that has not beaten for so long hangs. With the firmware's second on top, its motor stops after three."""


class BackupHeartbeat:
    """Beats in place of a loop that is late while the motor runs. Nothing of the loop's may hold them up.

    :param clock: ``send`` is called on its thread; ``None``: a thread of its own, from the first run to ``close``.
    :param send: puts one HEARTBEAT on the line; what is wrong with the line is the loop's affair.
    """

    def __init__(self, clock: Clock | None, send: Callable[[], None]) -> None:
        self._clock = clock
        self._own_clock: ThreadClock | None = None
        self._send = send
        self._lock = threading.Lock()
        self._run: object | None = None  # one for each time that the motor runs, so that an old alarm knows it is old
        self._timer: TimerHandle | None = None
        self._beat_at = 0.0

    def close(self) -> None:
        """Nothing is sent any more, unless the motor runs again. May be called twice."""
        self.run(running=False)
        own, self._own_clock = self._own_clock, None
        if own is not None:
            self._clock = None
            own.close()

    def run(self, *, running: bool) -> None:
        """The motor runs, or no longer. The loop lives: it says so."""
        with self._lock:
            if not running:
                self._run = None
                if self._timer is not None:
                    self._timer.cancel()
                return
            if self._clock is None:
                self._clock = self._own_clock = ThreadClock("serial heartbeat")
            self._beat_at = self._clock.time()
            if self._run is None:
                self._run = object()
                self._arm(self._clock, self._run)

    def loop_beats(self) -> None:
        """The loop has come round."""
        if self._run is not None and self._clock is not None:
            self._beat_at = self._clock.time()

    def _arm(self, clock: Clock, run: object) -> None:
        self._timer = clock.call_at(clock.time() + BEAT_S, partial(self._on_alarm, clock, run))

    def _on_alarm(self, clock: Clock, run: object) -> None:
        with self._lock:
            if run is not self._run:
                return
            self._arm(clock, run)
            late_s = clock.time() - self._beat_at
        if BEAT_S * 1.5 < late_s < LOOP_PATIENCE_S:
            self._send()


class Heartbeat:
    """Beats all the time while the motor runs, else when asked; each beat is repeated until a report comes.

    :param send: puts one HEARTBEAT on the line.
    :param signs: fill up while the loop is late.
    :param silent: called when ``MAX_UNANSWERED`` beats brought no report.
    :ivar running: whether the motor runs.
    """

    def __init__(
        self, scheduler: Scheduler, signs: BackupHeartbeat, send: Callable[[], None], silent: Callable[[], None]
    ) -> None:
        self._signs = signs
        self._send = send
        self._silent = silent
        self.running = False
        self._unanswered = 0
        self._alarm = Alarm(scheduler, self._on_alarm)

    def run(self, *, running: bool) -> None:
        """The motor runs (beat all the time), or no longer."""
        self.running = running
        self._signs.run(running=running)
        if running and not self._alarm.is_set:
            self._alarm.set(BEAT_S)

    def beat(self) -> None:
        """One beat now; another soon when it is not answered."""
        if self._unanswered == MAX_UNANSWERED:
            self.rest()
            self._silent()
            return
        self._unanswered += 1
        self._alarm.set(BEAT_S)
        self._signs.loop_beats()
        self._send()

    def heard(self) -> None:
        """A report has come."""
        self._unanswered = 0

    def rest(self) -> None:
        """No more beats until ``run`` or ``beat``."""
        self.running = False
        self._signs.run(running=False)
        self._unanswered = 0
        self._alarm.off()

    def _on_alarm(self) -> None:
        if self.running or self._unanswered:
            self.beat()
