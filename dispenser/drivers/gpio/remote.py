"""The driver as the service sees it when a process of their own holds the pins; and that process, from outside."""

from __future__ import annotations

import fcntl
import logging
import select
import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from dispenser import motor_off
from dispenser.drivers import base
from dispenser.drivers.gpio import early
from dispenser.drivers.gpio.post import Beat, Look, Opened, Reread, Setup, Trouble, pack, receive, unpack
from dispenser.i18n import Text
from dispenser.launcher import messages as m

if TYPE_CHECKING:
    import asyncio

_log = logging.getLogger(__name__)

PATIENCE_S = 2.0
"""How long the process may take to turn everything off and go; then it is killed."""
OPEN_S = 30.0
"""How long a fresh one may take to claim its pins: a Pi Zero needs some seconds for Python alone (assumed)."""
LOOK_S = 1.0
"""How long it may take to tell the levels before it counts as hung."""
MOST_UNTAKEN = 2
"""Seconds, about, for which it may leave a packet untaken before it counts as hung."""
_LOST = Text("{what}. {motor}.")
_IS_OFF = Text("The motor is off")
_NOT_OFF = Text("The motor could not be turned off from outside. Does it turn? Take out its cells")
_UNKNOWN = Text("It is not known whether the motor is off. Does it turn? Take out its cells")
_NO_ANSWER = Text("the process that holds the pins has not answered in {seconds:g} s").filled(seconds=OPEN_S)
_NO_LIFE = Text("the process that holds the pins ends as soon as it begins; its last words are above")


def _last_resort() -> bool | None:
    folder = motor_off.runtime_directory()
    code = None if folder is None else motor_off.obey(f"{folder}/{motor_off.NOTE}")
    return None if code is None else code == 0


class PinsProcess:
    """A fresh process, or the one that was started early, and the connection to it; there need not be a loop yet.

    :param after_kill: turns the motor off from outside when the process had to be killed, or died; whether it is off,
        ``None`` when there is no note by which to do that.
    """

    def __init__(
        self, after_kill: Callable[[], bool | None] = _last_resort, command: Sequence[str] | None = None
    ) -> None:
        self._after_kill = after_kill
        self._connection, self._process = (None if command else early.take()) or early.start(command)
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, packet: bytes) -> None:
        """:raises OSError: nobody is there, or it takes nothing."""
        self._connection.send(packet, socket.MSG_DONTWAIT)

    def receive(self, timeout_s: float) -> bytes | None:
        """The next packet; empty once the process has gone; ``None`` when none has come in time."""
        if not select.select([self._connection], [], [], timeout_s)[0]:
            return None
        return receive(self._connection)

    def takes_packets(self) -> bool:
        """Whether it has taken all that was sent."""
        unread_bytes = fcntl.ioctl(self._connection, termios.TIOCOUTQ, bytes(4))
        return not int.from_bytes(unread_bytes, sys.byteorder)

    def listen(self, readable: Callable[[], None]) -> None:
        """Call back, on the loop's thread, whenever ``receive`` may have something."""
        import asyncio

        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._connection, readable)

    def close(self, *, at_once: bool = False) -> bool | None:
        """End it: motor off, pins released; whether the motor is off, ``None`` if not known. May be called twice.

        :param at_once: it is hung, so nobody waits for it.
        """
        if self._connection.fileno() == -1:
            return True
        if self._loop is not None:
            self._loop.remove_reader(self._connection)
        self._connection.close()
        if at_once:
            self._process.kill()
        try:
            in_order = self._process.wait(PATIENCE_S) == 0 and not at_once
        except subprocess.TimeoutExpired:
            self._process.kill()
            in_order = False
            with suppress(subprocess.TimeoutExpired):  # the kernel itself waits for something: it will go one day
                self._process.wait(PATIENCE_S)
        return in_order or self._after_kill()


class RemoteDriver(base.Driver):
    """One launcher on pins that another process holds. A process that is hung or has gone is a ``DriverLost``.

    :param launch: starts such a process. Raises ``OSError`` when it cannot.
    """

    def __init__(self, setup: Setup, launch: Callable[[], PinsProcess], scheduler: base.Scheduler) -> None:
        self._setup = setup
        self._launch = launch
        self._scheduler = scheduler
        self._process: PinsProcess | None = None
        self._has_pins = False
        self._untaken = 0
        self._signs = base.SignsOfLife(lambda: self._send(Beat()))
        """Of the reflex, at the other end."""
        self._answers: list[Opened | base.Levels | Trouble] = []

    @property
    def capabilities(self) -> base.Capabilities:
        return self._setup.wiring.capabilities

    # --- life ---

    def open(self, sink: base.Sink, record_edge: Callable[[base.Edge], None] | None = None) -> None:
        """Start a process and wait until it has claimed the pins; from now on events go to ``sink``."""
        self._sink = sink
        self._record_edge = record_edge
        self._untaken = 0
        self._signs.heard()
        try:
            self._process = self._launch()
            self._process.send(pack(self._setup))
            self._process.listen(self._take_next)
        except OSError as error:
            text = Text("the process that holds the pins cannot be started: {error}")
            raise self._not_opened(text.filled(error=error)) from error
        answer = self._await(OPEN_S)
        if isinstance(answer, Trouble):
            raise self._not_opened(answer.text)
        if answer is None:
            raise self._not_opened()
        self._has_pins = True

    def _not_opened(self, why: Text | None = None) -> base.PinsUnavailableError:
        """:param why: ``None``: it has not answered, or not lived long enough."""
        silent = _NO_LIFE if self._process is None else _NO_ANSWER
        self._end(at_once=why is None)
        return base.PinsUnavailableError(why or silent)

    def close(self) -> None:
        self._end()

    def _end(self, *, at_once: bool = False) -> Text:
        """Let go of the process; what is known of the motor then."""
        process, had_pins = self._process, self._has_pins
        self._process, self._has_pins = None, False
        is_off = process is None or process.close(at_once=at_once)
        if is_off is None and not had_pins:  # it has never turned
            is_off = True
        motor = {True: _IS_OFF, False: _NOT_OFF, None: _UNKNOWN}[is_off]
        if motor is not _IS_OFF:
            _log.critical("%s", motor)
        return motor

    def _lose(self, what: Text) -> None:
        """It is hung or gone, and so is what it knew: end it for good, which turns the motor off."""
        had_pins = self._has_pins
        motor = self._end(at_once=True)
        if had_pins:
            self._sink(base.DriverLost(_LOST.filled(what=what, motor=motor)))

    # --- what it tells ---

    def _take_next(self) -> None:
        """One packet; for the next one the loop comes round again."""
        if self._process is not None and (packet := self._process.receive(0.0)) is not None:
            self._take(packet)

    def _take(self, packet: bytes) -> None:
        if not packet:
            self._lose(Text("The process that holds the pins has ended"))
            return
        match message := unpack(packet):
            case Opened() | base.Levels() | Trouble():
                self._answers.append(message)
            case Beat():
                self._signs.heard()
            case base.Edge():
                if self._record_edge is not None:
                    self._record_edge(message)
            case _:
                self._sink(message)

    def _await(self, timeout_s: float) -> Opened | base.Levels | Trouble | None:
        """The answer to what was just asked; what is told before it is taken as ever."""
        self._answers.clear()
        until_s = self._scheduler.time() + timeout_s
        while not self._answers and self._process is not None:
            packet = self._process.receive(max(0.0, until_s - self._scheduler.time()))
            if packet is None:
                return None
            self._take(packet)
        return self._answers[0] if self._answers else None

    # --- what it is asked ---

    def _send(self, message: object) -> None:
        if self._process is None:
            return  # told already
        try:
            self._process.send(pack(message))
        except OSError as error:
            text = Text("The process that holds the pins takes no more commands ({error})")
            self._lose(text.filled(error=error))

    def levels(self) -> base.Levels:
        self._send(Look())
        answer = self._await(LOOK_S)
        if not isinstance(answer, base.Levels):
            silent = Text("the process that holds the pins does not tell their levels")
            raise base.DriverError(answer.text if isinstance(answer, Trouble) else silent)
        return answer

    def reread(self) -> None:
        """Read the levels again; end a process that is hung."""
        self._signs.second()
        if self._process is not None and self._is_hung(self._process):
            self._lose(Text("The process that holds the pins is hung"))
        else:
            self._send(Reread())

    def _is_hung(self, process: PinsProcess) -> bool:
        self._untaken = 0 if process.takes_packets() else self._untaken + 1
        return self._untaken >= MOST_UNTAKEN or self.hangs

    @property
    def hangs(self) -> bool:
        return self._process is not None and self._signs.missing  # else it is lost, and that was told

    def give(self, command: m.Command) -> None:
        if isinstance(command, m.Stop):
            self._stop()
        else:
            self._send(command)

    def _stop(self) -> None:
        """From any thread: that nobody takes it is found by whoever reads."""
        if (process := self._process) is not None:
            with suppress(OSError):
                process.send(pack(m.Stop()))
