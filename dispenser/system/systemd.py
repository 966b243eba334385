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

EXTEND_TIMEOUT_S = 15  # Each notification of a launcher that is not ready extends systemd's timeout by this, seconds
_log = logging.getLogger(__name__)


def inherited_sockets() -> tuple[socket.socket, ...]:
    """Return the sockets of ``dispenser-page.socket``: port 80, which only privileged processes may open."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return ()
    numbers = range(3, 3 + int(os.environ.get("LISTEN_FDS", "0")))  # 3: first descriptor by systemd's protocol
    for number in numbers:
        os.set_inheritable(number, False)  # noqa: FBT003 - the standard library's own signature
    return tuple(socket.socket(fileno=number) for number in numbers)


def notify(state: str) -> None:
    """Send ``READY=1``, ``WATCHDOG=1``, ``STOPPING=1`` or ``STATUS=…`` if systemd started this process.

    Never blocks: if the socket's buffer is full the message is dropped, as the launcher must not hang on it.

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
    """Sends ``READY=1`` once a press would be answered, and ``WATCHDOG=1`` while the loop is alive.

    Until then it sends the reason and extends the start timeout, so that systemd restarts a launcher that hangs, but
    not one that waits for disk space.

    :param why_not: returns the reason while the launcher is not ready.
    :ivar known: set when the launcher is ready, or the reason is known.
    """

    def __init__(self, service: Service, why_not: Callable[[], str]) -> None:
        self._service = service
        self._why_not = why_not
        self._was_ready = False
        self.known = asyncio.Event()

    def alive(self) -> None:
        """Notify systemd. Called every second while loop and pin watcher are alive, so a lost message is repeated."""
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
        except OSError as error:  # must not stop a burst: without messages, systemd restarts the service
            _log.warning("systemd cannot be told how the launcher is: %s", error)
