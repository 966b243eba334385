"""``evenings``: what the evenings of before cost a start, and what one under way costs it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import median

from dispenser.journal import Journal
from dispenser.service.evening import Evening
from dispenser.service.evenings import Evenings
from dispenser.service.presence import Presence
from dispenser.table import messages as m
from tests.bench.measure import Measure, against
from tests.bench.process import LauncherProcess
from tests.bench.timing import Effort, calm
from tests.table.played import PlayedEvening, evening

RATIO_AT_MOST = 1.5
JOURNAL = "dispenser.sqlite3"
STEPS = 400
"""Of a game; some 600 entries of the table's, an evening of an hour or two."""
LONG_ENTRIES = 2_000


def evenings(effort: Effort) -> list[Measure]:
    """A start on a journal of 50 evenings takes turns with one on a journal of none; then what reading them takes."""
    number = effort.pick(50, 2)
    with tempfile.TemporaryDirectory() as folder, calm():
        empty, full = Path(folder, "empty"), Path(folder, "full")
        for state in (empty, full):
            state.mkdir()
        _fill(full / JOURNAL, number, effort.pick(STEPS, 20))
        runs = [(_start(empty), _start(full)) for _ in range(effort.pick(11, 1))]
        if not effort.quick:
            del runs[0]  # it filled the disk cache
        before, ours = zip(*runs, strict=True)
        return [
            against(
                median(before), median(ours), "evenings", f"ready with {number} evenings in the journal, web off", "ms",
                at_most=RATIO_AT_MOST, detail={"empty": before, "full": ours},
            ),
            _plain("the list of them", _timed(full, lambda journal: Evenings().listed(journal))),
            _plain("the story of one", _timed(full, lambda journal: next(Evenings().stories(journal)))),
            _plain(f"one under way, {effort.pick(LONG_ENTRIES, 50)} entries, brought back", _replay(folder, effort)),
        ]  # fmt: skip


def _plain(measure: str, ms: float) -> Measure:
    return Measure(benchmark="evenings", measure=measure, unit="ms", ours=ms)


def _fill(path: Path, number: int, steps: int) -> None:
    with Journal.open(path) as journal:
        for each in range(number):
            _write(journal, evening(f"evening {each}", steps=steps))


def _write(journal: Journal, played: PlayedEvening) -> None:
    """Each entry on its own, as it came about."""
    for line in played.lines:
        journal.append("table", [(line.type, line.data)])


def _start(state: Path) -> float:
    with LauncherProcess(web=False, state=state) as launcher:
        return launcher.ready_ns / 1e6


def _timed(state: Path, question: Callable[[Journal], object]) -> float:
    with Journal.open(state / JOURNAL) as journal:
        return _shortest(partial(question, journal))


def _shortest(act: Callable[[], object]) -> float:
    taken = []
    for _ in range(3):
        begin = time.perf_counter_ns()
        act()
        taken.append((time.perf_counter_ns() - begin) / 1e6)
    return min(taken)


def _replay(folder: str, effort: Effort) -> float:
    played = evening("long", steps=0, close=False)
    while len(played.lines) < effort.pick(LONG_ENTRIES, 50):
        played.play(20)
        match = played.table.match
        if match is None or match.over:
            played.say(m.Start("uno-extreme", telling=m.Telling.CARDS))
    with Journal.open(Path(folder, "long.sqlite3")) as journal:
        opened = played.lines[0].data["commitment"]
        journal.put_secret(opened, sha256(played.seed.encode()).hexdigest())
        _write(journal, played)
        return _shortest(lambda: Evening(journal, 12, Presence(time.monotonic)))
