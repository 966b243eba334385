"""Frames of the serial line: COBS(version, type, sequence, payload, crc16) and a zero. See firmware/PROTOCOL.md.

The messages are in ``tables``, generated from the dictionary that the firmware uses, too.
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
"""Length of the longest frame, without its closing zero."""
_ANY_VERSION = (wire.Hello.TYPE, wire.Welcome.TYPE)


@dataclass(frozen=True, slots=True)
class Frame:
    """A message and its sequence number."""

    sequence: int
    message: wire.Message


def crc16(data: bytes, start: int) -> int:
    """CRC-16, polynomial 0x1021, not reflected, inverted if its start is: XMODEM from 0, GENIBUS from 0xFFFF."""
    return binascii.crc_hqx(data, start) ^ start


def _crc_of(body: bytes) -> int:
    """Return the CRC of header and payload. For types common to all versions it must never change."""
    return crc16(body, 0 if body[1] in _ANY_VERSION else 0xFFFF)


def encode(frame: Frame) -> bytes:
    """Return the frame's bytes, with the closing zero.

    :raises struct.error: a number does not fit its field.
    """
    return enclose(_HEADER.pack(wire.VERSION, frame.message.TYPE, frame.sequence) + frame.message.pack())


def enclose(body: bytes) -> bytes:
    """Append the CRC to a header and payload, COBS-encode them, and append a zero."""
    return bytes(cobs.encode(body + _CRC.pack(_crc_of(body)))) + b"\0"


def decode(encoded: bytes) -> Frame | None:
    """Decode the bytes between two zeros; return ``None`` for an invalid frame."""
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
    """Incremental decoder from bytes to frames; after noise the next zero synchronizes it."""

    def __init__(self) -> None:
        self._piece = b""

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that these bytes complete."""
        *pieces, rest = (self._piece + data).split(b"\0")
        self._piece = rest[: MAX_FRAME + 1]  # this suffices to detect a frame that is too long
        return [frame for piece in pieces if (frame := decode(piece)) is not None]
