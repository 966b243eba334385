"""What the journal's tests share."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import dispenser
from dispenser.journal import Journal, Record

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


def filled(path: Path, count: int = 3) -> list[Record]:
    """A closed journal with ``count`` records, the same whenever it is made but for its id."""
    with Journal.open(path, wall_clock=lambda: 1.8e9) as journal:
        return journal.append("launcher", [("a", {"n": n}) for n in range(count)])


def change(path: Path, *statements: str) -> None:
    """Alter a closed journal as another program would."""
    with closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


def overwrite(path: Path, at: int, content: bytes) -> None:
    """Alter bytes of a file."""
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)
