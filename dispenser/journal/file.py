"""The journal's file: what it must look like inside, and how SQLite is told to treat it."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from dispenser.journal.damage import Damage
from dispenser.journal.edges import checksum
from dispenser.journal.errors import (
    SQLITE_ERRORS,
    JournalFormatError,
    JournalIoError,
    JournalMissingError,
    damaged,
    explain,
    explain_os,
)
from dispenser.language import Text

_log = logging.getLogger(__name__)

APPLICATION_ID = 0x43447370
"""Written into the file's header, so that ``file`` and we can tell a journal from any other SQLite file ("CDsp")."""
SCHEMA_VERSION = 2
BUSY_S = 0.1
"""How long to wait for a program that has no business writing here before saying so, seconds."""

_ENTRIES = """CREATE TABLE entries (
        seq INTEGER PRIMARY KEY,
        time TEXT NOT NULL,
        source TEXT NOT NULL,
        type TEXT NOT NULL,
        data TEXT NOT NULL,
        chain TEXT NOT NULL,
        request TEXT
    )"""
_SECRETS = "CREATE TABLE secrets (id INTEGER PRIMARY KEY, commitment TEXT NOT NULL UNIQUE, seed TEXT NOT NULL)"
_PROBE = "CREATE TABLE probe (room BLOB)"
_EDGES = """CREATE TABLE edges (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        after_seq INTEGER NOT NULL,
        line TEXT NOT NULL,
        active INTEGER NOT NULL,
        at_s REAL NOT NULL,
        wall_s REAL NOT NULL,
        checksum INTEGER NOT NULL
    )"""
_NEW = (
    "CREATE INDEX entries_by_request ON entries (request) WHERE request IS NOT NULL",
    # Where the entries of each type are. No index of SQLite's own: that would have to be written before a press may
    # move anything, and this can wait until the motor rests. Entries after ``upto`` are not in it yet.
    "CREATE TABLE kinds (type TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (type, seq)) WITHOUT ROWID",
    "CREATE TABLE indexed (upto INTEGER NOT NULL)",
)
_OLD_EDGES = """CREATE TABLE edges (
        id INTEGER PRIMARY KEY,
        run INTEGER NOT NULL,
        after_seq INTEGER NOT NULL,
        line TEXT NOT NULL,
        active INTEGER NOT NULL,
        at_s REAL NOT NULL,
        wall_s REAL NOT NULL
    )"""
_OLD_INDEX = "CREATE INDEX entries_with_request ON entries (seq) WHERE request IS NOT NULL"
_SCHEMAS = {
    1: (_ENTRIES, _OLD_INDEX, _SECRETS, _OLD_EDGES, _PROBE),
    SCHEMA_VERSION: (_ENTRIES, _SECRETS, _PROBE, _EDGES, *_NEW),
}
_HEADER = (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {SCHEMA_VERSION}")
_MAKE = (*_SCHEMAS[SCHEMA_VERSION], "INSERT INTO indexed VALUES (0)", *_HEADER)
_MIGRATE = (
    "DROP INDEX entries_with_request",
    "ALTER TABLE edges RENAME TO edges_before",
    _EDGES,
    "INSERT INTO edges SELECT *, checksum(run, after_seq, line, active, at_s, wall_s) FROM edges_before",
    "DROP TABLE edges_before",
    *_NEW,
    "INSERT INTO indexed VALUES (0)",
    *_HEADER,
)
CATCH_UP = (
    "INSERT INTO kinds SELECT type, seq FROM entries WHERE seq > (SELECT upto FROM indexed)",
    "UPDATE indexed SET upto = (SELECT coalesce(max(seq), 0) FROM entries)",
)
"""Brings ``kinds`` up to the newest entry."""
REBUILD = ("DELETE FROM kinds", "DELETE FROM indexed", "INSERT INTO indexed VALUES (0)", *CATCH_UP, "REINDEX")
"""Makes everything anew that follows from the entries."""
_SETTINGS = (
    "PRAGMA synchronous = NORMAL",  # commit without fsync: an SD card may take 100s of ms for one
    "PRAGMA wal_autocheckpoint = 0",  # the service says when: while the motor rests
    "PRAGMA journal_size_limit = 1048576",
    "PRAGMA cache_size = -512",
)


def connect(path: Path | None, name: str) -> sqlite3.Connection:
    """Open the journal ``path`` for writing, or one in memory for ``None``.

    An empty file gets its tables, one of an older version what it lacks. The caller holds the ``WriterLock``.

    :param name: what it is called in errors.
    """
    with _opened(name, str(path or ":memory:")) as db:
        version = _look_inside(db, name)
        if version < SCHEMA_VERSION:
            # A fresh one is still without WAL, so that the whole of it is in the file or nothing.
            _change(db, _MIGRATE if version else _MAKE)
            if version:
                _log.warning("%s: the journal was brought from version %d to %d", name, version, SCHEMA_VERSION)
        mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if path and mode != "wal":
            raise JournalIoError(
                Text("{name}: this filesystem cannot hold a journal (SQLite WAL). Use a local disk").filled(name=name)
            )
        for setting in _SETTINGS:
            db.execute(setting)
    return db


def mend_header(db: sqlite3.Connection) -> list[Damage]:
    """Set the numbers right by which a journal is known from outside, when its tables say that it is one."""
    numbers = [db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")]
    if numbers == [APPLICATION_ID, SCHEMA_VERSION]:
        return []
    for statement in _HEADER:
        db.execute(statement)
    return [Damage("file", "the numbers in its header by which a journal is known were altered, and are set right")]


def _change(db: sqlite3.Connection, statements: tuple[str, ...]) -> None:
    """All of it or nothing."""

    def sum_of(*edge: Any) -> int:
        with suppress(TypeError, ValueError):
            return checksum(*edge)
        return -1  # a damaged edge stays one

    db.create_function("checksum", 6, sum_of, deterministic=True)
    db.execute("BEGIN IMMEDIATE")
    for statement in statements:
        db.execute(statement)
    db.execute("COMMIT")


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open the journal ``path`` for reading, also while it is being written, also in a read-only folder."""
    name = str(path)
    try:
        path.stat()
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
    path = path.resolve()  # as SQLite does: what belongs to a journal stands beside the file, not beside a link to it
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
        if not _look_inside(db, name):
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
    uri = target.startswith("file:")
    try:
        db = sqlite3.connect(target, uri=uri, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise explain(error, name) from error
    db.text_factory = partial(str, encoding="utf-8", errors="replace")
    try:
        yield db
    except BaseException as error:
        db.close()
        if isinstance(error, SQLITE_ERRORS):
            raise explain(error, name) from error
        raise


def _look_inside(db: sqlite3.Connection, name: str) -> int:
    """The version of the journal in the file, 0 if it is empty; anything else is refused.

    The tables say it. The numbers in the header only say whose other tables these may be.
    """
    application = db.execute("PRAGMA application_id").fetchone()[0]
    version = db.execute("PRAGMA user_version").fetchone()[0]
    schema = set(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    for known, statements in _SCHEMAS.items():
        if schema == {(statement.split()[2], statement) for statement in statements}:
            return known
    if application == APPLICATION_ID and version not in _SCHEMAS:
        raise JournalFormatError(
            Text(
                "{name}: this journal has version {version}, and this program knows versions up to "
                "{known}. Use the program that wrote it (or a newer one), or another journal"
            ).filled(name=name, version=version, known=SCHEMA_VERSION)
        )
    if application == APPLICATION_ID:
        raise damaged(name, Text("its tables are not those of a journal"))
    if application or version or schema:
        raise JournalFormatError(
            Text("{name}: this is an SQLite file of another program. It is left as it is: use another journal").filled(
                name=name
            )
        )
    return 0
