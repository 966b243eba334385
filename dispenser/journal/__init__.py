"""The journal: an append-only event log. A record is published only after it is written.

One SQLite file in WAL mode, one writer, any number of readers in other processes. Records are only appended; the
content of a record can be erased, which keeps its place in the hash chain and is recorded (``ERASED``).

A killed process loses nothing that ``append`` has returned; a power cut nothing that was there before a ``sync``. The
order of events is ``seq``, never ``time``: clocks get set back.
"""

from __future__ import annotations

from dispenser.journal.damage import DAMAGED, Damage
from dispenser.journal.edges import RecordedEdge
from dispenser.journal.errors import (
    FilterError,
    JournalDamagedError,
    JournalError,
    JournalFormatError,
    JournalMissingError,
    NotAJournalError,
    RecordError,
)
from dispenser.journal.reader import JournalReader
from dispenser.journal.record import BLANK, ERASED, UNREADABLE, Batch, Record, public_data
from dispenser.journal.writer import Journal

__all__ = [
    "BLANK",
    "DAMAGED",
    "ERASED",
    "UNREADABLE",
    "Batch",
    "Damage",
    "FilterError",
    "Journal",
    "JournalDamagedError",
    "JournalError",
    "JournalFormatError",
    "JournalMissingError",
    "JournalReader",
    "NotAJournalError",
    "Record",
    "RecordError",
    "RecordedEdge",
    "public_data",
]
