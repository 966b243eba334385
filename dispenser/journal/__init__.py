"""The event log: everything that happened is an entry here before anybody hears of it.

One SQLite file in WAL mode, one writer, any number of readers in other processes. Entries are only ever added; what an
entry said may be erased, which leaves its place and its link in the chain, and is told by an entry (``erasing``).

A killed process loses nothing that ``append`` has returned. A power cut loses nothing that was there when a ``sync`` or
``checkpoint`` began that has returned; of what came since, the newest entries are lost, as whole transactions.

The order of events is ``seq``, never ``time``: clocks get set back.
"""

from __future__ import annotations

from dispenser.journal.damage import DAMAGED, Damage
from dispenser.journal.edges import RecordedEdge
from dispenser.journal.entry import UNREADABLE, Batch, Entry, told
from dispenser.journal.erasing import BLANK, ERASED
from dispenser.journal.errors import (
    EntryError,
    FilterError,
    JournalDamagedError,
    JournalError,
    JournalFormatError,
    JournalMissingError,
)
from dispenser.journal.reader import JournalReader
from dispenser.journal.writer import Journal

__all__ = [
    "BLANK",
    "DAMAGED",
    "ERASED",
    "UNREADABLE",
    "Batch",
    "Damage",
    "Entry",
    "EntryError",
    "FilterError",
    "Journal",
    "JournalDamagedError",
    "JournalError",
    "JournalFormatError",
    "JournalMissingError",
    "JournalReader",
    "RecordedEdge",
    "told",
]
