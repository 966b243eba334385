"""What a launcher does on its own, faster than any loop: it counts, brakes, and stops the motor.

Three threads meet here. *pins*: the pin factory's, where edges arrive. *alarm*: a clock's, for what is due when no
edge comes. *loop*: the service's, which starts runs and hears reports; it may be late by as much as it likes.

Which thread may touch what:

* all of ``Reflex``, its ``Run`` and its ``Line`` objects is written under the reflex's *turn* only. Nobody waits for
  a turn: whoever has something to say leaves a note, and whoever has the turn takes all notes before it lets go;
* the motor's pins are written under the turn, but for ``Motor.off``, which any thread may call at any time and which
  wins over whoever is turning the motor on;
* beeper, light and sink belong to the loop; reports wait in a queue until it comes.

A level may be read by any thread: it is one attribute.
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
from dispenser.drivers.gpio.inputs import Line
from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.run import LISTEN_S, Run, ended
from dispenser.drivers.gpio.wiring import GpioTiming
from dispenser.i18n import Text
from dispenser.launcher import messages as m

RETRY_S = 0.05
"""How soon a motor that could not be turned off is turned off again."""
Note = Callable[[], None]
_NO_ANSWER = Text(
    "The pins do not answer ({kind}: {error}). The motor is off. Check the wiring and that no other program uses the "
    "pins, then reset."
)
UNEXPECTED = Text("Unexpected error in the driver ({kind}: {error}). The motor is off. Please report it, then reset.")


class Reflex:
    """Takes edges, commands and the time; drives the motor; reports.

    :param lines: ``button``, ``lid`` and, with an exit sensor, ``exit``.
    :param lid_is_up: reads the lid's level; asked whenever the motor is turned on, for its edge may have been missed.
    :param clock: calls back when something is due; no loop may hold it up.
    :param report: called under the turn; must not block.
    :param on_beat: called under the turn, on the alarm's thread, whenever the alarm has rung.
    """

    def __init__(
        self,
        motor: Motor,
        lines: dict[str, Line],
        *,
        lid_is_up: Callable[[], bool],
        timing: GpioTiming,
        clock: Clock,
        report: Callable[[DriverEvent], None],
        on_beat: Callable[[], None] = lambda: None,
    ) -> None:
        self.lines = lines
        self._failed = False
        self._motor = motor
        self._clock = clock
        self._report = report
        self._heard_s = 0.0  # when an edge was taken last, whenever it came
        self._unheard_rises: deque[str] = deque()  # of the lid; a note for each is waiting
        self._run: Run | None = None
        self._barrier = lines.get("exit")
        self._new_run = partial(
            Run,
            motor=motor,
            timing=timing,
            barrier=self._barrier,
            lid_rests=lambda: not self._unheard_rises and not lid_is_up(),
        )
        self._turn = Lock()
        self._notes: deque[Note] = deque()
        self._alarm: TimerHandle | None = None
        self._alarm_at_s = 0.0
        self._must_retry = False
        self._on_beat = on_beat

    # --- what any thread may call ---

    def lid_rose(self) -> None:
        """Motor off, before anybody asks when that was; its ``edge`` follows.

        :raises Exception: whatever the pins raise.
        """
        self._unheard_rises.append("lid")
        self._motor.off()

    def edge(self, name: str, active: bool, at_s: float, *, guessed: bool = False) -> None:
        """A raw edge.

        :param guessed: not heard: a level was read that is another than the last edge told.
        """
        self._leave(partial(self._take_edge, name, active, at_s, guessed))

    def looked(self, name: str, active: bool) -> None:
        """A level that was read now. When the last edge told another, one was missed, or is still coming.

        In a run the exit is left alone: its edges come fast, each has its own time, and the run ends without them.

        :raises Exception: whatever the pins raise.
        """
        if active != self.lines[name].raw and (name != "exit" or self._run is None):
            if name == "lid" and active:
                self.lid_rose()
            self.edge(name, active, self._clock.time(), guessed=True)

    def settle(self) -> None:
        """Let count what has lasted by now."""
        self._leave(lambda: None)

    def start(self, command: m.Feed | m.Retract) -> None:
        """Begin a run, or report why it may not begin."""
        self._leave(partial(self._start, command))

    def stop(self) -> None:
        """Motor off, whether or not a run is known; it is when this returns, if its pins can be reached."""
        with suppress(Exception):  # the note meets the same, and tells
            self._motor.off()
        self._leave(self._stop)

    def fail(self, error: Exception) -> None:
        """The pins do not answer: motor off, and say so once."""
        self._leave(partial(self._fail, error))

    def recover(self) -> None:
        """The pins answer again."""
        if self._failed:
            self._leave(self._recover)

    def beat(self) -> None:
        """Ask whoever has the turn, and the alarm, for a sign of life: ``on_beat`` is called soon."""
        self._leave(lambda: self._set_alarm(self._clock.time()))

    def close(self) -> None:
        """No more alarms. The motor is off if its pins still can be reached."""
        with self._turn:
            self._notes.clear()
            if self._alarm is not None:
                self._alarm.cancel()
            self._forget_run()

    # --- the turn ---

    def _leave(self, note: Note) -> None:
        self._notes.append(note)
        while self._notes and self._turn.acquire(blocking=False):
            try:
                while self._notes:
                    self._take(self._notes.popleft())
                self._take(self._look_at_clock)
            finally:
                self._turn.release()

    def _take(self, note: Note) -> None:
        try:
            note()
        except Exception as error:  # noqa: BLE001 - whatever it is, the motor must be off and people must know
            self._fail(error)

    def _look_at_clock(self) -> None:
        now_s = self._clock.time()
        listened_s = self._heard_s + LISTEN_S  # edges that come late come one after the other: the next may be at hand
        if now_s >= listened_s:
            self._settle(now_s, now_s)
        if self._must_retry:
            self._off_or_retry()
        if self._run is not None and (end := self._run.poll(now_s)) is not None:
            self._run = None
            self._report(end)
        dues = [max(line.due_s, listened_s) for line in self.lines.values() if line.due_s is not None]
        if self._must_retry:
            dues.append(now_s + RETRY_S)
        if self._run is not None:
            dues.append(self._run.due_s)
        if dues:
            self._set_alarm(min(dues))

    def _set_alarm(self, due_s: float) -> None:
        """One alarm, for whatever comes first. One that comes too early does no harm and is set anew then."""
        if self._alarm is not None:
            if self._alarm_at_s <= due_s:
                return
            self._alarm.cancel()
        self._alarm_at_s = due_s
        self._alarm = self._clock.call_at(due_s, lambda: self._leave(self._on_alarm))

    def _on_alarm(self) -> None:
        self._alarm = None
        self._on_beat()

    # --- edges ---

    def _take_edge(self, name: str, active: bool, at_s: float, guessed: bool) -> None:
        line, now_s = self.lines[name], self._clock.time()
        self._settle(at_s, now_s)  # what had lasted before this edge, though nobody looked in time
        if line.edge(active, at_s, guessed=guessed) and name == "exit" and self._run is not None:
            self._run.exit_edge(active, now_s)
        self._settle(at_s, now_s)
        self._heard_s = now_s
        if name == "lid" and active and self._unheard_rises:
            self._unheard_rises.popleft()

    def _settle(self, at_s: float, now_s: float) -> None:
        """Let count what has lasted by ``at_s``; edges come in the order of their times."""
        for name, line in self.lines.items():
            if line.settle(at_s):
                self._settled(line, name, now_s)

    def _settled(self, line: Line, name: str, now_s: float) -> None:
        """A level that counts has changed."""
        match name, line.level:
            case "button", True:
                self._report(m.Press())
            case "lid", True:
                self._halt(m.FeedEnd.LID, now_s)
                self._report(m.LidOpened())
            case "lid", False:
                self._report(m.LidClosed())
            case "exit", dark:
                dark_s = line.since_s - line.before_s
                fed = self._run is not None and self._run.exit_changed(dark, line.since_s, now_s)
                self._report(m.ExitBlocked() if dark else m.ExitCleared(round(dark_s * 1000, 2), fed))

    # --- commands ---

    def _start(self, command: m.Feed | m.Retract) -> None:
        lid, now_s = self.lines["lid"], self._clock.time()
        self._forget_run()  # the machine asks for one at a time
        if self._failed:
            self._report(ended(command, m.FeedEnd.STOPPED, self._barrier))
        elif lid.raw or lid.level or self._unheard_rises:
            self._report(ended(command, m.FeedEnd.LID, self._barrier))
        else:
            self._run = self._new_run(command, now_s)

    def _stop(self) -> None:
        self._halt(m.FeedEnd.STOPPED, self._clock.time())
        self._motor.off()

    def _halt(self, cause: m.FeedEnd, now_s: float) -> None:
        if self._run is not None:
            self._run.halt(cause, now_s)

    def _forget_run(self) -> None:
        """No run any more, and no report; motor off."""
        if self._run is not None:
            self._run = None
            self._motor.off()

    # --- failures ---

    def _fail(self, error: Exception) -> None:
        self._unheard_rises.clear()  # the edge of one may never come; the levels are read again before it goes on
        self._run = None
        self._off_or_retry()
        if not self._failed:
            self._failed = True
            self._report(m.DriverFailed(_why(error)))

    def _off_or_retry(self) -> None:
        """What cannot be turned off now is turned off again and again until the pins take it; that is told already."""
        self._must_retry = True
        with suppress(Exception):
            self._motor.off()
            self._must_retry = False

    def _recover(self) -> None:
        """The motor must be off before anybody hears of it; nobody could turn it off before."""
        self._motor.off()
        self._must_retry = False
        if self._failed:
            self._failed = False
            self._report(m.DriverRecovered())


def _why(error: Exception) -> Text:
    what = _NO_ANSWER if isinstance(error, pin_errors()) else UNEXPECTED
    return what.filled(kind=type(error).__name__, error=error)
