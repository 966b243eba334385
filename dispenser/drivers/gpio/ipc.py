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
    """First message to a new process: its pins and settings. Answered by ``Opened`` or ``Trouble``."""

    wiring: GpioWiring
    timing: GpioTiming


class Opened(msgspec.Struct, frozen=True):
    """The pins are claimed, the motor is off."""


class ReadLevels(msgspec.Struct, frozen=True):
    """Answered by ``Levels``; or by ``Trouble``, if they cannot be read."""


class Reread(msgspec.Struct, frozen=True):
    """Read the levels again, and send missed events.

    :ivar answer: answer with ``Alive``.
    """

    answer: bool


class Alive(msgspec.Struct, frozen=True):
    """All threads that watch the pins are alive."""


class Trouble(msgspec.Struct, frozen=True):
    """Text of an error, see ``recorded``."""

    said: dict[str, Any]

    @classmethod
    def of(cls, text: Text | str) -> Self:
        return cls(recorded(text if isinstance(text, Text) else verbatim(text)))

    @property
    def text(self) -> Text:
        return recalled(self.said)


class Failed(Trouble, frozen=True):
    """Text of a ``DriverFailed``."""


_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *(Setup, Opened, ReadLevels, Levels, Reread, Alive, Trouble, Failed, Edge),
        *get_args(m.Command),
        *get_args(DriverEvent),
    )
}
_MAX_BYTES = 65_536  # Limit of a packet, far above any


def pack(message: object) -> bytes:
    if isinstance(message, m.DriverFailed):
        message = Failed.of(message.detail)
    return msgspec.msgpack.encode((type(message).__name__, message))


def unpack(packet: bytes) -> Any:
    """Decode one of the messages above."""
    name, body = msgspec.msgpack.decode(packet, type=tuple[str, msgspec.Raw])
    message = msgspec.msgpack.decode(body, type=_KINDS[name])
    return m.DriverFailed(message.text) if isinstance(message, Failed) else message


def receive(connection: socket.socket) -> bytes:
    """Return the next packet; empty if the connection is closed."""
    try:
        return connection.recv(_MAX_BYTES)
    except OSError:  # it closed before it had read everything
        return b""
