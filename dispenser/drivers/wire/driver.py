"""The driver for a microcontroller on a serial line, with reflexes of its own. Keeps the promises of ``drivers.base``.

The microcontroller filters its inputs, counts cards, and stops the motor at the lid and at every limit. This end asks,
listens, and tells when the line breaks: a broken line is a fault, ``reread`` opens it again, and its return is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dispenser.clocks import Clock
from dispenser.drivers.base import (
    Capabilities,
    Driver,
    DriverError,
    DriverEvent,
    Edge,
    Levels,
    LockedError,
    Scheduler,
    Sink,
)
from dispenser.drivers.wire import tables as wire
from dispenser.drivers.wire.greeting import describe
from dispenser.drivers.wire.line import SerialLine
from dispenser.drivers.wire.link import Link
from dispenser.drivers.wire.reports import is_older, levels_of, what_happened, what_is_different
from dispenser.language import Text, verbatim
from dispenser.launcher import messages as m

_MESSAGE_OF: dict[type[m.Feed | m.Retract], type[wire.Message]] = {m.Feed: wire.Feed, m.Retract: wire.Retract}
_WHY_RESTARTED = {
    wire.ResetCause.POWER_ON: "its power was gone for a moment; check the cells, the plug and the USB cable",
    wire.ResetCause.EXTERNAL: "something pulled its reset line; check its reset button and the USB cable",
    wire.ResetCause.BROWN_OUT: "its voltage fell too low; put in new cells, or give the motor a supply of its own",
    wire.ResetCause.WATCHDOG: "its program hung and its watchdog ended that; please report it",
    wire.ResetCause.UNKNOWN: "it does not know why; check its power",
}
_WHY_LATCHED = {
    wire.Latch.HOST_SILENT: "This computer was not heard for a second while the motor ran.",
    wire.Latch.MOTOR_GUARD: "The motor ran past the microcontroller's own limit.",
    wire.Latch.WATCHDOG: "The microcontroller's program hung, or something reset it while the motor ran.",
}


@dataclass(slots=True)
class _Run:
    """The motor run that was asked for and whose end has not been told.

    :ivar overtaken: a STOP went ahead of it, so it may never begin.
    :ivar doubtful: that STOP was acknowledged: the next report shows whether the run ever began.
    """

    number: int
    kind: type[m.Feed | m.Retract]
    overtaken: bool = False
    doubtful: bool = False


class SerialDriver(Driver):
    """One launcher behind a serial line.

    :param link: the line, not open yet; the driver opens it, and again after every loss.
    :param scheduler: time and timers (an asyncio loop).
    :param clock: tells the microcontroller that we are alive while the scheduler is late; ``None``: a thread does.
    """

    def __init__(self, link: Link, scheduler: Scheduler, *, clock: Clock | None = None) -> None:
        self._line = SerialLine(link, scheduler, self, clock)
        self._opened = False
        self._failure = ""  # what was told last and has not recovered
        self._told: wire.State  # the last report whose events were told
        self._locks = wire.Latch(0)  # of the motor, those that are known
        self._untold = ""  # why it was locked at opening, until somebody asks for the levels
        self._run: _Run | None = None
        self._run_number = 0
        self._light_on = False
        self._sink: Sink

    # --- opening and closing ---

    @property
    def capabilities(self) -> Capabilities:
        """What the microcontroller said that it can do.

        :raises DriverError: nobody has asked it yet: ``connect`` or ``open`` first.
        """
        able = self.device.capabilities
        return Capabilities(
            exit_sensor=wire.Capability.EXIT_SENSOR in able,
            retract=wire.Capability.RETRACT in able,
        )

    @property
    def device(self) -> wire.Welcome:
        """Who is at the other end: firmware version, dictionary, board, reset cause.

        :raises DriverError: nobody has asked it yet: ``connect`` or ``open`` first.
        """
        return self._line.device

    @property
    def about(self) -> str:
        return f"Firmware of the microcontroller: {describe(self.device)}"

    def connect(self) -> None:
        """Shake hands; waits for that, up to 5 s while a boot loader runs. ``open`` does it, too.

        :raises PinsUnavailableError: nobody there, or a program that does not fit; says what to do.
        """
        self._told = self._line.connect()

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:  # noqa: ARG002
        """Take the line, everything off; from now on events go to ``sink``.

        Raw edges are not recorded: the microcontroller filters them itself and tells levels that count.
        """
        self.connect()
        self._sink = sink
        self._run, self._light_on, self._failure = None, False, ""
        self._line.listen()
        self._opened = True
        self._untold, self._locks = _why_locked(self._told.latches), self._told.latches

    def close(self) -> None:
        """Motor, beeper and light off; the microcontroller plays alone from now on. May be called twice."""
        self._opened = False
        self._line.close()

    # --- what the line tells (LineEars) ---

    def on_state(self, state: wire.State) -> None:
        """A report: tell what happened since the last one."""
        if is_older(state, self._told):
            return
        before, self._told = self._told, state
        self._look_at_locks(state)
        self._tell(what_happened(before, state))
        self._look_at_run(state)
        if self._run is None:
            self._recover()

    def on_answer(self, command: wire.Message, result: wire.Result) -> None:  # noqa: ARG002
        """A STOP that overtook a run was heard: the next report shows whether the run ever began."""
        if isinstance(command, wire.Stop) and self._run is not None and self._run.overtaken:
            self._run.doubtful = True

    def on_failure(self, detail: str) -> None:
        """No session: whatever ran is over, and the machine hears of it once."""
        self._run = None
        if not self._failure:
            self._tell_failure(detail)

    def on_mismatch(self, detail: str) -> None:
        """Whoever reads it must know, even after another failure; but once."""
        self._run = None
        if detail != self._failure:
            self._tell_failure(detail)

    def on_session(self, before: wire.Welcome, state: wire.State, *, expected: bool) -> None:
        """In session again: tell what has changed meanwhile, then that all is well."""
        told, self._told = self._told, state
        if self.device.boot_id == before.boot_id or expected:
            self._look_at_locks(state)
        if self.device.boot_id == before.boot_id:
            self._tell(what_happened(told, state, apart=True))
        else:
            if not expected:
                why = _WHY_RESTARTED[self.device.reset_cause]
                self._run = None
                self._locks = state.latches
                self._tell_failure(f"The microcontroller started anew by itself: {why}. The motor is off. Then reset.")
            self._tell(what_is_different(told, state))
        if self._light_on:
            self._line.give(wire.Light(1))
        self._line.motor_runs(running=self._run is not None)
        self._recover()

    def _tell(self, events: Iterable[DriverEvent]) -> None:
        for event in events:
            self._sink(event)

    def _tell_failure(self, detail: str) -> None:
        self._failure = detail
        self._sink(m.DriverFailed(detail))

    def _look_at_locks(self, state: wire.State) -> None:
        """Tell of a lock once. It holds until the next run, which nobody asks for before a person has reset."""
        news, self._locks = state.latches & ~self._locks, state.latches
        if news and (not self._failure or news != wire.Latch.HOST_SILENT):  # which comes with every lost line
            self._tell_failure(_why_locked(news))

    def _recover(self) -> None:
        if self._failure:
            self._failure = ""
            self._sink(m.DriverRecovered())

    # --- the run ---

    def _look_at_run(self, state: wire.State) -> None:
        run = self._run
        if run is None:
            return
        if state.run == run.number:
            self._line.done(_MESSAGE_OF[run.kind])
            if state.run_end is not wire.FeedEnd.RUNNING:
                self._end_run(run, m.FeedEnd[state.run_end.name], state.run_cards)
        elif run.doubtful:
            self._end_run(run, m.FeedEnd.STOPPED, 0)

    def _end_run(self, run: _Run, cause: m.FeedEnd, cards: int) -> None:
        self._run = None
        self._line.motor_runs(running=False)
        blocked = levels_of(self._told).exit_blocked
        if run.kind is m.Feed:
            self._sink(m.FeedEnded(cause, cards if self.capabilities.exit_sensor else None, blocked))
        else:
            self._sink(m.RetractEnded(cause, blocked))

    # --- levels ---

    def levels(self) -> Levels:
        """What the last report told.

        :raises LockedError: once: the microcontroller had locked the motor before ``open``.
        :raises DriverError: it does not answer.
        """
        locked, self._untold = self._untold, ""
        if not self._line.up:
            silent = Text("the microcontroller does not answer; check its power and the USB cable")
            raise DriverError(verbatim(locked) if locked else silent)
        levels = levels_of(self._told)
        if locked:
            raise LockedError(verbatim(locked), levels)
        return levels

    def reread(self) -> None:
        """Ask for a report; or, without a line, try to open one."""
        if self._opened:
            self._line.look()

    # --- commands ---

    def give(self, command: m.Command) -> None:
        """Of a feed: ``FeedEnded``, and of a retract: ``RetractEnded``, unless a ``DriverFailed`` says all."""
        match command:
            case m.Feed():
                run = self._next_run(m.Feed)
                message = wire.Feed(
                    run=run.number,
                    cards=command.cards,
                    timeout_ms=_milliseconds(command.timeout_s),
                    blind_ms=_milliseconds(command.blind_s),
                    stall_ms=_milliseconds(command.stall_s),
                    duty=_duty(command),
                )
                self._begin(run, message)
            case m.Retract():
                run = self._next_run(m.Retract)
                self._begin(run, wire.Retract(run.number, _milliseconds(command.duration_s), _duty(command)))
            case m.Stop():
                self._stop()
            case m.Play() if self._opened:
                self._line.give(wire.Play(wire.Chime[command.chime.name]))
            case m.Light():
                self._light_on = command.on
                if self._opened:
                    self._line.give(wire.Light(int(command.on)))

    def _next_run(self, kind: type[m.Feed | m.Retract]) -> _Run:
        self._run_number = self._run_number % 255 + 1
        return _Run(self._run_number, kind)

    def _begin(self, run: _Run, message: wire.Feed | wire.Retract) -> None:
        if not self._opened:
            return
        if self._failure or self._untold:
            self._end_run(run, m.FeedEnd.STOPPED, 0)
            return
        self._run = run
        self._line.motor_runs(running=True)
        if self._locks:
            self._line.give(wire.ResetLatch())
        self._line.give(message)

    def _stop(self) -> None:
        """Motor off, now. Over a broken line the microcontroller does that by itself."""
        if self._opened:
            if self._run is not None and self._line.has(_MESSAGE_OF[self._run.kind]):
                self._run.overtaken = True
            self._line.stop()


def _why_locked(latches: wire.Latch) -> str:
    if not latches:
        return ""
    why = " ".join(text for latch, text in _WHY_LATCHED.items() if latch in latches)
    return f"{why} The motor is off. Look at the launcher, then reset ('dispenser reset', or the page)."


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))


def _duty(command: m.Feed | m.Retract) -> int:
    return max(1, round(command.duty * 255))
