"""``kill -9`` of a whole running launcher, at random moments: nothing that a client has seen is lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest

from dispenser.journal import Journal
from dispenser.odds.audit import audit
from tests.journal.tools import ENVIRONMENT
from tests.nightly.seed import SEED
from tests.service.story import Story

EVENINGS = 5
KILLS = 4
"""In each evening, one after another on the same journal."""
START_AND_STOP = """
import asyncio, sys
from dispenser import simulated_launcher

async def main():
    async with simulated_launcher(journal=sys.argv[1], seed="last"):
        await asyncio.sleep(0)

asyncio.run(main())
"""


def lines_before_the_kill(process: subprocess.Popen[bytes], count: int) -> list[dict[str, Any]]:
    """Read so many lines, kill, and read what had been said until then."""
    out: IO[bytes] | None = process.stdout
    assert out is not None
    lines = [out.readline() for _ in range(count)]
    process.kill()
    lines += out.readlines()
    process.wait()
    out.close()
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


@pytest.mark.parametrize("evening", range(SEED, SEED + EVENINGS), ids=lambda evening: f"seed {evening}")
def test_a_killed_launcher_has_lost_nothing_that_a_client_saw(evening: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    dice = Random(evening)
    lost = 0
    for kill in range(KILLS):
        name = f"evening {evening}, kill {kill}"
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.nightly.search.killed_launcher", str(path), f"{evening}-{kill}"],
            stdout=subprocess.PIPE,
            env=ENVIRONMENT,
            cwd=Path(__file__).parents[3],
        )
        before = 0
        if path.exists():
            with Journal.read_only(path) as reader:
                before = reader.last_seq
        seen = lines_before_the_kill(
            process, before + dice.choice((1, 5, dice.randrange(6, 60), dice.randrange(60, 900)))
        )
        assert [entry["seq"] for entry in seen] == list(range(1, len(seen) + 1)), name
        with Journal.read_only(path) as reader:
            written = [json.loads(entry.json()) for entry in reader.read()]
            assert written[: len(seen)] == seen, f"{name}: a client saw what the journal has lost"
            assert reader.verify_chain() is None, name
            lost += Story().read(reader.read()).open_press is not None
    finish(path)
    with Journal.read_only(path) as reader:
        entries = list(reader.read())
        story = Story().read(entries)
        assert story.problems == [], f"evening {evening}"
        assert [entry.type for entry in entries].count("launcher.burst.lost") == lost, f"evening {evening}"
        report = audit(entries, reader.verify_chain())
        assert report.problems == [], f"evening {evening}"
        assert report.pending == 0, "every seed was revealed, those of the killed ones by the next start"
        assert len(report.rounds) == KILLS + 1
        assert report.unfinished == lost
        assert report.presses == story.accepted


def finish(path: Path) -> None:
    """A last start on the journal, which ends in order."""
    subprocess.run(
        [
            sys.executable,
            "-c",
            START_AND_STOP,
            str(path),
        ],
        check=True,
        env=ENVIRONMENT,
        cwd=Path(__file__).parents[3],
    )
