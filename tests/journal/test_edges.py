"""Raw edges beside the journal: those around a record are found, whatever the clocks did."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispenser.journal import Journal
from dispenser.journal import edges as journal_edges
from tests.journal.tools import NOON_S, Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


@pytest.fixture
def journal(path: Path, clock: Clock) -> Iterator[Journal]:
    with Journal.open(path, wall_clock=clock) as journal:
        yield journal


def press_at(journal: Journal, clock: Clock, at_s: float, *, offset_s: float = 0.0) -> int:
    """Two edges of the button and a record; the wall clock is the monotonic one and ``offset_s``."""
    for delay_s, active in ((0.0, True), (0.004, False)):
        clock.now_s = NOON_S + offset_s + at_s + delay_s
        journal.record_edge("button", active, at_s + delay_s)
    clock.now_s += 0.046
    return journal.append("button", [("launcher.press.accepted", {})])[0].seq


def test_edges_are_written_with_the_next_record_and_found_around_it(journal: Journal, clock: Clock, path: Path) -> None:
    for at_s in (10.0, 20.0, 30.0):
        press_at(journal, clock, at_s)
    with Journal.read_only(path) as reader:
        edges = reader.edges_around(2, before_s=1.0, after_s=1.0)
        assert [(edge.line, edge.active, edge.at_s, edge.wall_s, edge.after_seq) for edge in edges] == [
            ("button", True, 20.0, NOON_S + 20.0, 1),
            ("button", False, 20.004, NOON_S + 20.004, 1),
        ]
        assert [edge.at_s for edge in reader.edges_around(2, 10.1, 10.0)] == [10.0, 10.004, 20.0, 20.004, 30.0, 30.004]
        assert [edge.at_s for edge in reader.edges_around(1, 0.0, 9.97)] == [20.0, 20.004]


def test_edges_after_the_last_record_are_found_once_they_are_flushed(journal: Journal, clock: Clock) -> None:
    seq = press_at(journal, clock, 10.0)
    clock.now_s = NOON_S + 11.0
    journal.record_edge("exit", active=True, at_s=11.0)
    assert [edge.at_s for edge in journal.edges_around(seq, 0.0, 2.0)] == []
    journal.flush_edges()
    journal.flush_edges()
    assert [(edge.at_s, edge.after_seq) for edge in journal.edges_around(seq, 0.0, 2.0)] == [(11.0, seq)]


def test_edges_are_found_when_the_clock_was_set_back_between(journal: Journal, clock: Clock) -> None:
    press_at(journal, clock, 10.0)
    press_at(journal, clock, 20.0, offset_s=-3600.0)
    press_at(journal, clock, 30.0, offset_s=+86_400.0)
    for seq, at_s in ((1, 10.0), (2, 20.0), (3, 30.0)):
        assert [edge.at_s for edge in journal.edges_around(seq, 1.0, 1.0)] == [at_s, at_s + 0.004]


def test_edges_are_found_when_the_clock_jumped_between_the_edge_and_the_record(journal: Journal, clock: Clock) -> None:
    """A Pi without a clock of its own gets the time from the network a minute after it started."""
    journal.record_edge("button", active=True, at_s=60.0)
    clock.now_s += 86_400.0
    (record,) = journal.append("button", [("launcher.press.accepted", {})])
    journal.record_edge("button", active=False, at_s=60.2)
    journal.flush_edges()
    assert [edge.at_s for edge in journal.edges_around(record.seq, 1.0, 1.0)] == [60.0, 60.2]


def test_edges_of_another_process_are_left_out_though_its_clock_said_the_same(path: Path, clock: Clock) -> None:
    for at_s in (10.0, 8.0, 9.0):
        with Journal.open(path, wall_clock=clock) as journal:
            press_at(journal, clock, at_s)
    with Journal.read_only(path) as reader:
        for seq, at_s in ((1, 10.0), (2, 8.0), (3, 9.0)):
            edges = reader.edges_around(seq, 5.0, 5.0)
            assert [(edge.run, edge.at_s) for edge in edges] == [(seq - 1, at_s), (seq - 1, at_s + 0.004)]


def test_only_the_newest_edges_stay_in_the_file(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal_edges, "KEEP_EDGES", 7)
    for n in range(20):
        journal.record_edge("button", active=True, at_s=float(n))
        journal.append("service", [("a", {})])
    assert [edge.at_s for edge in journal.edges_around(20, math.inf, math.inf)] == [float(n) for n in range(13, 20)]
