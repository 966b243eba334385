"""A journal as the first version of this program left it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from dispenser.journal import Entry, Journal, JournalFormatError
from dispenser.journal.file import APPLICATION_ID, MAKE

VERSION_1 = (
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
    "PRAGMA user_version = 1",
)


def made(path: Path, count: int) -> list[Entry]:
    """One with so many entries, which are returned."""
    with Journal.open(":memory:", wall_clock=lambda: 1.8e9) as journal:
        entries = journal.append("launcher", [("a", {"n": n, "request": f"r{n}"}) for n in range(count)])
        rows = journal.ask("SELECT seq, time, source, type, data, chain, request FROM entries")
    db = sqlite3.connect(path, isolation_level=None)
    for statement in VERSION_1:
        db.execute(statement)
    db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO edges VALUES (?, 0, 1, 'lid', ?, ?, 1.8e9)", [(1, 1, 0.5), (2, 0, 0.75)])
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    return entries


@pytest.mark.long
def test_it_is_brought_up_to_date_when_the_launcher_opens_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "journal.sqlite3"
    entries = made(path, 1000)
    with Journal.open(path) as journal:
        assert journal.damage == []
        assert "from version 1 to 2" in caplog.text
        assert list(journal.read()) == entries
        assert journal.answer_to("r3") == entries[3]
        assert len(journal.edges_around(1000, 1e9, 1e9)) == 2
        assert list(journal.read(types=["a"], last=2)) == entries[-2:]
        assert journal.append("launcher", [("b", {})])[0].seq == 1001
    caplog.clear()
    Journal.open(path).close()
    assert caplog.text == ""
    schema = "SELECT type, name, sql FROM sqlite_master ORDER BY name"
    db, fresh = sqlite3.connect(path), sqlite3.connect(":memory:")
    for statement in MAKE:
        fresh.execute(statement)
    assert db.execute(schema).fetchall() == fresh.execute(schema).fetchall()
    db.close()
    fresh.close()


def test_whoever_only_reads_is_told_to_start_the_launcher_first(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    made(path, 3)
    with pytest.raises(JournalFormatError, match=r"version 1.*Start the launcher with it once"):
        Journal.read_only(path)
