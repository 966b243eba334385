"""``Record``, the stored form of an event, and how each is hashed with the one before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

FIRST_CHAIN = "0" * 64  # Chain value before the first record
UNREADABLE = "service.journal.unreadable"
"""Type that replaces a damaged record which cannot be read; its ``why`` is the error."""
ERASED = "service.journal.erased"
"""Type of the record that documents an erasure: numbers ``first`` and ``last``, and ``count``."""
BLANK = "service.journal.blank"
"""Type of an erased record: number, time, source and place in the chain stay."""
PRIVATE_FIELD = "secret"  # Field of `data` that is never published: `public` removes it
_NO_TIME = "1970-01-01T00:00:00.000000Z"
Batch = tuple[str, Sequence[tuple[str, dict[str, Any]]]]
"""A source and its events to append, each as (type, data)."""
encode = msgspec.json.Encoder().encode  # `data` to JSON
decode = msgspec.json.Decoder(dict[str, Any]).decode  # JSON to `data`


@dataclass(frozen=True, slots=True)
class Record:
    """A record of the journal: one event as stored.

    :param seq: number of the record: 1 for the first, without gaps.
    :param time: UTC, ISO 8601 with microseconds and ``Z``; may go backwards when the clock is set.
    :param source: origin of the event, such as ``launcher``, ``button``, ``web`` or ``mqtt``.
    :param type: type of the event, such as ``launcher.burst.ended``.
    :param data: fields of the event, see the schema of that type.
    """

    seq: int
    time: str
    source: str
    type: str
    data: dict[str, Any]

    def public(self) -> Record:
        """Return this record without its secret: for the API, an export, a log line or a terminal."""
        return self if PRIVATE_FIELD not in self.data else replace(self, data=public_data(self.data))

    def json(self) -> bytes:
        """Return this record without its secret, as one JSON object without line breaks."""
        return encode(self.public())


def public_data(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``data`` without its secret field."""
    return {name: value for name, value in data.items() if name != PRIVATE_FIELD}


def stamp(wall_s: float) -> str:
    """Format seconds since 1970 as a record's ``time``."""
    return datetime.fromtimestamp(wall_s, UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def digest_of(type_: str, data: bytes) -> str:
    """Return the SHA-256, as hexadecimal digits, of what an erasure removes: the type and the JSON of ``data``."""
    return hashlib.sha256(f"{type_}\n".encode() + (data or b"")).hexdigest()


def link(previous: str, seq: int, time: str, source: str, digest: str) -> str:
    """Return a record's chain value: SHA-256 over that of the one before and over what an erasure keeps."""
    return hashlib.sha256(f"{previous}\n{seq}\n{time}\n{digest}\n{source}".encode()).hexdigest()


def record_of(row: Sequence[Any]) -> Record:
    """Return the record of a row, or one of the type ``UNREADABLE`` in its place."""
    seq, time, source, type_, data = row
    try:
        datetime.fromisoformat(time)
        source, type_ = msgspec.convert((source, type_), tuple[str, str])
        return Record(seq, time, source, type_, decode(data))
    except (TypeError, ValueError) as error:  # msgspec's errors are ValueErrors
        return Record(seq, _NO_TIME, "journal", UNREADABLE, {"why": str(error)})
