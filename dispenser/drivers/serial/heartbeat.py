"""Heartbeats: the microcontroller learns that we are alive, and we learn that it is.

The firmware stops the motor of a host that is silent for a second, because a run that nobody can stop any more must
end: the cable is pulled, this program is dead or hangs. A loop that is late by half a second cuts no run short.
"""

from __future__ import annotations

from collections.abc import Callable

from dispenser.drivers.base import Alarm, LivenessMonitor, Scheduler

BEAT_S = 0.1
"""Ten beats in the second after which the firmware stops the motor of a silent host."""
MAX_UNANSWERED = 6
"""After so many beats in a row without any report the line counts as broken: a program that hung is back after some
0.4 s (120 ms watchdog, 260 ms start), and then reports that itself."""


class Heartbeat:
    """Beats all the time while the motor runs, else when asked; each beat is repeated until a report comes.

    :param send: puts one HEARTBEAT on the line.
    :param silent: called when ``MAX_UNANSWERED`` beats brought no report.
    :ivar running: whether the motor runs.
    """

    def __init__(self, scheduler: Scheduler, send: Callable[[], None], silent: Callable[[], None]) -> None:
        self._send = send
        self._silent = silent
        self.running = False
        self._liveness = LivenessMonitor(MAX_UNANSWERED)
        self._alarm = Alarm(scheduler, self._on_alarm)

    def set_running(self, *, running: bool) -> None:
        """The motor runs (beat all the time), or no longer."""
        self.running = running
        if running and not self._alarm.is_set:
            self._alarm.set(BEAT_S)

    def beat(self) -> None:
        """One beat now; another soon when it is not answered."""
        if self._liveness.missing:
            self.rest()
            self._silent()
            return
        self._liveness.asked()
        self._alarm.set(BEAT_S)
        self._send()

    def answered(self) -> None:
        """A report has come."""
        self._liveness.answered()

    def rest(self) -> None:
        """No more beats until ``set_running`` or ``beat``."""
        self.running = False
        self._liveness.answered()
        self._alarm.off()

    def _on_alarm(self) -> None:
        if self.running or self._liveness.waits:
            self.beat()
