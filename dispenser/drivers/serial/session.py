"""The session with a microcontroller: handshake, heartbeat, and a new handshake after every loss.

Heartbeats show each end that the other is alive. The firmware stops the motor if the host is silent for a second, so
that no run goes on without control. A loop that is half a second late does not cut a run short.
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

BEAT_S = 0.1  # Ten heartbeats in the second after which the firmware stops the motor of a silent host
MAX_UNANSWERED = 6
"""The line counts as broken after this number of heartbeats without a report. Heartbeats are sent in a motor run, and
while a command or heartbeat is unanswered. A program that hung is back after some 0.4 s (120 ms watchdog, 260 ms
start), and reports that."""
QUIET_HELLOS = 2  # Hellos (0.5 s) after the loss of a session without a motor run, before the loss is reported
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
    """Callbacks of a session; all on the scheduler's thread."""

    def on_state(self, state: wire.State) -> None:
        """Handle a report."""

    def on_answer(self, command: wire.Message) -> None:
        """Handle the acknowledgement of a command."""

    def on_failure(self, detail: Text, *, mismatch: bool = False) -> None:
        """Handle the end of a session; commands are dropped; ``mismatch``: incompatible firmware, repeatedly."""

    def on_session(self, state: wire.State, *, restarted_by_itself: bool) -> None:
        """Handle the start of a new session, with motor, sound and light off.

        :param restarted_by_itself: the microcontroller restarted, and not because the port was reopened.
        """


class SerialSession:
    """The session with one microcontroller.

    :param port: not open yet; opened again after every loss.
    :ivar device: the microcontroller's WELCOME; after ``connect``.
    :ivar motor_runs: whether heartbeats must be sent all the time.
    """

    device: wire.Welcome

    def __init__(self, port: SerialPort, scheduler: Scheduler, listener: SessionListener) -> None:
        self._port = port
        self._scheduler = scheduler
        self._listener = listener
        self._is_open = False
        self._opened_again = False  # the port, since the last session
        self._decoder = FrameDecoder()
        self._handshake: Handshake | None = None  # the one in progress
        self._hellos = 0
        self._hello_alarm = Alarm(scheduler, self._on_hello_alarm)
        self._quiet = False  # the session was lost, which was not reported yet
        self.motor_runs = False
        self._unanswered = 0  # consecutive heartbeats
        self._beat_alarm = Alarm(scheduler, self._on_beat_alarm)
        self._sender = ReliableSender(scheduler, self._send, self._on_answer)

    # --- opening and closing ---

    @property
    def up(self) -> bool:
        """Whether there is a session."""
        return self._is_open and self._handshake is None

    def connect(self) -> wire.State:
        """Open the port, perform the handshake, return the first report; blocks up to 5 s while a boot loader runs.

        :raises PinsUnavailableError: no answer, or an incompatible firmware; the text says what to do.
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
        """Begin to pass reports to the listener. After ``connect``."""
        self._port.listen(self._received, self._on_lost)
        self._sender.begin()

    def close(self) -> None:
        """Send BYE: everything off; the microcontroller then works standalone. Idempotent."""
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
        """Stop all timers; commands wait."""
        self.motor_runs, self._unanswered = False, 0
        self._beat_alarm.off()
        self._sender.hold()
        self._hello_alarm.off()

    # --- commands ---

    def give(self, command: wire.Message) -> None:
        """Send a command; between two sessions it waits, after a failure it is dropped."""
        if self.up or self._quiet:
            self._sender.give(command)

    def stop(self) -> None:
        """Send STOP ahead of all other commands."""
        if self.up or self._quiet:
            self._sender.stop()

    def has(self, kind: type[wire.Message]) -> bool:
        """Return whether a command of this kind was given and is not acknowledged yet."""
        return self._sender.has(kind)

    def ask_or_reopen(self) -> None:
        """Request a report; or, without a line, try to open one. Called about once a second."""
        if self.up:
            self._beat()
        elif not self._is_open:
            try:
                self._port.open()
                self._is_open = self._opened_again = True
                self._port.listen(self._received, self._on_lost)
                self._shake_hands()
            except OSError:  # not available yet
                self._hang_up()

    def _send(self, frame: Frame) -> None:
        if not self._beat_alarm.is_set:
            self._beat_alarm.set(BEAT_S)
        try:
            self._port.write(on_line(frame))
        except OSError as error:
            self._on_lost(error)

    def _beat(self) -> None:
        """Send a heartbeat now, or fail after too many unanswered ones."""
        if self._unanswered >= MAX_UNANSWERED:
            self._fail(_SILENT)
            return
        self._unanswered += 1
        self._send(Frame(1, wire.Heartbeat()))

    def _on_beat_alarm(self) -> None:
        if self.motor_runs or self._unanswered or self._sender.sent:
            self._beat()

    # --- receiving ---

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
                self._begin_again()  # the new WELCOME has the cause of the restart
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

    # --- failures ---

    def _on_lost(self, error: OSError) -> None:
        self._hang_up()
        self._fail(_LOST_LINE.filled(error=error, motor_is_off=_MOTOR_IS_OFF))

    def _on_session_lost(self) -> None:
        """Handle a lost session: the microcontroller was without heartbeats and works standalone, or has restarted.

        Without a motor run that is no failure.
        """
        if self.motor_runs and not (self.has(wire.Feed) or self.has(wire.Retract)):
            self._fail(_LOST_SESSION)
        else:
            self._begin_again()

    def _begin_again(self) -> None:
        self._quiet = True
        self._shake_hands()

    def _fail(self, detail: Text) -> None:
        """Drop all commands, report that the motor cannot be commanded, and try to begin a new session."""
        self._pause()
        self._sender.forget()
        self._quiet = False
        self._listener.on_failure(detail)
        if self._is_open:
            self._shake_hands()

    # --- non-blocking handshake ---

    def _shake_hands(self) -> None:
        self._pause()
        self._handshake = Handshake()
        self._hellos = 0
        self._say_hello(self._handshake)

    def _say_hello(self, handshake: Handshake) -> None:
        if self._hellos == MAX_HELLOS and handshake.welcome is None:
            self._hang_up()  # reopening may help an adapter that hangs
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
