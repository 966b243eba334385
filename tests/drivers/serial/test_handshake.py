"""The handshake with a firmware of another version: version 1 as it was, byte by byte."""

from __future__ import annotations

import binascii
import itertools

import pytest
from cobs import cobs

from dispenser.drivers.serial.handshake import FirmwareMismatchError, shake_hands


class BoardOfVersion1:
    """A link to a board that was flashed before protocol 2: it knows one CRC, from 0 and as it is."""

    baud = 115_200

    def __init__(self) -> None:
        self.hellos = 0
        self._said = b""

    def write(self, data: bytes) -> None:
        body = cobs.decode(data.strip(b"\0"))
        assert binascii.crc_hqx(body, 0) == 0, "it would not hear that"
        _version, type_, sequence, _protocol, *_dictionary, high, low = body[:-2]
        assert type_ == 0x01
        assert len(body) == 3 + 7 + 2
        self.hellos += 1
        told = bytes([1, 0x81, sequence, high, low, 1]) + bytes.fromhex("f069c175") + b"\1\0\0" + bytes(range(1, 5))
        told += b"\1\3\1"
        self._said += bytes(cobs.encode(told + binascii.crc_hqx(told, 0).to_bytes(2))) + b"\0"

    def read(self, timeout_s: float) -> bytes:  # noqa: ARG002 - what it says is there at once
        said, self._said = self._said, b""
        return said


def test_a_board_of_version_1_is_refused_at_once_with_what_to_do() -> None:
    board, clock = BoardOfVersion1(), itertools.count()
    with pytest.raises(FirmwareMismatchError, match=r"1\.0\.0 \(protocol 1, .*dispenser firmware flash"):
        shake_hands(board, lambda: float(next(clock)))  # type: ignore[arg-type] - as much of a link as it needs
    assert board.hellos == 1
