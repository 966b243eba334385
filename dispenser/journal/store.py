"""The SQLite file: tables, opening, and setting a damaged file aside."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

from dispenser.i18n import Text
from dispenser.journal.damage import Damage
from dispenser.journal.errors import (
    JournalDamagedError,
    JournalError,
    JournalFormatError,
    JournalMissingError,
    damaged,
    explain_os,
    explained,
)
from dispenser.safe_open import opened, refuse_other_than_regular

APPLICATION_ID = 0x43447370
"""In the file's header, so that ``file`` and this program tell a journal from other SQLite files ("CDsp")."""
SCHEMA_VERSION = 4
BUSY_S = 0.1  # Timeout for another program's write lock, which should not exist, seconds

_MAKE = (
    """CREATE TABLE records (
        seq INTEGER PRIMARY KEY, time TEXT NOT NULL, source TEXT NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL,
        digest TEXT NOT NULL, chain TEXT NOT NULL, request TEXT
    )""",
    "CREATE INDEX records_by_type ON records (type, seq)",
    "CREATE INDEX records_by_request ON records (request) WHERE request IS NOT NULL",
    "CREATE TABLE secrets (id INTEGER PRIMARY KEY, commitment TEXT NOT NULL UNIQUE, seed TEXT NOT NULL)",
    """CREATE TABLE edges (
        id INTEGER PRIMARY KEY, run INTEGER NOT NULL, after_seq INTEGER NOT NULL,
        line TEXT NOT NULL, active INTEGER NOT NULL, at_s REAL NOT NULL, wall_s REAL NOT NULL
    )""",
    "CREATE TABLE journal (id TEXT NOT NULL)",
    "INSERT INTO journal VALUES (lower(hex(randomblob(8))))",
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {SCHEMA_VERSION}",
)
_SETTINGS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",  # commit without fsync, for which an SD card may take 100s of ms: see Journal.sync
    "PRAGMA wal_autocheckpoint = 0",  # the service calls `checkpoint` while the motor rests
    "PRAGMA journal_size_limit = 1048576",
    "PRAGMA cache_size = -512",
    "PRAGMA secure_delete = ON",  # overwrite erased and deleted content with zeros
)
_MISSING = Text(
    "{name}: there is no journal here (yet). Start the launcher once, or name the one that "
    "'dispenser demo --journal FILE' keeps"
)


def connect(path: Path | None, name: str) -> sqlite3.Connection:
    """Open the journal ``path`` for writing, or one in memory for ``None``; create the tables in an empty file.

    SQLite checks the structure of the whole file: some 0.1 s for 10 MB.

    :param name: name of the journal in errors, here and below.
    """
    if path is not None:
        try:
            path.touch(mode=0o600)
            refuse_other_than_regular(path.stat(), path)
        except OSError as error:
            raise explain_os(error, name) from error
    with _opened(name, str(path or ":memory:")) as db:
        if _is_empty(db, name):  # not in WAL mode yet, so the file gets all of it or nothing
            db.execute("BEGIN IMMEDIATE")
            for statement in (*_MAKE, "COMMIT"):
                db.execute(statement)
        for setting in _SETTINGS:
            db.execute(setting)
        if (complaint := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise damaged(name, complaint)
    return db


def connect_read_only(path: Path, name: str) -> sqlite3.Connection:
    """Open the journal ``path`` for reading, even while it is written or in a read-only folder."""
    missing = JournalMissingError(_MISSING.filled(name=name))
    try:
        opened(path, follow_link=True).close()
    except FileNotFoundError as error:
        raise missing from error
    except PermissionError as error:
        locked = Text("{name}: this user may not read the journal. Read it as the user who runs the launcher")
        raise JournalError(locked.filled(name=name)) from error
    except OSError as error:
        raise explain_os(error, name) from error
    path = path.resolve()
    uri = path.as_uri() + "?mode=ro"
    if not path.with_name(f"{path.name}-wal").exists() and not os.access(path.parent, os.W_OK):
        uri += "&immutable=1"  # nobody writes, so SQLite needs no index file, which it could not create here
    with _opened(name, uri) as db:
        if _is_empty(db, name):
            raise missing
        db.execute("PRAGMA cache_size = -512")
    return db


@contextmanager
def _opened(name: str, target: str) -> Iterator[sqlite3.Connection]:
    """Yield a connection; on an error in the block close it and raise the error explained.

    It may be used on any thread, one at a time. Invalid UTF-8 of a damaged text is replaced.
    """
    with ExitStack() as undo, explained(name):
        db = sqlite3.connect(target, uri=True, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
        undo.callback(db.close)
        db.text_factory = partial(str, encoding="utf-8", errors="replace")
        yield db
        undo.pop_all()


def _is_empty(db: sqlite3.Connection, name: str) -> bool:
    """Return whether the file has no content yet; refuse one of another program, or of another version of this one."""
    application, version, tables = (
        db.execute(sql).fetchone()[0]
        for sql in ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    )
    if not (application or version or tables):
        return True
    if (application, version) == (APPLICATION_ID, SCHEMA_VERSION):
        return False
    text = Text("{name}: this is an SQLite file of another program. It is left as it is: use another journal")
    if application == APPLICATION_ID:
        text = Text(
            "{name}: this journal has version {version}, and this program knows version {known}. Use the program "
            "that wrote it, or another journal"
        )
    raise JournalFormatError(text.filled(name=name, version=version, known=SCHEMA_VERSION))


def open_or_put_aside(path: Path, name: str, stamp: str, *, known: bool) -> tuple[sqlite3.Connection, list[Damage]]:
    """Open the journal ``path`` for writing; rename a damaged file and begin a new one. Return the damage, too.

    :param stamp: for the new name of a damaged file.
    :param known: whether the file was a journal; if not, only a file that looks like one is renamed.
    """
    try:
        return connect(path, name), []
    except JournalDamagedError as error:
        if not known and path.read_bytes()[:15].strip(b"\0") not in {b"SQLite format 3", b""}:
            raise  # a power cut may leave zeros
        kept_as = _put_aside(path, name, stamp)
        return connect(path, name), [Damage("put aside", kept_as=kept_as, why=error.what)]


def _put_aside(path: Path, name: str, stamp: str) -> str:
    """Rename a journal's file, and its -wal and -shm, to ``….damaged-STAMP`` in the same folder; return that name."""
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    try:
        for suffix in ("-wal", "-shm", ""):  # the file itself last: after a kill in between, a retry completes it
            with suppress(FileNotFoundError):
                path.with_name(path.name + suffix).rename(aside.with_name(aside.name + suffix))
    except OSError as error:
        raise explain_os(error, name) from error
    return aside.name
