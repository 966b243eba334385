"""Filters look at few rows, however many there are; and answered requests are found in one step."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dispenser.journal import Journal, JournalReader
from dispenser.journal.store import connect_read_only
from tests.sampled import sampled

ENTRIES = 90_000
USUAL = [f"launcher.usual.{number}" for number in range(10)]
RARE = [f"launcher.rare.{number}" for number in range(10)]
PAGE = 100


def types_of(count: int, seed: int) -> list[str]:
    dice = random.Random(seed)
    return [dice.choice(RARE) if dice.random() < 0.001 else dice.choice(USUAL) for _ in range(count)]


@pytest.fixture(scope="module")
def long_journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As many entries as many evenings have."""
    path = tmp_path_factory.mktemp("long") / "journal.sqlite3"
    with Journal.open(path) as journal:
        entries = [(type_, {"request": f"r{number}"}) for number, type_ in enumerate(types_of(ENTRIES, 1))]
        for start in range(0, ENTRIES, 5000):
            journal.append("launcher", entries[start : start + 5000])
    return path


@contextmanager
def opened(path: Path) -> Iterator[tuple[sqlite3.Connection, JournalReader]]:
    """A reader, and what it asks."""
    db = connect_read_only(path, str(path))
    with JournalReader(db, str(path)) as reader:
        yield db, reader


def steps(db: sqlite3.Connection, ask: Callable[[], Any]) -> tuple[int, Any]:
    """How many instructions SQLite's machine takes for it, and the answer."""
    count = 0

    def step() -> None:
        nonlocal count
        count += 1

    db.set_progress_handler(step, 1)
    try:
        answer = ask()
    finally:
        db.set_progress_handler(None, 0)
    return count, answer


QUESTIONS: dict[str, dict[str, Any]] = {
    "twenty types from the beginning": {"types": [*USUAL, *RARE], "limit": PAGE},
    "twenty types from the middle": {"types": [*USUAL, *RARE], "after": ENTRIES // 2, "limit": PAGE},
    "the newest of twenty types": {"types": [*USUAL, *RARE], "last": PAGE},
    "rare ones": {"types": RARE, "last": 20},
    "rare ones from the middle": {"types": RARE[:3], "after": ENTRIES // 2, "limit": 10},
    "twenty that never came": {"types": [f"launcher.never.{number}" for number in range(20)], "limit": PAGE},
    "a family": {"types": ["launcher.rare"], "last": 20},
}


@pytest.mark.parametrize("question", sampled(QUESTIONS.values(), 4), ids=QUESTIONS)
def test_a_page_of_some_types_is_right_and_costs_no_more_in_a_long_journal(
    long_journal: Path, question: dict[str, Any]
) -> None:
    with opened(long_journal) as (db, reader):
        count, entries = steps(db, lambda: list(reader.read(**question)))
        scanned, _ = steps(db, lambda: reader.ask("SELECT count(*) FROM entries WHERE source = 'x'"))
    assert scanned > ENTRIES, "what it costs to look at every row"
    assert 10 * count < scanned, "some 20 lists are begun, a page of numbers merged, and a page of entries read"
    wanted, after = set(question["types"]), question.get("after", 0)
    every = [seq for seq, type_ in enumerate(types_of(ENTRIES, 1), 1) if {type_, type_.rsplit(".", 1)[0]} & wanted]
    every = [seq for seq in every if seq > after]
    every = every[-question["last"] :] if "last" in question else every[: question["limit"]]
    assert [entry.seq for entry in entries] == every


# --- requests ---------------------------------------------------------------------------------------------------------


def test_an_answer_is_found_in_one_look_however_long_ago_it_was(long_journal: Path) -> None:
    with opened(long_journal) as (db, reader):
        scanned, _ = steps(db, lambda: reader.ask("SELECT count(*) FROM entries WHERE source = 'x'"))
        for request in ("r0", f"r{ENTRIES - 1}", "never"):
            count, entry = steps(db, lambda request=request: reader.answer_to(request))
            assert 1000 * count < scanned
            assert (entry is None) == (request == "never")
            assert entry is None or entry.data["request"] == request


def test_the_first_answer_stays_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        first, _ = journal.append("api", [("a", {"request": "r"}), ("b", {"request": "r"})])
        journal.append("api", [("c", {"request": None}), ("d", {}), ("e", {"request": 7})])
    with Journal.open(path) as journal:
        assert journal.answer_to("r") == first
        assert journal.answer_to("7") is None
