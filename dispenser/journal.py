"""The event log: everything that happened is an entry here before anybody hears of it.

One SQLite file in WAL mode, one writer, any number of readers in other processes. Entries are only ever added.

What can be lost: to a killed process (``kill -9`` included) nothing that ``append`` has returned; to a power cut the
entries since the last ``checkpoint`` that the kernel had not yet put on the disk by itself (Linux: about 30 s), always
the newest ones and always whole transactions.

The order of events is ``seq``, never ``time``: clocks get set back.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

from dispenser.journal_edges import EdgeBuffer, RecordedEdge
from dispenser.journal_errors import (
    EntryError,
    FilterError,
    JournalDamagedError,
    JournalError,
    JournalFormatError,
    JournalFullError,
    JournalIoError,
    JournalLockedError,
    JournalMissingError,
    JournalReadOnlyError,
    damaged,
    disk_trouble,
    explain_os,
)
from dispenser.journal_file import WriterLock, connect, connect_read_only
from dispenser.journal_reader import Entry, JournalReader, decode, encode, link, stamp, wire, with_json

__all__ = [
    "Entry",
    "EntryError",
    "FilterError",
    "Journal",
    "JournalDamagedError",
    "JournalError",
    "JournalFormatError",
    "JournalFullError",
    "JournalIoError",
    "JournalLockedError",
    "JournalMissingError",
    "JournalReadOnlyError",
    "JournalReader",
    "RecordedEdge",
]

_PROBE_BYTES = 16_384  # about what the largest usual append needs
_INSERT = "INSERT INTO entries (seq, time, source, type, data, chain, request) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Journal(JournalReader):
    """The event log. Use one object in one thread only; open another one for reading elsewhere."""

    def __init__(
        self, db: sqlite3.Connection, name: str, wall_clock: Callable[[], float], lock: WriterLock | None = None
    ) -> None:
        """Not for callers: see ``open``."""
        super().__init__(db, name)
        self._wall_clock = wall_clock
        self._lock = lock
        self._proven = False  # the last write worked
        self._unsynced = True  # something was written since the last checkpoint
        self._file = _identity(name) if lock else None
        self._edges = EdgeBuffer(run=self.last_seq)

    @classmethod
    def open(cls, path: str | Path, *, wall_clock: Callable[[], float] = time.time) -> Self:
        """Open the journal ``path`` for writing; a missing file (mode 0600) and its folder (0750) are made.

        ``:memory:`` gives one that lives as long as the object. May be tried again after any error.

        :param wall_clock: seconds since 1970, for ``Entry.time``.
        :raises JournalLockedError: another process writes to it.
        :raises JournalFormatError: the file is something else, or of another version; it is left as it is.
        :raises JournalError: it cannot be written or read; the kind says why, the message what to do.
        """
        if str(path) == ":memory:":
            return cls(connect(None), ":memory:", wall_clock)
        path = Path(path)
        try:
            path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        except OSError as error:
            raise explain_os(error, str(path)) from error
        with ExitStack() as undo:
            lock = WriterLock(path)
            undo.callback(lock.release)
            db = connect(path)
            undo.callback(db.close)
            journal = cls(db, str(path), wall_clock, lock)
            journal.probe()
            last_seq = journal.last_seq
            if last_seq and journal._first_misfit(last_seq) is not None:
                raise damaged(str(path), f"its last entry, {last_seq}, was altered")
            undo.pop_all()
        return journal

    @staticmethod
    def read_only(path: str | Path) -> JournalReader:
        """Open the journal ``path`` for reading, also while a launcher writes to it, also in a read-only folder.

        :raises JournalMissingError: there is none.
        :raises JournalError: it cannot be read; the kind says why, the message what to do.
        """
        path = Path(path)
        return JournalReader(connect_read_only(path), str(path))

    def close(self) -> None:
        """Close the file and let others write; may be called twice. Edges that were not flushed are lost."""
        super().close()
        if self._lock:
            self._lock.release()

    def append(self, source: str, entries: Sequence[tuple[str, dict[str, Any]]]) -> list[Entry]:
        """Write entries, given as (type, data), in one transaction; all of them are in the journal, or none.

        They get the next numbers and one common time. ``data`` keeps the order of its keys; enumerations become their
        values, tuples lists, numbers that are not finite ``null``; the entries returned show what was written.

        :raises EntryError: something in them has no place in JSON.
        :raises JournalError: they could not be written. No number is used up; see ``probe`` for when to try again.
        """
        try:
            encoded = [(type_, encode(data), data.get("request")) for type_, data in entries]
            "".join([source, *(type_ for type_, _ in entries)]).encode()
        except (AttributeError, TypeError, ValueError) as error:
            raise EntryError(f"{self._name}: {[type_ for type_, _ in entries]} cannot be recorded: {error}") from error
        if not encoded:
            return []
        now = stamp(self._wall_clock())
        written, rows = [], []
        with self._transaction() as db:
            seq, chain = self._end()
            if self._edges:
                self._edges.write(db, after_seq=seq)
            for type_, data, request in encoded:
                seq += 1
                json = wire(seq, now, source, type_, data)
                chain = link(chain, json)
                rows.append((seq, now, source, type_, data.decode(), chain, None if request is None else str(request)))
                written.append(with_json(Entry(seq, now, source, type_, decode(data)), json))
            db.executemany(_INSERT, rows)
        self._proven = True
        self._edges.forget()
        return written

    def probe(self) -> None:
        """Find out whether ``append`` would work now; cheap enough for once a second.

        Looks whether the file is still there and its disk has room; only when the last write failed (or there was
        none) something is really written, and taken out again.

        :raises JournalError: it would not work; the kind says why, the message what to do.
        """
        self._check_file()
        if self._file and (trouble := disk_trouble(self._name)):
            self._proven = False
            raise trouble
        if not self._proven:
            self._write_test()

    def _write_test(self) -> None:
        with self._transaction() as db:
            db.execute("INSERT INTO probe VALUES (zeroblob(?))", (_PROBE_BYTES,))
            db.execute("DELETE FROM probe")
        self._proven = True

    def checkpoint(self) -> None:
        """Bring what was appended safely to the disk: a power cut cannot take it any more.

        Waits for the disk, on an SD card some 100 ms: call it while the motor rests, and before showing the world
        something that must never be forgotten. Does nothing when nothing is new. Nothing is lost when it fails.

        :raises JournalError: the disk refuses.
        """
        self._check_file()
        if not self._unsynced:
            return
        self._rows("PRAGMA wal_checkpoint(PASSIVE)")
        self._write_test()  # the first write after a checkpoint waits for the disk, too; better now than at a press
        self._unsynced = False

    # --- secrets: never entries, never exported ----------------------------------------------------------------------

    def put_secret(self, commitment: str, seed_hex: str) -> None:
        """Keep the seed behind a commitment until it is revealed; call ``checkpoint`` before showing the commitment."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO secrets (commitment, seed) VALUES (?, ?)", (commitment, seed_hex))

    def unrevealed_secrets(self) -> list[tuple[str, str]]:
        """What ``put_secret`` kept and ``forget_secret`` has not removed, as (commitment, seed), oldest first."""
        return self._rows("SELECT commitment, seed FROM secrets ORDER BY id")

    def forget_secret(self, commitment: str) -> None:
        """The seed was revealed in an entry."""
        with self._transaction() as db:
            db.execute("DELETE FROM secrets WHERE commitment = ?", (commitment,))

    # --- raw edges -------------------------------------------------------------------------------------------------

    def record_edge(self, line: str, active: bool, at_s: float) -> None:
        """Keep one raw edge in memory; it is written with the next ``append`` or by ``flush_edges``.

        The newest ``journal_edges.BUFFER_EDGES`` wait, the newest ``journal_edges.KEEP_EDGES`` stay in the file.

        :param line: ``button``, ``lid`` or ``exit``.
        :param active: button down, lid open, exit blocked.
        :param at_s: the driver's monotonic clock, seconds.
        """
        self._edges.add(line, active, at_s, self._wall_clock())

    def flush_edges(self) -> None:
        """Write the waiting edges now."""
        if self._edges:
            with self._transaction() as db:
                self._edges.write(db, after_seq=self.last_seq)
            self._edges.forget()

    @property
    def path(self) -> Path | None:
        """The file, for ``read_only`` on another thread; ``None`` in memory."""
        return Path(self._name) if self._lock else None

    @property
    def dropped_edges(self) -> int:
        """Edges lost since ``open`` because too many came between two appends."""
        return self._edges.dropped

    # -----------------------------------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """One transaction: committed at the end of the block, or rolled back and the error explained."""
        with self._explained():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
                self._db.execute("COMMIT")
                self._unsynced = True
            except BaseException as error:
                self._proven = False
                try:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                except sqlite3.Error as second:
                    error.add_note(f"and the transaction could not be rolled back: {second}")
                raise

    def _check_file(self) -> None:
        if self._file and self._file != _identity(self._name):
            raise JournalMissingError(
                f"{self._name}: the journal was removed or replaced while in use; what is appended now would be lost."
                f" Start the launcher again"
            )


def _identity(name: str) -> tuple[int, int] | None:
    """Device and inode of the file ``name``; ``None`` when there is none."""
    try:
        status = Path(name).stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise explain_os(error, name) from error
    return status.st_dev, status.st_ino
