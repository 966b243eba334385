"""A damaged journal never stops a start: what is wrong is told, and what SQLite cannot use is put aside."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dispenser.journal import Damage, Journal
from tests.journal.tools import NOON_S, change, filled, overwrite


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def damage_at_start(path: Path) -> list[Damage]:
    with Journal.open(path, wall_clock=lambda: NOON_S) as journal:
        assert journal.append("launcher", [("b", {})])[0].type == "b", "it goes on"
        return journal.damage


def test_an_altered_record_is_told_and_the_start_goes_on(path: Path) -> None:
    filled(path)
    change(path, "UPDATE records SET source = 'web' WHERE seq = 2")
    assert damage_at_start(path) == [Damage("records", 2, 2)]
    with Journal.open(path) as journal:
        assert list(journal.misfits()) == [(2, 2)]
        assert journal.last_seq == 4, "and goes on with the next number"


def test_newest_records_that_were_cut_off_are_told(path: Path) -> None:
    filled(path)
    change(path, "DELETE FROM records WHERE seq > 1")
    assert damage_at_start(path) == [Damage("newest records", 2, 3)]
    assert damage_at_start(path) == [], "once"


@pytest.mark.parametrize("harm", [lambda path: path.unlink(), lambda path: os.truncate(path, 0)], ids=["gone", "empty"])
def test_a_journal_that_has_lost_all_is_told_once(path: Path, harm: Callable[[Path], object]) -> None:
    filled(path)
    harm(path)
    assert damage_at_start(path) == [Damage("gone", 1, 3)]
    assert damage_at_start(path) == []


HARMS: dict[str, Callable[[Path], object]] = {
    "its first bytes": lambda path: overwrite(path, 0, b"no database"),
    "nothing but zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "its root page": lambda path: overwrite(path, 100, b"\xff" * 400),
    "a page of records": lambda path: overwrite(path, 4096, b"\xff" * 64),
}


@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_what_sqlite_cannot_use_is_put_aside_whole_and_a_new_one_begun(
    path: Path, harm: Callable[[Path], object]
) -> None:
    filled(path, 300)
    harm(path)
    content = path.read_bytes()
    (damage,) = damage_at_start(path)
    assert (damage.what, damage.kept_as) == ("put aside", "journal.sqlite3.damaged-20261120T120000Z")
    assert damage.why
    assert path.with_name(str(damage.kept_as)).read_bytes() == content
    assert damage_at_start(path) == [], "once"


def test_the_whole_journal_is_looked_at_when_somebody_asks(path: Path) -> None:
    filled(path, 300)
    with Journal.read_only(path) as reader:
        assert reader.find_damage() == []
    change(path, "UPDATE records SET data = '{}' WHERE seq IN (7, 8, 200)")
    with Journal.read_only(path) as reader:
        assert reader.find_damage() == [Damage("records", 7, 8), Damage("records", 200, 200)]
    overwrite(path, 8192, b"\xff" * 64)
    with Journal.read_only(path) as reader:
        assert reader.find_damage()[0].what == "file"
