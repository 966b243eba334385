"""A whole simulated launcher in virtual time, its loop late, with a client that prints what it sees; to be killed.

``python -m tests.nightly.search.killed_launcher JOURNAL SEED``: presses, lifts its lid, loads its cards as the seed
says, as fast as it can, and prints each entry that its client was told as one line of JSON, at once.
"""

from __future__ import annotations

import asyncio
import os
import sys
from random import Random

from dispenser import Service, simulated_launcher
from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Record
from dispenser.launcher.commands import Load, Press
from dispenser.simulator import ToyFault
from tests.clocks.lateness import SeededLateness
from tests.service.test_service import with_settings
from tests.simulator.fault_plans import follow, random_faults

SAFE_FAULTS = (ToyFault.ROLLER_JAM, ToyFault.DOUBLE_FEED, ToyFault.MISFEED, ToyFault.BOUNCING_BUTTON)


def see(entry: Record) -> None:
    """The client has seen it: one write, so that a kill leaves whole lines only."""
    os.write(1, entry.json() + b"\n")


async def client(service: Service) -> None:
    async for entry in service.events(after=0):
        see(entry)


async def evening(journal: str, seed: str) -> None:
    dice, loop = Random(seed), asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    settings = with_settings(odds={"preset": "wild"}, launcher={"suspense_min_s": 0.1, "suspense_max_s": 0.5})
    async with simulated_launcher(settings, journal=journal, seed=seed) as service:
        toy = service.toy
        assert toy is not None
        watching = asyncio.ensure_future(client(service))
        plan = random_faults(dice.randrange(1 << 30), duration_s=3600.0, faults_per_minute=5.0, among=SAFE_FAULTS)
        follow(toy, loop.world, plan)
        while not watching.done():
            if dice.random() < 0.3:
                await service.handle(Press(id=f"{seed}-{dice.randrange(1 << 40)}"))
            else:
                toy.push_button()
            await asyncio.sleep(dice.uniform(0.05, 1.0))
            if dice.random() < 0.1:
                toy.open_lid()
                await asyncio.sleep(0.3)
                toy.clear_jam()
                toy.take_card()
                if toy.view().cards_in_stack < 40:
                    toy.load(50)
                    await service.handle(Load(toy.view().cards_in_stack))
                toy.close_lid()
                await asyncio.sleep(0.3)


if __name__ == "__main__":
    VirtualLoop(lateness=SeededLateness(sys.argv[2])).run_until_complete(evening(sys.argv[1], sys.argv[2]))
