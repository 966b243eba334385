"""The one who writes the journal: each append is in the file before anybody hears of it."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from dispenser.journal import edges
from dispenser.journal.check import CheckThread, Damage, damage_of
from dispenser.journal.entry import Batch, Entry, decode, encode, link, stamp
from dispenser.journal.erasing import ERASED, erase
from dispenser.journal.errors import (
    EntryError,
    JournalDamagedError,
    JournalError,
    JournalMissingError,
    damaged,
    disk_trouble,
    explain_os,
)
from dispenser.journal.file import APPLICATION_ID, CATCH_UP, HEADER, REBUILD, SCHEMA_VERSION, connect, connect_read_only
from dispenser.journal.keeper import JournalKeeper, put_aside
from dispenser.journal.reader import JournalReader
from dispenser.language import Text, verbatim

_log = logging.getLogger(__name__)

SMALL_BYTES = 1 << 20
"""A journal up to this size (some 3,000 entries, an evening or two) is looked through before the start. Of a larger one
only the newest entries; the rest afterwards, on a thread."""
NEWEST = 500
"""Entries at the end of a large journal whose chain is checked before the start: 4 ms here."""
_PROBE_BYTES = 16_384  # about what the largest usual append needs
_INSERT = "INSERT INTO entries (seq, time, source, type, data, chain, request) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Journal(JournalReader):
    """The event log.

    One object belongs to one thread. Who wants to read on another opens a reader there: ``read_only(path)``.

    :ivar damage: what was found wrong when the journal was opened, and what became of it. Nobody was told yet.
    :ivar broken: SQLite cannot be relied on with this file any more: close it, and open it again.
    """

    def __init__(
        self, db: sqlite3.Connection, name: str, wall_clock: Callable[[], float], keeper: JournalKeeper | None = None
    ) -> None:
        """Not for callers: see ``open``."""
        self.damage: list[Damage] = []
        self.broken = False
        super().__init__(db, name)
        self._wall_clock = wall_clock
        self._keeper = keeper
        self._check: CheckThread | None = None
        self._unchecked = keeper is not None
        self._sealed = False  # it may still be what it was when it was closed; its bytes were not compared yet
        self._unsynced = True  # something was written since the last checkpoint
        self._erased = False  # what was erased is still in the write-ahead log
        self._tip: tuple[int, str] | None = None  # ``end()``, while it is known
        self._first = self._chain_of(1)
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
            keeper.remember()
            keeper.mark(journal._first, journal.last_seq)
            undo.pop_all()
        return journal

    @staticmethod
    def read_only(path: str | Path) -> JournalReader:
        """Open the journal ``path`` for reading, also while it is written, also in a read-only folder; some 0.4 ms.

        :raises JournalMissingError: there is none.
        :raises JournalError: it cannot be read; the kind says why, the message what to do.
        """
        return JournalReader(connect_read_only(Path(path)), str(path))

    @property
    def path(self) -> Path | None:
        """The file, for ``read_only`` on another thread; ``None`` in memory."""
        return Path(self._name) if self._name != ":memory:" else None

    def close(self) -> None:
        """Close the file and let others write; may be called twice. Edges that were not flushed are lost."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            super().close()
            return
        if self._check is not None:
            self._check.stop()
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
        self._tip = tip
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

    def checkpoint(self) -> None:
        """Bring what was appended safely to the disk: a power cut cannot take it any more.

        Waits for the disk, on an SD card some 100 ms: call it while the motor rests, and before showing the world
        something that must never be forgotten. Does nothing when nothing is new. Nothing is lost when it fails.

        :raises JournalError: the disk refuses.
        """
        self.still_there()
        if not self._unsynced:
            return
        self._catch_up()
        if self._keeper and self._unchecked and self._sealed:  # the file is being compared: nothing may get into it
            self._keeper.sync_log()
        else:
            try:
                ((busy, *_),) = self.ask(f"PRAGMA wal_checkpoint({'TRUNCATE' if self._erased else 'PASSIVE'})")
                self._erased = self._erased and bool(busy)
            finally:
                if self._keeper:
                    self._keeper.remember()
        self._write_test()  # the first write after a checkpoint waits for the disk, too; better now than at a press
        self._unsynced = False

    def still_there(self) -> None:
        """Look whether the file is; 3 µs.

        :raises JournalMissingError: somebody removed, replaced or changed it.
        """
        if self._keeper:
            self._keeper.still_there()

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

    # --- is it whole? ---

    def _examine(self, keeper: JournalKeeper) -> None:
        """Find what is wrong with the file, as far as that can be seen before the start, and mend what can be.

        :raises JournalDamagedError: SQLite cannot use it.
        """
        if self.ask("PRAGMA application_id") + self.ask("PRAGMA user_version") != [
            (APPLICATION_ID,),
            (SCHEMA_VERSION,),
        ]:
            for statement in HEADER:
                self.ask(statement)
            self.damage.append(Damage("header"))
        end = self.end()
        if keeper.was.first == self._first and keeper.was.seq > end[0]:
            self.damage.append(Damage("newest entries", end[0] + 1, keeper.was.seq))
        self._sealed = not self.damage and keeper.is_sealed(end)
        newest = self.misfits(after=max(0, end[0] - NEWEST))
        if keeper.was.suspect or keeper.size <= SMALL_BYTES or next(newest, None):
            found = self._look_at_all(self, lambda: None)
            self._unchecked = False
            if any(damage.breaks_sqlite for damage in found):
                self._rebuild()
                self.broken = False
                found = [Damage("index", why=each.why) if each.what == "file" else each for each in found]
            self.damage += found

    def _look_at_all(self, reader: JournalReader, pause: Callable[[], object]) -> list[Damage]:
        """What is wrong; nothing, where not one bit has changed since the journal was closed well."""
        if not self._sealed or self._keeper is None:
            return damage_of(reader, pause)
        if self._keeper.is_as_closed(pause):
            return []
        self._sealed = False
        return damage_of(reader, pause) or [Damage("unused bytes")]

    def check_rest(self, resting: Callable[[], bool], tell: Callable[[list[Damage]], object]) -> None:
        """Look at what was not looked at when the journal was opened, on a thread that waits while the motor turns.

        :param resting: whether the motor is off for the time being.
        :param tell: called on that thread with what is wrong, if anything is.
        """
        path = self.path
        if path is None or not self._unchecked or self._check is not None:
            return

        def done(found: list[Damage], through: bool) -> None:
            self._unchecked = not through
            self.broken = self.broken or any(damage.breaks_sqlite for damage in found)
            if found:
                tell(found)

        self._check = CheckThread(lambda: self.read_only(path), self._look_at_all, resting, done)

    def _catch_up(self) -> None:
        """Let the filters know where the newest entries are."""
        if self.ask("SELECT upto FROM indexed") != [(self.last_seq,)]:
            with self._transaction() as db:
                for statement in CATCH_UP:
                    db.execute(statement)

    def _rebuild(self) -> None:
        """Make all anew that follows from the entries.

        :raises JournalDamagedError: it is no use; nothing was changed.
        """
        with self._transaction() as db:
            for statement in REBUILD:
                db.execute(statement)
            complaint = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if complaint != "ok":
                raise damaged(self._name, verbatim(complaint))

    def _chain_of(self, seq: int) -> str:
        rows = self.ask("SELECT chain FROM entries WHERE seq = ?", (seq,))
        return str(rows[0][0]) if rows else ""

    def _noted(self, error: JournalError) -> JournalError:
        self.broken = self.broken or (self._keeper is not None and isinstance(error, JournalDamagedError))
        return error

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
                self._tip = None
                try:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                except sqlite3.Error as second:
                    error.add_note(f"and the transaction could not be rolled back: {second}")
                raise
