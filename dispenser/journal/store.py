"""The journal's SQLite file: its tables, and how it is opened for writing and for reading."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from dispenser.i18n import Text
from dispenser.journal.errors import (
    JournalFormatError,
    JournalIoError,
    JournalMissingError,
    damaged,
    explain_os,
    explained,
)
from dispenser.safe_open import refuse_other_than_regular

APPLICATION_ID = 0x43447370
"""In the file's header, so that ``file`` and this program know a journal from any other SQLite file ("CDsp")."""
SCHEMA_VERSION = 3
BUSY_S = 0.1
"""How long to wait for a program that should not write here before raising an error, seconds."""

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
    "CREATE INDEX entries_by_type ON entries (type, seq)",
    "CREATE INDEX entries_by_request ON entries (request) WHERE request IS NOT NULL",
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
    "CREATE TABLE journal (id TEXT NOT NULL)",
    "CREATE TABLE probe (room BLOB)",
)
_MAKE = (
    *_SCHEMA,
    "INSERT INTO journal VALUES (lower(hex(randomblob(8))))",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_SETTINGS = (
    "PRAGMA synchronous = NORMAL",  # commit without fsync, for which an SD card may take 100s of ms: see Journal.sync
    "PRAGMA wal_autocheckpoint = 0",  # the service says when: while the motor rests
    "PRAGMA journal_size_limit = 1048576",
    "PRAGMA cache_size = -512",
)


def connect(path: Path | None, name: str) -> sqlite3.Connection:
    """Open the journal ``path`` for writing, or one in memory for ``None``; an empty file gets its tables.

    :param name: what it is called in errors.
    :raises JournalFormatError: it is no journal, or one of another version.
    :raises JournalError: it cannot be opened or used.
    """
    with _opened(name, str(path or ":memory:")) as db:
        if _is_empty(db, name):  # not in WAL mode yet, so that all of it is in the file or nothing
            db.execute("BEGIN IMMEDIATE")
            for statement in (*_MAKE, "COMMIT"):
                db.execute(statement)
        mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if path and mode != "wal":
            raise JournalIoError(
                Text("{name}: this filesystem cannot hold a journal (SQLite WAL). Use a local disk").filled(name=name)
            )
        for setting in _SETTINGS:
            db.execute(setting)
    return db


def connect_read_only(path: Path, name: str | None = None) -> sqlite3.Connection:
    """Open the journal ``path`` for reading, also while it is being written, also in a read-only folder.

    :param name: what it is called in errors.
    """
    name = name or str(path)
    try:
        refuse_other_than_regular(path.stat(), path)
    except FileNotFoundError as error:
        raise JournalMissingError(
            Text(
                "{name}: there is no journal here (yet). Start the launcher once, or name the one that "
                "'dispenser demo --journal FILE' keeps"
            ).filled(name=name)
        ) from error
    except OSError as error:
        raise explain_os(error, name) from error
    if not os.access(path, os.R_OK):
        raise JournalIoError(
            Text("{name}: this user may not read the journal. Read it as the user who runs the launcher").filled(
                name=name
            )
        )
    path = path.resolve()
    uri = path.as_uri() + "?mode=ro"
    wal, shared_memory = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    if not shared_memory.exists() and not os.access(path.parent, os.W_OK):
        # SQLite wants to put its index beside the file and may not. Without a WAL nobody writes, and it needs none.
        if wal.exists() and wal.stat().st_size:
            raise JournalIoError(
                Text(
                    "{name}: the newest entries are in {wal}, and to read them SQLite needs to write beside it. "
                    "Copy both files into another folder and read the journal there"
                ).filled(name=name, wal=wal.name)
            )
        uri += "&immutable=1"
    with _opened(name, uri) as db:
        if _is_empty(db, name):
            raise JournalMissingError(
                Text("{name}: this file is empty: no launcher has written to it").filled(name=name)
            )
        db.execute("PRAGMA cache_size = -512")
    return db


@contextmanager
def _opened(name: str, target: str) -> Iterator[sqlite3.Connection]:
    """A connection that is closed again, and the error explained, when something in the block goes wrong.

    It may be used on any thread, one at a time. A text that is damaged is read as far as it can be.
    """
    with ExitStack() as undo, explained(name):
        uri = target.startswith("file:")
        db = sqlite3.connect(target, uri=uri, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        undo.callback(db.close)
        db.text_factory = partial(str, encoding="utf-8", errors="replace")
        yield db
        undo.pop_all()


def _is_empty(db: sqlite3.Connection, name: str) -> bool:
    """Whether nothing is in the file yet.

    :raises JournalFormatError: it belongs to another program, or to another version of this one.
    :raises JournalDamagedError: its tables are not those of a journal.
    """
    application, version = (
        db.execute(f"PRAGMA {number}").fetchone()[0] for number in ("application_id", "user_version")
    )
    schema = {sql for (sql,) in db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
    if (application, version) == (APPLICATION_ID, SCHEMA_VERSION):
        if schema != set(_SCHEMA):
            raise damaged(name, Text("its tables are not those of a journal"))
        return False
    if application == APPLICATION_ID:
        raise JournalFormatError(
            Text(
                "{name}: this journal has version {version}, and this program knows version {known}. Use the program "
                "that wrote it, or another journal"
            ).filled(name=name, version=version, known=SCHEMA_VERSION)
        )
    if application or version or schema:
        raise JournalFormatError(
            Text("{name}: this is an SQLite file of another program. It is left as it is: use another journal").filled(
                name=name
            )
        )
    return True
