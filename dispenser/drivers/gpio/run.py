"""One motor run, as in ``firmware/core/run.c``: on until enough cards have passed or a limit ends it.

No I/O except the motor, and no clock: the caller, ``RunSupervisor``, passes events with their times and polls, with its
lock held.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable

from dispenser.drivers.gpio.inputs import DebouncedInput
from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.wiring import GpioTiming
from dispenser.launcher.messages import Feed, FeedEnd, FeedEnded, Retract, RetractEnded

LISTEN_S = 0.005
"""Least wait before a run is ended or reported, seconds: the thread that delivers an edge may still wait for the
GIL."""


class _Phase(enum.Enum):
    """``TURNING``: the motor feeds cards; ``BRAKING``, ``COASTING``: cards may still arrive."""

    TURNING = enum.auto()
    BRAKING = enum.auto()
    COASTING = enum.auto()


def ended(
    command: Feed | Retract, cause: FeedEnd, exit_input: DebouncedInput | None, cards: int = 0
) -> FeedEnded | RetractEnded:
    """Return the end event of a run, also of one that was refused."""
    blocked = exit_input is not None and exit_input.level
    if isinstance(command, Retract):
        return RetractEnded(cause, blocked)
    return FeedEnded(cause, None if exit_input is None else cards, blocked)


class Run:
    """One feed or retract; the motor turns from now on. All times are seconds on one clock.

    :param exit_input: without it a feed is timed and counts nothing.
    :param lid_is_shut: returns whether the lid's level is shut and no edge of an opening lid is queued.
    """

    def __init__(
        self,
        command: Feed | Retract,
        now_s: float,
        *,
        motor: Motor,
        timing: GpioTiming,
        exit_input: DebouncedInput | None,
        lid_is_shut: Callable[[], bool],
    ) -> None:
        self._command = command
        self._motor = motor
        self._timing = timing
        self._exit_input = exit_input
        self._lid_is_shut = lid_is_shut
        self._cause = FeedEnd.STOPPED
        self._cards = 0
        self._saw_edge = False
        self._assumed = False  # braked for the last card, whose end may still be a flicker
        self._begun_s = now_s
        self._limit_at_s = now_s + (command.timeout_s if isinstance(command, Feed) else command.duration_s)
        self._last_change_s = now_s  # start of the run, or last debounced change at the exit
        self._phase_ends_s = now_s
        self._turn(now_s)

    def _turn(self, now_s: float) -> None:
        last_off = self._motor.last_off  # read before the lid: an opening lid after this turns off, and off wins
        self._phase = _Phase.TURNING
        self._waiting_since_s: float | None = None
        if not self._lid_is_shut():
            self.halt(FeedEnd.LID, now_s)
        elif isinstance(self._command, Feed):
            self._motor.forward(self._command.duty, last_off)
        else:
            self._motor.backward(self._command.duty, last_off)

    # --- end of the run ---

    def halt(self, cause: FeedEnd, now_s: float) -> None:
        """Turn the motor off; the run ends after the coast-down. The first cause counts."""
        if self._phase is _Phase.TURNING or self._assumed:  # assumed: the motor must not turn again
            self._assumed = False
            self._cause = cause
            self._coast(now_s)

    def _brake(self, now_s: float) -> None:
        """Brake after the last card: a motor that coasts feeds the next card into the exit."""
        self._cause = FeedEnd.COUNT
        if self._timing.brake_s > 0 and self._motor.can_brake and self._lid_is_shut():
            self._phase = _Phase.BRAKING
            self._phase_ends_s = now_s + self._timing.brake_s
            self._motor.brake()
        else:
            self._coast(now_s)

    def _coast(self, now_s: float) -> None:
        self._phase = _Phase.COASTING
        self._waiting_since_s = None
        self._phase_ends_s = now_s + self._timing.coast_s
        self._motor.off()

    # --- exit sensor ---

    @property
    def _flickers(self) -> bool:
        """Whether the raw level differs from the debounced one."""
        return self._exit_input is not None and self._exit_input.raw is not self._exit_input.level

    def exit_edge(self, blocked: bool, now_s: float) -> None:
        """Handle a raw edge, before debouncing: the end of the last card brakes at once; a flicker undoes that."""
        if isinstance(self._command, Retract):
            return
        if blocked and self._assumed and not self._flickers:
            if now_s < self._limit_at_s:
                self._assumed = False
                self._turn(now_s)
            else:
                self.halt(FeedEnd.TIMEOUT, now_s)
        elif (
            not blocked and self._flickers and self._phase is _Phase.TURNING and self._cards + 1 >= self._command.cards
        ):
            self._assumed = True
            self._brake(now_s)

    def exit_changed(self, blocked: bool, at_s: float, now_s: float) -> bool:
        """Handle a debounced level that began at ``at_s``; return whether one more card of this feed has passed."""
        self._waiting_since_s = None
        self._last_change_s = max(self._last_change_s, at_s)
        ours = at_s >= self._begun_s  # otherwise it was from before the feed
        self._saw_edge = self._saw_edge or ours
        self._assumed = False
        if blocked or not ours or isinstance(self._command, Retract):
            return False
        self._cards += 1
        if self._cards >= self._command.cards and self._phase is _Phase.TURNING:
            self._brake(now_s)
        return True

    # --- timing ---

    @property
    def due_s(self) -> float:
        """Time of the next ``poll``."""
        match self._phase:
            case _Phase.TURNING:
                return min(self._limit_at_s, self._checked_again_s(self._no_card_until_s()))
            case _Phase.BRAKING:
                return self._phase_ends_s
            case _Phase.COASTING:
                return self._checked_again_s(self._phase_ends_s + self._debounce_s())

    def _checked_again_s(self, when_s: float) -> float:
        """Return when to call ``_has_come`` again."""
        listen_s = min(LISTEN_S, self._timing.coast_s)
        if self._waiting_since_s is None:
            return when_s - listen_s
        return max(when_s, self._waiting_since_s + listen_s)

    def _has_come(self, when_s: float, now_s: float) -> bool:
        """Return whether ``when_s`` has passed, and after it ``LISTEN_S`` for late edges."""
        if self._waiting_since_s is None and now_s >= self._checked_again_s(when_s):
            self._waiting_since_s = now_s
        return self._waiting_since_s is not None and now_s >= self._checked_again_s(when_s)

    def _debounce_s(self) -> float:
        """Return the time a raw level needs to count; limited, so that a flicker cannot prolong the run for ever."""
        return max(self._timing.exit_settle_s, LISTEN_S) if self._flickers else 0.0

    def _no_card_until_s(self) -> float:
        """Return the timeout for the next card, or for one in the exit to leave."""
        if isinstance(self._command, Retract) or self._exit_input is None:
            return math.inf
        quiet_s = self._command.stall_s if self._exit_input.level else self._command.blind_s
        return self._last_change_s + quiet_s + self._debounce_s()

    def poll(self, now_s: float) -> FeedEnded | RetractEnded | None:
        """Apply all timeouts up to ``now_s``; return the end event once the run is over."""
        if self._phase is _Phase.TURNING:
            if now_s >= self._limit_at_s:
                timed = isinstance(self._command, Retract) or self._exit_input is None
                self.halt(FeedEnd.TIMED if timed else FeedEnd.TIMEOUT, now_s)
            elif self._has_come(self._no_card_until_s(), now_s):
                self.halt(FeedEnd.STALL, now_s)
        if self._phase is _Phase.BRAKING and now_s >= self._phase_ends_s:
            self._coast(self._phase_ends_s)
        if self._phase is not _Phase.COASTING or not self._has_come(self._phase_ends_s + self._debounce_s(), now_s):
            return None
        blind = self._exit_input is not None and not self._saw_edge and not self._exit_input.level
        if self._cause is FeedEnd.STALL and blind:
            self._cause = FeedEnd.BLIND  # decided last: an edge may arrive late
        return ended(self._command, self._cause, self._exit_input, self._cards)
