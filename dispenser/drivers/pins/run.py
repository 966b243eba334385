"""The closed loop of a motor run, as ``firmware/core/run.c`` has it: on until the cards are out, or something ends it.

Pure but for the motor: told what happened and when, asked what is due. Its caller is the ``Reflex``, under its turn.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable

from dispenser.drivers.pins.motor import Motor
from dispenser.drivers.pins.wiring import GpioTiming
from dispenser.launcher.messages import Feed, FeedEnd, FeedEnded, Retract, RetractEnded


class Phase(enum.Enum):
    """Of a run. ``TURNING``: the motor pushes cards; ``BRAKING``, ``COASTING``: cards may still arrive."""

    RESTING = enum.auto()
    TURNING = enum.auto()
    BRAKING = enum.auto()
    COASTING = enum.auto()


LISTEN_S = 0.005
"""Before a run is given up or told as over, the alarm sleeps for so long at least: an edge that has come may still be
in the hands of a thread that waits for the interpreter."""
_NO_COMMAND = Retract(duration_s=1e-3)


class Run:
    """One feed or retract at a time. All times are seconds on one clock.

    :param has_exit_sensor: without, a feed is timed and counts nothing.
    :param lid_rests: whether neither its level nor an edge says otherwise, not even one that nobody has taken yet.
    :param exit_dark: how the exit is at first.
    """

    def __init__(
        self,
        motor: Motor,
        timing: GpioTiming,
        *,
        has_exit_sensor: bool,
        lid_rests: Callable[[], bool],
        exit_dark: bool = False,
    ) -> None:
        self.phase = Phase.RESTING
        self._motor = motor
        self._timing = timing
        self._has_exit_sensor = has_exit_sensor
        self._lid_rests = lid_rests
        self._command: Feed | Retract = _NO_COMMAND
        self._cause = FeedEnd.STOPPED
        self._seen = 0
        self._saw_edge = False
        self._assumed = False  # braked for a last card whose end may still turn out to be a flicker
        self._exit_dark = exit_dark  # the level that counts
        self._exit_flickers = False  # the raw level is another
        self._begun_s = 0.0
        self._limit_at_s = 0.0
        self._last_sign_s = 0.0  # the begin, or the last change at the exit that counts
        self._phase_ends_s = 0.0
        self._listens_since_s: float | None = None

    # --- beginning ---

    def begin(self, command: Feed | Retract, now_s: float) -> None:
        """Motor on. A run that is still under way is ended first, unreported: the machine asks for one at a time."""
        self._note(command)
        limit_s = command.timeout_s if isinstance(command, Feed) else command.duration_s
        self._begun_s = self._last_sign_s = now_s
        self._limit_at_s = now_s + limit_s
        self._turn(now_s)

    def refuse(self, command: Feed | Retract, cause: FeedEnd) -> FeedEnded | RetractEnded:
        """A run that may not begin: its end."""
        self._note(command)
        self._cause = cause
        return self._end()

    def _note(self, command: Feed | Retract) -> None:
        self.forget()
        self._command = command
        self._seen, self._saw_edge = 0, False

    def _turn(self, now_s: float) -> None:
        last_off = self._motor.last_off  # before the look: what rises after it says off, and off wins
        self.phase = Phase.TURNING
        self._listens_since_s = None
        if not self._lid_rests():
            self.halt(FeedEnd.LID, now_s)
        elif isinstance(self._command, Feed):
            self._motor.forward(self._command.duty, last_off)
        else:
            self._motor.backward(self._command.duty, last_off)

    # --- what ends it ---

    def halt(self, cause: FeedEnd, now_s: float) -> None:
        """Motor off; the end is due when it has coasted down. The first cause stands."""
        if self.phase is Phase.TURNING or self._assumed:  # assumed: the motor must not turn again
            self._assumed = False
            self._cause = cause
            self._coast(now_s)

    def forget(self) -> None:
        """No run any more, and no report; motor off."""
        self._assumed = False
        if self.phase is not Phase.RESTING:
            self.phase = Phase.RESTING
            self._motor.off()

    def _brake(self, now_s: float) -> None:
        """A motor that only coasts pushes the next card into the exit, so after the last one it is braked."""
        self._cause = FeedEnd.COUNT
        if self._timing.brake_s > 0 and self._motor.can_brake and self._lid_rests():
            self.phase = Phase.BRAKING
            self._phase_ends_s = now_s + self._timing.brake_s
            self._motor.brake()
        else:
            self._coast(now_s)

    def _coast(self, now_s: float) -> None:
        self.phase = Phase.COASTING
        self._listens_since_s = None
        self._phase_ends_s = now_s + self._timing.coast_s
        self._motor.off()

    # --- the exit ---

    def exit_edge(self, dark: bool, now_s: float) -> None:
        """A raw edge, whether or not it will count: the last card's end brakes at once, a flicker takes it back."""
        self._exit_flickers = dark is not self._exit_dark
        if not self._counts():
            return
        if dark and self._assumed and not self._exit_flickers:
            if now_s < self._limit_at_s:
                self._assumed = False
                self._turn(now_s)
            else:
                self.halt(FeedEnd.TIMEOUT, now_s)
        elif not dark and self._exit_flickers and self.phase is Phase.TURNING and self._seen + 1 >= self._wanted:
            self._assumed = True
            self._brake(now_s)

    def exit_changed(self, dark: bool, at_s: float, now_s: float) -> bool:
        """A level that counts has begun at ``at_s``; a clear exit is a card more, if this returns ``True``."""
        self._exit_dark, self._exit_flickers = dark, False
        self._listens_since_s = None
        self._last_sign_s = max(self._last_sign_s, at_s)
        ours = at_s >= self._begun_s  # or it came a moment before the feed began
        self._saw_edge = self._saw_edge or ours
        self._assumed = False
        if dark or not self._counts() or not ours:
            return False
        self._seen += 1
        if self._seen >= self._wanted and self.phase is Phase.TURNING:
            self._brake(now_s)
        return True

    def _counts(self) -> bool:
        return self.phase is not Phase.RESTING and isinstance(self._command, Feed)

    @property
    def _wanted(self) -> int:
        return self._command.cards if isinstance(self._command, Feed) else 0

    # --- time ---

    @property
    def due_s(self) -> float:
        """When ``poll`` has something to do; infinite at rest."""
        match self.phase:
            case Phase.RESTING:
                return math.inf
            case Phase.TURNING:
                return min(self._limit_at_s, self._heard_out_s(self._quiet_at_s()))
            case Phase.BRAKING:
                return self._phase_ends_s
            case Phase.COASTING:
                return self._heard_out_s(self._phase_ends_s + self._patience_s())

    def _heard_out_s(self, when_s: float) -> float:
        """When to ask next whether it is over at ``when_s``."""
        listen_s = min(LISTEN_S, self._timing.coast_s)
        if self._listens_since_s is None:
            return when_s - listen_s
        return max(when_s, self._listens_since_s + listen_s)

    def _is_over(self, when_s: float, now_s: float) -> bool:
        """Whether ``when_s`` has come, and whoever had an edge to tell has had a moment to do so."""
        if self._listens_since_s is None and now_s >= self._heard_out_s(when_s):
            self._listens_since_s = now_s
        return self._listens_since_s is not None and now_s >= self._heard_out_s(when_s)

    def _patience_s(self) -> float:
        """A raw level that may yet count gets the time to do so, and no more: a flicker must not last for ever."""
        return max(self._timing.exit_settle_s, LISTEN_S) if self._exit_flickers else 0.0

    def _quiet_at_s(self) -> float:
        """When a feed has seen nothing for too long: no card coming, or one standing in the exit."""
        if not isinstance(self._command, Feed) or not self._has_exit_sensor:
            return math.inf
        quiet_s = self._command.stall_s if self._exit_dark else self._command.blind_s
        return self._last_sign_s + quiet_s + self._patience_s()

    def poll(self, now_s: float) -> FeedEnded | RetractEnded | None:
        """Do what is due by ``now_s``; return the end of the run when it has come."""
        if self.phase is Phase.TURNING:
            self._look_at_limits(now_s)
        if self.phase is Phase.BRAKING and now_s >= self._phase_ends_s:
            self._coast(self._phase_ends_s)
        if self.phase is Phase.COASTING and self._is_over(self._phase_ends_s + self._patience_s(), now_s):
            return self._end()
        return None

    def _look_at_limits(self, now_s: float) -> None:
        if now_s >= self._limit_at_s:
            timed = isinstance(self._command, Retract) or not self._has_exit_sensor
            self.halt(FeedEnd.TIMED if timed else FeedEnd.TIMEOUT, now_s)
        elif self._is_over(self._quiet_at_s(), now_s):
            self.halt(FeedEnd.STALL, now_s)

    def _end(self) -> FeedEnded | RetractEnded:
        self.phase = Phase.RESTING
        if self._cause is FeedEnd.STALL and not self._saw_edge and not self._exit_dark:
            self._cause = FeedEnd.BLIND  # only now: an edge may have come late
        if isinstance(self._command, Feed):
            return FeedEnded(self._cause, self._seen if self._has_exit_sensor else None, self._exit_dark)
        return RetractEnded(self._cause, self._exit_dark)
