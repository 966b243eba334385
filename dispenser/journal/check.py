"""Goes over a whole journal and says what is wrong with it.

A journal that was closed well has a seal: if not one byte differs, that is all there is to do. Else (it was left by a
kill or a power cut, or something was altered) SQLite looks at its trees and indexes, the chain of hashes is computed
again, and what follows from the entries is compared with them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any
from zlib import crc32

import msgspec

from dispenser.journal.damage import Damage
from dispenser.journal.errors import JournalDamagedError, JournalError
from dispenser.journal.lock import READ_BYTES, Seal, WriterLock
from dispenser.journal.reader import JournalReader, decode

_SLICE_ROWS = 32
"""Rows between two pauses: some 0.2 ms here, 3 ms on a Pi Zero (assumed 15 times slower)."""
_PAUSE_S = 0.002
_MOTOR_S = 0.05
_NICE = 19
_MISSING = "SELECT count(*) FROM entries LEFT JOIN kinds USING (type, seq) WHERE entries.seq <= ? AND kinds.seq IS NULL"


class CheckStoppedError(Exception):
    """The journal is closed before the check is through."""


class JournalCheck:
    """One check of one journal.

    :param lock: the journal's file; ``None``: do not look at its bytes.
    :param seal: what the file was when it was closed, and must still be; ``None``: nobody knows.
    """

    def __init__(self, lock: WriterLock | None = None, seal: Seal | None = None) -> None:
        self._lock = lock
        self._seal = seal
        self.sealed = seal is not None
        """The file must stay as it is until this is false: it is being compared with its seal."""
        self.broken = ""
        """What SQLite finds wrong with trees and indexes; "" when nothing is."""
        self.requests: dict[int, str | None] = {}
        """The request that some entries really answer, by number, where the file says something else beside them."""

    def run(self, reader: JournalReader, pause: Callable[[], object] = lambda: None) -> list[Damage]:
        """Look at everything.

        :param pause: called between two slices of the work.
        """
        try:
            if self._as_sealed(pause):
                return []
        finally:
            self.sealed = False
        self.broken, self.requests = "", {}
        try:
            found = self._look(reader, pause)
        except JournalDamagedError as error:
            self.broken = self.broken or error.what
            found = []
        if self.broken:
            found.insert(0, Damage("file", f"a part of the file cannot be read: {self.broken}"))
        if not found and self._seal is not None:
            detail = "the file was altered since the journal was closed, in places that hold no entry; all are in place"
            found.append(Damage("unused bytes", detail))
        return found

    def _as_sealed(self, pause: Callable[[], object]) -> bool:
        if self._seal is None or self._lock is None:
            return False
        checksum = 0
        for offset in range(0, self._seal.size, READ_BYTES):
            pause()
            checksum = crc32(self._lock.read(min(READ_BYTES, self._seal.size - offset), offset), checksum)
        return (checksum, self._lock.size()) == (self._seal.checksum, self._seal.size)

    def _look(self, reader: JournalReader, pause: Callable[[], object]) -> list[Damage]:
        complaints = [text for (text,) in reader.ask("PRAGMA integrity_check(3)")]
        self.broken = "" if complaints == ["ok"] else "; ".join(complaints).replace("\n", " ")
        seen = 0

        def look(row: Sequence[Any]) -> None:
            nonlocal seen
            seen += 1
            if seen % _SLICE_ROWS == 0:
                pause()
            self._compare_request(row)

        found = [Damage.of_entries(first, last) for first, last in reader.misfits(look=look)]
        if self.requests:
            first, last = min(self.requests), max(self.requests)
            detail = f"which requests were answered was altered in {len(self.requests)} places; it is made anew"
            found.append(Damage("requests", detail, first, last))
        if not self.broken and not _kinds_are_right(reader):
            self.broken = "the list of types does not fit the entries"
        if damaged_edges := reader.damaged_edges():
            found.append(
                Damage("edges", f"{damaged_edges} recorded edges were altered; they are left out of scenarios")
            )
        return found

    def _compare_request(self, row: Sequence[Any]) -> None:
        seq, data, stored = row[0], row[4] or b"", row[6]
        if stored is None and b'"request":"' not in data:
            return
        with suppress(ValueError, msgspec.DecodeError):  # else the chain tells
            request = decode(data).get("request")
            request = request if isinstance(request, str) else None
            if request != stored:
                self.requests[seq] = request


def _kinds_are_right(reader: JournalReader) -> bool:
    if not reader.has_kinds():
        return True
    bounds = reader.ask("SELECT upto, (SELECT coalesce(max(seq), 0) FROM entries) FROM indexed")
    if len(bounds) != 1 or not all(isinstance(bound, int) for bound in bounds[0]) or bounds[0][0] > bounds[0][1]:
        return False
    upto = bounds[0][0]
    (listed,), (there,) = reader.ask(
        "SELECT count(*) FROM kinds WHERE seq <= :upto UNION ALL SELECT count(*) FROM entries WHERE seq <= :upto",
        {"upto": upto},
    )
    return listed == there and reader.ask(_MISSING, (upto,)) == [(0,)]


class CheckThread:
    """A check beside the launcher, on a thread that steps back for everything else and stops while the motor turns.

    :param open_reader: a reader for that thread alone.
    :param resting: whether the motor is off for the time being.
    :param done: called on that thread once, unless it is stopped before: with what was found, and whether the check
        went through.
    """

    def __init__(
        self,
        check: JournalCheck,
        open_reader: Callable[[], JournalReader],
        resting: Callable[[], bool],
        done: Callable[[list[Damage], bool], object],
    ) -> None:
        self._check = check
        self._open_reader = open_reader
        self._resting = resting
        self._done = done
        self._stop = threading.Event()
        self._reader: JournalReader | None = None
        self._thread = threading.Thread(target=self._run, name="journal check", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        through = False
        try:
            with self._open_reader() as self._reader:
                found = self._check.run(self._reader, self._pause)
                through = True
        except CheckStoppedError:
            return
        except (JournalError, OSError) as error:
            found = [Damage("file", f"the journal could not be checked: {error}")]
        if not self._stop.is_set():
            self._done(found, through)

    def _pause(self) -> None:
        wait_s = _PAUSE_S
        while self._stop.wait(wait_s) or not self._resting():
            if self._stop.is_set():
                raise CheckStoppedError
            wait_s = _MOTOR_S

    def stop(self) -> None:
        """End it and wait for that, some milliseconds."""
        self._stop.set()
        if self._reader is not None:
            self._reader.interrupt()
        self._thread.join()
