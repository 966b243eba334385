"""Reading: beside a writer it holds nobody up, and what is damaged hides nothing else."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispenser.journal import UNREADABLE, Journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


@pytest.mark.parametrize("column", ["time", "source", "type", "data"])
@pytest.mark.parametrize("value", ["CAST(x'ff41' AS TEXT)", "x'ff41'", "5", "''"])
def test_damage_inside_a_record_is_found_by_the_chain_and_hides_no_other_record(
    journal: Journal, column: str, value: str
) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(5)])
    journal.ask(f"UPDATE records SET {column} = {value} WHERE seq = 3")
    assert journal.verify_chain() == 3
    records = list(journal.read())
    assert [record.seq for record in records] == [1, 2, 3, 4, 5]
    if column in {"data", "time"} or value == "x'ff41'":  # else it is a text like any other
        assert (records[2].source, records[2].type) == ("journal", UNREADABLE)
        assert records[2].data["why"]
        assert records[2].json().startswith(b'{"seq":3,')


def test_a_reader_in_the_middle_of_its_reading_holds_nobody_up(journal: Journal, path: Path) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(1000)])
    stubborn = sqlite3.connect(path, isolation_level=None)
    stubborn.execute("BEGIN")
    assert stubborn.execute("SELECT count(*) FROM records").fetchone() == (1000,)
    with Journal.read_only(path) as reader:
        reading = reader.read()
        assert next(reading).seq == 1
        for n in range(50):
            assert journal.append("launcher", [("b", {"n": n})])[0].seq == 1001 + n
            journal.checkpoint()
        assert [record.seq for record in reading] == list(range(2, 1001))
        assert [record.seq for record in reader.read(after=1000)] == list(range(1001, 1051))
        assert stubborn.execute("SELECT count(*) FROM records").fetchone() == (1000,)
    stubborn.close()
