"""Heartbeats: the microcontroller hears that our loop is alive, and we hear that it is."""

from __future__ import annotations

from collections.abc import Callable

from dispenser.drivers.base import Scheduler, TimerHandle

BEAT_S = 0.1
"""Five beats in the half second after which the firmware stops the motor of a silent host."""
MAX_UNANSWERED = 4
"""After so many beats in a row without any report the line counts as broken."""


class Pulse:
    """Beats all the time while the motor runs, else when asked; each beat is repeated until a report comes.

    :param send: puts one HEARTBEAT on the line.
    :param silent: called when ``MAX_UNANSWERED`` beats brought no report.
    :ivar running: whether the motor runs.
    """

    def __init__(self, scheduler: Scheduler, send: Callable[[], None], silent: Callable[[], None]) -> None:
        self._scheduler = scheduler
        self._send = send
        self._silent = silent
        self.running = False
        self._unanswered = 0
        self._timer: TimerHandle | None = None

    def run(self, *, running: bool) -> None:
        """The motor runs (beat all the time), or no longer."""
        self.running = running
        if running and self._timer is None:
            self._arm()

    def beat(self) -> None:
        """One beat now; another soon when it is not answered."""
        if self._unanswered == MAX_UNANSWERED:
            self.rest()
            self._silent()
            return
        self._unanswered += 1
        self._arm()
        self._send()

    def heard(self) -> None:
        """A report has come."""
        self._unanswered = 0

    def rest(self) -> None:
        """No more beats until ``run`` or ``beat``."""
        self.running = False
        self._unanswered = 0
        self._disarm()

    def _arm(self) -> None:
        self._disarm()
        self._timer = self._scheduler.call_at(self._scheduler.time() + BEAT_S, self._on_timer)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _on_timer(self) -> None:
        self._timer = None
        if self.running or self._unanswered:
            self.beat()
