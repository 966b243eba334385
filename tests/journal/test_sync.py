"""What was appended is brought to the disk on any thread, beside whoever appends, and once refused for good."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dispenser.journal import Journal, JournalIoError, descriptors, keeper

ENTRY = [("a", {"text": "x"})]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that the disk was asked to have all of."""
    names: list[str] = []

    def sync(fd: int) -> None:
        descriptors.sync(fd)
        names.append(Path(f"/proc/self/fd/{fd}").readlink().name)

    monkeypatch.setattr(keeper, "sync", sync)
    return names


def refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    def sync(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(keeper, "sync", sync)


def test_the_log_is_brought_to_the_disk_on_another_thread_while_more_is_appended(path: Path, synced: list[str]) -> None:
    with Journal.open(path) as journal, ThreadPoolExecutor(1) as thread:
        for _ in range(20):
            under_way = thread.submit(journal.sync)
            journal.append("launcher", ENTRY)
            under_way.result()
        assert synced == [f"{path.name}-wal"] * 20
        assert journal.written == journal.last_seq == 20


def test_to_append_waits_for_no_disk(path: Path, synced: list[str]) -> None:
    with Journal.open(path) as journal:
        for _ in range(20):
            journal.append("launcher", ENTRY)
        assert synced == []


def test_a_checkpoint_leaves_the_log_to_nobody_else(path: Path, synced: list[str]) -> None:
    with Journal.open(path) as journal:
        journal.append("launcher", ENTRY)
        journal.checkpoint()
        assert synced == [f"{path.name}-wal"]
        journal.checkpoint()
        assert len(synced) == 1, "nothing is new"


def test_what_the_disk_has_refused_once_it_is_not_asked_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Linux would say that all is well: it forgets what it could not write."""
    with Journal.open(path) as journal:
        written = journal.append("launcher", ENTRY)
        refuse(monkeypatch)
        with pytest.raises(JournalIoError, match="the disk refuses to read or write"):
            journal.sync()
        monkeypatch.undo()
        for again in (journal.sync, journal.checkpoint):
            with pytest.raises(JournalIoError):
                again()
        assert journal.broken
    with Journal.open(path) as journal:
        assert list(journal.read()) == written, "it was written anew"
        assert journal.damage == []
        journal.append("launcher", ENTRY)
        journal.sync()


def test_a_journal_that_is_closed_or_in_memory_has_nothing_to_bring(path: Path, synced: list[str]) -> None:
    journal = Journal.open(path)
    journal.append("launcher", ENTRY)
    journal.close()
    journal.sync()
    with Journal.open(":memory:") as journal:
        journal.append("launcher", ENTRY)
        journal.sync()
    assert synced == []
