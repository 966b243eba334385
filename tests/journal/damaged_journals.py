"""Journals of an evening, and ways to damage them."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

from dispenser.journal import DAMAGED, Damage, Entry, Journal
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.settings import MachineSettings
from dispenser.odds import fairness
from dispenser.odds.odds import Odds
from dispenser.odds.presets import PRESETS
from dispenser.service.hub import Hub
from dispenser.service.pen import Pen
from dispenser.service.start import recall
from tests.evening import evening_of
from tests.journal.tools import filled

FIRST_SEED = 0
FLIPS = 40
SEEDS = [fairness.named_seed(f"evening {number}") for number in (1, 2)]
NAME = "journal.sqlite3"
Harm = Callable[[Path, random.Random], object]


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


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


# --- harm of every kind -----------------------------------------------------------------------------------------------


def cut(path: Path, dice: random.Random) -> None:
    if path.exists():
        os.truncate(path, dice.randrange(path.stat().st_size))


def zeroed(path: Path, dice: random.Random) -> None:
    size = path.stat().st_size
    at = dice.randrange(size)
    overwrite(path, at, bytes(dice.choice((1, 512, 4096, 3 * 4096, size)))[: size - at])


def random_bytes(path: Path, dice: random.Random) -> None:
    for _ in range(dice.randint(1, 20)):
        overwrite(path, dice.randrange(path.stat().st_size), dice.randbytes(1))


def random_page(path: Path, dice: random.Random) -> None:
    overwrite(path, 4096 * dice.randrange(1, path.stat().st_size // 4096), dice.randbytes(4096))


def header(path: Path, dice: random.Random) -> None:
    overwrite(path, dice.randrange(100), dice.randbytes(dice.randint(1, 8)))


def foreign(path: Path, _: random.Random) -> None:
    path.unlink()
    with sqlite3.connect(path) as db:
        db.executescript("CREATE TABLE holidays (day TEXT); INSERT INTO holidays VALUES ('Monday')")
    db.close()


def of_another_launcher(path: Path, dice: random.Random) -> None:
    for each in (path, beside(path, "-wal")):
        each.unlink(missing_ok=True)
    filled(path.with_name("other"), dice.choice((3, 900)))
    path.with_name("other").rename(path)
    beside(path.with_name("other"), "-state").unlink()


def in_its_place(make: Callable[[Path], object]) -> Harm:
    def harm(path: Path, _: random.Random) -> None:
        path.unlink()
        make(path)

    return harm


def to_the_log(harm: Harm) -> Harm:
    return lambda path, dice: harm(beside(path, "-wal"), dice) if beside(path, "-wal").exists() else None


def halves(path: Path, dice: random.Random) -> None:
    content, half = path.read_bytes(), path.stat().st_size // 2 // 4096 * 4096
    path.write_bytes(dice.choice((content[half:] + content[:half], content + content[half:])))


HARMS: dict[str, Harm] = {
    "cut": cut,
    "zeroed": zeroed,
    "random bytes": random_bytes,
    "random page": random_page,
    "header": header,
    "all zeros": lambda path, _: path.write_bytes(bytes(path.stat().st_size)),
    "one byte": lambda path, dice: path.write_bytes(dice.choice((b"\0", b"S", b"{"))),
    "text": lambda path, _: path.write_text("What is this doing here?\n" * 40),
    "empty": lambda path, _: os.truncate(path, 0),
    "removed": lambda path, _: path.unlink(),
    "foreign": foreign,
    "of another launcher": of_another_launcher,
    "halves": halves,
    "log cut": to_the_log(cut),
    "log removed": to_the_log(lambda log, _: log.unlink()),
    "log garbage": to_the_log(lambda log, dice: log.write_bytes(dice.randbytes(log.stat().st_size))),
    "log with random bytes": to_the_log(random_bytes),
    "state garbage": lambda path, dice: beside(path, "-state").write_bytes(dice.randbytes(256)),
    "nobody may read it": lambda path, _: path.chmod(0),
    "nobody may write it": lambda path, _: path.chmod(0o444),
    "folder read-only": lambda path, _: path.parent.chmod(0o555),
    "pipe": in_its_place(os.mkfifo),
    "folder": in_its_place(lambda path: path.mkdir()),
    "link to nothing": in_its_place(lambda path: path.symlink_to("nothing")),
    "loop of links": in_its_place(lambda path: path.symlink_to(path.name)),
}
UNKNOWABLE = {"removed", "empty", "one byte", "link to nothing", "of another launcher"}
UNKNOWABLE |= {"log cut", "log removed", "log garbage", "log with random bytes"}
"""Without the state file nobody can know that there was more."""
