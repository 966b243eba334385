"""What was appended is brought to the disk on any thread, beside whoever appends."""

from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dispenser.journal import Journal, JournalError

RECORD = [("a", {"text": "x"})]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that the disk was asked to have all of."""
    names: list[str] = []
    fdatasync = os.fdatasync

    def sync(fd: int) -> None:
        fdatasync(fd)
        names.append(Path(f"/proc/self/fd/{fd}").readlink().name)

    monkeypatch.setattr(os, "fdatasync", sync)
    return names


def test_the_log_is_brought_to_the_disk_on_another_thread_while_more_is_appended(path: Path, synced: list[str]) -> None:
    with Journal.open(path) as journal, ThreadPoolExecutor(1) as thread:
        for _ in range(20):
            under_way = thread.submit(journal.sync)
            journal.append("launcher", RECORD)
            under_way.result()
            journal.append("launcher", RECORD)  # which waits for no disk
        assert synced == [f"{path.name}-wal"] * 20
        assert journal.written == journal.last_seq == 40


def test_a_checkpoint_leaves_the_log_to_nobody_else(path: Path, synced: list[str]) -> None:
    with Journal.open(path) as journal:
        journal.append("launcher", RECORD)
        journal.checkpoint()
        assert synced == [f"{path.name}-wal"]
        journal.checkpoint()
        assert len(synced) == 1, "nothing is new"


def test_a_disk_that_refuses_is_told_and_nothing_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with Journal.open(path) as journal:
        written = journal.append("launcher", RECORD)
        monkeypatch.setattr(os, "fdatasync", refuse)
        for ask in (journal.sync, journal.checkpoint):
            with pytest.raises(JournalError, match="the disk refuses to read or write"):
                ask()
        monkeypatch.undo()
    with Journal.open(path) as journal:
        assert list(journal.read()) == written
        assert journal.damage == []
