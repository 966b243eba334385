"""The driver for a microcontroller on a serial line.

The microcontroller debounces its inputs, counts cards, and stops the motor at the lid and at every limit. This driver
sends commands and converts reports to events. A broken line is a fault; ``reread`` reopens it and reports recovery.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dispenser.drivers import base
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.handshake import describe
from dispenser.drivers.serial.port import SerialPort
from dispenser.drivers.serial.reports import levels_of, what_happened, what_is_different
from dispenser.drivers.serial.session import SerialSession
from dispenser.i18n import Text
from dispenser.launcher import messages as m

_RESTARTED = Text("The microcontroller restarted by itself: {why}. The motor is off. Then reset.")
WHY_RESTARTED = {
    wire.ResetCause.POWER_ON: Text("its power failed for a moment; check the batteries, the plug and the USB cable"),
    wire.ResetCause.EXTERNAL: Text("something pulled its reset line; check its reset button and the USB cable"),
    wire.ResetCause.BROWN_OUT: Text(
        "its voltage fell too low; put in new batteries, or give the motor a supply of its own"
    ),
    wire.ResetCause.WATCHDOG: Text("its program hung and its watchdog ended that; please report it"),
    wire.ResetCause.UNKNOWN: Text("it does not know why (many boot loaders hide it); check its power"),
}
_LATCHED = Text("{why} The motor is off. Look at the launcher, then reset ('dispenser reset', or the page).")
_WHY_LATCHED = {
    wire.Latch.HOST_SILENT: Text("This computer was not heard for a second while the motor ran."),
    wire.Latch.MOTOR_GUARD: Text("The motor ran past the microcontroller's own limit."),
    wire.Latch.WATCHDOG: Text("The microcontroller's program hung, or something reset it while the motor ran."),
}


@dataclass(slots=True)
class _Run:
    """A motor run that was commanded and whose end was not reported yet.

    :ivar may_be_lost: a STOP was acknowledged; unless the next report shows this run, it never began.
    """

    asked: wire.Feed | wire.Retract
    may_be_lost: bool = False


class SerialDriver(base.Driver):
    """One launcher behind a serial line.

    :param port: not open yet; opened here, and again after every loss.
    :param scheduler: time and timers (an asyncio loop).
    """

    def __init__(self, port: SerialPort, scheduler: base.Scheduler) -> None:
        self._session = SerialSession(port, scheduler, self)
        self._opened = False
        self._failure: Text | None = None  # reported, and not recovered from
        self._state: wire.State  # the last report whose events were sent
        self._locks = wire.Latch(0)  # motor locks that were reported
        self._run: _Run | None = None
        self._run_number = 0
        self._light_on = False
        self._sink: base.Sink

    # --- opening and closing ---

    @property
    def capabilities(self) -> base.Capabilities:
        """The capabilities reported by the microcontroller; after ``connect``."""
        able = self._session.device.capabilities
        return base.Capabilities(
            exit_sensor=wire.Capability.EXIT_SENSOR in able, retract=wire.Capability.RETRACT in able
        )

    @property
    def about(self) -> Text:
        return Text("Firmware of the microcontroller: {firmware}").filled(firmware=describe(self._session.device))

    def connect(self) -> None:
        """Perform the handshake; blocks up to 5 s while a boot loader runs. ``open`` calls it, too.

        :raises PinsUnavailableError: no answer, or an incompatible firmware; the text says what to do.
        """
        self._state = self._session.connect()

    def open(self, sink: base.Sink, record_edge: Callable[[base.Edge], None] | None = None) -> None:  # noqa: ARG002
        """Open the line, everything off, and begin to send events to ``sink``.

        Raw edges are not recorded: the microcontroller debounces, and reports levels.
        """
        self.connect()
        self._sink = sink
        self._run, self._light_on, self._failure, self._locks = None, False, None, wire.Latch(0)
        self._session.listen()
        self._opened = True
        self.reread()  # reports a lock

    def close(self) -> None:
        """Turn motor, beeper and light off; the microcontroller then works standalone. Idempotent."""
        self._opened = False
        self._session.close()

    # --- SessionListener ---

    def on_state(self, state: wire.State) -> None:
        """Send the events since the last report."""
        before, self._state = self._state, state
        self._report_new_locks(state)
        self._report(what_happened(before, state))
        self._follow_run(state)
        if self._run is None:
            self._recover()

    def on_answer(self, command: wire.Message) -> None:
        """Handle an ACK: a STOP may have overtaken a run, which may then be lost."""
        run = self._run
        if isinstance(command, wire.Stop) and run is not None and not self._session.has(type(run.asked)):
            run.may_be_lost = True

    def on_failure(self, detail: Text, *, mismatch: bool = False) -> None:
        """Drop the run and report the failure once, but a mismatch even after another failure."""
        self._run = None
        if self._failure is None or (mismatch and str(detail) != str(self._failure)):
            self._fail(detail)

    def on_session(self, state: wire.State, *, restarted_by_itself: bool) -> None:
        """Send the changes since the last session, then the recovery."""
        before, self._state = self._state, state
        if restarted_by_itself:
            self._run = None
            self._locks = state.latches
            self._fail(_RESTARTED.filled(why=WHY_RESTARTED[self._session.device.reset_cause]))
        else:
            self._report_new_locks(state)
        self._report(what_is_different(before, state))
        if self._light_on:
            self._session.give(wire.Light(1))
        self._session.motor_runs = self._run is not None
        self._recover()

    def _report(self, events: Iterable[base.DriverEvent]) -> None:
        for event in events:
            self._sink(event)

    def _fail(self, detail: Text) -> None:
        self._failure = detail
        self._sink(m.DriverFailed(detail))

    def _report_new_locks(self, state: wire.State) -> None:
        """Report new locks. A lock holds until the next run, which is only commanded after a person's reset."""
        news, self._locks = state.latches & ~self._locks, state.latches
        if news and (self._failure is None or news != wire.Latch.HOST_SILENT):  # this latch comes with every lost line
            self._fail(_why_locked(news))

    def _recover(self) -> None:
        if self._failure is not None:
            self._failure = None
            self._sink(m.DriverRecovered())

    # --- motor run ---

    def _follow_run(self, state: wire.State) -> None:
        run = self._run
        if run is None:
            return
        if state.run == run.asked.run:
            if state.run_end is not wire.FeedEnd.RUNNING:
                self._end_run(run, m.FeedEnd[state.run_end.name], state.run_cards)
        elif run.may_be_lost:
            self._end_run(run, m.FeedEnd.STOPPED, 0)

    def _end_run(self, run: _Run, cause: m.FeedEnd, cards: int) -> None:
        self._run = None
        self._session.motor_runs = False
        blocked = levels_of(self._state).exit_blocked
        if isinstance(run.asked, wire.Feed):
            self._sink(m.FeedEnded(cause, cards if self.capabilities.exit_sensor else None, blocked))
        else:
            self._sink(m.RetractEnded(cause, blocked))

    # --- levels ---

    def levels(self) -> base.Levels:
        """Return the levels of the last report."""
        if not self._session.up:
            raise base.DriverError(Text("the microcontroller does not answer; check its power and the USB cable"))
        return levels_of(self._state)

    def reread(self) -> None:
        """Request a report; or, without a line, try to open one."""
        if self._opened:
            self._session.ask_or_reopen()

    # --- commands ---

    def give(self, command: m.Command) -> None:
        if not self._opened:
            return
        match command:
            case m.Feed() | m.Retract():
                self._begin(command)
            case m.Stop():  # over a broken line the microcontroller stops by itself
                self._session.stop()
            case m.Play(chime=chime):
                self._session.give(wire.Play(wire.Chime[chime.name]))
            case m.Light(on=on):
                self._light_on = on
                self._session.give(wire.Light(int(on)))

    def _begin(self, command: m.Feed | m.Retract) -> None:
        self._run_number = self._run_number % 255 + 1
        run = _Run(_as_message(command, self._run_number))
        if self._failure is not None:
            self._end_run(run, m.FeedEnd.STOPPED, 0)
            return
        self._run = run
        self._session.motor_runs = True
        if self._locks:
            self._session.give(wire.ResetLatch())
        self._session.give(run.asked)


def _why_locked(latches: wire.Latch) -> Text:
    why, *more = [text for latch, text in _WHY_LATCHED.items() if latch in latches]
    for each in more:
        why = Text("{why} {more}").filled(why=why, more=each)
    return _LATCHED.filled(why=why)


def _as_message(command: m.Feed | m.Retract, number: int) -> wire.Feed | wire.Retract:
    duty = max(1, round(command.duty * 255))
    if isinstance(command, m.Retract):
        return wire.Retract(number, _milliseconds(command.duration_s), duty)
    timeout_ms, stall_ms, blind_ms = map(_milliseconds, (command.timeout_s, command.stall_s, command.blind_s))
    return wire.Feed(number, command.cards, timeout_ms, blind_ms, stall_ms, duty)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
