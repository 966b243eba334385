"""Messages between the service and the process that owns the pins: one packet each, name and body."""

from __future__ import annotations

import socket
from typing import Any, Self, get_args

import msgspec

from dispenser.drivers.base import DriverEvent, Edge, Levels
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.i18n import Text, recalled, recorded, verbatim
from dispenser.launcher import messages as m


class Setup(msgspec.Struct, frozen=True):
    """The first message to a fresh process: which pins, and how. Answered by ``Opened``, or by ``Trouble``."""

    wiring: GpioWiring
    timing: GpioTiming


class Opened(msgspec.Struct, frozen=True):
    """The pins are claimed, motor off."""


class ReadLevels(msgspec.Struct, frozen=True):
    """Answered by ``Levels``; or by ``Trouble``, if they cannot be read."""


class Reread(msgspec.Struct, frozen=True):
    """Read the levels again, and send what was missed.

    :ivar answer: send ``Alive`` then.
    """

    answer: bool


class Alive(msgspec.Struct, frozen=True):
    """All that watches the pins is alive."""


class Trouble(msgspec.Struct, frozen=True):
    """An error's text, see ``recorded``."""

    said: dict[str, Any]

    @classmethod
    def of(cls, text: Text | str) -> Self:
        return cls(recorded(text if isinstance(text, Text) else verbatim(text)))

    @property
    def text(self) -> Text:
        return recalled(self.said)


class Failed(Trouble, frozen=True):
    """A ``DriverFailed``."""


_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Setup, Opened, ReadLevels, Levels, Reread, Alive, Trouble, Failed, Edge),
        *get_args(m.Command),
        *get_args(DriverEvent),
    )
}
_MAX_BYTES = 65_536  # Of a packet; none comes near


def pack(message: object) -> bytes:
    if isinstance(message, m.DriverFailed):
        message = Failed.of(message.detail)
    return msgspec.msgpack.encode((type(message).__name__, message))


def unpack(packet: bytes) -> Any:
    """One of the messages above."""
    name, body = msgspec.msgpack.decode(packet, type=tuple[str, msgspec.Raw])
    message = msgspec.msgpack.decode(body, type=_KINDS[name])
    return m.DriverFailed(message.text) if isinstance(message, Failed) else message


def receive(connection: socket.socket) -> bytes:
    """The next packet; empty once the other end has gone."""
    try:
        return connection.recv(_MAX_BYTES)
    except OSError:  # it went before it had read everything
        return b""
