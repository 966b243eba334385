"""``parts``: what the pieces cost on their own. Plain figures, without goals; the baselines show what is ours."""

from __future__ import annotations

import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from transitions import Machine

from dispenser.journal import Journal
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.odds.odds import Odds
from dispenser.odds.presets import PRESETS
from tests.bench.measure import Measure, against
from tests.bench.pins import NO_SUSPENSE
from tests.bench.timing import Effort, take_turns, timed
from tests.launcher.scripted import ScriptedOdds

ENTRIES = [
    ("launcher.press.accepted", {"press": 1, "source": "button", "cards": None, "draw": 1, "request": None}),
    ("launcher.chime.played", {"chime": "suspense"}),
    ("launcher.state.changed", {"old": "ready", "new": "suspense", "detail": ""}),
]


def parts(effort: Effort) -> list[Measure]:
    """Journal, machine, odds."""
    return [*_journal(effort), *_machine(effort), _odds(effort)]


def _journal(effort: Effort) -> list[Measure]:
    """Three entries in a transaction against three rows of the same size in a bare SQLite table."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        rows = []
        for where, path, bare_path in (
            ("memory", ":memory:", ":memory:"),
            ("a file", str(Path(folder) / "journal.sqlite3"), str(Path(folder) / "bare.sqlite3")),
        ):
            journal = Journal.open(path)
            stack.callback(journal.close)
            times = take_turns(
                {
                    "ours": timed(lambda journal=journal: journal.append("bench", ENTRIES)),
                    "bare": timed(_bare_insert(bare_path, stack)),
                },
                effort.pick(11_000, 1_100),
                warm_up=100,
            )
            ours, bare = times["ours"], times["bare"]
            detail = {"ours": ours.as_json(), "bare": bare.as_json()}
            what = f"journal append, 3 entries, in {where}"
            rows.append(against(bare.at_us(0.5), ours.at_us(0.5), "parts", what, "µs", detail=detail))
        return rows


def _bare_insert(path: str, stack: ExitStack) -> Callable[[], None]:
    db = sqlite3.connect(path, isolation_level=None)
    stack.callback(db.close)
    for setting in ("journal_mode = WAL", "synchronous = NORMAL", "wal_autocheckpoint = 0"):
        db.execute(f"PRAGMA {setting}")
    db.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY, time TEXT, source TEXT, type TEXT, data TEXT)")
    rows = [("2026-01-31T18:30:00.123456Z", "bench", type_, str(data)) for type_, data in ENTRIES]

    def insert() -> None:
        db.execute("BEGIN IMMEDIATE")
        db.executemany("INSERT INTO entries (time, source, type, data) VALUES (?, ?, ?, ?)", rows)
        db.execute("COMMIT")

    return insert


def _machine(effort: Effort) -> list[Measure]:
    """Steps of the launcher machine against one trigger of ``transitions`` with one callback."""

    class Bare:
        flip: Callable[[], bool]

        def flipped(self, _: object) -> None:
            pass

    bare = Bare()
    Machine(
        bare,
        states=["on", "off"],
        initial="off",
        auto_transitions=False,
        queued=True,
        send_event=True,
        transitions=[
            {"trigger": "flip", "source": "off", "dest": "on", "after": "flipped"},
            {"trigger": "flip", "source": "on", "dest": "off", "after": "flipped"},
        ],
    )
    machine = LauncherMachine(NO_SUSPENSE, ScriptedOdds([], suspense=0.0))
    machine.step(m.SwitchOn(lid_open=False), time.monotonic())
    press, card, ended = m.Press(), m.ExitCleared(50.0), m.FeedEnded(m.FeedEnd.COUNT, 1)

    def burst_ends() -> None:
        machine.step(card, time.monotonic())
        machine.step(ended, time.monotonic())

    def card_left() -> None:
        machine.step(card, 0.0)

    fires = timed(lambda: machine.step(press, 0.0), after=burst_ends)

    def passes() -> int:
        machine.step(press, 0.0)
        took_ns = timed(card_left)()
        machine.step(ended, 0.0)
        return took_ns

    times = take_turns({"fires": fires, "card": passes, "bare": timed(bare.flip)}, effort.pick(22_000, 1_100))
    detail = {name: series.as_json() for name, series in times.items()}
    return [
        against(times["bare"].at_us(0.5), times[name].at_us(0.5), "parts", what, "µs", detail=detail)
        for name, what in (
            ("fires", "machine.step, a press that fires"),
            ("card", "machine.step, a card that leaves"),
        )
    ]


def _odds(effort: Effort) -> Measure:
    """A draw of the default odds against three figures of Python's own generator."""
    odds = Odds(PRESETS["toy"], bytes(32))
    numbers = random.Random(1).random

    def three() -> None:
        numbers()
        numbers()
        numbers()

    times = take_turns({"ours": timed(odds.draw), "bare": timed(three)}, effort.pick(44_000, 1_100))
    detail = {name: series.as_json() for name, series in times.items()}
    return against(times["bare"].at_us(0.5), times["ours"].at_us(0.5), "parts", "odds draw", "µs", detail=detail)
