"""Starts the process that holds the pins, and ends it. It may be started before there is a loop."""

from __future__ import annotations

import fcntl
import select
import socket
import subprocess
import sys
import termios
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from dispenser import motor_off
from dispenser.drivers.pins.post import pair, receive

if TYPE_CHECKING:
    import asyncio

COMMAND = (sys.executable, "-P", "-m", "dispenser.drivers.pins")
PATIENCE_S = 2.0
"""How long it may take to turn everything off and go; then it is killed."""


class PinsProcess:
    """A ``Link`` to a fresh process.

    :param after_kill: turns the motor off from outside when the process had to be killed, or died; says what was in
        the way of that, if anything was.
    """

    def __init__(
        self, after_kill: Callable[[], str] = motor_off.from_outside, command: Sequence[str] | None = None
    ) -> None:
        self._after_kill = after_kill
        self._connection, theirs = pair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 - our own
                [*(command or COMMAND), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                start_new_session=True,  # Ctrl-C and Ctrl-Z are for the service
            )
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, packet: bytes) -> None:
        self._connection.send(packet, socket.MSG_DONTWAIT)

    def receive(self, timeout_s: float) -> bytes | None:
        if not select.select([self._connection], [], [], timeout_s)[0]:
            return None
        return receive(self._connection)

    def takes_packets(self) -> bool:
        unread_bytes = fcntl.ioctl(self._connection, termios.TIOCOUTQ, bytes(4))
        return not int.from_bytes(unread_bytes, sys.byteorder)

    def listen(self, readable: Callable[[], None]) -> None:
        import asyncio

        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._connection, readable)

    def close(self, *, at_once: bool = False) -> str:
        if self._connection.fileno() == -1:
            return ""
        if self._loop is not None:
            self._loop.remove_reader(self._connection)
        self._connection.close()
        if at_once:
            self._process.kill()
        killed = at_once
        try:
            exit_code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            killed, exit_code = True, 0
            with suppress(subprocess.TimeoutExpired):  # the kernel itself waits for something: it will go one day
                self._process.wait(PATIENCE_S)
        return self._after_kill() if exit_code or killed else ""
