"""The journal on a disk that is full or read-only: a clear error, nothing half-written, and it goes on afterwards."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dispenser.journal import Journal, JournalError, Record
from tests.journal.tools import filled

NOBODY = 65534


def append_for_ever(journal: Journal, written: list[Record]) -> None:
    while True:
        written += journal.append("launcher", [("small", {})])


def test_a_full_disk_is_told_leaves_nothing_half_written_and_is_over_when_there_is_room(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        written = journal.append("launcher", [("a", {"n": n}) for n in range(10)])
        ((pages,),) = journal.ask("PRAGMA page_count")
        journal.ask(f"PRAGMA max_page_count = {pages}")  # as on a disk without room
        large = [("small", {}), ("large", {"text": "x" * 100_000}), ("small", {})]
        for _ in range(3):
            with pytest.raises(JournalError, match=r"the disk is full.*Make room"):
                journal.append("launcher", large)
            assert list(journal.read()) == written
        with pytest.raises(JournalError):
            append_for_ever(journal, written)
        journal.ask("PRAGMA max_page_count = 1073741823")
        written += journal.append("launcher", large)
        assert [record.seq for record in written] == list(range(1, len(written) + 1))
        assert list(journal.read()) == written
        assert journal.verify_chain() is None


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Permission bits mean nothing to root: be somebody else for a while."""
    if os.getuid() != 0:
        yield
        return
    os.setresuid(NOBODY, NOBODY, 0)
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder of the ordinary user, in a place where that user may go."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "state"
        folder.mkdir()
        if os.getuid() == 0:
            Path(name).chmod(0o755)
            os.chown(folder, NOBODY, NOBODY)
        yield folder
        folder.chmod(0o700)


def test_a_read_only_folder_is_told_and_the_journal_can_still_be_read(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    with ordinary_user():
        records = filled(path)
        folder.chmod(0o555)
        with pytest.raises(JournalError, match=r"cannot be written.*permission"):
            Journal.open(path)
        with pytest.raises(JournalError, match="deeper"):
            Journal.open(folder / "deeper" / "journal.sqlite3")
        with Journal.read_only(path) as reader:
            assert list(reader.read()) == records
        folder.chmod(0o755)
        with Journal.open(path) as journal:
            assert journal.append("launcher", [("a", {})])[0].seq == 4


def test_what_a_killed_launcher_left_is_read_from_a_read_only_folder(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    with ordinary_user():
        with Journal.open(path) as journal:
            records = journal.append("launcher", [("a", {"n": n}) for n in range(3)])
            copy = folder / "copy"
            shutil.copytree(folder, copy)
        copy.chmod(0o555)
        with Journal.read_only(copy / path.name) as reader:
            assert list(reader.read()) == records


def test_a_journal_of_somebody_else_is_not_read(folder: Path) -> None:
    path = folder / "journal.sqlite3"
    with ordinary_user():
        filled(path)
        path.chmod(0)
        with pytest.raises(JournalError, match="may not read"):
            Journal.read_only(path)
