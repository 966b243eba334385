"""What the service and the process that holds the pins say to each other: one message a packet, name and body."""

from __future__ import annotations

import socket
from typing import Any

import msgspec

from dispenser.drivers.base import Edge, Levels
from dispenser.drivers.pins.timing import GpioTiming
from dispenser.drivers.pins.wiring import GpioWiring
from dispenser.language import LANGUAGES, Text, said, worded
from dispenser.launcher import messages as m


class Setup(msgspec.Struct, frozen=True):
    """The first message to a fresh process: which pins, and how."""

    wiring: GpioWiring
    timing: GpioTiming
    factory: str


class Opened(msgspec.Struct, frozen=True):
    """The pins are claimed, motor off; or ``trouble`` says in each language why not."""

    trouble: dict[str, str] = {}


class Look(msgspec.Struct, frozen=True):
    """Tell the levels; answered by ``Seen``."""


class Seen(msgspec.Struct, frozen=True):
    """The levels; or ``trouble`` says in each language why they cannot be read."""

    levels: Levels | None
    trouble: dict[str, str] = {}


class Reread(msgspec.Struct, frozen=True):
    """Read the levels again, and send what was missed."""


_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Setup, Opened, Look, Seen, Reread, Edge),
        *(m.Feed, m.Retract, m.Stop, m.Play, m.Light),
        *(m.Press, m.LidOpened, m.LidClosed, m.ExitBlocked, m.ExitCleared),
        *(m.FeedEnded, m.RetractEnded, m.DriverFailed, m.DriverRecovered),
    )
}
_LONGEST = 65_536
"""Bytes; none comes near."""


def trouble(error: Exception) -> dict[str, str]:
    """What an error says, for the other process."""
    return {language: said(error, language) for language in LANGUAGES}


def as_told(trouble: dict[str, str]) -> Text:
    """What the other process has told of an error."""
    return worded(_told, trouble=trouble)


def _told(language: str, trouble: dict[str, str]) -> str:
    return trouble[language]


def pack(message: object) -> bytes:
    return msgspec.msgpack.encode((type(message).__name__, message))


def unpack(packet: bytes) -> Any:
    """One of the messages above.

    :raises ValueError: it is none (``msgspec.ValidationError`` is one, too).
    """
    name, body = msgspec.msgpack.decode(packet, type=tuple[str, msgspec.Raw])
    if name not in _KINDS:
        raise ValueError(f"no message is called {name!r}")
    return msgspec.msgpack.decode(body, type=_KINDS[name])


def pair() -> tuple[socket.socket, socket.socket]:
    """Two ends of one connection that keeps packets whole and in order, and ends when either process does."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def receive(connection: socket.socket) -> bytes:
    """The next packet; empty once the other end has gone."""
    try:
        return connection.recv(_LONGEST)
    except OSError:  # it went before it had read everything
        return b""
