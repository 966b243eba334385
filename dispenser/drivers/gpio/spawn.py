"""Start the process that owns the pins before ``dispenser run`` imports anything else, so that both start in parallel.

Imports are kept to a minimum.
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
"""The process, and its connection; the process exits when that is closed."""
_started_early: list[Started] = []


def start(command: Sequence[str] | None = None) -> Started:
    """Start a process with a connection to it; raise ``OSError`` if that fails."""
    # SEQPACKET keeps packets whole and in order, and ends with either process
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        process = subprocess.Popen(  # noqa: S603 - our own
            [*(command or COMMAND), str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            start_new_session=True,  # Ctrl-C and Ctrl-Z must reach only the service
        )
    return ours, process


def begin(arguments: Sequence[str]) -> None:
    """Start the process now if the arguments of ``dispenser run``, or the settings, seem to select GPIO.

    If it is not used, it exits with this process and has not claimed a pin.
    """
    words = [word for argument in arguments for word in argument.split("=", 1)]
    if not {"-h", "--help"} & {*words} and _kind(dict(pairwise(words))) == "gpio":
        try:
            _started_early.append(start())
        except OSError:
            return  # reported at the next attempt


def take() -> Started | None:
    """Return the process that ``begin`` started, at the first call only."""
    return _started_early.pop() if _started_early else None


def _kind(options: dict[str, str]) -> Any:
    """Return the driver's kind; errors in the settings are reported by the full reader."""
    import tomllib

    if named := options.get("--driver"):
        return named
    path = options.get("--config") or os.environ.get("DISPENSER_CONFIG") or "/etc/dispenser/dispenser.toml"
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is not loaded yet, and not needed
            return tomllib.load(file)["driver"]["kind"]
    except (OSError, ValueError, LookupError, TypeError):
        return "gpio"
