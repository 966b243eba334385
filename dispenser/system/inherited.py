"""Sockets that systemd has opened for us: port 80, for which one needs a privilege that the launcher has not."""

from __future__ import annotations

import os
import socket
from typing import Final

_FIRST: Final = 3
"""The number of the first; systemd's own protocol."""


def doors() -> tuple[socket.socket, ...]:
    """The listening sockets that this process was started with (``dispenser-page.socket``); none if it was not.

    No process that this one starts has them.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return ()
    numbers = range(_FIRST, _FIRST + int(os.environ.get("LISTEN_FDS", "0")))
    for number in numbers:
        os.set_inheritable(number, False)  # noqa: FBT003 - the standard library's own signature
    return tuple(socket.socket(fileno=number) for number in numbers)
