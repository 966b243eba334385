"""One motor run, as in ``firmware/core/run.c``: on until enough cards have passed or a limit ends it.

Pure but for the motor: told what happened and when, asked what is due. Its caller is the ``RunSupervisor``, with its
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
"""Before a run is given up or reported as over, the clock waits at least so long: the thread that brings an edge may
still be waiting for the interpreter."""


class _Phase(enum.Enum):
    """``TURNING``: the motor pushes cards; ``BRAKING``, ``COASTING``: cards may still arrive."""

    TURNING = enum.auto()
    BRAKING = enum.auto()
    COASTING = enum.auto()


def ended(
    command: Feed | Retract, cause: FeedEnd, exit_input: DebouncedInput | None, cards: int = 0
) -> FeedEnded | RetractEnded:
    """The end of a run, also of one that may not begin."""
    blocked = exit_input is not None and exit_input.level
    if isinstance(command, Retract):
        return RetractEnded(cause, blocked)
    return FeedEnded(cause, None if exit_input is None else cards, blocked)


class Run:
    """One feed or retract; the motor turns from now on. All times are seconds on one clock.

    :param exit_input: without it a feed is timed and counts nothing.
    :param lid_is_shut: whether its level says so, and no edge to the contrary is queued.
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
        self._assumed = False  # braked for a last card whose end may still turn out to be a flicker
        self._begun_s = now_s
        self._limit_at_s = now_s + (command.timeout_s if isinstance(command, Feed) else command.duration_s)
        self._last_change_s = now_s  # the start, or the last change at the exit that counts
        self._phase_ends_s = now_s
        self._turn(now_s)

    def _turn(self, now_s: float) -> None:
        last_off = self._motor.last_off  # before the lid is read: a lid that rises later turns off, and off wins
        self._phase = _Phase.TURNING
        self._waiting_since_s: float | None = None
        if not self._lid_is_shut():
            self.halt(FeedEnd.LID, now_s)
        elif isinstance(self._command, Feed):
            self._motor.forward(self._command.duty, last_off)
        else:
            self._motor.backward(self._command.duty, last_off)

    # --- what ends it ---

    def halt(self, cause: FeedEnd, now_s: float) -> None:
        """Motor off; the end is due when it has coasted down. The first cause stands."""
        if self._phase is _Phase.TURNING or self._assumed:  # assumed: the motor must not turn again
            self._assumed = False
            self._cause = cause
            self._coast(now_s)

    def _brake(self, now_s: float) -> None:
        """A motor that only coasts pushes the next card into the exit, so after the last one it is braked."""
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

    # --- the exit ---

    @property
    def _flickers(self) -> bool:
        """The raw level differs from the debounced one."""
        return self._exit_input is not None and self._exit_input.raw is not self._exit_input.level

    def exit_edge(self, blocked: bool, now_s: float) -> None:
        """A raw edge, before it is debounced: the end of the last card brakes at once; a flicker takes that back."""
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
        """A debounced level began at ``at_s``; return whether it is one more card of this feed."""
        self._waiting_since_s = None
        self._last_change_s = max(self._last_change_s, at_s)
        ours = at_s >= self._begun_s  # or it came a moment before the feed began
        self._saw_edge = self._saw_edge or ours
        self._assumed = False
        if blocked or not ours or isinstance(self._command, Retract):
            return False
        self._cards += 1
        if self._cards >= self._command.cards and self._phase is _Phase.TURNING:
            self._brake(now_s)
        return True

    # --- time ---

    @property
    def due_s(self) -> float:
        """When ``poll`` has something to do."""
        match self._phase:
            case _Phase.TURNING:
                return min(self._limit_at_s, self._checked_again_s(self._no_card_until_s()))
            case _Phase.BRAKING:
                return self._phase_ends_s
            case _Phase.COASTING:
                return self._checked_again_s(self._phase_ends_s + self._debounce_s())

    def _checked_again_s(self, when_s: float) -> float:
        """When to ask ``_has_come`` again."""
        listen_s = min(LISTEN_S, self._timing.coast_s)
        if self._waiting_since_s is None:
            return when_s - listen_s
        return max(when_s, self._waiting_since_s + listen_s)

    def _has_come(self, when_s: float, now_s: float) -> bool:
        """Whether ``when_s`` has come, and ``LISTEN_S`` for late edges is over."""
        if self._waiting_since_s is None and now_s >= self._checked_again_s(when_s):
            self._waiting_since_s = now_s
        return self._waiting_since_s is not None and now_s >= self._checked_again_s(when_s)

    def _debounce_s(self) -> float:
        """Time for a raw level to last and count; no more, so that a flicker does not prolong the run for ever."""
        return max(self._timing.exit_settle_s, LISTEN_S) if self._flickers else 0.0

    def _no_card_until_s(self) -> float:
        """When a feed has waited too long: for a card, or for one in the exit to leave."""
        if isinstance(self._command, Retract) or self._exit_input is None:
            return math.inf
        quiet_s = self._command.stall_s if self._exit_input.level else self._command.blind_s
        return self._last_change_s + quiet_s + self._debounce_s()

    def poll(self, now_s: float) -> FeedEnded | RetractEnded | None:
        """Do what is due by ``now_s``; return the end of the run when it has come."""
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
            self._cause = FeedEnd.BLIND  # decided last: an edge may have come late
        return ended(self._command, self._cause, self._exit_input, self._cards)
