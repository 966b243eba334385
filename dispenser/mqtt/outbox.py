"""Which journal records are published, and up to which seq the broker has confirmed them. The journal is the outbox.

The seq of the newest confirmed record is stored beside the journal. After an interruption, publishing resumes after it:
each public record arrives at least once, and subscribers recognize duplicates by ``journal`` and ``seq``.
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
    """Journal and seq of the newest record that the broker has confirmed.

    :param file: where they are stored; ``None``: in memory only, like a journal in memory.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._journal, self._seq = "", 0
        if file is not None:
            # without a valid file: as if nothing was sent
            with suppress(OSError, ValueError, TypeError, KeyError):
                kept = json.loads(file.read_text(encoding="utf-8"))
                self._journal, self._seq = str(kept["journal"]), int(kept["seq"])

    def after(self, journal: str, newest: int) -> int:
        """Return the seq after which to publish: at the very first start the newest (stored at once), in a new
        journal 0."""
        if not self._journal:
            self.confirmed(journal, newest)
        return min(self._seq, newest) if journal == self._journal else 0

    def confirmed(self, journal: str, seq: int) -> None:
        """Store that the broker has confirmed all records up to this one."""
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
    """Return the seq of the record that opened the last evening. Records of earlier evenings are private."""
    opened = next(journal.read(types=[Opened.type], last=1), None)
    return journal.last_seq + 1 if opened is None else opened.seq


def is_public(record: Record, evening_from: int) -> bool:
    """Return whether a record is published: all but those of earlier evenings."""
    return record.seq >= evening_from or not record.type.startswith(_TABLE)


def as_message(journal: str, record: Record) -> dict[str, Any]:
    """Return a record as it is published."""
    return {"journal": journal, **msgspec.to_builtins(record.public())}
