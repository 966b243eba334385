"""The pins' process in real time, while this process cannot run Python."""

from __future__ import annotations

import asyncio
import ctypes
from pathlib import Path

from dispenser.launcher import messages as m
from tests.drivers.gpio.true_process import TrueProcess

FEED = m.Feed(cards=4, timeout_s=3.0, stall_s=1.0, blind_s=1.0)
HOLD_S = 0.1
BURSTS = 12


def test_the_interpreters_lock_held_for_100_ms_changes_no_burst(tmp_path: Path) -> None:
    """A C call that holds it stops every Python thread of this process, and not one of the other.

    How soon this machine lets the other process run is its own affair, so a burst may bring a card too many; what it
    says is still what came out.
    """
    hold = ctypes.PyDLL(None).usleep

    async def play() -> list[tuple[int | None, int]]:
        world = TrueProcess(tmp_path / "out", 5)
        told = []
        for _ in range(BURSTS):
            before = world.out()
            world.driver.give(FEED)
            while world.events.empty() or not isinstance(event := world.events.get_nowait(), m.FeedEnded):
                hold(int(HOLD_S * 1e6))
                await asyncio.sleep(0)
            told.append((event.cards_seen, world.out() - before))
        world.driver.close()
        return told

    told = asyncio.run(play())
    assert all(seen == out for seen, out in told), told
