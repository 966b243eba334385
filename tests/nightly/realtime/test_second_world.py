"""The driver on a launcher that was written from physics alone, in real time, while its loop stalls."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest

from dispenser.clocks import ThreadClock
from dispenser.drivers.base import DriverEvent
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.launcher.messages import ExitBlocked, ExitCleared, Feed, FeedEnded
from tests.nightly.search.second_world import Physics, SecondWorld
from tests.nightly.seed import SEED


@pytest.mark.parametrize("seed", range(SEED, SEED + 8))
def test_in_real_time_a_stalled_loop_makes_no_card_unsaid(seed: int) -> None:
    """No figure of this machine's speed is judged: what left is what was told, in one end a feed."""
    random = Random(f"real time {seed}")
    clock = ThreadClock("second world")
    world = SecondWorld(clock, random, Physics(volts=random.choice([4.5, 3.4]), bounces=0), cards=40)
    events: list[DriverEvent] = []

    async def play() -> list[Feed]:
        loop = asyncio.get_running_loop()
        driver = GpioDriver(
            world.wiring,
            world.factory,
            loop,
        )
        driver.open(events.append)
        feeds = []
        for _ in range(3):
            feeds.append(Feed(random.choice([1, 2, 4]), timeout_s=3.0, stall_s=1.0, blind_s=1.0))
            driver.feed(feeds[-1])
            for _ in range(600):
                if sum(isinstance(event, FeedEnded) for event in events) == len(feeds):
                    break
                time.sleep(random.choice([0.0, 0.01, 0.12, 0.25]))  # noqa: ASYNC251 - the stall is the test
                await asyncio.sleep(0.005)
        for _ in range(200):  # whatever still moves, and whatever of it is still under way
            await asyncio.sleep(0.05)
            if world.at_rest and sum(isinstance(event, ExitCleared) for event in events) == len(world.truth.left_s):
                break
        driver.close()
        return feeds

    try:
        feeds = asyncio.run(play())
    finally:
        clock.close()
    ends = [event for event in events if isinstance(event, FeedEnded)]
    told = [event for event in events if isinstance(event, ExitCleared)]
    left = len(world.truth.left_s)
    print(f"seed {seed}: {[feed.cards for feed in feeds]} cards, {ends}")
    assert len(ends) == len(feeds)
    assert len(told) == left >= sum(end.cards_seen or 0 for end in ends)
    assert not world.driven
    edges = world.truth.of("exit")
    really = [(until_s - since_s) * 1000 for (_, since_s), (_, until_s) in zip(edges[::2], edges[1::2], strict=False)]
    assert [event.blocked_ms for event in told] == pytest.approx(really, abs=1)
    assert sum(isinstance(event, ExitBlocked) for event in events) == len(edges[::2])
