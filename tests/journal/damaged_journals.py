"""Journals of an evening, and ways to damage them."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

from dispenser.journal import DAMAGED, Damage, Entry, Journal
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.settings import MachineSettings
from dispenser.luck import fairness
from dispenser.luck.odds import Odds
from dispenser.luck.presets import PRESETS
from dispenser.service.hub import Hub
from dispenser.service.pen import Pen
from dispenser.service.start import recall
from tests.evening import evening_of

FIRST_SEED = 0
FLIPS = 40
SEEDS = [fairness.named_seed(f"evening {number}") for number in (1, 2)]
NAME = "journal.sqlite3"


def pen_on(journal: Journal, seed: bytes) -> Pen:
    return Pen(journal, Hub(journal).publish, seed, Odds(PRESETS["toy"], seed).describe(), recall(journal))


def write_evening(folder: Path, *, killed: bool) -> Path:
    """A journal as an evening leaves it, with raw edges, answered requests and room that was used and is free again."""
    path = folder / NAME
    journal = Journal.open(path, wall_clock=lambda: 1.8e9)
    pen = pen_on(journal, SEEDS[0])
    pen.start({"version": "test"})
    story = evening_of(["burst"] * 20, PRESETS["toy"]).entries[2:]
    for number, entry in enumerate(story):
        for line in ("button", "exit"):
            journal.record_edge(line, number % 2 == 0, number / 7)
        asked = {"request": f"request {number}"} if entry.type == "launcher.press.accepted" else {}
        pen.write(("launcher", [(entry.type, entry.data | asked)]))
        if number % 25 == 0:
            pen.tidy(resting=True)
    if killed:  # what is on the disk at this moment is what a kill leaves
        shutil.copytree(folder, folder / "killed", ignore=shutil.ignore_patterns("*-shm", "killed"))
        path = folder / "killed" / NAME
    pen.stop()
    journal.close()
    return path


def copied(journal: Path, folder: Path) -> Path:
    shutil.copytree(journal.parent, folder)
    return folder / NAME


def flip(path: Path, dice: random.Random) -> str:
    """One bit, anywhere in the journal or in its write-ahead log; where it was."""
    files = [file for file in (path, path.with_name(f"{NAME}-wal")) if file.exists()]
    at = dice.randrange(sum(file.stat().st_size for file in files))
    for file in files:
        if at < file.stat().st_size:
            break
        at -= file.stat().st_size
    content = bytearray(file.read_bytes())
    content[at] ^= 1 << dice.randrange(8)
    file.write_bytes(content)
    return f"{file.name}, byte {at}"


def start(path: Path) -> list[Entry]:
    """What a start of the service does with its journal; its first entries."""
    with Journal.open(path) as journal:
        memory = recall(journal)
        first = pen_on(journal, SEEDS[1]).start({"version": "test"})
        LauncherMachine(
            MachineSettings(),
            Odds(PRESETS["toy"], SEEDS[1]),
            presses=memory.presses,
            cards_inside=memory.cards_inside,
            dud_streak=memory.dud_streak,
        )
        assert journal.append("launcher", [("test.entry", {})])[0].seq == first[-1].seq + 1
        assert journal.damage == [] or journal.ask("PRAGMA integrity_check") == [("ok",)]
    return first


def told(entries: list[Entry]) -> list[Damage]:
    return [Damage.told(entry.data) for entry in entries if entry.type == DAMAGED]


def change(path: Path, *statements: str) -> None:
    db = sqlite3.connect(path, isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)
