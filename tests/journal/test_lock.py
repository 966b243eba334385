"""One writer a file, whatever the file is called; and a file that disappears in use is noticed."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dispenser.journal import Journal, JournalLockedError, JournalMissingError
from dispenser.journal import file as journal_file
from dispenser.journal.keeper import writer_of
from tests.journal.tools import ENVIRONMENT, WRITER, filled


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    with Journal.open(path) as journal:
        yield journal


@contextmanager
def another_process_on(path: Path) -> Iterator[int]:
    """A process that writes to the journal; its number."""
    child = subprocess.Popen([sys.executable, WRITER, "endless", path, "1"], env=ENVIRONMENT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child:
        try:
            assert child.stdout.readline() == b"start\n"
            assert child.stdout.readline()
            yield child.pid
        finally:
            child.kill()


def same(path: Path) -> Path:
    return path


def by_symlink(path: Path) -> Path:
    link = path.with_name("link")
    link.symlink_to(path)
    return link


def by_linked_folder(path: Path) -> Path:
    folder = path.parent / "folder"
    folder.symlink_to(path.parent, target_is_directory=True)
    return folder / path.name


def by_hard_link(path: Path) -> Path:
    link = path.with_name("hard")
    os.link(path, link)
    return link


def after_rename(path: Path) -> Path:
    return path.rename(path.with_name("renamed"))


def with_nothing_beside_it(path: Path) -> Path:
    for file in path.parent.iterdir():
        if file != path:
            file.unlink()
    return path


NAMES = [same, by_symlink, by_linked_folder, by_hard_link, after_rename, with_nothing_beside_it]


@pytest.mark.parametrize("name", NAMES, ids=[name.__name__ for name in NAMES])
def test_a_second_process_is_refused_by_whatever_name(path: Path, name: Callable[[Path], Path]) -> None:
    with another_process_on(path) as process:
        other = name(path)
        assert writer_of(other) in {str(process), "unknown"}
        for _ in range(2):
            with pytest.raises(JournalLockedError, match="another launcher"):
                Journal.open(other)
    assert writer_of(other) is None


@pytest.mark.parametrize("name", NAMES, ids=[name.__name__ for name in NAMES])
def test_a_second_journal_in_the_same_process_is_refused_and_disturbs_nobody(
    path: Path, name: Callable[[Path], Path]
) -> None:
    with Journal.open(path) as journal:
        other = name(path)
        assert writer_of(other) == str(os.getpid())
        with pytest.raises(JournalLockedError):
            Journal.open(other)
        sqlite_holds = [lock for lock in locks_of(other) if lock == "POSIX"]
        assert sqlite_holds, "SQLite still has its own locks"
        journal.close()
    assert writer_of(other) is None


def locks_of(path: Path) -> list[str]:
    """The kinds of locks that lie on a file, from the kernel."""
    inode = str(path.stat().st_ino)
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return [line[1] for line in lines if "->" not in line and line[5].split(":")[2] == inode]


def test_who_writes_is_named(path: Path) -> None:
    with another_process_on(path) as process:
        assert writer_of(by_symlink(path)) == str(process)
        with pytest.raises(JournalLockedError, match=f"process {process}"):
            Journal.open(path)


def test_the_kernel_lets_go_when_the_writer_is_killed(path: Path) -> None:
    with another_process_on(path):
        pass
    with Journal.open(path) as journal:
        assert journal.last_seq > 0
        assert journal.verify_chain() is None
        assert journal.damage == []


def test_readers_are_kept_out_by_nothing(path: Path) -> None:
    with another_process_on(path), Journal.read_only(path) as reader:
        assert reader.last_seq > 0


def test_a_link_to_a_journal_keeps_everything_beside_the_file_itself(tmp_path: Path) -> None:
    real = tmp_path / "disk" / "journal.sqlite3"
    real.parent.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    entries = filled(link)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["disk", "link"]
    with Journal.open(real) as journal:
        assert list(journal.read()) == entries
        journal.append("launcher", [("b", {})])
        with Journal.read_only(link) as reader:
            assert reader.last_seq == 4


# --- in use ---------------------------------------------------------------------------------------------------------


def remove(path: Path) -> None:
    path.unlink()


def remove_all(path: Path) -> None:
    for file in path.parent.iterdir():
        file.unlink()


def remove_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


def move(path: Path) -> None:
    path.rename(path.with_name("moved"))


def replace(path: Path) -> None:
    filled(path.with_name("other"))
    path.with_name("other").rename(path)


def overwrite(path: Path) -> None:
    filled(path.with_name("other"))
    shutil.copyfile(path.with_name("other"), path)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def remove_log(path: Path) -> None:
    path.with_name(f"{path.name}-wal").unlink()


LOSSES = [remove, remove_all, remove_folder, move, replace, overwrite, empty, remove_log]


@pytest.mark.parametrize("lose", LOSSES, ids=[lose.__name__ for lose in LOSSES])
def test_a_file_that_is_not_what_it_was_takes_no_entry(tmp_path: Path, lose: Callable[[Path], None]) -> None:
    path = tmp_path / "folder" / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("launcher", [("a", {})])
        journal.checkpoint()
        lose(path)
        for use in (journal.still_there, journal.probe, journal.checkpoint, lambda: journal.append("x", [("b", {})])):
            with pytest.raises(JournalMissingError, match=r"removed, replaced or changed while in use.*by itself"):
                use()


@pytest.mark.parametrize("lose", LOSSES, ids=[lose.__name__ for lose in LOSSES])
def test_what_is_there_afterwards_can_be_opened_and_nothing_of_the_old_one_gets_into_it(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    path = tmp_path / "folder" / "journal.sqlite3"
    with Journal.open(path) as journal:
        journal.append("launcher", [("old", {})])
        journal.checkpoint()
        lose(path)
    with Journal.open(path) as journal:
        assert journal.verify_chain() is None
        assert journal.ask("PRAGMA integrity_check") == [("ok",)]
        kinds = {entry.type for entry in journal.read()}
        assert kinds == {"replace": {"a"}, "overwrite": {"a"}, "remove_log": {"old"}}.get(lose.__name__, set())


def test_a_journal_that_was_only_touched_loses_nothing(path: Path) -> None:
    with Journal.open(path) as journal:
        entries = journal.append("launcher", [("a", {})])
        path.touch()
        with pytest.raises(JournalMissingError):
            journal.append("launcher", [("b", {})])
    with Journal.open(path) as journal:
        assert list(journal.read()) == entries
        assert journal.damage == []


def test_a_journal_that_was_moved_has_all_its_entries(path: Path) -> None:
    with Journal.open(path) as journal:
        entries = [*journal.append("launcher", [("a", {})]), *journal.append("launcher", [("b", {})])]
        moved = path.rename(path.with_name("moved"))  # and what is still in its log has another name
    replacement = filled(path)
    with Journal.open(moved) as journal:
        assert list(journal.read()) == entries
    with Journal.open(path) as journal:
        assert list(journal.read()) == replacement


def test_our_own_checkpoints_change_the_file_and_that_is_all_right(path: Path) -> None:
    with Journal.open(path) as journal:
        for n in range(50):
            journal.append("launcher", [("a", {"n": n, "text": "x" * 1000})])
            journal.checkpoint()
            journal.still_there()
        assert journal.last_seq == 50


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
