"""Append records: ``append`` commits, ``sync`` waits for the disk."""

from __future__ import annotations

import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from dispenser.i18n import Text
from dispenser.journal import edges
from dispenser.journal.damage import Damage
from dispenser.journal.errors import RecordError, explain_os, explained
from dispenser.journal.reader import COUNT_BLANK, JournalReader
from dispenser.journal.record import BLANK, ERASED, Batch, Record, decode, digest_of, encode, link, stamp
from dispenser.journal.state import Note, StateFile
from dispenser.journal.store import connect, open_or_put_aside

NEWEST = 500  # Number of newest records whose chain is checked at the start: some 4 ms
_INSERT = "INSERT INTO records (seq, time, source, type, data, digest, chain, request) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_ERASE = f"UPDATE records SET type = '{BLANK}', data = '{{}}', request = NULL WHERE seq BETWEEN ? AND ? AND type GLOB ?"  # noqa: S608


class Journal(JournalReader):
    """The event log, open for writing.

    One object belongs to one thread; a reader on another opens its own, ``read_only(path)``. Only ``sync`` may be
    called on any thread. After an error other than ``RecordError``, close it and open it again.

    :ivar path: the file; ``None`` in memory.
    :ivar damage: damage found when it was opened, and what was done about it; not recorded yet.
    :ivar written: number of the newest record that this object has written; 0 before the first.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        name: str,
        wall_clock: Callable[[], float],
        path: Path | None = None,
        state: StateFile | None = None,
    ) -> None:
        super().__init__(db, name)
        self.path = path
        self.damage: list[Damage] = []
        self.written = 0
        self._state = state
        self._wall_clock = wall_clock
        self._run = self.last_seq
        self._edges: deque[edges.RecordedEdge] = deque(maxlen=edges.BUFFER_EDGES)
        self._unsynced = True  # something was written since the last checkpoint
        self._erased = False  # erased content is still in the write-ahead log

    @classmethod
    def open(cls, path: str | Path, *, wall_clock: Callable[[], float] = time.time) -> Self:
        """Open the journal ``path`` for writing; create a missing file (mode 0600) and its folder (0750).

        ``:memory:`` opens one that exists only as long as the object. Can be retried after any error.

        A journal that SQLite cannot use is renamed, and a new one begun. ``damage`` reports this, and which of the
        newest records do not fit the chain.

        :raises JournalFormatError: the file is of another program or version; it is left as it is.
        """
        name = str(path)
        if name == ":memory:":
            return cls(connect(None, name), name, wall_clock)
        real = Path(os.path.realpath(path))
        try:
            real.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        except OSError as error:
            raise explain_os(error, name) from error
        with ExitStack() as undo:
            state = StateFile(real, name)
            undo.callback(state.release)
            now = datetime.fromtimestamp(wall_clock(), UTC)
            db, damage = open_or_put_aside(real, name, f"{now:%Y%m%dT%H%M%SZ}", known=state.found.seq > 0)
            undo.callback(db.close)
            journal = cls(db, name, wall_clock, real, state)
            journal.damage = damage or journal._misfits(state.found.seq)
            journal._write_test()
            journal._note(journal.last_seq)
            undo.pop_all()
        return journal

    def _misfits(self, newest: int) -> list[Damage]:
        """Return which of the newest records, up to number ``newest``, are lost or altered."""
        last = self.last_seq
        damage = [Damage("records", *run) for run in self.misfits(after=max(0, last - NEWEST))]
        return damage + [Damage("newest records" if last else "gone", last + 1, newest)] * (newest > last)

    def close(self) -> None:
        super().close()
        if self._state is not None:
            self._state.release()

    def append(self, source: str, events: Sequence[tuple[str, dict[str, Any]]]) -> list[Record]:
        return self.append_batches((source, events))

    def append_batches(self, *batches: Batch) -> list[Record]:
        """Write events of several sources as records in one transaction: all or none.

        They get the next numbers and one common time. ``data`` keeps the order of its keys; enumerations become their
        values, tuples lists, numbers that are not finite ``null``; the records returned show what was written.

        :raises RecordError: something in them has no JSON form.
        """
        drafts = [(source, type_, data) for source, events in batches for type_, data in events]
        try:
            encoded = [(source, type_, encode(data), data.get("request")) for source, type_, data in drafts]
            "".join([each for source, type_, _ in drafts for each in (source, type_)]).encode()
        except (AttributeError, TypeError, ValueError) as error:
            refused = Text("{name}: {types} cannot be recorded: {error}")
            types = [type_ for _, type_, _ in drafts]
            raise RecordError(refused.filled(name=self._name, types=types, error=error)) from error
        if not encoded:
            return []
        with self._transaction() as db:
            written = self._insert(db, encoded)
        self._committed(written)
        return written

    def _insert(self, db: sqlite3.Connection, encoded: Iterable[tuple[str, str, bytes, object]]) -> list[Record]:
        """Insert the buffered edges and the records (source, type, JSON, request)."""
        now = stamp(self._wall_clock())
        written, rows = [], []
        seq, chain = self.end()
        edges.write(db, self._edges)
        for source, type_, data, request in encoded:
            seq += 1
            digest = digest_of(type_, data)
            chain = link(chain, seq, now, source, digest)
            answers = request if isinstance(request, str) else None
            rows.append((seq, now, source, type_, data.decode(), digest, chain, answers))
            written.append(Record(seq, now, source, type_, decode(data)))
        db.executemany(_INSERT, rows)
        return written

    def _committed(self, records: list[Record]) -> None:
        self.written = records[-1].seq
        self._edges.clear()
        self._note(self.written)

    def _note(self, seq: int) -> None:
        if self._state:
            self._state.write(Note(os.getpid(), seq))

    def erase(self, first: int, last: int, family: str, source: str, data: dict[str, Any]) -> list[Record]:
        """Erase the content of records from ``first`` to ``last`` for good, and append a record of that (``ERASED``).

        The bytes are overwritten by the next ``checkpoint`` that no reader blocks, at the latest by ``close``.

        :param family: prefix of the types to erase, such as ``table.``.
        """
        with self._transaction() as db:
            db.execute(_ERASE, (first, last, f"{family}*"))
            ((count,),) = db.execute(COUNT_BLANK, (first, last))
            told = {**data, "first": first, "last": last, "count": count}
            written = self._insert(db, [(source, ERASED, encode(told), told.get("request"))])
        self._erased = True
        self._committed(written)
        return written

    def _write_test(self) -> None:
        """:raises JournalError: an ``append`` would fail now."""
        with self._transaction() as db:
            db.execute("INSERT INTO secrets (commitment, seed) VALUES ('', '')")
            db.execute("DELETE FROM secrets WHERE commitment = ''")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block in one transaction: commit at its end, or roll back and raise the error explained."""
        try:
            with explained(self._name):
                self._db.execute("BEGIN IMMEDIATE")
                yield self._db
                self._db.execute("COMMIT")
            self._unsynced = True
        except BaseException:
            with suppress(sqlite3.Error):
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            raise

    def sync(self) -> None:
        """Wait until all that was appended before this call is on disk and survives a power cut.

        Blocks on the disk but does not block ``append``: call it on another thread.
        """
        if self.path is None:
            return
        try:
            with open(f"{self.path}-wal", "r+b") as log:  # noqa: PTH123  # SQLite holds no locks on it
                getattr(os, "fdatasync", os.fsync)(log.fileno())
        except FileNotFoundError:
            pass  # closed: SQLite has moved all of it into the journal's file
        except OSError as error:
            raise explain_os(error, self._name) from error

    def checkpoint(self) -> None:
        """Sync the write-ahead log to the disk, and copy it into the file.

        Waits for the disk several times, on an SD card some 100 ms: call it while the motor rests.
        """
        if not self._unsynced:
            return
        self.sync()  # SQLite skips this sync without an error while a reader has the file
        ((busy, *_),) = self.ask(f"PRAGMA wal_checkpoint({'TRUNCATE' if self._erased else 'PASSIVE'})")
        self._erased = self._erased and bool(busy)
        self._write_test()  # the first write after a checkpoint waits for the disk, too: do it now, not at a press
        self._unsynced = False

    def record_edge(self, line: str, active: bool, at_s: float) -> None:
        """Buffer one raw edge (see ``RecordedEdge``) until the next ``append`` or ``flush_edges``."""
        after = self.written or self._run
        self._edges.append(edges.RecordedEdge(self._run, after, line, active, float(at_s), float(self._wall_clock())))

    def flush_edges(self) -> None:
        if self._edges:
            with self._transaction() as db:
                edges.write(db, self._edges)
            self._edges.clear()

    def put_secret(self, commitment: str, seed_hex: str) -> None:
        """Store the seed of a commitment until it is revealed; it is not a record and never exported.

        Call ``checkpoint`` before publishing the commitment.
        """
        with self._transaction() as db:
            db.execute("INSERT OR REPLACE INTO secrets (commitment, seed) VALUES (?, ?)", (commitment, seed_hex))

    def unrevealed_secrets(self) -> list[tuple[str, str]]:
        """Return (commitment, seed) pairs, oldest first."""
        return self.ask("SELECT commitment, seed FROM secrets ORDER BY id")

    def forget_secret(self, commitment: str) -> None:
        """Delete a seed that was revealed or must not be known: the next checkpoint overwrites its bytes."""
        with self._transaction() as db:
            db.execute("DELETE FROM secrets WHERE commitment = ?", (commitment,))
        self._erased = True
