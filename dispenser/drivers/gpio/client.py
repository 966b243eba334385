"""Start the process that owns the pins and talk to it from the service."""

from __future__ import annotations

import logging
import select
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from dispenser import motor_off
from dispenser.drivers import base
from dispenser.drivers.gpio import spawn
from dispenser.drivers.gpio.ipc import Alive, Opened, ReadLevels, Reread, Setup, Trouble, pack, receive, unpack
from dispenser.i18n import Text
from dispenser.launcher import messages as m

if TYPE_CHECKING:
    import asyncio

_log = logging.getLogger(__name__)

EXIT_TIMEOUT_S = 2.0  # Timeout for the process to turn everything off and exit; then it is killed
OPEN_TIMEOUT_S = 30.0
"""Timeout for a new process to claim its pins: a Pi Zero needs some seconds for Python alone (assumed)."""
LEVELS_TIMEOUT_S = 1.0  # Timeout for the answer with the levels; then it counts as hung
MAX_UNANSWERED = 2  # Questions, one a second, that it may leave unanswered before it counts as hung
IDLE_QUESTION_S = 5  # Interval of questions while the motor rests: each wakes two processes and a thread
_LOST = Text("{what}. {motor}.")
_IS_OFF = Text("The motor is off")
_NOT_OFF = Text("The motor could not be turned off from outside. Does it turn? Take out its batteries")
_UNKNOWN = Text("It is not known whether the motor is off. Does it turn? Take out its batteries")
_NO_ANSWER = Text("the process that holds the pins has not answered in {seconds:g} s").filled(seconds=OPEN_TIMEOUT_S)
_DIED = Text("the process that holds the pins ends as soon as it begins; its last words are above")


def _turn_motor_off() -> bool | None:
    folder = motor_off.runtime_directory()
    code = None if folder is None else motor_off.obey(f"{folder}/{motor_off.NOTE}")
    return None if code is None else code == 0


class GpioProcess:
    """The process that owns the pins, and the connection to it; needs no loop before ``listen``.

    :param after_kill: turns the motor off from outside when the process died or was killed; returns whether it is off,
        ``None`` without a note of the motor's lines.
    """

    def __init__(
        self, after_kill: Callable[[], bool | None] = _turn_motor_off, command: Sequence[str] | None = None
    ) -> None:
        self._after_kill = after_kill
        self._connection, self._process = (None if command else spawn.take()) or spawn.start(command)
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, packet: bytes) -> None:
        """:raises OSError: the process has ended, or reads nothing."""
        self._connection.send(packet, socket.MSG_DONTWAIT)

    def receive(self, timeout_s: float) -> bytes | None:
        """Return the next packet; empty if the process has ended, ``None`` after the timeout."""
        if not select.select([self._connection], [], [], timeout_s)[0]:
            return None
        return receive(self._connection)

    def listen(self, readable: Callable[[], object]) -> None:
        """Call ``readable`` on the loop's thread whenever ``receive`` may have a packet."""
        import asyncio

        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._connection, readable)

    def close(self, *, kill: bool = False) -> bool | None:
        """End the process; return whether the motor is off, ``None`` if unknown. Idempotent."""
        if self._connection.fileno() == -1:
            return True
        if self._loop is not None:
            self._loop.remove_reader(self._connection)
        self._connection.close()
        if kill:
            self._process.kill()
        try:
            in_order = self._process.wait(EXIT_TIMEOUT_S) == 0 and not kill
        except subprocess.TimeoutExpired:
            self._process.kill()
            in_order = False
        return in_order or self._after_kill()


class GpioProcessDriver(base.Driver):
    """One launcher on pins of another process. A process that hangs or has ended is a ``DriverLost``.

    :param launch: starts such a process; raises ``OSError`` if it cannot.
    """

    def __init__(self, setup: Setup, launch: Callable[[], GpioProcess], scheduler: base.Scheduler) -> None:
        self._setup = setup
        self._launch = launch
        self._scheduler = scheduler
        self._process: GpioProcess | None = None
        self._has_pins = False
        self._unanswered = self._rereads = 0
        self._running = False
        self._answers: list[Opened | base.Levels | Trouble] = []

    @property
    def capabilities(self) -> base.Capabilities:
        return self._setup.wiring.capabilities

    # --- opening and closing ---

    def open(self, sink: base.Sink, record_edge: Callable[[base.Edge], None] | None = None) -> None:
        """Start a process, wait until it has claimed the pins, and begin to send events to ``sink``."""
        self._sink = sink
        self._record_edge = record_edge
        self._unanswered, self._running = 0, False
        try:
            process = self._process = self._launch()
            process.send(pack(self._setup))
            process.listen(self._receive_one)
        except OSError as error:
            self._end()
            text = Text("the process that holds the pins cannot be started: {error}")
            raise base.PinsUnavailableError(text.filled(error=error)) from error
        answer = self._await(OPEN_TIMEOUT_S)
        if not isinstance(answer, Opened):
            silent = _NO_ANSWER if self._process is process else _DIED
            self._end(kill=answer is None)
            raise base.PinsUnavailableError(answer.text if isinstance(answer, Trouble) else silent)
        self._has_pins = True

    def close(self) -> None:
        self._end()

    def _end(self, *, kill: bool = False) -> Text:
        """End the process; return what is then known of the motor."""
        process, had_pins = self._process, self._has_pins
        self._process, self._has_pins = None, False
        is_off = process is None or process.close(kill=kill)
        if is_off is None and not had_pins:  # the motor has never turned
            is_off = True
        motor = {True: _IS_OFF, False: _NOT_OFF, None: _UNKNOWN}[is_off]
        if motor is not _IS_OFF:
            _log.critical("%s", motor)
        return motor

    def _lose(self, what: Text) -> None:
        """Kill a process that hangs or has ended, turn the motor off, and report ``DriverLost``."""
        had_pins = self._has_pins
        motor = self._end(kill=True)
        if had_pins:
            self._sink(base.DriverLost(_LOST.filled(what=what, motor=motor)))

    # --- messages from the process ---

    def _receive_one(self) -> bool:
        """Handle one packet, if there is one; the loop calls again for the next, so that a flood does not block it."""
        packet = None if self._process is None else self._process.receive(0.0)
        if packet is not None:
            self._handle(packet)
        return packet is not None

    def _handle(self, packet: bytes) -> None:
        if not packet:
            self._lose(Text("The process that holds the pins has ended"))
            return
        match message := unpack(packet):
            case Opened() | base.Levels() | Trouble():
                self._answers.append(message)
            case Alive():
                self._unanswered = 0
            case base.Edge():
                if self._record_edge is not None:
                    self._record_edge(message)
            case _:
                if isinstance(message, m.FeedEnded | m.RetractEnded):
                    self._running = False
                self._sink(message)

    def _await(self, timeout_s: float) -> Opened | base.Levels | Trouble | None:
        """Wait for the answer to the last question; events received before it are handled as usual."""
        self._answers.clear()
        until_s = self._scheduler.time() + timeout_s
        while not self._answers and self._process is not None:
            packet = self._process.receive(max(0.0, until_s - self._scheduler.time()))
            if packet is None:
                return None
            self._handle(packet)
        return self._answers[0] if self._answers else None

    # --- messages to the process ---

    def _send(self, message: object) -> None:
        if self._process is None:
            return  # reported already
        try:
            self._process.send(pack(message))
        except OSError as error:
            text = Text("The process that holds the pins takes no more commands ({error})")
            self._lose(text.filled(error=error))

    def levels(self) -> base.Levels:
        self._send(ReadLevels())
        answer = self._await(LEVELS_TIMEOUT_S)
        if not isinstance(answer, base.Levels):
            silent = Text("the process that holds the pins does not tell their levels")
            raise base.DriverError(answer.text if isinstance(answer, Trouble) else silent)
        return answer

    def reread(self) -> None:
        """Request a new reading of the levels; end a process that hangs."""
        while self._unanswered >= MAX_UNANSWERED and self._receive_one():
            pass  # packets already received may have the answer
        if self._unanswered >= MAX_UNANSWERED:
            self._lose(Text("The process that holds the pins is hung"))
        else:
            self._rereads += 1
            answer = self._running or self._unanswered > 0 or self._rereads % IDLE_QUESTION_S == 0
            self._unanswered += answer
            self._send(Reread(answer))

    def give(self, command: m.Command) -> None:
        if not isinstance(command, m.Stop):
            self._running = self._running or isinstance(command, m.Feed | m.Retract)
            self._send(command)
        elif (process := self._process) is not None:  # from any thread
            with suppress(OSError):  # the process has ended, which the loop's thread detects
                process.send(pack(command))
