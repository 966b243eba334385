"""What people want forgotten is gone from the file, and nobody can pass off anything else as forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from dispenser.journal import BLANK, ERASED, Journal
from tests.journal.tools import change as alter

SECRET = "Eulalie-Philomène"


def filled(path: Path) -> Journal:
    journal = Journal.open(path)
    for number in range(1, 21):
        family = "table.joined" if number % 3 == 0 else "launcher.lid.opened"
        journal.append("test", [(family, {"name": f"{SECRET} {number}", "request": f"r{number}"})])
    return journal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def test_what_was_erased_is_told_by_nothing_and_all_else_is_as_it_was(path: Path) -> None:
    with filled(path) as journal:
        before = {record.seq: record for record in journal}
        (told,) = journal.erase(5, 16, "table.", "test", {"table": "abc"})
        after = {record.seq: record for record in journal}
        assert journal.verify_chain() is None
    erased = [6, 9, 12, 15]
    assert [seq for seq, record in after.items() if record.type == BLANK] == erased
    assert all(after[seq].data == {} for seq in erased)
    assert all(after[seq] == record for seq, record in before.items() if seq not in erased)
    assert (told.type, told.data["table"], told.data["count"]) == (ERASED, "abc", 4)
    with Journal.open(path) as journal:
        assert journal.damage == []
        assert journal.answer_to("r6") is None
        assert journal.answer_to("r7") is not None


def test_its_bytes_are_not_in_the_file_any_more(path: Path) -> None:
    journal = filled(path)
    journal.append("test", [("launcher.lid.opened", {})])
    journal.checkpoint()
    journal.erase(1, 20, "table.", "test", {})
    journal.checkpoint()
    for file in path.parent.iterdir():
        for number in (3, 6, 18):
            assert f'{SECRET} {number}"'.encode() not in file.read_bytes(), file.name
    assert f"{SECRET} 4".encode() in path.read_bytes()
    journal.close()
    assert f'{SECRET} 18"'.encode() not in path.read_bytes()


@pytest.mark.parametrize(
    ("change", "found"),
    [
        ("UPDATE records SET type = 'service.journal.blank', data = '{}', request = NULL WHERE seq = 7", 3),
        ("UPDATE records SET type = 'launcher.lid.closed' WHERE seq = 9", 3),
        ('UPDATE records SET data = \'{"name": "another"}\' WHERE seq = 9', 9),
        ("UPDATE records SET chain = (SELECT chain FROM records WHERE seq = 4) WHERE seq = 9", 9),
    ],
)
def test_whoever_uses_it_to_hide_a_change_is_found_out(path: Path, change: str, found: int) -> None:
    with filled(path) as journal:
        journal.erase(1, 20, "table.", "test", {})
    alter(path, change)
    with Journal.read_only(path) as reader:
        assert reader.verify_chain() == found


def test_of_a_secret_that_was_forgotten_no_byte_is_left_after_the_next_checkpoint(path: Path) -> None:
    secret = "5eed" * 16
    with Journal.open(path) as journal:
        for number in range(40):  # a log so long that what follows does not happen to overwrite it
            journal.append("test", [("table.joined", {"name": f"{number}"})])
        journal.put_secret("commitment", secret)
        journal.append("test", [("table.opened", {})])
        journal.checkpoint()
        assert any(secret.encode() in each.read_bytes() for each in path.parent.iterdir())
        journal.append("test", [("table.closed", {})])
        journal.forget_secret("commitment")
        journal.checkpoint()
        assert not [each.name for each in path.parent.iterdir() if secret.encode() in each.read_bytes()]
