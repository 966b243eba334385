"""The session with the microcontroller over one serial line: begun, kept alive, and begun again after every loss.

Two threads meet here. The *clock's* says that we are alive while the loop is late; it writes to the line, under the
lock under which the loop writes and closes, and touches nothing else. All else belongs to the *loop*.
"""

from __future__ import annotations

import enum
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from dispenser.clocks import Clock
from dispenser.drivers.base import Alarm, DriverError, PinsUnavailableError, Scheduler
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
from dispenser.drivers.serial.heartbeat import BackupHeartbeat, Heartbeat
from dispenser.drivers.serial.port import SerialPort
from dispenser.drivers.serial.reliable_sender import REFUSED, ReliableSender
from dispenser.i18n import Text

QUIET_HELLOS = 4
"""A session that has lapsed is begun anew without a word if the microcontroller answers within so many hellos."""
RESTART_HELLOS = 2
"""After a silence, or when a run has lost its session, the microcontroller gets so many hellos (0.5 s) before that is
told: a program that hangs is back after some 0.4 s (120 ms watchdog, 260 ms start), and then there is more to tell."""
GOODBYES = 3
"""Nobody waits for the answer to a goodbye, so it is said more than once."""
_CLOSER = Text("{error}. 'dispenser doctor --driver serial' looks closer")
_UNREACHABLE = Text("cannot reach the microcontroller: {error}")
_NOT_ASKED = Text("the microcontroller has not been asked yet who it is: call connect() or open() first")
_OTHER_PARTS = Text("another launcher was plugged in, with other parts; start this program anew")
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


class LineEars(Protocol):
    """Who hears what comes over the line; all on the scheduler's thread."""

    def on_state(self, state: wire.State) -> None:
        """A report."""

    def on_answer(self, command: wire.Message) -> None:
        """A command was acknowledged."""

    def on_failure(self, detail: Text, *, must_be_read: bool = False) -> None:
        """There is no session any more, and every command is forgotten.

        :param must_be_read: somebody answers, but not a launcher that fits. Told again and again.
        """

    def on_session(self, before: wire.Welcome, state: wire.State, *, expected: bool) -> None:
        """A session has begun anew. Motor, sound and light are off there.

        :param before: what the microcontroller said of itself before; ``SerialSession.device`` is what it says now.
        :param expected: we have opened the line, which may restart the microcontroller.
        """


class _Stage(enum.Enum):
    CLOSED = "no line"
    GREETING = "a hello awaits its answer"
    UP = "in session"


class SerialSession:
    """One line to one microcontroller.

    :param link: not open yet; opened again after every loss.
    :param clock: says that we are alive while the loop is late; ``None``: a thread of its own does.
    """

    def __init__(self, link: SerialPort, scheduler: Scheduler, ears: LineEars, clock: Clock | None = None) -> None:
        self._link = link
        self._scheduler = scheduler
        self._ears = ears
        self._stage = _Stage.CLOSED
        self._expected = False  # we have opened the line since the last session
        self._decoder = FrameDecoder()
        self._greeting = Handshake()
        self._quiet = False  # nobody has been told that the session lapsed
        self._trouble: Text | None = None  # what to tell of that, unless the microcontroller started anew: it tells why
        self._hellos = 0
        self._hello_alarm = Alarm(scheduler, self._on_hello_alarm)
        self._welcome: wire.Welcome | None = None
        self._beat_number = 0
        self._courier = ReliableSender(scheduler, self._send, self._on_answer, self._on_silence)
        self._signs = BackupHeartbeat(clock, self._send_life_sign)
        self._pulse = Heartbeat(scheduler, self._signs, self._send_beat, self._on_silence)
        self._writing = threading.Lock()

    # --- opening and closing ---

    @property
    def device(self) -> wire.Welcome:
        """What the microcontroller says of itself.

        :raises DriverError: nobody has asked it yet.
        """
        if self._welcome is None:
            raise DriverError(_NOT_ASKED)
        return self._welcome

    @property
    def up(self) -> bool:
        """There is a session."""
        return self._stage is _Stage.UP

    def connect(self) -> wire.State:
        """Open the line, shake hands, return the first report; waits, up to 5 s while a boot loader runs.

        :raises PinsUnavailableError: nobody there, or a program that does not fit; says what to do.
        """
        with self._reached():
            if self._stage is _Stage.CLOSED:
                self._link.open()
            self._welcome, state = shake_hands(self._link, self._scheduler.time)
        self._stage = _Stage.UP
        self._quiet = self._expected = False
        return state

    def listen(self) -> None:
        """From now on ``ears`` hear what comes. After ``connect``.

        :raises PinsUnavailableError: the line is gone again.
        """
        with self._reached():
            self._listen()
        self._courier.begin()

    @contextmanager
    def _reached(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._hang_up()
            if isinstance(error, FirmwareMismatchError):
                raise
            if isinstance(error, NoAnswerError):
                raise NoAnswerError(_CLOSER.filled(error=error)) from error
            raise PinsUnavailableError(_CLOSER.filled(error=_UNREACHABLE.filled(error=error))) from error

    def _listen(self) -> None:
        self._decoder = FrameDecoder()
        self._link.listen(self._take, self._on_lost)

    def close(self) -> None:
        """Say goodbye: everything off; the microcontroller plays alone from now on. May be called twice."""
        self._rest()
        self._courier.forget()
        if self._stage is not _Stage.CLOSED:
            with suppress(OSError):
                for _ in range(GOODBYES):
                    self._link.write(on_line(Frame(0, wire.Bye())))
        self._hang_up()
        self._signs.close()

    def _hang_up(self) -> None:
        with self._writing:
            self._stage = _Stage.CLOSED
            self._link.close()

    def _rest(self) -> None:
        """No timer of ours; commands wait."""
        self._pulse.rest()
        self._courier.hold()
        self._hello_alarm.off()

    # --- commands ---

    def give(self, command: wire.Message) -> None:
        """Send a command; between two sessions it waits, and after a failure it is forgotten."""
        if self.up or self._quiet:
            self._courier.give(command)

    def stop(self) -> None:
        """Send STOP ahead of everything."""
        if self.up or self._quiet:
            self._courier.stop()

    def has(self, kind: type[wire.Message]) -> bool:
        """Whether a command of this kind was given and, as far as is known, not heard yet."""
        return self._courier.has(kind)

    def done(self, kind: type[wire.Message]) -> None:
        """A report shows that a command of this kind was heard, whatever became of its acknowledgement."""
        self._courier.drop(kind)

    def motor_runs(self, *, running: bool) -> None:
        """While it does, the microcontroller must hear all the time that we are alive."""
        self._pulse.run(running=running)

    def look(self) -> None:
        """Ask for a report; or, without a line, try to open one. Called about once a second."""
        if self.up:
            self._pulse.beat()
        elif self._stage is _Stage.CLOSED:
            try:
                self._link.open()
                self._expected = True
                self._listen()
                self._greet()
            except OSError:  # not yet
                self._hang_up()

    def _send(self, frame: Frame) -> None:
        self._write(on_line(frame))

    def _send_beat(self) -> None:
        self._beat_number = self._beat_number % 255 + 1
        self._send(Frame(self._beat_number, wire.Heartbeat()))

    def _write(self, data: bytes) -> None:
        try:
            with self._writing:
                self._link.write(data)
        except OSError as error:
            self._on_lost(error)

    # --- the clock's thread: writes, nothing else ---

    def _send_life_sign(self) -> None:
        """What is wrong with the line, and whether an answer comes, is for the loop to judge."""
        with self._writing, suppress(OSError):
            if self._stage is _Stage.UP:
                self._link.write(on_line(Frame(0, wire.Heartbeat())))

    # --- what comes ---

    def _take(self, data: bytes) -> None:
        for frame in self._decoder.feed(data):
            if self._stage is _Stage.GREETING:
                self._take_greeting(frame)
            elif self._stage is _Stage.UP:
                self._take_frame(frame)

    def _take_frame(self, frame: Frame) -> None:
        match frame.message:
            case wire.Ack() as ack:
                self._courier.acknowledged(frame.sequence, ack)
            case wire.State() as state if state.boot_id != self.device.boot_id or wire.Level.HOSTED not in state.levels:
                self._on_session_lost()
            case wire.State() as state:
                self._pulse.heard()
                self._ears.on_state(state)

    def _on_answer(self, command: wire.Message, result: wire.Result) -> None:
        if result is wire.Result.NO_SESSION:
            self._courier.hold()
            self._courier.put_back(command)
            self._on_session_lost()
        elif result in REFUSED:
            self.fail(_REFUSAL.filled(command=command, result=result.name.lower()))
        else:
            self._ears.on_answer(command)

    # --- trouble ---

    def _on_lost(self, error: OSError) -> None:
        self._hang_up()
        self.fail(_LOST_LINE.filled(error=error, motor_is_off=_MOTOR_IS_OFF))

    def _on_silence(self) -> None:
        if self.up:
            self._await_restart(_SILENT)
        else:
            self.fail(self._trouble or _SILENT)

    def _on_session_lost(self) -> None:
        """It has started anew, or has not heard from us for so long that it plays alone: begin a session again.

        While nothing runs that is no failure; if it has started anew, the next ``on_session`` tells.
        """
        if self._pulse.running and not (self.has(wire.Feed) or self.has(wire.Retract)):
            self._await_restart(_LOST_SESSION)
        else:
            self._quiet = True
            self._greet()

    def _await_restart(self, trouble: Text) -> None:
        """Whatever was asked is over; who tells it, and how, is known when the microcontroller answers, or does not."""
        self._courier.forget()
        self._quiet, self._trouble = True, trouble
        self._greet()

    def fail(self, detail: Text) -> None:
        """The motor cannot be commanded: forget everything, say so, and try to begin anew."""
        self._rest()
        self._courier.forget()
        self._quiet, self._trouble = False, None
        self._ears.on_failure(detail)
        if self._stage is not _Stage.CLOSED:
            self._greet()

    # --- beginning a session anew, without waiting ---

    def _greet(self) -> None:
        self._rest()
        self._stage = _Stage.GREETING
        self._greeting = Handshake()
        self._hellos = 0
        self._say_hello()

    def _say_hello(self) -> None:
        if self._hellos == MAX_HELLOS and self._greeting.welcome is None:
            self._hang_up()  # an adapter that hangs may be woken by opening it again
            return
        self._hellos += 1
        self._hello_alarm.set(HELLO_S)
        self._write(self._greeting.hello)

    def _on_hello_alarm(self) -> None:
        if self._quiet and self._hellos >= (RESTART_HELLOS if self._trouble else QUIET_HELLOS):
            self._on_silence()
        else:
            self._say_hello()

    def _take_greeting(self, frame: Frame) -> None:
        try:
            if (session := self._greeting.take(frame)) is not None:
                self._begin_session(*session)
        except FirmwareMismatchError as error:
            self._quiet, self._trouble = False, None
            self._courier.forget()
            self._ears.on_failure(_MISMATCH.filled(error=error), must_be_read=True)

    def _begin_session(self, welcome: wire.Welcome, state: wire.State) -> None:
        before = self.device
        if welcome.capabilities != before.capabilities:
            raise FirmwareMismatchError(_OTHER_PARTS, welcome)
        self._rest()
        trouble, self._trouble = self._trouble, None
        same_start = welcome.boot_id == before.boot_id
        if trouble or not same_start:
            self._courier.forget()
        if trouble and same_start:
            self._ears.on_failure(trouble)
        self._welcome = welcome
        self._stage, self._quiet = _Stage.UP, False
        expected, self._expected = self._expected, False
        self._ears.on_session(before, state, expected=expected)
        if self.up:
            self._courier.begin()
