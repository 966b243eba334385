"""Starts the process that holds the pins, and ends it."""

from __future__ import annotations

import asyncio
import select
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence

from dispenser.drivers.pins.post import LONGEST, pair

COMMAND = (sys.executable, "-m", "dispenser.pins_process")
PATIENCE_S = 2.0
"""How long it may take to turn everything off and go; then it is killed."""


class PinsProcess:
    """A ``Link`` to a fresh process.

    :param loop: calls back when something can be received.
    :param after_kill: turns the motor off from outside when the process had to be killed, or died; says what was in
        the way of that, if anything was.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        after_kill: Callable[[], str] = lambda: "",
        command: Sequence[str] = COMMAND,
    ) -> None:
        self._loop = loop
        self._after_kill = after_kill
        self._connection, theirs = pair()
        with theirs:
            self._process = subprocess.Popen([*command, str(theirs.fileno())], pass_fds=[theirs.fileno()])  # noqa: S603 - our own
        self._listens = False

    @property
    def pid(self) -> int:
        return self._process.pid

    def send(self, packet: bytes) -> None:
        self._connection.send(packet, socket.MSG_DONTWAIT)

    def receive(self, timeout_s: float) -> bytes | None:
        if not select.select([self._connection], [], [], timeout_s)[0]:
            return None
        try:
            return self._connection.recv(LONGEST)
        except OSError:  # it went before it had read all
            return b""

    def listen(self, readable: Callable[[], None]) -> None:
        self._loop.add_reader(self._connection, readable)
        self._listens = True

    def close(self) -> str:
        if self._connection.fileno() == -1:
            return ""
        if self._listens:
            self._loop.remove_reader(self._connection)
        self._connection.close()
        try:
            exit_code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            exit_code = self._process.wait()
        return self._after_kill() if exit_code else ""
