"""Stop, brake and count in the thread where edges arrive, however late the service's loop is.

Three threads call the ``RunSupervisor``: the pin factory's (edges), its clock's (timeouts) and the loop's (commands).
None blocks on another: each queues an action, and the thread that holds the lock runs the whole queue before it
releases the lock. So the supervisor, its ``Run`` and its ``DebouncedInput`` objects change only with the lock held.

Two exceptions. ``Motor.off`` may be called by any thread at any time, and overrides a thread that is turning the motor
on. A level may be read by any thread: it is one attribute.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock

from dispenser.clocks import Clock, TimerHandle
from dispenser.drivers.base import DriverEvent
from dispenser.drivers.gpio.factory import pin_errors
from dispenser.drivers.gpio.inputs import DebouncedInput
from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.run import LISTEN_S, Run, ended
from dispenser.drivers.gpio.wiring import GpioTiming
from dispenser.i18n import Text
from dispenser.launcher import messages as m

Action = Callable[[], object]
_NO_ANSWER = Text(
    "The pins do not answer ({kind}: {error}). The motor is off. Check the wiring and that no other program uses the "
    "pins, then reset."
)
_UNEXPECTED = Text("Unexpected error in the driver ({kind}: {error}). The motor is off. Please report it, then reset.")


class RunSupervisor:
    """Handles edges, commands and timeouts; drives the motor; reports events.

    :param inputs: ``button``, ``lid`` and, with an exit sensor, ``exit``.
    :param lid_is_up: reads the lid's level; called at each start of the motor, as the edge may have been missed.
    :param clock: for timeouts; must not be delayed by a loop.
    :param report: called with the lock held; must not block.
    """

    def __init__(
        self,
        motor: Motor,
        inputs: dict[str, DebouncedInput],
        *,
        lid_is_up: Callable[[], bool],
        timing: GpioTiming,
        clock: Clock,
        report: Callable[[DriverEvent], None],
    ) -> None:
        self.inputs = inputs
        self._motor = motor
        self._clock = clock
        self._report = report
        self._exit = inputs.get("exit")
        self._run: Run | None = None
        self._new_run = partial(
            Run,
            motor=motor,
            timing=timing,
            exit_input=self._exit,
            lid_is_shut=lambda: not self._queued_lid_edges and not lid_is_up(),
        )
        self._queued_lid_edges: deque[str] = deque()  # one for each opening of the lid whose action is still queued
        self._last_edge_s = 0.0  # when the last edge was handled, not when it happened
        self._failed = False
        self._lock = Lock()
        self._actions: deque[Action] = deque()
        self._alarm: TimerHandle | None = None
        self._alarm_at_s = 0.0

    # --- for any thread ---

    def lid_rose(self) -> None:
        """Turn the motor off before the edge's time is known; the ``edge`` follows."""
        self._queued_lid_edges.append("lid")
        self._motor.off()

    def edge(self, name: str, active: bool, at_s: float) -> None:
        """Queue a raw edge."""
        self._submit(partial(self._handle_edge, name, active, at_s))

    def level_read(self, name: str, active: bool) -> None:
        """Compare a level read now with the last edge; if it differs, queue an edge, which was missed or is late.

        During a run the exit is ignored: its edges are fast, each has its own time, and the run ends without them.
        """
        if active != self.inputs[name].raw and (name != "exit" or self._run is None):
            if name == "lid" and active:
                self.lid_rose()
            self.edge(name, active, self._clock.time())

    def settle(self) -> None:
        """Accept every level that has been stable long enough."""
        self._submit(lambda: None)

    def start(self, command: m.Feed | m.Retract) -> None:
        """Begin a run, or report why it cannot begin."""
        self._submit(partial(self._start, command))

    def stop(self) -> None:
        """Turn the motor off, even without a known run; it is off on return, if its pins respond."""
        with suppress(Exception):  # the action below fails the same way, and reports it
            self._motor.off()
        self._submit(self._stop)

    def fail(self, error: Exception) -> None:
        """Handle a pin error: motor off; reported once."""
        self._submit(partial(self._fail, error))

    def recover(self) -> None:
        """End the fault once the pins respond again."""
        if self._failed:
            self._submit(self._recover)

    def check_alive(self, alive: Callable[[], None]) -> None:
        """Have the clock call ``alive`` at once: this shows that its thread runs and that the lock is free."""
        self._submit(lambda: self._clock.call_at(self._clock.time(), alive))

    def close(self) -> None:
        """Cancel the timers and turn the motor off, if its pins respond."""
        with self._lock:
            self._actions.clear()
            if self._alarm is not None:
                self._alarm.cancel()
            self._run = None
            self._motor.off()

    # --- with the lock held ---

    def _submit(self, action: Action) -> None:
        self._actions.append(action)
        while self._actions and self._lock.acquire(blocking=False):
            try:
                while self._actions:
                    self._do(self._actions.popleft())
                self._do(self._do_what_is_due)
            finally:
                self._lock.release()

    def _do(self, action: Action) -> None:
        try:
            action()
        except Exception as error:  # noqa: BLE001 - on any error the motor must be off and people informed
            self._fail(error)

    def _do_what_is_due(self) -> None:
        now_s = self._clock.time()
        listened_s = self._last_edge_s + LISTEN_S  # late edges come in series: another may follow
        if now_s >= listened_s:
            self._settle(now_s, now_s)
        if self._run is not None and (end := self._run.poll(now_s)) is not None:
            self._run = None
            self._report(end)
        dues = [max(each.due_s, listened_s) for each in self.inputs.values() if each.due_s is not None]
        if self._run is not None:
            dues.append(self._run.due_s)
        if dues:
            self._set_alarm(min(dues))

    def _set_alarm(self, due_s: float) -> None:
        """Set the one timer to the earliest deadline; a timer that fires too early only sets it again."""
        if self._alarm is not None:
            if self._alarm_at_s <= due_s:
                return
            self._alarm.cancel()
        self._alarm_at_s = due_s
        self._alarm = self._clock.call_at(due_s, lambda: self._submit(self._on_alarm))

    def _on_alarm(self) -> None:
        self._alarm = None

    # --- edges ---

    def _handle_edge(self, name: str, active: bool, at_s: float) -> None:
        now_s = self._clock.time()
        self._settle(at_s, now_s)  # levels that were stable before this edge, but were not polled in time
        if self.inputs[name].edge(active, at_s) and name == "exit" and self._run is not None:
            self._run.exit_edge(active, now_s)
        self._settle(at_s, now_s)
        self._last_edge_s = now_s
        if name == "lid" and active and self._queued_lid_edges:
            self._queued_lid_edges.popleft()

    def _settle(self, at_s: float, now_s: float) -> None:
        """Accept every level that has been stable by ``at_s``; edges arrive in the order of their times."""
        for name, each in self.inputs.items():
            if each.settle(at_s):
                self._level_changed(name, each, now_s)

    def _level_changed(self, name: str, changed: DebouncedInput, now_s: float) -> None:
        match name, changed.level:
            case "button", True:
                self._report(m.Press())
            case "lid", True:
                self._halt(m.FeedEnd.LID, now_s)
                self._report(m.LidOpened())
            case "lid", False:
                self._report(m.LidClosed())
            case "exit", blocked:
                blocked_s = changed.since_s - changed.before_s
                fed = self._run is not None and self._run.exit_changed(blocked, changed.since_s, now_s)
                self._report(m.ExitBlocked() if blocked else m.ExitCleared(round(blocked_s * 1000, 2), fed))

    # --- commands ---

    def _start(self, command: m.Feed | m.Retract) -> None:
        lid = self.inputs["lid"]
        if self._failed:
            self._report(ended(command, m.FeedEnd.STOPPED, self._exit))
        elif lid.raw or lid.level or self._queued_lid_edges:
            self._report(ended(command, m.FeedEnd.LID, self._exit))
        else:
            self._run = self._new_run(command, self._clock.time())

    def _stop(self) -> None:
        self._halt(m.FeedEnd.STOPPED, self._clock.time())
        self._motor.off()

    def _halt(self, cause: m.FeedEnd, now_s: float) -> None:
        if self._run is not None:
            self._run.halt(cause, now_s)

    # --- failures ---

    def _fail(self, error: Exception) -> None:
        self._queued_lid_edges.clear()  # an edge may never arrive; levels are read again before the next run
        self._run = None
        with suppress(Exception):  # retried before the recovery is reported
            self._motor.off()
        if not self._failed:
            self._failed = True
            what = _NO_ANSWER if isinstance(error, pin_errors()) else _UNEXPECTED
            self._report(m.DriverFailed(what.filled(kind=type(error).__name__, error=error)))

    def _recover(self) -> None:
        """Turn the motor off, then report the recovery."""
        self._motor.off()
        self._failed = False
        self._report(m.DriverRecovered())
