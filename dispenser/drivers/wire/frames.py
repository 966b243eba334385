"""Frames of the serial line: COBS(version, type, sequence, payload, crc16) and a zero. See firmware/PROTOCOL.md.

The messages themselves are in ``tables``, made from the dictionary that the firmware uses, too.
"""

from __future__ import annotations

import binascii
import struct
from dataclasses import dataclass

from cobs import cobs

from dispenser.drivers.wire import tables as wire

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
    except cobs.DecodeError:
        return None
    if len(body) < _OVERHEAD:
        return None
    body, crc = body[: -_CRC.size], body[-_CRC.size :]
    if crc != _CRC.pack(_crc_of(body)):
        return None
    version, type_, sequence = _HEADER.unpack_from(body)
    kind = wire.MESSAGES.get(type_)
    if kind is None or (version != wire.VERSION and type_ not in _ANY_VERSION):
        return None
    try:
        return Frame(sequence, kind.unpack(body[_HEADER.size :]))
    except (struct.error, ValueError):
        return None


class FrameDecoder:
    """Takes bytes as they come, gives frames; after noise it is in step again with the next zero.

    :ivar dropped: pieces between zeros that were no frame.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._piece = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> list[Frame]:
        """The frames that these bytes complete."""
        *ends, rest = data.split(b"\0")
        frames = []
        for end in ends:
            self._add(end)
            frame = self._take()
            if frame is not None:
                frames.append(frame)
        self._add(rest)
        return frames

    def _add(self, data: bytes) -> None:
        if len(self._piece) + len(data) > MAX_FRAME:
            self._too_long = True
            self._piece.clear()
        elif not self._too_long:
            self._piece += data

    def _take(self) -> Frame | None:
        piece, too_long = bytes(self._piece), self._too_long
        self._piece.clear()
        self._too_long = False
        if not piece and not too_long:
            return None
        frame = None if too_long else decode(piece)
        self.dropped += frame is None
        return frame
