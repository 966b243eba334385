"""Files that are no journal, damaged journals, and more than one process at one: each time a clear error."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispenser.journal import (
    UNREADABLE,
    Journal,
    JournalDamagedError,
    JournalError,
    JournalFormatError,
    JournalIoError,
    JournalLockedError,
    JournalMissingError,
)
from dispenser.journal import file as journal_file
from tests.journal.tools import ENVIRONMENT, WRITER, filled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


def snapshot(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-lock")}


# --- files that are no journal -------------------------------------------------------------------------------------


def make_foreign(path: Path, statements: str) -> None:
    db = sqlite3.connect(path)
    db.executescript(statements)
    db.close()


FOREIGN = {
    "another program's": ("CREATE TABLE holidays (day TEXT)", "of another program"),
    "another application": ("PRAGMA application_id = 42", "of another program"),
    "newer": (
        f"PRAGMA application_id = {journal_file.APPLICATION_ID}; PRAGMA user_version = 9",
        "version 9.*versions up to 2",
    ),
}


@pytest.mark.parametrize(("statements", "message"), FOREIGN.values(), ids=FOREIGN)
def test_an_sqlite_file_that_is_not_ours_is_refused_and_left_as_it_is(
    path: Path, statements: str, message: str
) -> None:
    make_foreign(path, statements)
    before = snapshot(path.parent)
    for opener in (Journal.open, Journal.read_only):
        with pytest.raises(JournalFormatError, match=message) as caught:
            opener(path)
        assert str(path) in str(caught.value)
        assert isinstance(caught.value, ValueError)
        assert snapshot(path.parent)[path.name] == before[path.name]


@pytest.mark.parametrize(
    "content", [b"seq,time,source,type,data\r\n" * 100, bytes(range(256)) * 40], ids=["csv", "bytes"]
)
def test_a_file_that_is_no_sqlite_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for opener in (Journal.open, Journal.read_only):
        with pytest.raises(JournalFormatError, match="not a journal"):
            opener(path)
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_journal_and_before_that_there_is_nothing_to_read(path: Path) -> None:
    path.touch()
    with pytest.raises(JournalMissingError, match="empty"):
        Journal.read_only(path)
    assert filled(path)[0].seq == 1


def test_reading_a_journal_that_is_not_there_makes_none(path: Path) -> None:
    with pytest.raises(JournalMissingError, match="no journal here") as caught:
        Journal.read_only(path)
    assert isinstance(caught.value, FileNotFoundError)
    assert list(path.parent.iterdir()) == []


def test_a_folder_instead_of_a_file(path: Path) -> None:
    path.mkdir()
    for opener in (Journal.open, Journal.read_only):
        with pytest.raises(JournalError, match=str(path)):
            opener(path)


def test_a_file_where_the_folder_should_be(path: Path) -> None:
    path.touch()
    for opener in (Journal.open, Journal.read_only):
        with pytest.raises(JournalIoError, match=str(path)):
            opener(path / "journal.sqlite3")


def test_a_journal_removed_while_in_use_is_told(journal: Journal, path: Path) -> None:
    journal.append("launcher", [("a", {})])
    moved = path.rename(path.with_name("moved"))
    for use in (journal.probe, journal.checkpoint):
        with pytest.raises(JournalMissingError, match="removed, replaced or changed"):
            use()
    path.touch()
    with pytest.raises(JournalMissingError, match="removed, replaced or changed"):
        journal.probe()
    path.unlink()
    moved.rename(path)
    journal.probe()


# --- damage --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["time", "source", "type", "data"])
@pytest.mark.parametrize("value", ["CAST(x'ff41' AS TEXT)", "x'ff41'", "5", "''"])
def test_damage_inside_an_entry_is_found_by_the_chain_and_hides_no_other_entry(
    journal: Journal, column: str, value: str
) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(5)])
    journal.ask(f"UPDATE entries SET {column} = {value} WHERE seq = 3")
    assert journal.verify_chain() == 3
    entries = list(journal.read())
    assert [entry.seq for entry in entries] == [1, 2, 3, 4, 5]
    if column in {"data", "time"} or value == "x'ff41'":  # else it is a text like any other
        assert (entries[2].source, entries[2].type) == ("journal", UNREADABLE)
        assert entries[2].data["why"]
        assert entries[2].json().startswith(b'{"seq":3,')


def test_flipped_bytes_never_tell_another_story_unnoticed(path: Path, tmp_path: Path) -> None:
    seed = 20261120
    dice = random.Random(seed)
    entries = filled(path, 200)
    original = path.read_bytes()
    copy = tmp_path / "copy" / path.name
    copy.parent.mkdir()
    noticed = {"error": 0, "chain": 0, "harmless": 0}
    for attempt in range(300):
        content = bytearray(original)
        start = dice.randrange(len(content))
        for at in range(start, min(len(content), start + dice.choice((1, 1, 4, 64)))):
            content[at] ^= dice.randrange(1, 256)
        for file in copy.parent.iterdir():
            file.unlink()
        copy.write_bytes(content)
        try:
            with Journal.read_only(copy) as reader:
                told = list(reader.read())
                misfit = reader.verify_chain()
        except JournalError as error:
            noticed["error"] += str(copy) in str(error)
            continue
        if misfit is None:
            assert told == entries, f"seed {seed}, attempt {attempt}: bytes from {start} on"
        noticed["harmless" if misfit is None else "chain"] += 1
    print(f"seed {seed}: {noticed}")
    assert sum(noticed.values()) == 300, "every error named the file"
    assert min(noticed.values()) > 10, "all three happened"


def test_a_number_that_became_smaller_does_not_turn_reading_in_circles(path: Path) -> None:
    filled(path, 300)
    content = bytearray(path.read_bytes())
    body = content.index(b"2027-01-15T08:00:00.000000Zlaunchera" + b'{"n":99}')
    number = body - 10  # 9 bytes say how long the columns are, and before them stands seq
    assert content[number] == 100
    content[number] = 3
    path.write_bytes(content)
    with Journal.read_only(path) as reader:
        with pytest.raises(JournalDamagedError, match="entry 3 stands behind entry 99"):
            list(reader.read())
        assert reader.verify_chain() == 100


def test_an_altered_last_entry_is_told_and_the_chain_goes_on_from_there(path: Path) -> None:
    filled(path)
    make_foreign(path, "UPDATE entries SET source = 'web' WHERE seq = 3")
    with Journal.open(path) as journal:
        assert [(damage.what, damage.first, damage.last) for damage in journal.damage] == [("entries", 3, 3)]
        journal.append("launcher", [("b", {}), ("b", {})])
        assert list(journal.misfits()) == [(3, 3)]


# --- more than one -------------------------------------------------------------------------------------------------


def test_a_second_writer_is_refused_and_told_who_has_it(journal: Journal, path: Path) -> None:
    with pytest.raises(JournalLockedError, match=f"process {os.getpid()}"):
        Journal.open(path)
    child = subprocess.run(
        [sys.executable, WRITER, "full", path, "0"], env=ENVIRONMENT, capture_output=True, check=False, text=True
    )
    assert child.returncode == 1
    assert f"process {os.getpid()}" in child.stderr.splitlines()[-1]
    assert journal.append("launcher", [("a", {})])[0].seq == 1
    journal.close()
    assert filled(path)[0].seq == 2


def test_another_program_that_writes_is_told_and_writing_goes_on_when_it_has_gone(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_file, "BUSY_S", 0.0)
    with Journal.open(path) as journal:
        intruder = sqlite3.connect(path, isolation_level=None)
        intruder.execute("BEGIN IMMEDIATE")
        for _ in range(2):
            with pytest.raises(JournalLockedError, match="another program"):
                journal.append("launcher", [("a", {})])
        intruder.close()
        assert journal.append("launcher", [("a", {})])[0].seq == 1


def test_a_reader_in_the_middle_of_its_reading_holds_nobody_up(journal: Journal, path: Path) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(1000)])
    stubborn = sqlite3.connect(path, isolation_level=None)
    stubborn.execute("BEGIN")
    assert stubborn.execute("SELECT count(*) FROM entries").fetchone() == (1000,)
    with Journal.read_only(path) as reader:
        reading = reader.read()
        assert next(reading).seq == 1
        for n in range(50):
            assert journal.append("launcher", [("b", {"n": n})])[0].seq == 1001 + n
            journal.checkpoint()
        assert [entry.seq for entry in reading] == list(range(2, 1001))
        assert [entry.seq for entry in reader.read(after=1000)] == list(range(1001, 1051))
        assert stubborn.execute("SELECT count(*) FROM entries").fetchone() == (1000,)
    stubborn.close()


def test_a_half_finished_reading_does_not_make_the_wal_grow(journal: Journal, path: Path) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(1000)])
    journal.checkpoint()
    size = path.with_name(f"{path.name}-wal").stat().st_size
    with Journal.read_only(path) as reader:
        reading = reader.read()
        next(reading)
        for n in range(30):
            journal.append("launcher", [("b", {"n": n})])
            journal.checkpoint()
        assert path.with_name(f"{path.name}-wal").stat().st_size <= size
        assert len(list(reading)) == 999
