"""Tell systemd how we are: its notify protocol is one datagram to the socket that it names."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dispenser.service.service import Service

PATIENCE_S = 15
"""How much longer systemd shall wait for a launcher that is not ready yet, and has just said why."""
_log = logging.getLogger(__name__)


def notify(state: str) -> bool:
    """Send ``READY=1``, ``WATCHDOG=1``, ``STOPPING=1``, ``STATUS=…``; return whether it was sent.

    Never waits: a message that nobody reads in time is dropped, for the launcher must not hang on it.

    :raises OSError: systemd named a socket that does not take the message.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return False
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.settimeout(0)
        try:
            channel.sendto(state.encode(), address)
        except BlockingIOError:
            return False
    return True


class Standing:
    """What systemd knows of a launcher.

    ``READY=1``: a press would be answered. After that ``alive`` feeds the watchdog. Before, it says why not, and asks
    for a little more time each time: so nobody restarts what waits for room on a disk, and what hangs is ended.

    :param why_not: what to tell of a launcher that is not ready.
    :ivar looked: set when it is ready, or known why it is not.
    """

    def __init__(self, service: Service, why_not: Callable[[], str]) -> None:
        self._service = service
        self._why_not = why_not
        self._is_ready = False
        self._is_told = False
        self.looked = asyncio.Event()
        service.on("launcher.switched.on", lambda _: self._look())

    def _look(self) -> None:
        if self._service.answers and not self._is_ready:
            self._is_ready = True
            self._tell()
            self.looked.set()

    def _tell(self) -> None:
        """Of a message that was dropped systemd knows nothing, and would end the launcher for not being ready."""
        self._is_told = self._notify("READY=1", "STATUS=")

    def alive(self) -> None:
        """About once a second, while the loop and what watches the pins are alive."""
        self._look()
        if self._is_ready:
            if not self._is_told:
                self._tell()
            self._notify("WATCHDOG=1")
        else:
            why = " ".join(self._why_not().split())
            self._notify(f"STATUS={why}", f"EXTEND_TIMEOUT_USEC={PATIENCE_S}000000")
            self.looked.set()

    def _notify(self, *states: str) -> bool:
        try:
            sent = [notify(state) for state in states]
        except OSError as error:  # no reason to stop a burst: systemd restarts us if it no longer hears of us
            _log.warning("systemd cannot be told how the launcher is: %s", error)
            return False
        return all(sent)
