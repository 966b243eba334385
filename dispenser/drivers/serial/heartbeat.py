"""Heartbeats: the microcontroller learns that we are alive, and we learn that it is.

The firmware stops the motor of a silent host, because a run that nobody can stop any more must end: the cable is
pulled, this program is dead or hangs. A loop that is late for a moment is none of that, and its burst shall be whole:
so a thread (``BackupHeartbeat``) beats in place of the loop (``Heartbeat``) for as long as the loop may come back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from dispenser.clocks import Clock, TimerHandle
from dispenser.drivers.base import Alarm, Scheduler

BEAT_S = 0.1
"""Ten beats in the second after which the firmware stops the motor of a silent host."""
MAX_UNANSWERED = 4
"""After so many beats in a row without any report the line counts as broken."""
LOOP_PATIENCE_S = 2.0
"""A loop that has not beaten for so long hangs. With the firmware's second on top, its motor stops after three."""


class BackupHeartbeat:
    """Beats in place of a loop that is late while the motor runs.

    :param clock: ``send`` is called on its thread; the loop does not hold it up.
    :param send: puts one HEARTBEAT on the line; errors of the line are left to the loop.
    """

    def __init__(self, clock: Clock, send: Callable[[], None]) -> None:
        self._clock = clock
        self._send = send
        self._lock = threading.Lock()
        self._timer: TimerHandle | None = None
        self._number = 0  # of the run, so that a timer that was cancelled too late does nothing
        self._loop_beat_s = 0.0

    def set_running(self, *, running: bool) -> None:
        """The motor runs, or no longer."""
        with self._lock:
            self._loop_beat_s = self._clock.time()
            if running and self._timer is None:
                self._number += 1
                self._set_timer(self._number)
            elif not running and self._timer is not None:
                self._timer.cancel()
                self._timer = None

    def loop_beats(self) -> None:
        """The loop has beaten."""
        self._loop_beat_s = self._clock.time()

    def _set_timer(self, number: int) -> None:
        self._timer = self._clock.call_at(self._clock.time() + BEAT_S, lambda: self._on_timer(number))

    def _on_timer(self, number: int) -> None:
        with self._lock:
            if self._timer is None or number != self._number:
                return
            self._set_timer(number)
            late_s = self._clock.time() - self._loop_beat_s
        if BEAT_S * 1.5 < late_s < LOOP_PATIENCE_S:
            self._send()


class Heartbeat:
    """Beats all the time while the motor runs, else when asked; each beat is repeated until a report comes.

    :param send: puts one HEARTBEAT on the line.
    :param silent: called when ``MAX_UNANSWERED`` beats brought no report.
    :ivar running: whether the motor runs.
    """

    def __init__(
        self, scheduler: Scheduler, backup: BackupHeartbeat, send: Callable[[], None], silent: Callable[[], None]
    ) -> None:
        self._backup = backup
        self._send = send
        self._silent = silent
        self.running = False
        self._unanswered = 0
        self._alarm = Alarm(scheduler, self._on_alarm)

    def set_running(self, *, running: bool) -> None:
        """The motor runs (beat all the time), or no longer."""
        self.running = running
        self._backup.set_running(running=running)
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
        self._backup.loop_beats()
        self._send()

    def answered(self) -> None:
        """A report has come."""
        self._unanswered = 0

    def rest(self) -> None:
        """No more beats until ``set_running`` or ``beat``."""
        self.set_running(running=False)
        self._unanswered = 0
        self._alarm.off()

    def _on_alarm(self) -> None:
        if self.running or self._unanswered:
            self.beat()
