"""Filters look at few rows, however many there are; and answered requests are found in one step."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dispenser.journal import Journal, JournalReader
from dispenser.journal.store import connect_read_only

RECORDS = 40_000
TYPES = [f"launcher.some.{number}" for number in range(20)]
PAGE = 100


@pytest.fixture(scope="module")
def long_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As many records as many evenings have."""
    path = tmp_path_factory.mktemp("long") / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("launcher", [(TYPES[n % 20], {"request": f"r{n}"}) for n in range(RECORDS)])
    return path


def steps(db: sqlite3.Connection, ask: Callable[[], Any]) -> int:
    """How many instructions SQLite's machine takes for it."""
    count = 0

    def step() -> None:
        nonlocal count
        count += 1

    db.set_progress_handler(step, 1)
    ask()
    db.set_progress_handler(None, 0)
    return count


QUESTIONS: dict[str, Callable[[JournalReader], Any]] = {
    "twenty types from the middle": lambda reader: [*reader.read(types=TYPES, after=RECORDS // 2, limit=PAGE)],
    "the newest of twenty types": lambda reader: [*reader.read(types=TYPES, last=PAGE)],
    "twenty that never came": lambda reader: [*reader.read(types=[f"never.{number}" for number in range(20)])],
    "an answer": lambda reader: reader.answer_to("r7"),
    "an answer that never came": lambda reader: reader.answer_to("never"),
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_a_question_costs_no_more_in_a_long_journal(
    long_journal: Path, question: Callable[[JournalReader], Any]
) -> None:
    db = connect_read_only(long_journal, str(long_journal))
    with JournalReader(db, str(long_journal)) as reader:
        every_row = steps(db, lambda: reader.ask("SELECT count(*) FROM records WHERE source = 'x'"))
        assert every_row > RECORDS
        assert 5 * steps(db, lambda: question(reader)) < every_row


def test_the_first_answer_stays_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        first, _ = journal.append("api", [("a", {"request": "r"}), ("b", {"request": "r"})])
        journal.append("api", [("c", {"request": None}), ("d", {}), ("e", {"request": 7})])
    with Journal.open(path) as journal:
        assert journal.answer_to("r") == first
        assert journal.answer_to("7") is None
