"""Talk to systemd: sockets that it opened, readiness, watchdog."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dispenser.service.service import Service

EXTEND_TIMEOUT_S = 15  # How much longer systemd shall wait for a launcher that is not ready yet, and has just said why
_log = logging.getLogger(__name__)


def inherited_sockets() -> tuple[socket.socket, ...]:
    """The listening sockets of ``dispenser-page.socket``: port 80, for which one needs a privilege."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return ()
    numbers = range(3, 3 + int(os.environ.get("LISTEN_FDS", "0")))  # 3: systemd's own protocol
    for number in numbers:
        os.set_inheritable(number, False)  # noqa: FBT003 - the standard library's own signature
    return tuple(socket.socket(fileno=number) for number in numbers)


def notify(state: str) -> None:
    """Send ``READY=1``, ``WATCHDOG=1``, ``STOPPING=1``, ``STATUS=…``, if systemd has started this.

    Never waits: a message that nobody reads in time is dropped, for the launcher must not hang on it.

    :raises OSError: systemd named a socket that does not take the message.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):  # an abstract socket
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel, suppress(BlockingIOError):
        channel.settimeout(0)
        channel.sendto(state.encode(), address)


class ReadyNotifier:
    """Send systemd ``READY=1`` once a press would be answered, and ``WATCHDOG=1`` as long as the loop is alive.

    Before, it sends why the launcher is not ready, and asks for a little more time each time: so nobody restarts what
    waits for room on a disk, and what hangs is ended.

    :param why_not: what to send of a launcher that is not ready.
    :ivar known: set when it is ready, or known why it is not.
    """

    def __init__(self, service: Service, why_not: Callable[[], str]) -> None:
        self._service = service
        self._why_not = why_not
        self._was_ready = False
        self.known = asyncio.Event()

    def alive(self) -> None:
        """About once a second, while the loop and what watches the pins are alive; a dropped message is made good."""
        if self._service.answers:
            self._was_ready = True
            self._notify("READY=1\nSTATUS=\nWATCHDOG=1")
        else:
            more = "WATCHDOG=1" if self._was_ready else f"EXTEND_TIMEOUT_USEC={EXTEND_TIMEOUT_S}000000"
            self._notify(f"STATUS={' '.join(self._why_not().split())}\n{more}")
        self.known.set()

    def _notify(self, state: str) -> None:
        try:
            notify(state)
        except OSError as error:  # no reason to stop a burst: systemd restarts us if it no longer hears of us
            _log.warning("systemd cannot be told how the launcher is: %s", error)
