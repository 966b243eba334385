"""One writer at a time; whoever comes second is told who has the journal. Readers are kept out by nothing."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispenser.journal import Journal, JournalError
from dispenser.journal.state import writer_of
from tests.journal.test_crash import writer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


def test_a_second_writer_is_refused_and_told_who_has_it(journal: Journal, path: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(JournalError, match=rf"another launcher \(process {os.getpid()}\) writes"):
            Journal.open(name)
    assert writer_of(path) == str(os.getpid())
    assert journal.append("launcher", [("a", {})])[0].seq == 1, "the first one is not disturbed"
    journal.close()
    assert writer_of(path) is None
    Journal.open(link).close()


def test_the_kernel_lets_go_when_the_writer_is_killed(path: Path) -> None:
    with writer(path, "lock") as child:
        assert child.stdout is not None
        child.stdout.readline()
        with pytest.raises(JournalError, match=str(child.pid)):
            Journal.open(path)
        with Journal.read_only(path) as reader:
            assert reader.last_seq > 0
        child.kill()
        child.wait()
        Journal.open(path).close()


def test_another_program_that_writes_is_told(journal: Journal, path: Path) -> None:
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError, match="another program is writing"):
        journal.append("launcher", [("a", {})])
    other.execute("ROLLBACK")
    other.close()
    assert journal.append("launcher", [("a", {})])[0].seq == 1
