"""The one who writes the journal: each append is in the file before anybody hears of it."""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from dispenser.journal.damage import Damage
from dispenser.journal.edges import EdgeBuffer
from dispenser.journal.errors import (
    EntryError,
    JournalDamagedError,
    JournalError,
    JournalMissingError,
    damaged,
    disk_trouble,
    explain_os,
)
from dispenser.journal.file import CATCH_UP, REBUILD, connect, connect_read_only, mend_header
from dispenser.journal.filters import stamp
from dispenser.journal.keeper import JournalKeeper, put_aside_damaged
from dispenser.journal.reader import Entry, JournalReader, decode, encode, link, wire, with_json
from dispenser.language import Text

_log = logging.getLogger(__name__)

_PROBE_BYTES = 16_384  # about what the largest usual append needs
_INSERT = "INSERT INTO entries (seq, time, source, type, data, chain, request) VALUES (?, ?, ?, ?, ?, ?, ?)"


class Journal(JournalReader):
    """The event log.

    One object belongs to one thread. Who wants to read on another takes a ``reader`` there.
    """

    def __init__(
        self, db: sqlite3.Connection, name: str, wall_clock: Callable[[], float], keeper: JournalKeeper | None = None
    ) -> None:
        """Not for callers: see ``open``."""
        super().__init__(db, name)
        self.damage: list[Damage] = []
        """What was found wrong when the journal was opened, and what became of it. Nobody was told yet."""
        self._wall_clock = wall_clock
        self._keeper = keeper
        self._path = Path(name) if keeper else None
        self._proven = False  # the last write worked
        self._unsynced = True  # something was written since the last checkpoint
        self._tip: tuple[int, str] | None = None  # number and chain value of the last entry, once they are known
        self._edges = EdgeBuffer(run=self.last_seq)

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
            return cls._open(real, name, wall_clock)
        except JournalDamagedError as error:
            moment = datetime.fromtimestamp(wall_clock(), UTC)
            aside = put_aside_damaged(real, name, f"{moment:%Y%m%dT%H%M%SZ}", error)
        journal = cls._open(real, name, wall_clock)
        journal.damage.insert(0, aside)
        return journal

    @classmethod
    def _open(cls, real: Path, name: str, wall_clock: Callable[[], float]) -> Self:
        with ExitStack() as undo:
            keeper = JournalKeeper(real, name)
            undo.callback(keeper.release)
            db = connect(real, name)
            undo.callback(db.close)
            journal = cls(db, name, wall_clock, keeper)
            with journal._explained():
                journal.damage += mend_header(db)
            journal.damage += keeper.examine(journal, journal._end(), journal._rebuild)
            journal.probe()
            journal._catch_up()
            keeper.remember()
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

    def reader(self) -> JournalReader:
        """The same journal for another thread, to read from; close it there. Takes some 0.4 ms.

        That of a journal in memory waits while this object writes, and the other way round.
        """
        if self._path is None:
            return JournalReader(self._db, self._name, self._mutex, shared=True)
        return Journal.read_only(self._path)

    def check_rest(self, resting: Callable[[], bool], tell: Callable[[list[Damage]], object]) -> None:
        """Look at what was not looked at when the journal was opened, on a thread that waits while the motor turns.

        :param resting: whether the motor is off for the time being.
        :param tell: called on that thread with what is wrong, if anything is.
        """
        if self._keeper is not None:
            self._keeper.check_rest(self.reader, resting, tell)

    @property
    def broken(self) -> bool:
        """SQLite cannot be relied on with this file any more: close it, and open it again."""
        return self._keeper is not None and self._keeper.broken

    def close(self) -> None:
        """Close the file and let others write; may be called twice. Edges that were not flushed are lost."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            super().close()
            return
        keeper.stop_check()
        end = None
        try:
            keeper.still_there()
            self._catch_up()
            end = self._end()
        except JournalMissingError:
            self._leave_log(keeper)
        except JournalError as error:
            _log.warning("the journal was not closed well: %s", error)
        finally:
            super().close()
            keeper.release(end)

    def _leave_log(self, keeper: JournalKeeper) -> None:
        """What the write-ahead log still holds must not get into whatever has the journal's name now."""
        if keeper.is_another():
            with suppress(sqlite3.Error):  # into the file that we have open, wherever that is
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        elif not self._unsynced:  # somebody has written into our file, and there is no entry in the log
            keeper.empty_log()

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
            raise EntryError(
                Text("{name}: {types} cannot be recorded: {error}").filled(
                    name=self._name, types=[type_ for type_, _ in entries], error=error
                )
            ) from error
        if not encoded:
            return []
        self.still_there()
        now = stamp(self._wall_clock())
        written, rows = [], []
        with self._transaction() as db:
            seq, chain = self._tip or self._end()
            if self._edges:
                self._edges.write(db, after_seq=seq)
            for type_, data, request in encoded:
                seq += 1
                json = wire(seq, now, source, type_, data)
                chain = link(chain, json)
                answers = request if isinstance(request, str) else None
                rows.append((seq, now, source, type_, data.decode(), chain, answers))
                written.append(with_json(Entry(seq, now, source, type_, decode(data)), json))
            db.executemany(_INSERT, rows)
        self._tip = seq, chain
        self._proven = True
        self._edges.forget()
        return written

    def probe(self) -> None:
        """Find out whether ``append`` would work now; cheap enough for once a second.

        Looks whether the file is still there and its disk has room; only when the last write failed (or there was
        none) something is really written, and taken out again.

        :raises JournalError: it would not work; the kind says why, the message what to do.
        """
        self.still_there()
        if self._keeper and (trouble := disk_trouble(self._name)):
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
        self.still_there()
        if not self._unsynced:
            return
        self._catch_up()
        if self._keeper and self._keeper.compares_bytes:
            self._keeper.sync_log()
        else:
            try:
                self.ask("PRAGMA wal_checkpoint(PASSIVE)")
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

    # --- what follows from the entries ---

    def _catch_up(self) -> None:
        """Let the filters know where the newest entries are."""
        if self.ask("SELECT upto FROM indexed") != [(self._end()[0],)]:
            with self._transaction() as db:
                for statement in CATCH_UP:
                    db.execute(statement)

    def _rebuild(self, requests: dict[int, str | None]) -> None:
        """Make all of it anew, with these requests of some entries set right.

        :raises JournalDamagedError: it is no use; nothing was changed.
        """
        with self._transaction() as db:
            db.executemany("UPDATE entries SET request = ? WHERE seq = ?", [(r, seq) for seq, r in requests.items()])
            for statement in REBUILD:
                db.execute(statement)
            complaint = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if complaint != "ok":
                raise damaged(self._name, complaint)

    # --- secrets: never entries, never exported ----------------------------------------------------------------------

    def put_secret(self, commitment: str, seed_hex: str) -> None:
        """Keep the seed behind a commitment until it is revealed; call ``checkpoint`` before showing the commitment."""
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO secrets (commitment, seed) VALUES (?, ?)", (commitment, seed_hex))

    def unrevealed_secrets(self) -> list[tuple[str, str]]:
        """What ``put_secret`` kept and ``forget_secret`` has not removed, as (commitment, seed), oldest first."""
        return self.ask("SELECT commitment, seed FROM secrets ORDER BY id")

    def forget_secret(self, commitment: str) -> None:
        """The seed was revealed in an entry."""
        with self._transaction() as db:
            db.execute("DELETE FROM secrets WHERE commitment = ?", (commitment,))

    # --- raw edges -------------------------------------------------------------------------------------------------

    def record_edge(self, line: str, active: bool, at_s: float) -> None:
        """Keep one raw edge in memory; it is written with the next ``append`` or by ``flush_edges``.

        The newest ``edges.BUFFER_EDGES`` wait, the newest ``edges.KEEP_EDGES`` stay in the file.

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
        return self._path

    # -----------------------------------------------------------------------------------------------------------------

    def _noted(self, error: JournalError) -> JournalError:
        if self._keeper and isinstance(error, JournalDamagedError):
            self._keeper.suspect()
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
                self._proven = False
                self._tip = None
                try:
                    if self._db.in_transaction:
                        self._db.execute("ROLLBACK")
                except sqlite3.Error as second:
                    error.add_note(f"and the transaction could not be rolled back: {second}")
                raise
