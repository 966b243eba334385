"""Whoever looks at a damaged journal is told, and never with a traceback."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from dispenser.cli import app
from dispenser.cli.audit import audit_file
from dispenser.drivers.findings import Status
from dispenser.journal import DAMAGED, Journal, JournalError
from dispenser.system.doctor import check_journal
from tests.journal.tools import change, filled, overwrite

FLIPS = 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.sqlite3"
    filled(path, 200)
    return path


def test_looking_at_a_damaged_journal_says_so_and_never_ends_in_a_traceback(path: Path) -> None:
    dice = random.Random(20261128)
    whole = path.read_bytes()
    for _ in range(FLIPS):
        at = dice.randrange(len(whole))
        overwrite(path, at, bytes([whole[at] ^ 0xFF]))
        status, told, _ = check_journal(path)
        with suppress(JournalError):
            audit_file(path)
        assert status is Status.GOOD or str(path) in str(told)
        shown = CliRunner().invoke(app, ["log", "--journal", str(path), "--json"])
        assert shown.exit_code in {0, 74}, f"byte {at}: {shown.exception!r}"
        assert shown.exit_code == 0 or "journal" in shown.stderr
        path.write_bytes(whole)


def test_log_marks_what_does_not_fit_among_the_records_shown(path: Path) -> None:
    change(path, "UPDATE records SET data = 'no json' WHERE seq = 12")

    def shown(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["log", "--journal", str(path), *arguments])

    around = shown("--since", "10", "--until", "14")
    assert "This record is damaged and cannot be read" in around.stdout
    assert "record 12 is missing or was altered" in around.stderr
    assert "missing" not in shown("--since", "13", "--until", "20").stderr
    assert "missing" not in shown("--until", "9").stderr


def test_what_was_told_is_seen_by_doctor_and_audit_ever_after(path: Path) -> None:
    overwrite(path, 3, b"!")
    with Journal.open(path) as journal:
        (damage,) = journal.damage
        journal.append("service", [(DAMAGED, damage.data())])
    status, told, _ = check_journal(path)
    assert status is Status.NOTE
    assert str(damage.text) in str(told)
    assert [str(each) for each in audit_file(path).damage] == [f"record 1: {damage.text}"]
