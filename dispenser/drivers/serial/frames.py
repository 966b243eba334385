"""Frames of the serial line: COBS(version, type, sequence, payload, crc16) and a zero. See firmware/PROTOCOL.md.

The messages themselves are in ``tables``, made from the dictionary that the firmware uses, too.
"""

from __future__ import annotations

import binascii
import struct
from dataclasses import dataclass

from cobs import cobs

from dispenser.drivers.serial import tables as wire

_HEADER = struct.Struct(">BBB")
_CRC = struct.Struct(">H")
_OVERHEAD = _HEADER.size + _CRC.size
MAX_FRAME = cobs.max_encoded_length(_OVERHEAD + wire.MAX_PAYLOAD)
"""Longest frame on the line, its closing zero not counted."""
_ANY_VERSION = (wire.Hello.TYPE, wire.Welcome.TYPE)


@dataclass(frozen=True, slots=True)
class Frame:
    """A message and the sequence number that it came with."""

    sequence: int
    message: wire.Message


def crc16(data: bytes, start: int) -> int:
    """CRC-16, polynomial 0x1021, nothing reflected, inverted where its start is: XMODEM from 0, GENIBUS from 0xFFFF."""
    return binascii.crc_hqx(data, start) ^ start


def _crc_of(body: bytes) -> int:
    """Of a header and payload. That of what all versions must understand never changes."""
    return crc16(body, 0 if body[1] in _ANY_VERSION else 0xFFFF)


def encode(frame: Frame) -> bytes:
    """The frame's bytes, the closing zero included.

    :raises struct.error: a number does not fit its field.
    """
    return enclose(_HEADER.pack(wire.VERSION, frame.message.TYPE, frame.sequence) + frame.message.pack())


def enclose(body: bytes) -> bytes:
    """Bytes on the line for a header and payload: CRC added, zeros taken out, a zero at the end."""
    return bytes(cobs.encode(body + _CRC.pack(_crc_of(body)))) + b"\0"


def decode(encoded: bytes) -> Frame | None:
    """The frame between two zeros, or ``None`` when it is none of ours."""
    try:
        body = bytes(cobs.decode(encoded))
        version, type_, sequence = _HEADER.unpack_from(body)
        body, crc = body[: -_CRC.size], body[-_CRC.size :]
        known_version = version == wire.VERSION or type_ in _ANY_VERSION
        if len(body) < _HEADER.size or not known_version or crc != _CRC.pack(_crc_of(body)):
            return None
        return Frame(sequence, wire.MESSAGES[type_].unpack(body[_HEADER.size :]))
    except (cobs.DecodeError, struct.error, LookupError, ValueError):
        return None


class FrameDecoder:
    """Takes bytes as they come, gives frames; after noise it is in step again with the next zero."""

    def __init__(self) -> None:
        self._piece = b""

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete."""
        *pieces, rest = (self._piece + data).split(b"\0")
        self._piece = rest[: MAX_FRAME + 1]  # more need not be kept to know that it is none
        return [frame for piece in pieces if (frame := decode(piece)) is not None]
