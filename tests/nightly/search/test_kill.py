"""``kill -9`` of a whole running launcher, at random moments: nothing that a client has seen is lost.

``python -m tests.nightly.search.test_kill JOURNAL SEED`` is what is killed: a simulated launcher in virtual time, its
loop late, that presses, lifts its lid and loads its cards as the seed says, and prints each record that its client was
told as one line of JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from dispenser import Service, simulated_launcher
from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Journal
from dispenser.launcher.commands import Load, Press
from dispenser.odds.audit import audit
from dispenser.simulator import SimulatorFault
from tests.clocks.lateness import SeededLateness
from tests.journal.tools import ENVIRONMENT
from tests.nightly.seed import SEED
from tests.service.story import Story
from tests.service.test_service import with_settings
from tests.web.rig import in_virtual_time

EVENINGS, KILLS = 5, 4
FAULTS = (SimulatorFault.ROLLER_JAM, SimulatorFault.DOUBLE_FEED, SimulatorFault.MISFEED)


def seen_before_the_kill(journal: Path, seed: str, count: int) -> list[dict[str, Any]]:
    """What a client has printed after so many records, when the launcher was killed."""
    command = [sys.executable, "-m", "tests.nightly.search.test_kill", str(journal), seed]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=ENVIRONMENT, cwd=Path(__file__).parents[3]) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(count)]
        process.kill()
        lines += process.stdout.readlines()
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


@pytest.mark.parametrize("seed", range(SEED, SEED + EVENINGS), ids="seed {}".format)
def test_a_killed_launcher_has_lost_nothing_that_a_client_saw(seed: int, tmp_path: Path) -> None:
    path, dice = tmp_path / "journal.sqlite3", Random(seed)
    lost = written = 0
    for kill in range(KILLS):
        count = written + dice.choice((1, 5, dice.randrange(6, 60), dice.randrange(60, 900)))
        seen = seen_before_the_kill(path, f"{seed}-{kill}", count)
        assert [record["seq"] for record in seen] == list(range(1, len(seen) + 1))
        with Journal.read_only(path) as reader:
            records = list(reader.read())
            assert [json.loads(record.json()) for record in records[: len(seen)]] == seen, "a client saw what is lost"
            assert reader.verify_chain() is None
        written = len(records)
        lost += Story().read(records).open_press is not None
    in_virtual_time(lambda: start_and_stop(path))
    with Journal.read_only(path) as reader:
        records = list(reader.read())
        report = audit(records, reader.verify_chain())
    story = Story().read(records)
    assert (story.problems, report.problems) == ([], [])
    assert [record.type for record in records].count("launcher.burst.lost") == lost
    assert report.pending == 0, "every seed was revealed, those of the killed ones by the next start"
    assert (len(report.rounds), report.unfinished, report.presses) == (KILLS + 1, lost, story.accepted)


async def start_and_stop(journal: Path) -> None:
    async with simulated_launcher(journal=journal, seed="last"):
        await asyncio.sleep(0)


async def client(service: Service) -> None:
    async for record in service.events(after=0):
        os.write(1, record.json() + b"\n")  # one write, so that a kill leaves whole lines only


async def evening(journal: str, seed: str) -> None:
    dice = Random(seed)
    settings = with_settings(odds={"preset": "wild"}, launcher={"suspense_min_s": 0.1, "suspense_max_s": 0.5})
    async with simulated_launcher(settings, journal=journal, seed=seed) as service:
        simulator = service.simulator
        assert simulator is not None
        watching = asyncio.ensure_future(client(service))
        while not watching.done():
            if dice.random() < 0.05:
                simulator.switch_fault(dice.choice(FAULTS))
            if dice.random() < 0.3:
                await service.handle(Press(id=f"{seed}-{dice.randrange(1 << 40)}"))
            else:
                simulator.push_button()
            await asyncio.sleep(dice.uniform(0.05, 1.0))
            if dice.random() < 0.1:
                simulator.open_lid()
                await asyncio.sleep(0.3)
                simulator.clear_jam()
                simulator.take_card()
                simulator.load(max(0, 50 - simulator.view().cards_in_stack))
                await service.handle(Load(simulator.view().cards_in_stack))
                simulator.close_lid()
                await asyncio.sleep(0.3)


if __name__ == "__main__":
    VirtualLoop(lateness=SeededLateness(sys.argv[2])).run_until_complete(evening(sys.argv[1], sys.argv[2]))
