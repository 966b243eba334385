"""Files that are no journal, or cannot be one: each time a clear error, and nothing is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dispenser.journal import (
    Journal,
    JournalDamagedError,
    JournalError,
    JournalFormatError,
    JournalMissingError,
    store,
)
from tests.journal.tools import change, filled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


FOREIGN = {
    "another program's": ("CREATE TABLE holidays (day TEXT)", "of another program"),
    "another application": ("PRAGMA application_id = 42", "of another program"),
    "another version": (
        f"PRAGMA application_id = {store.APPLICATION_ID}; PRAGMA user_version = 9",
        "version 9.*knows version 4",
    ),
}


@pytest.mark.parametrize(("statements", "message"), FOREIGN.values(), ids=FOREIGN)
def test_an_sqlite_file_that_is_not_ours_is_refused_and_left_as_it_is(
    path: Path, statements: str, message: str
) -> None:
    change(path, *statements.split(";"))
    before = path.read_bytes()
    for opener in (Journal.open, Journal.read_only):
        with pytest.raises(JournalFormatError, match=message) as caught:
            opener(path)
        assert str(path) in str(caught.value)
        assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"seq,time,source,type,data\r\n" * 100, bytes(range(256)) * 40], ids=["csv", "bytes"]
)
def test_a_file_that_is_no_sqlite_is_refused_and_left_as_it_is(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for opener in (Journal.open, Journal.read_only):
        with pytest.raises(JournalDamagedError, match="not a journal"):
            opener(path)
    assert path.read_bytes() == content


def test_an_empty_file_becomes_a_journal_and_before_that_there_is_nothing_to_read(path: Path) -> None:
    path.touch()
    with pytest.raises(JournalMissingError, match="no journal here"):
        Journal.read_only(path)
    assert filled(path)[0].seq == 1


def test_reading_a_journal_that_is_not_there_makes_none(path: Path) -> None:
    with pytest.raises(JournalMissingError, match="no journal here"):
        Journal.read_only(path)
    assert list(path.parent.iterdir()) == []


def test_what_is_no_file_is_refused_with_a_sentence(path: Path) -> None:
    os.mkfifo(path)
    for place, why in (
        (path, "a pipe or a device"),
        (path.parent, "a folder"),
        (Path(os.devnull), "a pipe or a device"),
    ):
        for opener in (Journal.open, Journal.read_only):
            with pytest.raises(JournalError, match=f"cannot be opened: that is {why}, not a file"):
                opener(place)
