"""The driver for a microcontroller on a serial line, with reflexes of its own. Keeps the promises of ``drivers.base``.

The microcontroller filters its inputs, counts cards, and stops the motor at the lid and at every limit. This end asks,
listens, and tells when the line breaks: a broken line is a fault, ``reread`` opens it again, and its return is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from dispenser.clocks import Clock
from dispenser.drivers import base
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.handshake import describe
from dispenser.drivers.serial.port import SerialPort
from dispenser.drivers.serial.reports import is_older, levels_of, what_happened, what_is_different
from dispenser.drivers.serial.session import SerialSession
from dispenser.i18n import Text
from dispenser.launcher import messages as m

_MESSAGE_OF: dict[type[m.Feed | m.Retract], type[wire.Message]] = {m.Feed: wire.Feed, m.Retract: wire.Retract}
_RESTARTED = Text("The microcontroller started anew by itself: {why}. The motor is off. Then reset.")
_WHY_RESTARTED = {
    wire.ResetCause.POWER_ON: Text("its power was gone for a moment; check the cells, the plug and the USB cable"),
    wire.ResetCause.EXTERNAL: Text("something pulled its reset line; check its reset button and the USB cable"),
    wire.ResetCause.BROWN_OUT: Text(
        "its voltage fell too low; put in new cells, or give the motor a supply of its own"
    ),
    wire.ResetCause.WATCHDOG: Text("its program hung and its watchdog ended that; please report it"),
    wire.ResetCause.UNKNOWN: Text("it does not know why; check its power"),
}
_LATCHED = Text("{why} The motor is off. Look at the launcher, then reset ('dispenser reset', or the page).")
_WHY_LATCHED = {
    wire.Latch.HOST_SILENT: Text("This computer was not heard for a second while the motor ran."),
    wire.Latch.MOTOR_GUARD: Text("The motor ran past the microcontroller's own limit."),
    wire.Latch.WATCHDOG: Text("The microcontroller's program hung, or something reset it while the motor ran."),
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


class SerialDriver(base.Driver):
    """One launcher behind a serial line.

    :param link: the line, not open yet; the driver opens it, and again after every loss.
    :param scheduler: time and timers (an asyncio loop).
    :param clock: tells the microcontroller that we are alive while the scheduler is late; ``None``: a thread does.
    """

    def __init__(self, link: SerialPort, scheduler: base.Scheduler, *, clock: Clock | None = None) -> None:
        self._line = SerialSession(link, scheduler, self, clock)
        self._opened = False
        self._failure: Text | None = None  # what was told last and has not recovered
        self._told: wire.State  # the last report whose events were told
        self._locks = wire.Latch(0)  # of the motor, those that are known
        self._locks_untold = wire.Latch(0)  # those at opening, until somebody asks for the levels
        self._run: _Run | None = None
        self._run_number = 0
        self._light_on = False
        self._sink: base.Sink

    # --- opening and closing ---

    @property
    def capabilities(self) -> base.Capabilities:
        """What the microcontroller said that it can do.

        :raises DriverError: nobody has asked it yet: ``connect`` or ``open`` first.
        """
        able = self._line.device.capabilities
        return base.Capabilities(
            exit_sensor=wire.Capability.EXIT_SENSOR in able, retract=wire.Capability.RETRACT in able
        )

    @property
    def about(self) -> Text:
        return Text("Firmware of the microcontroller: {firmware}").filled(firmware=describe(self._line.device))

    def connect(self) -> None:
        """Shake hands; waits for that, up to 5 s while a boot loader runs. ``open`` does it, too.

        :raises PinsUnavailableError: nobody there, or a program that does not fit; says what to do.
        """
        self._told = self._line.connect()

    def open(self, sink: base.Sink, record_edge: Callable[[base.Edge], None] | None = None) -> None:  # noqa: ARG002
        """Take the line, everything off; from now on events go to ``sink``.

        Raw edges are not recorded: the microcontroller filters them itself and tells levels that count.
        """
        self.connect()
        self._sink = sink
        self._run, self._light_on, self._failure = None, False, None
        self._line.listen()
        self._opened = True
        self._locks = self._locks_untold = self._told.latches

    def close(self) -> None:
        """Motor, beeper and light off; the microcontroller plays alone from now on. May be called twice."""
        self._opened = False
        self._line.close()

    # --- what the line tells (LineEars) ---

    def on_state(self, state: wire.State) -> None:
        """Tell what happened since the last report."""
        if is_older(state, self._told):
            return
        before, self._told = self._told, state
        self._look_at_locks(state)
        self._tell(what_happened(before, state))
        self._look_at_run(state)
        if self._run is None:
            self._recover()

    def on_answer(self, command: wire.Message) -> None:
        """A STOP that overtook a run was heard: the next report shows whether the run ever began."""
        if isinstance(command, wire.Stop) and self._run is not None and self._run.overtaken:
            self._run.doubtful = True

    def on_failure(self, detail: Text, *, must_be_read: bool = False) -> None:
        """Whatever ran is over, and the machine hears of it once; of what must be read even after another failure."""
        self._run = None
        if self._failure is None or (must_be_read and str(detail) != str(self._failure)):
            self._fail(detail)

    def on_session(self, before: wire.Welcome, state: wire.State, *, expected: bool) -> None:
        """Tell what has changed meanwhile, then that all is well."""
        told, self._told = self._told, state
        device = self._line.device
        if device.boot_id == before.boot_id or expected:
            self._look_at_locks(state)
        else:
            self._run = None
            self._locks = state.latches
            self._fail(_RESTARTED.filled(why=_WHY_RESTARTED[device.reset_cause]))
        if device.boot_id == before.boot_id:
            self._tell(what_happened(told, state, apart=True))
        else:
            self._tell(what_is_different(told, state))
        if self._light_on:
            self._line.give(wire.Light(1))
        self._line.motor_runs(running=self._run is not None)
        self._recover()

    def _tell(self, events: Iterable[base.DriverEvent]) -> None:
        for event in events:
            self._sink(event)

    def _fail(self, detail: Text) -> None:
        self._failure = detail
        self._sink(m.DriverFailed(detail))

    def _look_at_locks(self, state: wire.State) -> None:
        """Tell of a lock once. It holds until the next run, which nobody asks for before a person has reset."""
        news, self._locks = state.latches & ~self._locks, state.latches
        if news and (self._failure is None or news != wire.Latch.HOST_SILENT):  # which comes with every lost line
            self._fail(_why_locked(news))

    def _recover(self) -> None:
        if self._failure is not None:
            self._failure = None
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

    def levels(self) -> base.Levels:
        """What the last report told."""
        locks, self._locks_untold = self._locks_untold, wire.Latch(0)
        if locks and self._line.up:
            raise base.LockedError(_why_locked(locks), levels_of(self._told))
        if locks:
            raise base.DriverError(_why_locked(locks))
        if not self._line.up:
            raise base.DriverError(Text("the microcontroller does not answer; check its power and the USB cable"))
        return levels_of(self._told)

    def reread(self) -> None:
        """Ask for a report; or, without a line, try to open one."""
        if self._opened:
            self._line.look()

    # --- commands ---

    def give(self, command: m.Command) -> None:
        match command:
            case m.Light(on=on):
                self._light_on = on
                if self._opened:
                    self._line.give(wire.Light(int(on)))
            case _ if not self._opened:
                pass
            case m.Feed() | m.Retract():
                self._begin(command)
            case m.Stop():  # over a broken line the microcontroller does that by itself
                if self._run is not None and self._line.has(_MESSAGE_OF[self._run.kind]):
                    self._run.overtaken = True
                self._line.stop()
            case m.Play(chime=chime):
                self._line.give(wire.Play(wire.Chime[chime.name]))

    def _begin(self, command: m.Feed | m.Retract) -> None:
        self._run_number = self._run_number % 255 + 1
        run = _Run(self._run_number, type(command))
        if self._failure is not None or self._locks_untold:
            self._end_run(run, m.FeedEnd.STOPPED, 0)
            return
        self._run = run
        self._line.motor_runs(running=True)
        if self._locks:
            self._line.give(wire.ResetLatch())
        self._line.give(_as_message(command, run.number))


def _why_locked(latches: wire.Latch) -> Text:
    why, *more = [text for latch, text in _WHY_LATCHED.items() if latch in latches]
    for each in more:
        why = Text("{why} {more}").filled(why=why, more=each)
    return _LATCHED.filled(why=why)


def _as_message(command: m.Feed | m.Retract, number: int) -> wire.Message:
    duty = max(1, round(command.duty * 255))
    if isinstance(command, m.Retract):
        return wire.Retract(number, _milliseconds(command.duration_s), duty)
    timeout_ms, stall_ms, blind_ms = map(_milliseconds, (command.timeout_s, command.stall_s, command.blind_s))
    return wire.Feed(number, command.cards, timeout_ms, blind_ms, stall_ms, duty)


def _milliseconds(seconds: float) -> int:
    return max(1, round(seconds * 1000))
