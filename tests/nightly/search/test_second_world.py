"""The driver on a launcher that was written from physics alone; see :mod:`tests.nightly.search.second_world`.

More by hand: ``SECOND_WORLD_RUNS=20000 SECOND_WORLD_FIRST=1000 pytest tests/nightly/search/test_second_world.py``.
"""

from __future__ import annotations

import asyncio
import os
import time
from random import Random

import pytest

from dispenser.clocks import ThreadClock
from dispenser.drivers.base import DriverEvent
from dispenser.drivers.pins.driver import GpioDriver
from dispenser.launcher.messages import ExitBlocked, ExitCleared, Feed, FeedEnd, FeedEnded
from tests.nightly.search.second_evening import Evening
from tests.nightly.search.second_threads import Together
from tests.nightly.search.second_world import Physics, SecondWorld

RUNS = int(os.environ.get("SECOND_WORLD_RUNS", "120"))
FIRST = int(os.environ.get("SECOND_WORLD_FIRST", "10000"))
SEEDS = range(FIRST, FIRST + RUNS)


@pytest.mark.parametrize("mode", ["punctual", "missed", "alarm"])
def test_evenings_on_the_second_world_keep_every_promise(mode: str) -> None:
    print(f"seeds {SEEDS}")
    evenings = [Evening(seed, mode).play() for seed in SEEDS]
    assert [fault for evening in evenings for fault in evening.faults] == []
    assert any(evening.causes[FeedEnd.COUNT.value] for evening in evenings)


@pytest.mark.parametrize("mode", ["late", "drip"])
def test_edges_taken_late_lose_no_card_and_no_end(mode: str) -> None:
    print(f"seeds {SEEDS}")
    evenings = [Evening(seed, mode, clean=True).play() for seed in SEEDS]
    assert [fault for evening in evenings for fault in evening.faults] == []


def test_two_threads_at_once_keep_every_promise() -> None:
    print(f"seeds {SEEDS}")
    assert [fault for seed in SEEDS for fault in Together(seed).play().faults] == []


@pytest.mark.parametrize("seed", range(max(4, RUNS // 30)))
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
