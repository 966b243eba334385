"""Start the process that owns the pins before ``dispenser run`` imports anything else, so that both start in parallel.

Nothing is imported here that need not be.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

COMMAND: Sequence[str] = (sys.executable, "-P", "-m", "dispenser.drivers.gpio")
Started = tuple[socket.socket, "subprocess.Popen[bytes]"]
"""The connection to a process, which exits when that is closed; and the process."""
_started_early: list[Started] = []


def start(command: Sequence[str] | None = None) -> Started:
    """:raises OSError: there can be no more processes."""
    # keeps packets whole and in order, and ends when either process does
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own
            [*(command or COMMAND), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C and Ctrl-Z are for the service
        )
    return ours, process


def begin(arguments: Sequence[str]) -> None:
    """Start it now if the arguments of ``dispenser run``, with the settings, seem to ask for the pins.

    One that is not used exits with this process, and has not touched a pin.
    """
    words = [word for argument in arguments for word in argument.split("=", 1)]
    if not {"-h", "--help"} & {*words} and _kind(dict(pairwise(words))) == "gpio":
        try:
            _started_early.append(start())
        except OSError:
            return  # reported when it is needed


def take() -> Started | None:
    """The process that ``begin`` started, once."""
    return _started_early.pop() if _started_early else None


def _kind(options: dict[str, str]) -> Any:
    """Of the driver; errors in the settings are reported by whoever reads them in full."""
    import tomllib

    if named := options.get("--driver"):
        return named
    path = options.get("--config") or os.environ.get("DISPENSER_CONFIG") or "/etc/dispenser/dispenser.toml"
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is not loaded yet, and need not be
            return tomllib.load(file)["driver"]["kind"]
    except (OSError, ValueError, LookupError, TypeError):
        return "gpio"
