"""What is no regular file in the place of a journal or of its state file is refused with a sentence: nothing hangs."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from dispenser.journal import Journal, keeper
from dispenser.journal.errors import JournalIoError
from dispenser.journal.keeper import writer_of

PIPE, FOLDER, DEVICE = "pipe", "folder", "device"


def put(what: str, path: Path) -> Path:
    if what == PIPE:
        os.mkfifo(path)
    elif what == FOLDER:
        path.mkdir()
    else:
        return Path(os.devnull)
    return path


@pytest.mark.parametrize(
    ("what", "why"),
    [(PIPE, "a pipe or a device, not a file"), (FOLDER, "a folder, not a file"), (DEVICE, "a pipe or a device")],
)
def test_what_is_no_file_is_no_journal(tmp_path: Path, what: str, why: str) -> None:
    path = put(what, tmp_path / "journal.sqlite3")
    for opening in (Journal.open, Journal.read_only):
        with pytest.raises(JournalIoError, match=f"the journal cannot be opened: that is {why}"):
            opening(path)
    assert writer_of(path) is None


def test_a_state_file_that_is_a_pipe_keeps_nobody_waiting(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    Journal.open(path).close()
    state = path.with_name(f"{path.name}-state")
    state.unlink()
    os.mkfifo(state)
    with Journal.open(path) as journal:
        assert journal.damage == []
        assert writer_of(path) == str(os.getpid())


def test_a_disk_that_cannot_be_read_at_the_start_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.sqlite3"
    Journal.open(path).close()

    def refuse(*_: object) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(keeper, "read_at", refuse)
    with pytest.raises(JournalIoError, match="the disk refuses to read or write"):
        Journal.open(path)
    monkeypatch.undo()
    Journal.open(path).close()
