"""The journal's file: who may write it, what it must look like inside, and how SQLite is told to treat it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dispenser.journal_errors import (
    JournalFormatError,
    JournalIoError,
    JournalLockedError,
    JournalMissingError,
    explain,
    explain_os,
)

APPLICATION_ID = 0x43447370
"""Written into the file's header, so that ``file`` and we can tell a journal from any other SQLite file ("CDsp")."""
SCHEMA_VERSION = 1
BUSY_S = 0.1
"""How long to wait for a program that has no business writing here before saying so, seconds."""

_SCHEMA = (
    """CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        time TEXT NOT NULL,
        source TEXT NOT NULL,
        type TEXT NOT NULL,
        data TEXT NOT NULL,
        chain TEXT NOT NULL,
        request TEXT
    )""",
    "CREATE INDEX entries_with_request ON entries (seq) WHERE request IS NOT NULL",
    "CREATE TABLE secrets (id INTEGER PRIMARY KEY, commitment TEXT NOT NULL UNIQUE, seed TEXT NOT NULL)",
    """CREATE TABLE edges (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        after_seq INTEGER NOT NULL,
        line TEXT NOT NULL,
        active INTEGER NOT NULL,
        at_s REAL NOT NULL,
        wall_s REAL NOT NULL
    )""",
    "CREATE TABLE probe (room BLOB)",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_SETTINGS = (
    "PRAGMA synchronous = NORMAL",  # commit without fsync: an SD card may take 100s of ms for one
    "PRAGMA wal_autocheckpoint = 0",  # the service says when: while the motor rests
    "PRAGMA journal_size_limit = 1048576",
    "PRAGMA cache_size = -512",
)


class WriterLock:
    """Held for as long as a journal is open for writing; the kernel releases it when the process dies.

    It is a lock on a file of its own, beside the journal: SQLite's own locks would keep readers out, too.
    """

    def __init__(self, path: Path) -> None:
        """Take the lock of the journal ``path``.

        :raises JournalLockedError: another process (or another ``Journal`` of this one) holds it.
        """
        lock = path.with_name(path.name + "-lock")
        try:
            self._fd = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise explain_os(error, str(path)) from error
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._fd, 0)
            os.pwrite(self._fd, str(os.getpid()).encode(), 0)
        except BlockingIOError as error:
            holder = os.pread(self._fd, 20, 0).decode("ascii", "replace") or "unknown"
            os.close(self._fd)
            raise JournalLockedError(
                f"{path}: another launcher (process {holder}) writes to this journal. Stop that one,"
                f" or give this one a journal of its own"
            ) from error
        except OSError as error:
            os.close(self._fd)
            raise explain_os(error, str(path)) from error

    def release(self) -> None:
        """Let others write; may be called twice. The file stays: removing it would let two writers in by a race."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def connect(path: Path | None) -> sqlite3.Connection:
    """Open the journal ``path`` for writing, or one in memory for ``None``; a fresh one gets its tables.

    The caller holds the ``WriterLock``.
    """
    name = str(path) if path else ":memory:"
    if path:
        _create(path)
    with _opened(name, name) as db:
        if _is_fresh(db, name):
            # Still without WAL, so that the whole of it is in the file or nothing: a kill leaves no half journal.
            db.execute("BEGIN IMMEDIATE")
            for statement in _SCHEMA:
                db.execute(statement)
            db.execute("COMMIT")
        mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if path and mode != "wal":
            raise JournalIoError(f"{name}: this filesystem cannot hold a journal (SQLite WAL). Use a local disk")
        for setting in _SETTINGS:
            db.execute(setting)
    return db


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open the journal ``path`` for reading, also while it is being written, also in a read-only folder."""
    name = str(path)
    try:
        path.stat()
    except FileNotFoundError as error:
        raise JournalMissingError(
            f"{name}: there is no journal here (yet). Start the launcher once, or name the one that"
            f" 'dispenser demo --journal FILE' keeps"
        ) from error
    except OSError as error:
        raise explain_os(error, name) from error
    if not os.access(path, os.R_OK):
        raise JournalIoError(f"{name}: this user may not read the journal. Read it as the user who runs the launcher")
    uri = path.resolve().as_uri() + "?mode=ro"
    wal, shared_memory = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    if not shared_memory.exists() and not os.access(path.parent, os.W_OK):
        # SQLite wants to put its index beside the file and may not. Without a WAL nobody writes, and it needs none.
        if wal.exists() and wal.stat().st_size:
            raise JournalIoError(
                f"{name}: the newest entries are in {wal.name}, and to read them SQLite needs to write beside it."
                f" Copy both files into another folder and read the journal there"
            )
        uri += "&immutable=1"
    with _opened(name, uri) as db:
        if _is_fresh(db, name):
            raise JournalMissingError(f"{name}: this file is empty: no launcher has written to it")
        db.execute("PRAGMA cache_size = -512")
    return db


@contextmanager
def _opened(name: str, target: str) -> Iterator[sqlite3.Connection]:
    """A connection that is closed again, and the error explained, when something in the block goes wrong."""
    try:
        db = sqlite3.connect(target, uri=target.startswith("file:"), timeout=BUSY_S, isolation_level=None)
    except sqlite3.Error as error:
        raise explain(error, name) from error
    try:
        yield db
    except BaseException as error:
        db.close()
        if isinstance(error, sqlite3.Error):
            raise explain(error, name) from error
        raise


def _create(path: Path) -> None:
    """Make the file, for its owner only, before SQLite makes it for everybody."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise explain_os(error, str(path)) from error


def _is_fresh(db: sqlite3.Connection, name: str) -> bool:
    """Whether the file is empty; if it is not, it must be a journal of ours and of this version."""
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if application == APPLICATION_ID:
        if version != SCHEMA_VERSION:
            raise JournalFormatError(
                f"{name}: this journal has version {version}, and this program knows version {SCHEMA_VERSION}."
                f" Use the program that wrote it (or a newer one), or another journal"
            )
        return False
    if application or version or db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise JournalFormatError(
            f"{name}: this is an SQLite file of another program. It is left as it is: use another journal"
        )
    return True
