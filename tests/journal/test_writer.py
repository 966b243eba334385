"""The journal when all is well: what is written is read, in order, by whoever asks for it."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dispenser.journal import FilterError, Journal, JournalError, Record, RecordError
from dispenser.journal.record import digest_of, link
from tests.journal.tools import NOON_S, Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "journal.sqlite3"


@pytest.fixture
def journal(path: Path, clock: Clock) -> Iterator[Journal]:
    with Journal.open(path, wall_clock=clock) as journal:
        yield journal


def numbers(records: object) -> list[int]:
    return [record.seq for record in records]  # type: ignore[attr-defined]


def test_the_returned_record_is_what_the_journal_reads(journal: Journal) -> None:
    class State(enum.Enum):
        READY = "ready"

    data = {"z": 1, "state": State.READY, "a": (1, 2), "none": None, "text": "é\n\0🂡", "x": 1e22, "nan": math.nan}
    (record,) = journal.append("launcher", [("a", data)])
    plain = {"z": 1, "state": "ready", "a": [1, 2], "none": None, "text": "é\n\0🂡", "x": 1e22, "nan": None}
    assert record.data == plain
    assert record.time == "2026-11-20T12:00:00.000000Z"
    assert list(record.data) == list(data), "the order of the keys is kept"
    assert next(journal.read()) == record


def test_a_record_as_json_is_one_line_and_the_same_wherever_it_comes_from(journal: Journal) -> None:
    (written,) = journal.append("button", [("launcher.press", {"b": 1.0, "a": "é\n"})])
    (read,) = journal.read()
    by_hand = Record(written.seq, written.time, written.source, written.type, written.data)
    assert written.json() == read.json() == by_hand.json()
    assert b"\n" not in written.json()
    assert json.loads(written.json()) == dataclasses.asdict(written)
    assert list(json.loads(written.json())) == ["seq", "time", "source", "type", "data"]


@pytest.mark.parametrize(
    ("source", "type_", "data"),
    [
        ("launcher", "a", {"x": object()}),
        ("launcher", "a", {"x": "\ud800"}),
        ("\ud800", "a", {}),
        ("launcher", "\ud800", {}),
        ("launcher", "a", ["no", "object"]),
        (None, "a", {}),
    ],
)
def test_a_record_that_json_cannot_hold_takes_the_whole_transaction_with_it(
    journal: Journal, source: str, type_: str, data: dict[str, object]
) -> None:
    with pytest.raises(RecordError, match="cannot be recorded"):
        journal.append(source, [("good", {}), (type_, data)])
    assert journal.last_seq == 0
    with pytest.raises(RecordError, match="cannot be recorded"):
        journal.append_batches(("table", [("good", {})]), (source, [(type_, data)]))
    assert numbers(journal.append("launcher", [("a", {})])) == [1]


def test_what_several_sources_tell_is_written_in_one_transaction(journal: Journal) -> None:
    written = journal.append_batches(("launcher", [("a", {}), ("b", {"x": 1})]), ("table", []), ("table", [("c", {})]))
    assert [(record.seq, record.source, record.type) for record in written] == [
        (1, "launcher", "a"),
        (2, "launcher", "b"),
        (3, "table", "c"),
    ]
    assert list(journal.read()) == written
    assert journal.verify_chain() is None
    journal.ask(
        "CREATE TEMP TRIGGER refuse BEFORE INSERT ON records WHEN NEW.source = 'table' BEGIN "
        "SELECT RAISE(ABORT, 'the disk is full'); END"
    )
    with pytest.raises(JournalError):
        journal.append_batches(("launcher", [("a", {})]), ("table", [("c", {})]))
    assert list(journal.read()) == written, "all of it, or nothing"
    assert journal.append("launcher", [("d", {})])[0].seq == 4


def test_a_journal_goes_on_where_it_was_closed(path: Path) -> None:
    with Journal.open(path) as journal:
        first = journal.append("launcher", [("a", {}), ("b", {})])
    with Journal.open(path) as journal:
        second = journal.append("launcher", [("c", {})])
        assert list(journal.read()) == first + second
        assert numbers(second) == [3]
        assert journal.verify_chain() is None


def test_files_are_for_their_owner_only_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        with Journal.open(path) as journal:
            journal.append("launcher", [("a", {})])
            modes = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
            folder = path.parent.stat().st_mode & 0o777
    finally:
        os.umask(before)
    assert modes == {f"journal.sqlite3{suffix}": 0o600 for suffix in ("", "-wal", "-shm", "-state")}
    assert folder == 0o750


@pytest.fixture
def told(journal: Journal, clock: Clock) -> Journal:
    """Six records, a minute apart."""
    for source, type_ in (
        ("button", "launcher.press.accepted"),
        ("launcher", "launcher.pressure"),
        ("web", "launcher.press.refused"),
        ("launcher", "launcher.lid.opened"),
        ("launcher", "launcher.press"),
        ("service", "service.stopped"),
    ):
        journal.append(source, [(type_, {})])
        clock.now_s += 60
    return journal


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, [1, 2, 3, 4, 5, 6]),
        ({"after": 4}, [5, 6]),
        ({"before": 3}, [1, 2]),
        ({"after": 1, "before": 5}, [2, 3, 4]),
        ({"after": 10**30}, []),
        ({"types": ["launcher.press"]}, [1, 3, 5]),
        ({"types": ["launcher.press*"]}, [1, 2, 3, 5]),
        ({"types": ["launcher.press.refused", "service"]}, [3, 6]),
        ({"types": []}, []),
        ({"source": "launcher"}, [2, 4, 5]),
        ({"source": "launcher", "types": ["launcher.press"]}, [5]),
        ({"limit": 2}, [1, 2]),
        ({"last": 2}, [5, 6]),
        ({"last": 10**30}, [1, 2, 3, 4, 5, 6]),
        ({"last": 3, "limit": 2}, [4, 5]),
        ({"last": 2, "before": 4}, [2, 3]),
        ({"since": datetime.fromtimestamp(NOON_S + 120, UTC)}, [3, 4, 5, 6]),
        ({"until": datetime.fromtimestamp(NOON_S + 120, UTC)}, [1, 2, 3]),
    ],
    ids=str,
)
def test_filters(told: Journal, filters: dict[str, object], expected: list[int]) -> None:
    assert numbers(told.read(**filters)) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("filters", [{"types": ["a*b"]}, {"types": [""]}, {"since": datetime(2026, 11, 20)}], ids=str)  # noqa: DTZ001
def test_a_filter_that_makes_no_sense_is_refused_at_once(told: Journal, filters: dict[str, object]) -> None:
    with pytest.raises(FilterError):
        told.read(**filters)  # type: ignore[arg-type]


def test_a_long_journal_is_read_whole(journal: Journal) -> None:
    count = 600
    journal.append("launcher", [("a", {"n": n}) for n in range(count)])
    assert [record.data["n"] for record in journal.read()] == list(range(count))
    assert numbers(journal.read(last=256)) == list(range(count - 255, count + 1))
    assert journal.verify_chain() is None


def test_a_clock_set_back_changes_times_and_not_the_order(journal: Journal, clock: Clock) -> None:
    journal.append("launcher", [("before", {})])
    clock.now_s -= 86_400
    journal.append("launcher", [("after", {})])
    records = list(journal.read())
    assert [record.type for record in records] == ["before", "after"]
    assert records[1].time < records[0].time
    assert numbers(journal.read(since=datetime.fromtimestamp(NOON_S, UTC))) == [1]
    assert numbers(journal.read(last=1)) == [2]
    assert journal.verify_chain() is None


TAMPERING = {
    "data": ("UPDATE records SET data = '{\"n\":99}' WHERE seq = 7", 7),
    "time": ("UPDATE records SET time = '2026-11-20T12:00:00.000001Z' WHERE seq = 7", 7),
    "source": ("UPDATE records SET source = 'web' WHERE seq = 7", 7),
    "type": ("UPDATE records SET type = 'b' WHERE seq = 7", 7),
    "chain": ("UPDATE records SET chain = replace(chain, substr(chain, 1, 1), 'x') WHERE seq = 7", 7),
    "removed": ("DELETE FROM records WHERE seq = 7", 7),
    "put in": ("INSERT INTO records SELECT 21, time, source, type, data, digest, chain, NULL FROM records LIMIT 1", 21),
}


@pytest.mark.parametrize(("statement", "misfit"), TAMPERING.values(), ids=TAMPERING)
def test_the_chain_names_the_first_record_that_was_altered(journal: Journal, statement: str, misfit: int) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(20)])
    assert journal.verify_chain() is None
    journal.ask(statement)
    assert journal.verify_chain() == misfit


def test_an_altered_record_with_a_chain_value_of_its_own_is_found_at_the_next(journal: Journal) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(20)])
    ((chain,),) = journal.ask("SELECT chain FROM records WHERE seq = 6")
    seventh = next(journal.read(after=6))
    digest = digest_of(seventh.type, b'{"n":99}')
    value = link(chain, 7, seventh.time, seventh.source, digest)
    journal.ask("UPDATE records SET data = ?, digest = ?, chain = ? WHERE seq = 7", ('{"n":99}', digest, value))
    assert journal.verify_chain() == 8


def test_secrets_stay_until_they_are_forgotten_and_never_show(path: Path) -> None:
    with Journal.open(path) as journal:
        journal.put_secret("zz", "5eed1")
        journal.put_secret("aa", "5eed2")
        journal.put_secret("zz", "5eed3")
        journal.append("service", [("fairness.committed", {"commitment": "zz"})])
    with Journal.open(path) as journal:
        assert sorted(journal.unrevealed_secrets()) == [("aa", "5eed2"), ("zz", "5eed3")]
        assert not any(b"5eed" in record.json() for record in journal.read())
        journal.forget_secret("zz")
        journal.forget_secret("never kept")
        assert journal.unrevealed_secrets() == [("aa", "5eed2")]
    with Journal.read_only(path) as reader:
        assert not hasattr(reader, "unrevealed_secrets")


def test_a_checkpoint_brings_all_into_the_file_and_does_nothing_when_nothing_is_new(
    journal: Journal, path: Path
) -> None:
    journal.append("launcher", [("a", {"n": n}) for n in range(100)])
    assert b'{"n":57}' not in path.read_bytes()
    journal.checkpoint()
    assert b'{"n":57}' in path.read_bytes()
    before = path.with_name(path.name + "-wal").read_bytes()
    journal.checkpoint()
    assert path.with_name(path.name + "-wal").read_bytes() == before


def test_the_first_append_after_a_checkpoint_does_not_have_to_wait_for_the_disk(journal: Journal, path: Path) -> None:
    """SQLite begins the WAL anew, and syncs its new header, at the first write after a checkpoint."""
    wal = path.with_name(path.name + "-wal")
    journal.append("launcher", [("a", {"n": n}) for n in range(100)])
    header = wal.read_bytes()[:32]
    journal.checkpoint()
    begun_anew = wal.read_bytes()[:32]
    assert begun_anew != header
    journal.append("launcher", [("a", {})])
    assert wal.read_bytes()[:32] == begun_anew
