"""A journal with a flipped bit: it is told, wherever the bit is, and it never stops a start."""

from __future__ import annotations

import logging
import os
import random
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from dispenser.journal import UNREADABLE, Journal
from dispenser.journal import file as journal_file
from dispenser.journal.keeper import put_aside_before
from tests.journal.damaged_journals import (
    FIRST_SEED,
    FLIPS,
    NAME,
    change,
    copied,
    flip,
    overwrite,
    start,
    told,
    write_evening,
)


@pytest.fixture(autouse=True, scope="module")
def no_power_cuts() -> Iterator[None]:
    """SQLite waits for no disk, which is most of the time that these tests would take."""
    quick = (*journal_file.SETTINGS, "PRAGMA synchronous = OFF")
    with mock.patch.object(journal_file, "SETTINGS", quick):
        yield


@pytest.fixture(scope="module", params=["closed", "killed"])
def evening(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_evening(tmp_path_factory.mktemp("evening"), killed=request.param == "killed")


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_evening(tmp_path_factory.mktemp("closed"), killed=False)


def content(path: Path) -> list[Any]:
    """All that a journal holds, however it is asked for."""
    with Journal.read_only(path) as reader:
        tables = [reader.ask(f"SELECT * FROM {table}") for table in ("entries", "secrets", "edges", "kinds", "indexed")]
        by_request = reader.ask("SELECT request, seq FROM entries WHERE request IS NOT NULL ORDER BY request")
        types = [entry.seq for entry in reader.read(types=["launcher.press"])]
        return [list(reader.read()), *tables, by_request, types, reader.ask("PRAGMA integrity_check")]


def test_a_flipped_bit_is_told_and_never_stops_a_start(evening: Path, tmp_path: Path) -> None:
    """Of a journal that was closed, every single bit is told. A kill leaves no seal: there, a bit that nobody hears of
    must be one that nothing depends on."""
    logging.disable(logging.CRITICAL)
    sealed = evening.parent.name != "killed"
    before = content(copied(evening, tmp_path / "before"))
    counts: Counter[str] = Counter()
    try:
        for seed in range(FIRST_SEED, FIRST_SEED + FLIPS):
            path = copied(evening, tmp_path / str(seed))
            where = flip(path, random.Random(seed))
            untouched = copied(path, tmp_path / f"{seed} untouched")
            damage = told(start(path))
            if not damage:
                assert not sealed, f"seed {seed} ({where}) went unsaid"
                assert content(untouched) == before, f"seed {seed} ({where}) went unsaid"
            if any(each.kept_as for each in damage):
                kept = path.with_name(str(damage[0].kept_as))
                assert kept.read_bytes() == untouched.read_bytes() or not sealed, "else SQLite brought its log into it"
            counts[", ".join(each.what for each in damage) or "nothing: without effect"] += 1
            shutil.rmtree(path.parent)
            shutil.rmtree(untouched.parent)
    finally:
        logging.disable(logging.NOTSET)
        print(f"{evening.parent.name}, seeds {FIRST_SEED} to {FIRST_SEED + FLIPS - 1}: {dict(counts.most_common())}")
    assert sum(counts.values()) == FLIPS
    assert counts["entries"] > FLIPS / 50, "the flips came where it matters"


def test_a_journal_without_damage_tells_of_none(evening: Path, tmp_path: Path) -> None:
    path = copied(evening, tmp_path / "copy")
    for _ in range(3):
        assert told(start(path)) == []
    with Journal.read_only(path) as reader:
        assert [entry.type for entry in reader.read()].count("fairness.committed") == 4
        assert reader.verify_chain() is None


# --- what is told, and how ----------------------------------------------------------------------------------------


def test_an_altered_entry_is_told_once_in_the_journal_and_at_each_look_in_the_log(
    closed: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = copied(closed, tmp_path / "copy")
    change(path, "UPDATE entries SET data = '{}' WHERE seq IN (7, 8, 20)")
    damage = told(start(path))
    assert [(each.what, each.first, each.last) for each in damage] == [("entries", 7, 8), ("entries", 20, 20)]
    assert "entries 7 to 8 are missing or were altered" in caplog.text
    caplog.clear()
    path.with_name(f"{NAME}-state").unlink()  # as after a kill: everything is looked at again
    assert told(start(path)) == []
    assert "entries 7 to 8 are missing or were altered" in caplog.text


def state_of(path: Path) -> Path:
    return path.with_name(f"{NAME}-state")


MISLEADING: dict[str, Callable[[Path], object]] = {
    "first bytes": lambda path: overwrite(path, 3, b"!"),
    "page size": lambda path: overwrite(path, 16, b"\x11"),
    "format": lambda path: overwrite(path, 18, b"\x03"),
    "encoding": lambda path: overwrite(path, 59, b"\x03"),
    "a whole block of zeros": lambda path: overwrite(path, 0, bytes(4096)),
    "tables": lambda path: overwrite(path, path.read_bytes().index(b"chain TEXT"), b"chaim"),
    "trees": lambda path: overwrite(path, 4096, random.Random(1).randbytes(3 * 4096)),
    "nothing but zeros": lambda path: overwrite(path, 0, bytes(path.stat().st_size)),
    "nothing but zeros, and no state file": lambda path: (
        overwrite(path, 0, bytes(path.stat().st_size)),
        state_of(path).unlink(),
    ),
    "one byte": lambda path: path.write_bytes(b"S"),
    "a text": lambda path: path.write_text("What is this doing here?"),
    "cut in half": lambda path: os.truncate(path, path.stat().st_size // 2 // 4096 * 4096),
}


@pytest.mark.parametrize("harm", MISLEADING.values(), ids=MISLEADING)
def test_what_sqlite_cannot_use_is_put_aside_whole_and_a_new_one_begun(
    closed: Path, tmp_path: Path, harm: Callable[[Path], object]
) -> None:
    path = copied(closed, tmp_path / "copy")
    harm(path)
    before = path.read_bytes()
    first = start(path)
    (damage,) = told(first)
    assert first[0].seq == 1
    assert damage.what == "put aside"
    assert damage.kept_as in str(damage.text)
    assert path.with_name(damage.kept_as).read_bytes() == before
    assert put_aside_before(path) == [damage.kept_as]
    assert told(start(path)) == []


@pytest.mark.parametrize("harm", [lambda path: path.unlink(), lambda path: os.truncate(path, 0)], ids=["gone", "empty"])
def test_a_journal_that_has_lost_all_is_told_once(closed: Path, tmp_path: Path, harm: Callable[[Path], object]) -> None:
    path = copied(closed, tmp_path / "copy")
    with Journal.read_only(path) as reader:
        entries = reader.last_seq
    harm(path)
    (damage,) = told(start(path))
    assert str(damage.text) == f"the journal, of {entries} entries, was removed or emptied; a new one is begun"
    assert told(start(path)) == []


def test_another_launchers_journal_in_the_place_of_this_one_is_told_once(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path / "copy")
    with Journal.read_only(path) as reader:
        entries = reader.last_seq
    with Journal.open(tmp_path / "other") as other:
        other.append("launcher", [("a", {})])
    shutil.copy(tmp_path / "other", path)
    (damage,) = told(start(path))
    assert str(damage.text) == f"this is another journal than the one, of {entries} entries, that was here before"
    assert told(start(path)) == []


def test_a_journal_whose_first_entry_was_altered_is_no_other(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path / "copy")
    change(path, "UPDATE entries SET chain = 'x' WHERE seq = 1")
    assert [(damage.what, damage.first) for damage in told(start(path))] == [("entries", 1)]


def test_a_damaged_journal_takes_its_log_along(tmp_path: Path) -> None:
    path = write_evening(tmp_path, killed=True)
    log = path.with_name(f"{NAME}-wal").read_bytes()
    overwrite(path, 3, b"!")
    (damage,) = told(start(path))
    assert path.with_name(f"{damage.kept_as}-wal").read_bytes() == log
    overwrite(path.with_name(damage.kept_as), 3, b"t")
    with Journal.read_only(path.with_name(damage.kept_as)) as reader:
        assert reader.verify_chain() is None
        assert reader.last_seq > 100


def test_two_damaged_journals_of_one_second_are_both_kept(closed: Path, tmp_path: Path) -> None:
    path = tmp_path / NAME
    for _ in range(2):
        shutil.copy(closed, path)
        path.with_name(f"{NAME}-state").unlink(missing_ok=True)
        overwrite(path, 3, b"!")
        with Journal.open(path, wall_clock=lambda: 1.8e9) as journal:
            assert journal.damage[0].kept_as
    assert put_aside_before(path) == [f"{NAME}.damaged-20270115T080000Z", f"{NAME}.damaged-20270115T080000Z-2"]


@pytest.mark.parametrize("number", ["application_id", "user_version"])
def test_numbers_in_the_header_are_set_right(closed: Path, tmp_path: Path, number: str) -> None:
    path = copied(closed, tmp_path / "copy")
    change(path, f"PRAGMA {number} = 77")
    (damage,) = told(start(path))
    assert "set right" in str(damage.text)
    assert told(start(path)) == []


def test_what_another_program_left_in_the_log_after_the_journal_was_closed_is_told(
    closed: Path, tmp_path: Path
) -> None:
    """The file itself is to the byte what it was."""
    path = copied(closed, tmp_path / "copy")
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("UPDATE entries SET data = '{}' WHERE seq = 7")
    shutil.copytree(path.parent, tmp_path / "killed", ignore=shutil.ignore_patterns("*-shm"))
    db.close()
    assert [(each.what, each.first) for each in told(start(tmp_path / "killed" / NAME))] == [("entries", 7)]


def test_an_index_is_made_anew_and_no_entry_lost(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path / "copy")
    with Journal.read_only(path) as reader:
        before = list(reader.read())
    change(path, "DELETE FROM kinds WHERE type = 'launcher.press.accepted'")
    (damage,) = told(start(path))
    assert damage.what == "index"
    with Journal.read_only(path) as reader:
        assert list(reader.read(before=len(before) + 1)) == before
        assert [entry.type for entry in reader.read(types=["launcher.press"])] == [
            entry.type for entry in before if entry.type.startswith("launcher.press")
        ]


def test_an_altered_request_id_is_set_right(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path / "copy")
    with Journal.read_only(path) as reader:
        before = next(entry for entry in reader.read() if "request" in entry.data)
    request = before.data["request"]
    change(path, f"UPDATE entries SET request = 'another' WHERE request = '{request}'")
    (damage,) = told(start(path))
    assert damage.what == "requests"
    with Journal.read_only(path) as reader:
        assert reader.answer_to(request) == before
        assert reader.answer_to("another") is None


def test_an_altered_seed_is_told_and_not_shown_as_what_was_promised(tmp_path: Path) -> None:
    path = write_evening(tmp_path, killed=True)
    change(path, "UPDATE secrets SET seed = replace(seed, substr(seed, 1, 1), 'x')")
    first = start(path)
    assert [each.what for each in told(first)] == ["secret"]
    assert "fairness.revealed" not in [entry.type for entry in first]


def test_an_altered_edge_is_left_out(closed: Path, tmp_path: Path) -> None:
    path = copied(closed, tmp_path / "copy")
    change(path, "UPDATE edges SET at_s = at_s + 1 WHERE id = (SELECT max(id) FROM edges)")
    with Journal.read_only(path) as reader:
        all_edges = len(reader.ask("SELECT id FROM edges"))
        assert len(reader.edges_around(reader.last_seq, 1e9, 1e9)) == all_edges - 1
    assert [each.what for each in told(start(path))] == ["edges"]


@pytest.mark.parametrize("part", ["its header", "a frame", "the salt of a frame"])
def test_newest_entries_that_are_lost_with_the_log_are_told(tmp_path: Path, part: str) -> None:
    path = write_evening(tmp_path, killed=True)
    with Journal.read_only(path) as reader:
        before = reader.last_seq
    at = {"its header": 9, "a frame": 32 + 24 + 2000, "the salt of a frame": 32 + 9}[part]
    log = path.with_name(f"{NAME}-wal")
    overwrite(log, at, bytes([log.read_bytes()[at] ^ 4]))
    with Journal.read_only(path) as reader:
        left = reader.last_seq
    (damage,) = told(start(path))
    assert (damage.what, damage.first, damage.last) == ("newest entries", left + 1, before)


def test_what_a_kill_leaves_unfinished_is_no_damage(tmp_path: Path) -> None:
    """Half a transaction, whose frames are right and whose end is missing."""
    path = tmp_path / "a" / NAME
    with Journal.open(path) as journal:
        journal.append("launcher", [("a", {"n": n}) for n in range(10)])
        log = path.with_name(f"{NAME}-wal")
        before, note = log.stat().st_size, path.with_name(f"{NAME}-state").read_bytes()
        journal.append("launcher", [("a", {"text": "x" * 20_000})])
        shutil.copytree(path.parent, tmp_path / "b", ignore=shutil.ignore_patterns("*-shm"))
    os.truncate(tmp_path / "b" / log.name, before + 2 * (4096 + 24))
    (tmp_path / "b" / f"{NAME}-state").write_bytes(note)  # it is written when the transaction is
    with Journal.open(tmp_path / "b" / NAME) as journal:
        assert journal.last_seq == 10
        assert journal.damage == []


# --- a large journal: the rest is looked at afterwards ------------------------------------------------------------


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("dispenser.journal.examined.SMALL_BYTES", 8192)
    monkeypatch.setattr("dispenser.journal.examined.NEWEST", 20)
    path = tmp_path / NAME
    with Journal.open(path) as journal:
        journal.append("launcher", [("a", {"n": n}) for n in range(400)])
    return path


def look_at_the_rest(journal: Journal) -> list[str]:
    found: list[Any] = []
    journal.check_rest(lambda: True, found.extend)
    for thread in threading.enumerate():
        if thread.name == "journal check":
            thread.join()
    return [damage.what for damage in found]


def test_a_large_journal_that_is_sealed_is_compared_byte_by_byte_after_the_start(large: Path) -> None:
    with Journal.open(large) as journal:
        journal.append("launcher", [("b", {})])
        journal.checkpoint()  # goes into the log only: the file is being compared
        assert look_at_the_rest(journal) == []
        journal.append("launcher", [("b", {})])
        journal.checkpoint()
    change(large, "UPDATE entries SET data = '{}' WHERE seq = 100")
    with Journal.open(large) as journal:
        assert journal.damage == []
        assert look_at_the_rest(journal) == ["entries"]
    with Journal.open(large) as journal:
        assert look_at_the_rest(journal) == [], "it was told, and nothing has changed since"


def test_the_newest_entries_of_a_large_journal_are_looked_at_before_the_start(large: Path) -> None:
    change(large, "UPDATE entries SET data = '{}' WHERE seq = 395")
    with Journal.open(large) as journal:
        assert [(damage.what, damage.first) for damage in journal.damage] == [("entries", 395)]


def test_a_large_journal_that_turns_out_to_be_broken_is_mended_at_the_next_opening(large: Path) -> None:
    change(large, "DELETE FROM kinds WHERE seq = 7")
    with Journal.open(large) as journal:
        assert not journal.broken
        assert look_at_the_rest(journal) == ["file"]
        assert journal.broken
    with Journal.open(large) as journal:
        assert [damage.what for damage in journal.damage] == ["index"]
        assert not journal.broken
        assert journal.last_seq == 400


def test_closing_ends_a_look_that_is_under_way_and_the_next_start_begins_it_again(large: Path) -> None:
    change(large, "UPDATE entries SET data = '{}' WHERE seq = 100")
    found: list[Any] = []
    with Journal.open(large) as journal:
        journal.check_rest(lambda: False, found.extend)  # the motor turns all the time
    assert found == []
    with Journal.open(large) as journal:
        assert look_at_the_rest(journal) == ["entries"]


def test_a_place_that_cannot_be_read_is_shown_as_such(large: Path) -> None:
    change(large, "UPDATE entries SET data = 'no json' WHERE seq = 100")
    with Journal.read_only(large) as reader:
        entries = list(reader.read())
    assert [entry.seq for entry in entries] == list(range(1, 401))
    assert entries[99].type == UNREADABLE
