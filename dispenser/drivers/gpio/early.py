"""Starts the process that holds the pins, if need be before anything else of ``dispenser run`` is imported.

It takes about as long to begin as the service itself, and needs to know nothing until it has: so the two begin side by
side. Nothing is imported here that need not be.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

COMMAND: Sequence[str] = (sys.executable, "-P", "-m", "dispenser.drivers.gpio")
Started = tuple[socket.socket, "subprocess.Popen[bytes]"]
"""The connection to a process, which ends when that does; and the process."""
_begun: list[Started] = []


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
    """Start it now, if that command line, with the settings, asks for the pins as far as can be seen at a glance.

    One that nobody takes ends with this process, and has not touched a pin.
    """
    if [*arguments[:1]] == ["run"] and not {"-h", "--help"} & {*arguments} and _kind(arguments) == "gpio":
        try:
            _begun.append(start())
        except OSError:
            return  # said when it is needed


def take() -> Started | None:
    """The process that was started before, once."""
    return _begun.pop() if _begun else None


def _kind(arguments: Sequence[str]) -> Any:
    """Of the driver; settings that cannot be read are somebody else's business."""
    import tomllib

    if named := _option(arguments, "--driver"):
        return named
    path = _option(arguments, "--config") or os.environ.get("DISPENSER_CONFIG") or "/etc/dispenser/dispenser.toml"
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - pathlib is not loaded yet, and need not be
            driver = tomllib.load(file).get("driver", {})
    except (OSError, ValueError, RecursionError):
        return "gpio"
    return driver.get("kind", "gpio") if isinstance(driver, dict) else "gpio"


def _option(arguments: Sequence[str], name: str) -> str | None:
    for place, argument in enumerate(arguments):
        if argument == name:
            return next(iter(arguments[place + 1 :]), None)
        if argument.startswith(f"{name}="):
            return argument.partition("=")[2]
    return None
