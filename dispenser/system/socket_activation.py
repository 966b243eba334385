"""Sockets that systemd opened for this process: port 80, for which one needs a privilege that the service has not."""

from __future__ import annotations

import os
import socket


def inherited_sockets() -> tuple[socket.socket, ...]:
    """The listening sockets of ``dispenser-page.socket``; none if this process was not started with them."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return ()
    numbers = range(3, 3 + int(os.environ.get("LISTEN_FDS", "0")))  # 3: systemd's own protocol
    for number in numbers:
        os.set_inheritable(number, False)  # noqa: FBT003 - the standard library's own signature
    return tuple(socket.socket(fileno=number) for number in numbers)
