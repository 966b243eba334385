"""``Record``, the stored form of an event, and how each is hashed with the one before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import msgspec

FIRST_CHAIN = "0" * 64  # Stands for the entry before the first
UNREADABLE = "service.journal.unreadable"
"""The type of an entry that stands where a damaged one cannot be read; its ``why`` says what is wrong with it."""
ERASED = "service.journal.erased"
"""The type of the entry that tells of erased ones: ``first`` and ``last`` number, and their ``count``."""
BLANK = "service.journal.blank"
"""The type of an entry that was erased: number, time, source and place in the chain stay."""
UNTOLD = "secret"  # The field of an entry's `data` that stays in the house, be it a hash: see `told`
_NO_TIME = "1970-01-01T00:00:00.000000Z"
Batch = tuple[str, Sequence[tuple[str, dict[str, Any]]]]
"""A source, and entries of it to be written, each as (type, data)."""
encode = msgspec.json.Encoder().encode  # The JSON of an entry's `data`
decode = msgspec.json.Decoder(dict[str, Any]).decode  # An entry's `data` from its JSON


@dataclass(frozen=True, slots=True)
class Record:
    """An entry of the journal: one event as it is stored.

    :param seq: its number; the first is 1 and there is no gap.
    :param time: UTC, ISO 8601 with microseconds and ``Z``; may go backwards.
    :param source: who made it happen or saw it.
    """

    seq: int
    time: str
    source: str
    type: str
    data: dict[str, Any]

    def told(self) -> Record:
        """This entry as it may leave the house: over the API, in an export, a log line or a terminal."""
        return self if UNTOLD not in self.data else replace(self, data=told(self.data))

    def json(self) -> bytes:
        """This entry, as it may leave the house, as one JSON object without line breaks."""
        return encode(self.told())


def told(data: Mapping[str, Any]) -> dict[str, Any]:
    """An entry's ``data`` without what nobody is told."""
    return {name: value for name, value in data.items() if name != UNTOLD}


def stamp(wall_s: float) -> str:
    """Seconds since 1970 as an entry shows them."""
    return datetime.fromtimestamp(wall_s, UTC).isoformat(timespec="microseconds")[:-6] + "Z"


def digest_of(type_: str, data: bytes) -> str:
    """SHA-256, in hexadecimal digits, over what is erased of an entry: its type, and the JSON of its ``data``."""
    return hashlib.sha256(f"{type_}\n".encode() + (data or b"")).hexdigest()


def link(previous: str, seq: int, time: str, source: str, digest: str) -> str:
    """The chain value of an entry: SHA-256 over that of the entry before and over what stays when it is erased."""
    return hashlib.sha256(f"{previous}\n{seq}\n{time}\n{digest}\n{source}".encode()).hexdigest()


def record_of(row: Sequence[Any]) -> Record:
    """The entry in such a row, or one of the type ``UNREADABLE`` in its place."""
    seq, time, source, type_, data = row
    try:
        datetime.fromisoformat(time)
        source, type_ = msgspec.convert((source, type_), tuple[str, str])
        return Record(seq, time, source, type_, decode(data))
    except (TypeError, ValueError) as error:  # msgspec's are ValueErrors
        return Record(seq, _NO_TIME, "journal", UNREADABLE, {"why": str(error)})
