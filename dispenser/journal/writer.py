"""The one who writes the journal: each append is in the file before anybody hears of it."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from dispenser.i18n import Text
from dispenser.journal import edges
from dispenser.journal.entry import Batch, Entry, decode, encode, link, stamp
from dispenser.journal.erasing import ERASED, erase
from dispenser.journal.errors import (
    EntryError,
    JournalDamagedError,
    JournalError,
    JournalMissingError,
    disk_trouble,
    explain_os,
)
from dispenser.journal.examined import ExaminedJournal
from dispenser.journal.file import connect
from dispenser.journal.keeper import JournalKeeper, put_aside

_log = logging.getLogger(__name__)

_PROBE_BYTES = 16_384  # about what the largest usual append needs
_INSERT = "INSERT INTO entries (seq, time, source, type, data, chain, request) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Journal(ExaminedJournal):
    """The event log.

    One object belongs to one thread. Who wants to read on another opens a reader there: ``read_only(path)``. Only
    ``sync`` may be called on any.

    :ivar written: number of the newest entry that this object has written; 0 before the first.
    """

    def __init__(
        self, db: sqlite3.Connection, name: str, wall_clock: Callable[[], float], keeper: JournalKeeper | None = None
    ) -> None:
        """Not for callers: see ``open``."""
        super().__init__(db, name, keeper)
        self.written = 0
        self._wall_clock = wall_clock
        self._erased = False  # what was erased is still in the write-ahead log
        self._run = self.last_seq
        self._edges: deque[tuple[str, bool, float, float]] = deque(maxlen=edges.BUFFER_EDGES)

    @classmethod
    def open(cls, path: str | Path, *, wall_clock: Callable[[], float] = time.time) -> Self:
        """Open the journal ``path`` for writing; a missing file (mode 0600) and its folder (0750) are made.

        ``:memory:`` gives one that lives as long as the object. May be tried again after any error.

        A journal that is damaged is no error: what can be mended is mended, one that SQLite cannot use is put aside
        under another name and a new one begun. Either way ``damage`` tells.

        :param wall_clock: seconds since 1970, for ``Entry.time``.
        :raises JournalLockedError: another process writes to it.
        :raises JournalFormatError: the file is something else, or of another version; it is left as it is.
        :raises JournalError: it cannot be written or read; the kind says why, the message what to do.
        """
        if str(path) == ":memory:":
            return cls(connect(None, ":memory:"), ":memory:", wall_clock)
        name, real = str(path), Path(os.path.realpath(path))
        try:
            real.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        except OSError as error:
            raise explain_os(error, name) from error
        try:
            return cls._open_or_put_aside(real, name, wall_clock)
        except JournalError:
            raise
        except OSError as error:  # the disk, while its bytes are read beside SQLite
            raise explain_os(error, name) from error

    @classmethod
    def _open_or_put_aside(cls, real: Path, name: str, wall_clock: Callable[[], float]) -> Self:
        aside = []
        try:
            journal = cls._open(real, name, wall_clock)
        except JournalDamagedError as error:
            aside = [put_aside(real, name, f"{datetime.fromtimestamp(wall_clock(), UTC):%Y%m%dT%H%M%SZ}", error)]
            journal = cls._open(real, name, wall_clock)
        journal.damage = aside + journal.damage
        return journal

    @classmethod
    def _open(cls, real: Path, name: str, wall_clock: Callable[[], float]) -> Self:
        with ExitStack() as undo:
            keeper = JournalKeeper(real, name)
            undo.callback(keeper.release)
            keeper.refuse_misleading()
            db = connect(real, name)
            undo.callback(db.close)
            journal = cls(db, name, wall_clock, keeper)
            journal._examine(keeper)
            journal.probe()
            journal._catch_up()
            keeper.open_log()
            keeper.remember()
            keeper.mark(journal._first, journal.last_seq)
            undo.pop_all()
        return journal

    def close(self) -> None:
        """Close the file and let others write; may be called twice. Edges that were not flushed are lost."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            super().close()
            return
        if self._check is not None:
            self._check.stop()
        keeper.close_log()  # SQLite takes the file away, and Windows only one that nobody has open
        end = None
        try:
            keeper.still_there()
            self._catch_up()
            end = self.end()
        except JournalMissingError:
            self._leave_log(keeper)
        except JournalError as error:
            _log.warning("the journal was not closed well: %s", error)
        finally:
            super().close()
            if self.broken:
                keeper.leave_suspect()
            elif end is not None and not self._unchecked:
                keeper.seal(self._first, *end)
            keeper.release()

    def _leave_log(self, keeper: JournalKeeper) -> None:
        """What the write-ahead log still holds must not get into whatever has the journal's name now."""
        if keeper.is_another():
            with suppress(sqlite3.Error):  # into the file that we have open, wherever that is
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        elif not self._unsynced:  # somebody has written into our file, and there is no entry in the log
            keeper.empty_log()

    # --- writing ---

    def append(self, source: str, entries: Sequence[tuple[str, dict[str, Any]]]) -> list[Entry]:
        """Write entries of one source, given as (type, data); else as ``append_batches``."""
        return self.append_batches((source, entries))

    def append_batches(self, *batches: Batch) -> list[Entry]:
        """Write entries of several sources in one transaction; all of them are in the journal, or none.

        They get the next numbers and one common time. ``data`` keeps the order of its keys; enumerations become their
        values, tuples lists, numbers that are not finite ``null``; the entries returned show what was written.

        :raises EntryError: something in them has no place in JSON.
        :raises JournalError: they could not be written. No number is used up; see ``probe`` for when to try again.
        """
        drafts = [(source, type_, data) for source, entries in batches for type_, data in entries]
        try:
            encoded = [(source, type_, encode(data), data.get("request")) for source, type_, data in drafts]
            "".join([each for source, type_, _ in drafts for each in (source, type_)]).encode()
        except (AttributeError, TypeError, ValueError) as error:
            raise EntryError(
                Text("{name}: {types} cannot be recorded: {error}").filled(
                    name=self._name, types=[type_ for _, type_, _ in drafts], error=error
                )
            ) from error
        if not encoded:
            return []
        self.still_there()
        with self._transaction() as db:
            written, tip = self._insert(db, encoded)
        self._written(tip)
        return written

    def _insert(
        self, db: sqlite3.Connection, encoded: Sequence[tuple[str, str, bytes, object]]
    ) -> tuple[list[Entry], tuple[int, str]]:
        """Write entries, given as source, type, JSON and request; also return what the end is then."""
        now = stamp(self._wall_clock())
        written, rows = [], []
        seq, chain = self._tip or self.end()
        self._write_edges(db, after_seq=seq)
        for source, type_, data, request in encoded:
            seq += 1
            chain = link(chain, (seq, now, source, type_, data))
            answers = request if isinstance(request, str) else None
            rows.append((seq, now, source, type_, data.decode(), chain, answers))
            written.append(Entry(seq, now, source, type_, decode(data)))
        db.executemany(_INSERT, rows)
        return written, (seq, chain)

    def _written(self, tip: tuple[int, str]) -> None:
        self._tip, self.written = tip, tip[0]
        self._edges.clear()
        self._first = self._first or self._chain_of(1)
        if self._keeper:
            self._keeper.mark(self._first, tip[0])

    def erase(self, first: int, last: int, family: str, source: str, data: dict[str, Any]) -> list[Entry]:
        """Take what the entries of a family said out of the file for good, and tell of it: all of that, or nothing.

        The bytes are overwritten by the next ``checkpoint`` with no reader in its way, at the latest by ``close``.

        :param first: number of the first entry that may be one; ``last``: of the last.
        :param family: of all types that begin so, such as ``table.``.
        :param data: what is told besides; see ``erasing.ERASED``.
        :raises JournalError: it could not be done.
        """
        self.still_there()
        with self._transaction() as db:
            told = {**data, **erase(db, first, last, family)}
            written, tip = self._insert(db, [(source, ERASED, encode(told), told.get("request"))])
        self._erased = True
        self._written(tip)
        return written

    def probe(self) -> None:
        """Find out whether ``append`` would work now: something is written, and taken out again.

        :raises JournalError: it would not work; the kind says why, the message what to do.
        """
        self.still_there()
        if self._keeper and (trouble := disk_trouble(self._name)):
            raise trouble
        self._write_test()

    def _write_test(self) -> None:
        with self._transaction() as db:
            db.execute("INSERT INTO probe VALUES (zeroblob(?))", (_PROBE_BYTES,))
            db.execute("DELETE FROM probe")

    def sync(self) -> None:
        """Bring what was appended before this call safely to the disk: a power cut cannot take it any more.

        Waits for the disk, and does not get in the way of ``append``: call it on another thread.

        :raises JournalError: the disk refuses. Nobody knows then what it has, so this journal is ``broken``; all that
            was appended is still there, and is written anew when it is closed and opened again.
        """
        if (keeper := self._keeper) is None:
            return
        try:
            keeper.sync_log()
        except JournalError:
            self.broken = True
            raise

    def checkpoint(self) -> None:
        """Bring what was appended safely to the disk, as ``sync`` does, and from the write-ahead log into the file.

        Waits for the disk several times, on an SD card some 100 ms: call it while the motor rests. Does nothing when
        nothing is new. Nothing is lost when it fails.

        :raises JournalError: the disk refuses.
        """
        self.still_there()
        if not self._unsynced:
            return
        self._catch_up()
        self.sync()  # SQLite leaves it, and says nothing, when somebody reads the file just then
        if not (self._unchecked and self._sealed):  # else the file is being compared: nothing may get into it
            try:
                ((busy, *_),) = self.ask(f"PRAGMA wal_checkpoint({'TRUNCATE' if self._erased else 'PASSIVE'})")
                self._erased = self._erased and bool(busy)
            finally:
                if self._keeper:
                    self._keeper.remember()
        self._write_test()  # the first write after a checkpoint waits for the disk, too; better now than at a press
        self._unsynced = False

    def record_edge(self, line: str, active: bool, at_s: float) -> None:
        """Keep one raw edge (see ``RecordedEdge``) in memory, until the next ``append`` or ``flush_edges``."""
        self._edges.append((line, active, float(at_s), float(self._wall_clock())))

    def flush_edges(self) -> None:
        """Write the waiting edges now."""
        if self._edges:
            with self._transaction() as db:
                self._write_edges(db, after_seq=self.last_seq)
            self._edges.clear()

    def _write_edges(self, db: sqlite3.Connection, after_seq: int) -> None:
        if self._edges:
            edges.write(db, [edges.RecordedEdge(self._run, after_seq, *edge) for edge in self._edges])

    # --- secrets: never entries, never exported ---

    def put_secret(self, commitment: str, seed_hex: str) -> None:
        """Keep the seed behind a commitment until it is revealed; call ``checkpoint`` before showing the commitment."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO secrets (commitment, seed) VALUES (?, ?)", (commitment, seed_hex))

    def unrevealed_secrets(self) -> list[tuple[str, str]]:
        """What ``put_secret`` kept and ``forget_secret`` has not removed, as (commitment, seed), oldest first."""
        return self.ask("SELECT commitment, seed FROM secrets ORDER BY id")

    def forget_secret(self, commitment: str) -> None:
        """The seed was revealed, or nobody is to know it: after the next checkpoint no byte of it is left."""
        with self._transaction() as db:
            db.execute("PRAGMA secure_delete = ON")  # zeros where it was, however SQLite was built
            db.execute("DELETE FROM secrets WHERE commitment = ?", (commitment,))
        self._erased = True
