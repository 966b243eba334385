"""The journal of a process that dies: nothing that was told is lost, nothing is half there."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dispenser.journal import Journal
from tests.journal.tools import ENVIRONMENT, WRITER
from tests.sampled import sampled

SEED = "20 November 2026"


@contextmanager
def writer(path: Path, seed: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes to the journal until the block ends, then killed."""
    child = subprocess.Popen([sys.executable, WRITER, path, seed], env=ENVIRONMENT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child:
        try:
            assert child.stdout.readline() == b"start\n"
            yield child
        finally:
            child.kill()


def last_told(child: subprocess.Popen[bytes], at_least: int = 0) -> int:
    """The last record the killed writer told of; a line cut in the middle was not told."""
    assert child.stdout is not None
    lines = [line for line in child.stdout.read().splitlines(keepends=True) if line.endswith(b"\n")]
    return max(at_least, *(int(line) for line in lines)) if lines else at_least


def check_whole(path: Path, told: int) -> int:
    """Every record up to the one told is there, gapless, linked, with what the writer put into it."""
    with Journal.open(path) as journal:
        records = list(journal.read())
        assert [record.seq for record in records] == list(range(1, len(records) + 1))
        assert len(records) >= told
        for record in records:
            assert record.data["number"] == record.seq
            assert len(record.data["text"]) == record.seq * 7919 % 300
        assert journal.verify_chain() is None
        for record in records:
            assert journal.answer_to(f"r{record.seq}") == (record if record.seq % 5 == 0 else None)
        assert journal.damage == []
        assert journal.ask("PRAGMA integrity_check") == [("ok",)]
        return len(records)


def dawdle(dice: random.Random) -> None:
    """A short while, other each time, so that the kill comes anywhere in an append and not always after a line."""
    for _ in range(dice.randrange(4000)):
        pass


def test_kills_lose_nothing_that_was_told(tmp_path: Path) -> None:
    dice = random.Random(SEED)
    path = tmp_path / "journal.sqlite3"
    kept = 0
    for kill in range(10):
        told = kept
        with writer(path, f"{SEED} {kill}") as child:
            assert child.stdout is not None
            for _ in range(dice.choice((0, 1, 3, 10, 30))):
                told = int(child.stdout.readline())
            dawdle(dice)
            child.kill()
            told = last_told(child, told)
        kept, before = check_whole(path, told), kept
        assert kept >= before, f"seed {SEED!r}, kill {kill}"
        assert kept <= told + 4, f"seed {SEED!r}, kill {kill}: one append at most was written and not told of"


@pytest.mark.parametrize("damage", sampled(["cut off", "never written"], 2))
def test_a_power_cut_takes_the_newest_appends_as_a_whole(tmp_path: Path, damage: str) -> None:
    dice = random.Random(f"{SEED} {damage}")
    path = tmp_path / "journal.sqlite3"
    wal = path.with_name(f"{path.name}-wal")
    ends = []
    with Journal.open(path) as journal:
        for n in range(30):
            journal.append("launcher", [("a", {"n": n})] * dice.randint(1, 5))
        journal.checkpoint()
        safe = journal.last_seq
        for n in range(30):
            journal.append("launcher", [("a", {"n": n})] * dice.randint(1, 5))
            ends.append(journal.last_seq)
        records = list(journal.read())
        main, log = path.read_bytes(), wal.read_bytes()
    lost = set()
    for cut in range(60):
        at = dice.randrange(len(log))
        copy = tmp_path / f"copy {cut}"
        copy.mkdir()
        (copy / path.name).write_bytes(main)
        (copy / wal.name).write_bytes(log[:at] + (b"" if damage == "cut off" else bytes(len(log) - at)))
        with Journal.open(copy / path.name) as journal:
            left = list(journal.read())
            assert left == records[: len(left)], f"seed {SEED!r}, WAL lost from byte {at} on"
            assert len(left) in {safe, *ends}, f"seed {SEED!r}, WAL lost from byte {at} on"
            assert journal.verify_chain() is None
            assert journal.append("launcher", [("a", {})])[0].seq == len(left) + 1
        lost.add(len(records) - len(left))
    assert len(lost) > 10, "the cuts came at many places"
