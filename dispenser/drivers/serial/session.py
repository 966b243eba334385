"""The session with a microcontroller: handshake, heartbeat, and a new handshake after every loss.

By heartbeats each end learns that the other is alive. The firmware stops the motor of a host that is silent for a
second, because a run that nobody can stop must end. A loop that is late by half a second cuts no run short.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Protocol

from dispenser.drivers.base import Alarm, PinsUnavailableError, Scheduler
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame, FrameDecoder
from dispenser.drivers.serial.handshake import (
    HELLO_S,
    MAX_HELLOS,
    FirmwareMismatchError,
    Handshake,
    NoAnswerError,
    on_line,
    shake_hands,
)
from dispenser.drivers.serial.port import SerialPort
from dispenser.drivers.serial.reliable_sender import ReliableSender
from dispenser.i18n import Text

BEAT_S = 0.1  # Ten beats in the second after which the firmware stops the motor of a silent host
MAX_UNANSWERED = 6
"""After so many beats in a row without any report the line counts as broken; they go out while the motor runs, and
while a command or a beat is not answered. A program that hung is back after some 0.4 s (120 ms watchdog, 260 ms start),
and then reports that itself."""
QUIET_HELLOS = 2  # A session that was lost while nothing ran gets so many hellos (0.5 s) before that is reported
_CLOSER = Text("{error}. 'dispenser doctor --driver serial' looks closer")
_UNREACHABLE = Text("cannot reach the microcontroller: {error}")
_MISMATCH = Text("No launcher: {error}.")
_MOTOR_IS_OFF = Text("The motor is off: the microcontroller stops it by itself when it no longer hears from here.")
_SILENT = Text("The microcontroller does not answer. {motor_is_off} Check its power and the USB cable.").filled(
    motor_is_off=_MOTOR_IS_OFF
)
_LOST_SESSION = Text("The microcontroller lost its session with this computer in a motor run. {motor_is_off}").filled(
    motor_is_off=_MOTOR_IS_OFF
)
_LOST_LINE = Text("The line to the microcontroller is gone: {error}. {motor_is_off} Check the USB cable.")
_REFUSAL = Text("The microcontroller refused {command} ({result}). Please report it, then reset.")


class SessionListener(Protocol):
    """Gets what comes over the line; all on the scheduler's thread."""

    def on_state(self, state: wire.State) -> None:
        """A report."""

    def on_answer(self, command: wire.Message) -> None:
        """A command was acknowledged."""

    def on_failure(self, detail: Text, *, mismatch: bool = False) -> None:
        """The session is over, commands are forgotten; ``mismatch``: what answers, repeatedly, does not fit."""

    def on_session(self, state: wire.State, *, restarted_by_itself: bool) -> None:
        """A session has begun again, motor, sound and light off.

        :param restarted_by_itself: the microcontroller has, and not because the port was opened again.
        """


class SerialSession:
    """The session with one microcontroller.

    :param port: not open yet; opened again after every loss.
    :ivar device: what the microcontroller says of itself; after ``connect``.
    :ivar motor_runs: so the microcontroller must hear all the time that we are alive.
    """

    device: wire.Welcome

    def __init__(self, port: SerialPort, scheduler: Scheduler, listener: SessionListener) -> None:
        self._port = port
        self._scheduler = scheduler
        self._listener = listener
        self._is_open = False
        self._opened_again = False  # the port, since the last session
        self._decoder = FrameDecoder()
        self._handshake: Handshake | None = None  # under way
        self._hellos = 0
        self._hello_alarm = Alarm(scheduler, self._on_hello_alarm)
        self._quiet = False  # the session was lost, and nobody has been told yet
        self.motor_runs = False
        self._unanswered = 0  # heartbeats in a row
        self._beat_alarm = Alarm(scheduler, self._on_beat_alarm)
        self._sender = ReliableSender(scheduler, self._send, self._on_answer)

    # --- opening and closing ---

    @property
    def up(self) -> bool:
        """There is a session."""
        return self._is_open and self._handshake is None

    def connect(self) -> wire.State:
        """Open the port, shake hands, return the first report; waits, up to 5 s while a boot loader runs.

        :raises PinsUnavailableError: nobody there, or a program that does not fit; says what to do.
        """
        try:
            if not self._is_open:
                self._port.open()
            self._is_open = True
            self.device, state = shake_hands(self._port, self._scheduler.time)
        except FirmwareMismatchError:
            self._hang_up()
            raise
        except OSError as error:
            self._hang_up()
            why = error.text if isinstance(error, NoAnswerError) else _UNREACHABLE.filled(error=error)
            raise PinsUnavailableError(_CLOSER.filled(error=why)) from error
        self._quiet = self._opened_again = False
        return state

    def listen(self) -> None:
        """From now on the listener gets what comes. After ``connect``."""
        self._port.listen(self._received, self._on_lost)
        self._sender.begin()

    def close(self) -> None:
        """Say goodbye: everything off; the microcontroller plays alone from now on. May be called twice."""
        self._pause()
        self._sender.forget()
        if self._is_open:
            with suppress(OSError):
                self._port.write(on_line(Frame(0, wire.Bye())))
        self._hang_up()

    def _hang_up(self) -> None:
        self._is_open, self._handshake = False, None
        self._port.close()

    def _pause(self) -> None:
        """No timer of ours; commands wait."""
        self.motor_runs, self._unanswered = False, 0
        self._beat_alarm.off()
        self._sender.hold()
        self._hello_alarm.off()

    # --- commands ---

    def give(self, command: wire.Message) -> None:
        """Send a command; between two sessions it waits, and after a failure it is forgotten."""
        if self.up or self._quiet:
            self._sender.give(command)

    def stop(self) -> None:
        """Send STOP ahead of everything."""
        if self.up or self._quiet:
            self._sender.stop()

    def has(self, kind: type[wire.Message]) -> bool:
        """Whether a command of this kind was given and, as far as is known, has not arrived yet."""
        return self._sender.has(kind)

    def ask_or_reopen(self) -> None:
        """Ask for a report; or, without a line, try to open one. Called about once a second."""
        if self.up:
            self._beat()
        elif not self._is_open:
            try:
                self._port.open()
                self._is_open = self._opened_again = True
                self._port.listen(self._received, self._on_lost)
                self._shake_hands()
            except OSError:  # not yet
                self._hang_up()

    def _send(self, frame: Frame) -> None:
        if not self._beat_alarm.is_set:
            self._beat_alarm.set(BEAT_S)
        try:
            self._port.write(on_line(frame))
        except OSError as error:
            self._on_lost(error)

    def _beat(self) -> None:
        """One heartbeat now."""
        if self._unanswered >= MAX_UNANSWERED:
            self._fail(_SILENT)
            return
        self._unanswered += 1
        self._send(Frame(1, wire.Heartbeat()))

    def _on_beat_alarm(self) -> None:
        if self.motor_runs or self._unanswered or self._sender.sent:
            self._beat()

    # --- what comes ---

    def _received(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            if self._handshake is not None:
                self._on_handshake_frame(self._handshake, frame)
            elif self._is_open:
                self._on_frame(frame)

    def _on_frame(self, frame: Frame) -> None:
        match frame.message:
            case wire.Ack() as ack:
                self._sender.acknowledged(frame.sequence, ack)
            case wire.State() as state if state.boot_id != self.device.boot_id:
                self._begin_again()  # and then it is known why it restarted
            case wire.State() as state if wire.Level.HOSTED not in state.levels:
                self._on_session_lost()
            case wire.State() as state:
                self._unanswered = 0
                self._listener.on_state(state)

    def _on_answer(self, command: wire.Message, result: wire.Result) -> None:
        if result is wire.Result.NO_SESSION:
            self._sender.hold()
            self._sender.put_back(command)
            self._on_session_lost()
        elif result in (wire.Result.BAD_ARGUMENT, wire.Result.UNKNOWN_COMMAND):
            self._fail(_REFUSAL.filled(command=command, result=result.name.lower()))
        else:
            self._listener.on_answer(command)

    # --- trouble ---

    def _on_lost(self, error: OSError) -> None:
        self._hang_up()
        self._fail(_LOST_LINE.filled(error=error, motor_is_off=_MOTOR_IS_OFF))

    def _on_session_lost(self) -> None:
        """The microcontroller has not heard from us for so long that it plays alone, or has just restarted.

        While nothing runs that is no failure.
        """
        if self.motor_runs and not (self.has(wire.Feed) or self.has(wire.Retract)):
            self._fail(_LOST_SESSION)
        else:
            self._begin_again()

    def _begin_again(self) -> None:
        self._quiet = True
        self._shake_hands()

    def _fail(self, detail: Text) -> None:
        """The motor cannot be commanded: forget everything, report it, and try to begin again."""
        self._pause()
        self._sender.forget()
        self._quiet = False
        self._listener.on_failure(detail)
        if self._is_open:
            self._shake_hands()

    # --- beginning a session again, without waiting ---

    def _shake_hands(self) -> None:
        self._pause()
        self._handshake = Handshake()
        self._hellos = 0
        self._say_hello(self._handshake)

    def _say_hello(self, handshake: Handshake) -> None:
        if self._hellos == MAX_HELLOS and handshake.welcome is None:
            self._hang_up()  # an adapter that hangs may work again when it is opened again
            return
        self._hellos += 1
        self._hello_alarm.set(HELLO_S)
        self._send(handshake.hello)

    def _on_hello_alarm(self) -> None:
        if self._quiet and self._hellos >= QUIET_HELLOS:
            self._fail(_SILENT)
        elif self._handshake is not None:
            self._say_hello(self._handshake)

    def _on_handshake_frame(self, handshake: Handshake, frame: Frame) -> None:
        try:
            if (session := handshake.handle(frame)) is not None:
                self._begin_session(*session)
        except FirmwareMismatchError as error:
            self._quiet = False
            self._sender.forget()
            self._listener.on_failure(_MISMATCH.filled(error=error), mismatch=True)

    def _begin_session(self, welcome: wire.Welcome, state: wire.State) -> None:
        self._pause()
        restarted = welcome.boot_id != self.device.boot_id
        if restarted:
            self._sender.forget()
        self.device, self._handshake, self._quiet = welcome, None, False
        by_itself, self._opened_again = restarted and not self._opened_again, False
        self._listener.on_session(state, restarted_by_itself=by_itself)
        if self.up:
            self._sender.begin()
