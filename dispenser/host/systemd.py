"""Tell systemd how we are: its notify protocol is one datagram to the socket that it names."""

from __future__ import annotations

import os
import socket


def notify(state: str) -> bool:
    """Send ``READY=1``, ``WATCHDOG=1``, ``STOPPING=1`` or ``STATUS=…``; return whether it was sent.

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
