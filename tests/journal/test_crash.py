"""The journal of a process that dies: nothing that was told is lost, nothing is half there."""

from __future__ import annotations

import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from dispenser.journal import Entry, EntryError, Journal, JournalError
from tests.journal.tools import ENVIRONMENT, WRITER
from tests.sampled import sampled

SEED = "20 November 2026"


@contextmanager
def writer(path: Path, seed: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes to the journal until the block ends, then killed."""
    child = subprocess.Popen([sys.executable, WRITER, "endless", path, seed], env=ENVIRONMENT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    with child:
        try:
            assert child.stdout.readline() == b"start\n"
            yield child
        finally:
            child.kill()


def last_told(child: subprocess.Popen[bytes], at_least: int = 0) -> int:
    """The last entry the killed writer told of; a line cut in the middle was not told."""
    assert child.stdout is not None
    lines = [line for line in child.stdout.read().splitlines(keepends=True) if line.endswith(b"\n")]
    return max(at_least, *(int(line) for line in lines)) if lines else at_least


def check_whole(path: Path, told: int) -> int:
    """Every entry up to the one told is there, gapless, linked, with what the writer put into it."""
    with Journal.open(path) as journal:
        entries = list(journal.read())
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert len(entries) >= told
        for entry in entries:
            assert entry.data["number"] == entry.seq
            assert len(entry.data["text"]) == entry.seq * 7919 % 300
        assert journal.verify_chain() is None
        for entry in entries:
            assert journal.answer_to(f"r{entry.seq}") == (entry if entry.seq % 5 == 0 else None)
        assert journal.damage == []
        assert journal.ask("PRAGMA integrity_check") == [("ok",)]
        return len(entries)


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
    print(f"seed {SEED!r}: {kept} entries after 10 kills")


def test_a_kill_while_the_journal_is_made_leaves_one_that_can_be_made(tmp_path: Path) -> None:
    dice = random.Random(SEED)
    for kill in range(4):
        path = tmp_path / str(kill) / "journal.sqlite3"
        with writer(path, f"{SEED} {kill}") as child:
            for _ in range(kill):
                dawdle(dice)
            child.kill()
            told = last_told(child)
        check_whole(path, told)


def test_a_reader_beside_a_writer_sees_a_whole_journal_at_every_moment(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with writer(path, SEED) as child:
        assert child.stdout is not None
        told = int(child.stdout.readline())
        with Journal.read_only(path) as reader:
            seen: list[Entry] = []
            for _ in range(60):
                seen += reader.read(after=len(seen))
                assert [entry.seq for entry in seen] == list(range(1, len(seen) + 1))
                assert len(seen) >= told, "what was told can be read"
                assert all(len(entry.data["text"]) == entry.seq * 7919 % 300 for entry in seen[-50:])
                told = int(child.stdout.readline())
            assert reader.verify_chain() is None


# --- a power cut: the newest may be lost, and only whole appends ------------------------------------------------------


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
        entries = list(journal.read())
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
            assert left == entries[: len(left)], f"seed {SEED!r}, WAL lost from byte {at} on"
            assert len(left) in {safe, *ends}, f"seed {SEED!r}, WAL lost from byte {at} on"
            assert journal.verify_chain() is None
            assert journal.append("launcher", [("a", {})])[0].seq == len(left) + 1
        lost.add(len(entries) - len(left))
    assert len(lost) > 10, "the cuts came at many places"


# --- any history -----------------------------------------------------------------------------------------------------

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
ENTRIES = st.lists(st.tuples(st.text(min_size=1), st.dictionaries(st.text(max_size=8), JSON, max_size=4)), max_size=4)


class JournalHistory(RuleBasedStateMachine):
    """Whatever is done to a journal and whatever happens to its process: it holds what was appended, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.path = self.root / "0" / "journal.sqlite3"
        self.now_s = 1.8e9
        self.expected: list[tuple[str, str, dict[str, Any]]] = []
        self.secrets: dict[str, str] = {}
        self.journal = self.open()

    def open(self) -> Journal:
        return Journal.open(self.path, wall_clock=lambda: self.now_s)

    @rule(source=st.text(min_size=1), entries=ENTRIES)
    def append(self, source: str, entries: list[tuple[str, dict[str, Any]]]) -> None:
        written = self.journal.append(source, entries)
        self.expected += [(source, type_, data) for type_, data in entries]
        assert [entry.seq for entry in written] == list(
            range(len(self.expected) - len(entries) + 1, len(self.expected) + 1)
        )

    @rule(entries=ENTRIES)
    def append_nonsense(self, entries: list[tuple[str, dict[str, Any]]]) -> None:
        with pytest.raises(EntryError):
            self.journal.append("launcher", [*entries, ("a", {"x": object()})])

    @rule(entries=ENTRIES)
    def append_to_a_full_disk(self, entries: list[tuple[str, dict[str, Any]]]) -> None:
        pages = self.journal.ask("PRAGMA page_count")[0][0]
        self.journal.ask(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(JournalError):
            self.journal.append("launcher", [*entries, ("a", {"x": "x" * 500_000})])
        self.journal.ask("PRAGMA max_page_count = 1073741823")

    @rule()
    def checkpoint(self) -> None:
        self.journal.checkpoint()

    @rule(commitment=st.sampled_from("abc"), seed=st.text())
    def put_secret(self, commitment: str, seed: str) -> None:
        self.journal.put_secret(commitment, seed)
        self.secrets[commitment] = seed

    @rule(commitment=st.sampled_from("abc"))
    def forget_secret(self, commitment: str) -> None:
        self.journal.forget_secret(commitment)
        self.secrets.pop(commitment, None)

    @rule(at_s=st.floats(0, 1e6), flush=st.booleans())
    def record_edge(self, at_s: float, *, flush: bool) -> None:
        self.journal.record_edge("lid", active=True, at_s=at_s)
        if flush:
            self.journal.flush_edges()

    @rule(step_s=st.floats(-1e6, 1e6))
    def set_clock(self, step_s: float) -> None:
        self.now_s = min(max(self.now_s + step_s, 0.0), 4e9)

    @rule()
    def close_and_open(self) -> None:
        self.journal.close()
        self.journal = self.open()

    @rule()
    def die(self) -> None:
        """What is on the disk at this moment is what a killed process leaves."""
        after = self.root / str(int(self.path.parent.name) + 1)
        shutil.copytree(self.path.parent, after, ignore=shutil.ignore_patterns("*-shm"))
        self.journal.close()
        shutil.rmtree(self.path.parent)
        self.path = after / self.path.name
        self.journal = self.open()

    @invariant()
    def it_holds_what_was_appended(self) -> None:
        entries = list(self.journal.read())
        assert [(entry.source, entry.type, entry.data) for entry in entries] == self.expected
        assert [entry.seq for entry in entries] == list(range(1, len(entries) + 1))
        assert self.journal.last_seq == len(entries)
        assert self.journal.verify_chain() is None
        assert dict(self.journal.unrevealed_secrets()) == self.secrets

    def teardown(self) -> None:
        assert self.journal.ask("PRAGMA integrity_check") == [("ok",)]
        self.journal.close()
        db = sqlite3.connect(self.path)
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (len(self.expected),)
        db.close()
        shutil.rmtree(self.root)


TestJournalHistory = JournalHistory.TestCase
TestJournalHistory.settings = settings(
    max_examples=15,
    stateful_step_count=20,
    suppress_health_check=[
        HealthCheck.too_slow
    ],  # its clock is the wall's: a busy machine fails it, and not the journal
)
