"""The closed loop of a feed: run until the cards are out, or something ends it. On the scheduler's thread only."""

from __future__ import annotations

from collections.abc import Callable

from dispenser.drivers.base import Scheduler, TimerHandle
from dispenser.drivers.motor import Motor, MotorGuard
from dispenser.drivers.timing import GpioTiming
from dispenser.launcher.messages import Feed, FeedEnd, FeedEnded, Retract, RetractEnded

GUARD_MARGIN_S = 0.25
"""How much longer than a run's own limit the guard waits before it believes that the loop hangs."""


class CardFeeder:
    """Runs one feed or retract at a time and reports its end once the motor has coasted down.

    :param timing: its ``coast_s`` and ``brake_s``.
    :param report: receives the ``FeedEnded`` or ``RetractEnded``.
    """

    def __init__(
        self,
        motor: Motor,
        scheduler: Scheduler,
        timing: GpioTiming,
        guarded: Callable[[Callable[[], None]], None],
        report: Callable[[FeedEnded | RetractEnded], None],
    ) -> None:
        self.guard: MotorGuard | None = None
        self.has_exit_sensor = True
        self._motor = motor
        self._scheduler = scheduler
        self._coast_s = timing.coast_s
        self._brake_s = timing.brake_s
        self._guarded = guarded
        self._report = report
        self._command: Feed | Retract | None = None
        self._cause: FeedEnd | None = None
        self._seen = 0
        self._edge_seen = False
        self._braking = False
        self._limit_at = 0.0
        self._stall_at = 0.0
        self._release_at = 0.0
        self._blocked_since_s: float | None = None
        self._timer: TimerHandle | None = None

    # --- beginning ---

    def start(self, command: Feed | Retract) -> None:
        """Motor on. A run that is still under way is ended first, unreported: the machine asks for one at a time."""
        self.cancel()
        now = self._scheduler.time()
        self._command, self._cause, self._seen = command, None, 0
        if isinstance(command, Feed):
            limit_s = command.timeout_s
            quiet_s = command.blind_s if self._blocked_since_s is None else command.stall_s
            self._stall_at = now + (quiet_s if self.has_exit_sensor else limit_s)
            self._edge_seen = self._blocked_since_s is not None
        else:
            limit_s = command.duration_s
            self._stall_at = now + limit_s
        self._limit_at = now + limit_s
        self._arm(min(self._limit_at, self._stall_at))
        if self.guard is not None:  # before the motor: a pin may fail once the motor is on
            self.guard.arm(limit_s + GUARD_MARGIN_S)
        if isinstance(command, Feed):
            self._motor.forward(command.duty)
        else:
            self._motor.backward(command.duty)

    def refuse(self, command: Feed | Retract, cause: FeedEnd) -> None:
        """Report a run that may not begin."""
        self.cancel()
        self._command, self._cause, self._seen = command, cause, 0
        self._end()

    # --- what ends a run ---

    def lid_opened(self) -> None:
        self._halt(FeedEnd.LID)

    def stop(self) -> None:
        """Motor off, whether or not a run is known."""
        self._motor.off()
        self._halt(FeedEnd.STOPPED)

    def cancel(self) -> None:
        """Forget the run without a report; motor off."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._command is not None:
            self._command = None
            self._rest()

    def exit_blocked(self, at_s: float) -> None:
        self._blocked_since_s = at_s
        if isinstance(self._command, Feed):
            self._put_off_stall(at_s + self._command.stall_s)

    def exit_cleared(self, at_s: float) -> float:
        """Note that the barrier is free again; return how long it was blocked, milliseconds."""
        since_s, self._blocked_since_s = self._blocked_since_s, None
        if isinstance(self._command, Feed):
            self._put_off_stall(at_s + self._command.blind_s)
            self._seen += 1
        return round((at_s - since_s) * 1000, 2) if since_s is not None else 0.0

    def count_reached(self) -> None:
        """Motor off if that was the last card wanted."""
        if isinstance(self._command, Feed) and self._seen >= self._command.cards:
            self._halt(FeedEnd.COUNT, braked=True)

    def _put_off_stall(self, until_s: float) -> None:
        self._edge_seen = True
        self._stall_at = until_s
        if self._cause is None and self._timer is not None:
            self._timer.cancel()
            self._arm(min(self._limit_at, self._stall_at))

    # --- timers ---

    def _arm(self, when: float) -> None:
        self._timer = self._scheduler.call_at(when, lambda: self._guarded(self._on_timer))

    def _on_timer(self) -> None:
        self._timer = None
        if self._command is None:
            return
        if self._cause is not None:
            self._after_halt()
            return
        now = self._scheduler.time()
        due = min(self._limit_at, self._stall_at)
        if now < due:
            self._arm(due)
        elif isinstance(self._command, Retract) or not self.has_exit_sensor:
            self._halt(FeedEnd.TIMED)
        elif now >= self._limit_at:
            self._halt(FeedEnd.TIMEOUT)
        else:
            self._halt(FeedEnd.STALL if self._edge_seen else FeedEnd.BLIND)

    def _halt(self, cause: FeedEnd, *, braked: bool = False) -> None:
        """Motor off; the report follows when it has coasted down. The first cause stands.

        ``braked``: a motor that coasts pushes the next card into the exit, so the one after the last is held back.
        """
        if self._command is None or self._cause is not None:
            return
        self._cause = cause
        if self._timer is not None:
            self._timer.cancel()
        now = self._scheduler.time()
        if braked and self._brake_s > 0 and self._motor.can_brake:
            self._braking = True
            self._motor.brake()
            self._release_at = now + self._brake_s
            self._arm(self._release_at)
        else:
            self._rest()
            self._release_at = now
            self._arm(now + self._coast_s)

    def _after_halt(self) -> None:
        if self._braking:  # the brake has done its work
            self._rest()
            self._arm(self._release_at + self._coast_s)
        else:
            self._end()

    def _rest(self) -> None:
        self._braking = False
        self._motor.off()  # if this raises, the guard stays armed and tries again
        if self.guard is not None:
            self.guard.disarm()

    def _end(self) -> None:
        command, cause = self._command, self._cause
        self._command = None
        if cause is None or command is None:
            return
        blocked = self._blocked_since_s is not None
        if isinstance(command, Feed):
            self._report(FeedEnded(cause, self._seen if self.has_exit_sensor else None, blocked))
        else:
            self._report(RetractEnded(cause, blocked))
