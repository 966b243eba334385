"""What the journal's tests share."""

from __future__ import annotations

import os
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import dispenser
from dispenser.journal import Entry, Journal
from dispenser.journal import file as journal_file

NOON_S = datetime(2026, 11, 20, 12, tzinfo=UTC).timestamp()
WRITER = Path(__file__).with_name("other_writer.py")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(dispenser.__file__).parents[1])}
"""For the writer, which is a process of its own."""


class Clock:
    """A wall clock that a test sets."""

    def __init__(self) -> None:
        self.now_s = NOON_S

    def __call__(self) -> float:
        return self.now_s


def filled(path: Path, count: int = 3) -> list[Entry]:
    """A closed journal with ``count`` entries, the same whenever it is made."""
    with Journal.open(path, wall_clock=lambda: 1.8e9) as journal:
        return journal.append("launcher", [("a", {"n": n}) for n in range(count)])


def make_version_1(path: Path, count: int) -> list[Entry]:
    """A journal as the first version of this program left it; what is in it."""
    with Journal.open(":memory:", wall_clock=lambda: 1.8e9) as journal:
        entries = journal.append("launcher", [("a", {"n": n, "request": f"r{n}"}) for n in range(count)])
        rows = journal.ask("SELECT seq, time, source, type, data, chain, request FROM entries")
    db = sqlite3.connect(path, isolation_level=None)
    for statement in journal_file._SCHEMAS[1]:
        db.execute(statement)
    db.execute(f"PRAGMA application_id = {journal_file.APPLICATION_ID}")
    db.execute("PRAGMA user_version = 1")
    db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    db.executemany("INSERT INTO edges VALUES (?, 0, 1, 'lid', ?, ?, 1.8e9)", [(1, 1, 0.5), (2, 0, 0.75)])
    db.execute("PRAGMA journal_mode = WAL")
    db.close()
    return entries
