"""Which journal records are published, and up to which one the broker has confirmed. The journal is the outbox.

The number of the newest record that the broker has confirmed is kept beside the journal. After a break, whatever broke,
publishing goes on behind it: each public record arrives once at least, and ``journal`` with ``seq`` tells doubles.
"""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from dispenser.journal import JournalReader, Record
from dispenser.table.events import FAMILY, Opened

_log = logging.getLogger(__name__)

FILE: Final = "mqtt.json"
_TABLE: Final = FAMILY.removesuffix("*")


class Position:
    """The newest record that the broker has, of which journal.

    :param file: where it is kept; ``None``: nowhere, as with a journal that ends with its process.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._journal, self._seq = "", 0
        if file is not None:
            with suppress(OSError, ValueError, TypeError, KeyError):  # none yet, or not ours: as if nothing was sent
                kept = json.loads(file.read_text(encoding="utf-8"))
                self._journal, self._seq = str(kept["journal"]), int(kept["seq"])

    def after(self, journal: str, newest: int) -> int:
        """The record behind which publishing goes on. At the very first start that is the newest, which is kept at
        once; in a journal that was begun anew, the beginning."""
        if not self._journal:
            self.confirmed(journal, newest)
        return min(self._seq, newest) if journal == self._journal else 0

    def confirmed(self, journal: str, seq: int) -> None:
        """The broker has all records up to this one."""
        self._journal, self._seq = journal, seq
        if self._file is None:
            return
        written = self._file.with_suffix(".new")
        try:  # not synced: after a power cut a few records are published again
            written.write_text(json.dumps({"journal": journal, "seq": seq}), encoding="utf-8")
            written.replace(self._file)
        except OSError as error:
            _log.warning("%s cannot be written, so a restart publishes more than once: %s", self._file, error)


def first_public(journal: JournalReader) -> int:
    """The record with which the last evening began: what was at the table before it is nobody's business now."""
    opened = next(journal.read(types=[Opened.type], last=1), None)
    return journal.last_seq + 1 if opened is None else opened.seq


def is_public(record: Record, evening_from: int) -> bool:
    """Whether a record is published: all of the launcher, and of the table the last evening, as its watchers see it."""
    return record.seq >= evening_from or not record.type.startswith(_TABLE)


def as_message(journal: str, record: Record) -> dict[str, Any]:
    """A record as it is published."""
    return {"journal": journal, **msgspec.to_builtins(record.public())}
