"""The journal's file: what it must look like inside, and how SQLite is told to treat it."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from dispenser.i18n import Text
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
from dispenser.safe_open import refuse_other_than_regular

_log = logging.getLogger(__name__)

APPLICATION_ID = 0x43447370
"""Written into the file's header, so that ``file`` and we can tell a journal from any other SQLite file ("CDsp")."""
SCHEMA_VERSION = 2
BUSY_S = 0.1
"""How long to wait for a program that has no business writing here before saying so, seconds."""

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
    "CREATE TABLE secrets (id INTEGER PRIMARY KEY, commitment TEXT NOT NULL UNIQUE, seed TEXT NOT NULL)",
    "CREATE TABLE probe (room BLOB)",
    _EDGES,
    "CREATE INDEX entries_by_request ON entries (request) WHERE request IS NOT NULL",
    # Where the entries of each type are. No index of SQLite's own: that would have to be written before a press may
    # move anything, and this can wait until the motor rests. Entries after ``upto`` are not in it yet.
    "CREATE TABLE kinds (type TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (type, seq)) WITHOUT ROWID",
    "CREATE TABLE indexed (upto INTEGER NOT NULL)",
)
HEADER = (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {SCHEMA_VERSION}")
"""Sets the numbers by which a journal is known from outside."""
MAKE = (*_SCHEMA, "INSERT INTO indexed VALUES (0)", *HEADER)
"""Makes a journal of an empty file."""
_BRING_UP = (
    "DROP INDEX entries_with_request",
    "ALTER TABLE edges RENAME TO edges_before",
    _EDGES,
    "INSERT INTO edges SELECT *, checksum(run, after_seq, line, active, at_s, wall_s) FROM edges_before",
    "DROP TABLE edges_before",
    *_SCHEMA[4:],
    "INSERT INTO indexed VALUES (0)",
    *HEADER,
)
"""Makes a journal of one of version 1, which had no checksums of edges, and nothing that tells where a type is."""
CATCH_UP = (
    "INSERT INTO kinds SELECT type, seq FROM entries WHERE seq > (SELECT upto FROM indexed)",
    "UPDATE indexed SET upto = (SELECT coalesce(max(seq), 0) FROM entries)",
)
"""Brings ``kinds`` up to the newest entry."""
_REQUEST = (
    "CASE WHEN json_valid(data) AND json_type(data, '$.request') = 'text' THEN json_extract(data, '$.request') END"
)
WRONG_REQUESTS = f"SELECT min(seq), max(seq) FROM entries WHERE request IS NOT {_REQUEST}"  # noqa: S608
"""The first and the last entry beside which another request stands than it answers."""
REBUILD = (
    f"UPDATE entries SET request = {_REQUEST} WHERE request IS NOT {_REQUEST}",  # noqa: S608  # our words only
    "DELETE FROM kinds",
    "DELETE FROM indexed",
    "INSERT INTO indexed VALUES (0)",
    *CATCH_UP,
    "REINDEX",
)
"""Makes everything anew that follows from the entries."""
KINDS_ARE_RIGHT = """
    SELECT count(*) = 1 AND typeof(upto) = 'integer' AND upto <= (SELECT coalesce(max(seq), 0) FROM entries)
        AND (SELECT count(*) FROM kinds) = (SELECT count(*) FROM entries WHERE seq <= upto)
        AND NOT EXISTS (SELECT 1 FROM kinds LEFT JOIN entries USING (type, seq) WHERE entries.seq IS NULL)
    FROM indexed
"""
"""Whether ``kinds`` has each entry up to ``upto``, and nothing else."""
SETTINGS = (
    "PRAGMA synchronous = NORMAL",  # commit without fsync, for which an SD card may take 100s of ms: see Journal.sync
    "PRAGMA wal_autocheckpoint = 0",  # the service says when: while the motor rests
    "PRAGMA journal_size_limit = 1048576",
    "PRAGMA cache_size = -512",
)


def connect(path: Path | None, name: str) -> sqlite3.Connection:
    """Open the journal ``path`` for writing, or one in memory for ``None``; an empty file gets its tables.

    One of version 1 is brought up to date. The caller holds the file's lock.

    :param name: what it is called in errors.
    """
    with _opened(name, str(path or ":memory:")) as db:
        if _numbers(db) == (APPLICATION_ID, 1):
            db.create_function("checksum", 6, lambda *edge: checksum(edge), deterministic=True)
            _change(db, _BRING_UP)
            _log.warning("%s: the journal was brought from version 1 to %d", name, SCHEMA_VERSION)
        if _is_empty(db, name):  # still without WAL, so that all of it is in the file or nothing
            _change(db, MAKE)
        mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if path and mode != "wal":
            raise JournalIoError(
                Text("{name}: this filesystem cannot hold a journal (SQLite WAL). Use a local disk").filled(name=name)
            )
        for setting in SETTINGS:
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
    db = None
    try:
        uri = target.startswith("file:")
        db = sqlite3.connect(target, uri=uri, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        db.text_factory = partial(str, encoding="utf-8", errors="replace")
        yield db
    except BaseException as error:
        if db is not None:
            db.close()
        if isinstance(error, SQLITE_ERRORS):
            raise explain(error, name) from error
        raise


def _change(db: sqlite3.Connection, statements: tuple[str, ...]) -> None:
    """All of it or nothing."""
    db.execute("BEGIN IMMEDIATE")
    for statement in (*statements, "COMMIT"):
        db.execute(statement)


def _numbers(db: sqlite3.Connection) -> tuple[int, int]:
    """Whose file its header says that it is, and of which version."""
    application, version = (
        db.execute(f"PRAGMA {number}").fetchone()[0] for number in ("application_id", "user_version")
    )
    return application, version


def _is_empty(db: sqlite3.Connection, name: str) -> bool:
    """Whether nothing is in the file yet; whatever is no journal is refused.

    The tables say what it is. The numbers in the header only say whose other tables these may be.
    """
    application, version = _numbers(db)
    schema = set(db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    if schema == {(statement.split()[2], statement) for statement in _SCHEMA}:
        return False
    if application == APPLICATION_ID and version == SCHEMA_VERSION:
        raise damaged(name, Text("its tables are not those of a journal"))
    if application == APPLICATION_ID:
        raise JournalFormatError(
            Text(
                "{name}: this journal has version {version}, and this program knows version {known}. Start the "
                "launcher with it once if it is older; else use the program that wrote it, or another journal"
            ).filled(name=name, version=version, known=SCHEMA_VERSION)
        )
    if application or version or schema:
        raise JournalFormatError(
            Text("{name}: this is an SQLite file of another program. It is left as it is: use another journal").filled(
                name=name
            )
        )
    return True
