"""The journal's file, open for writing: what is wrong with it, what can be mended, and one transaction at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dispenser.i18n import verbatim
from dispenser.journal.check import CheckThread, Damage, damage_of
from dispenser.journal.entry import FIRST_CHAIN, link
from dispenser.journal.errors import JournalDamagedError, JournalError, damaged
from dispenser.journal.file import APPLICATION_ID, CATCH_UP, HEADER, REBUILD, SCHEMA_VERSION, connect_read_only
from dispenser.journal.keeper import JournalKeeper
from dispenser.journal.reader import JournalReader

SMALL_BYTES = 1 << 20
"""A journal up to this size (some 3,000 entries, an evening or two) is looked through before the start. Of a larger one
only the newest entries; the rest afterwards, on a thread."""
NEWEST = 500
"""Entries at the end of a large journal whose chain is checked before the start: 4 ms here."""


class ExaminedJournal(JournalReader):
    """A journal that knows whether it is whole.

    :ivar damage: what was found wrong when the journal was opened, and what became of it. Nobody was told yet.
    :ivar broken: SQLite cannot be relied on with this file any more: close it, and open it again.
    """

    def __init__(self, db: sqlite3.Connection, name: str, keeper: JournalKeeper | None) -> None:
        self.damage: list[Damage] = []
        self.broken = False
        super().__init__(db, name)
        self._keeper = keeper
        self._check: CheckThread | None = None
        self._unchecked = keeper is not None
        self._sealed = False  # it may still be what it was when it was closed; its bytes were not compared yet
        self._unsynced = True  # something was written since the last checkpoint
        self._tip: tuple[int, str] | None = None  # ``end()``, while it is known
        self._first = self._chain_of(1)

    @staticmethod
    def read_only(path: str | Path, *, called: Path | None = None) -> JournalReader:
        """Open the journal ``path`` for reading, also while it is written, also in a read-only folder; some 0.4 ms.

        :param called: what it is called in errors, if not by its path.
        :raises JournalMissingError: there is none.
        :raises JournalError: it cannot be read; the kind says why, the message what to do.
        """
        name = str(called or path)
        return JournalReader(connect_read_only(Path(path), name), name)

    @property
    def path(self) -> Path | None:
        """The file, for ``read_only`` on another thread; ``None`` in memory."""
        return Path(self._name) if self._name != ":memory:" else None

    def still_there(self) -> None:
        """Look whether the file is; 3 µs.

        :raises JournalMissingError: somebody removed, replaced or changed it.
        """
        if self._keeper:
            self._keeper.still_there()

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
        elif keeper.was.seq and not end[0]:
            self.damage.append(Damage("gone", last=keeper.was.seq))
        elif keeper.was.seq and keeper.was.first != self._first and self._begins_well():
            self.damage.append(Damage("replaced", last=keeper.was.seq))
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

    def _begins_well(self) -> bool:
        """Whether the first entry is there and was not altered."""
        first = next(self._linked_rows(0), None)
        return first is not None and link(FIRST_CHAIN, first[:-1]) == first[-1]

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
