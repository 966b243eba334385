"""Who holds up the loop is named."""

from __future__ import annotations

import asyncio
import time

from tests.bench.held_up import Holder, Holders


def hold(seconds: float) -> None:
    time.sleep(seconds)


def test_a_callback_and_a_task_that_hold_up_the_loop_are_named_longest_first() -> None:
    async def slow_task() -> None:
        await asyncio.sleep(0)
        hold(0.03)

    async def story() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(hold, 0.06)
        await asyncio.create_task(slow_task(), name="GET /slow")

    with Holders(limit_s=0.02) as watched:
        asyncio.run(story())
    names = [holder.name for holder in watched.found]
    assert names[0] == "hold"
    assert any(name.startswith("GET /slow, ") and "slow_task" in name for name in names)
    assert watched.found[0].held_s >= 0.06
    assert watched.found[0].waits >= 1
    assert watched.turns > 3


def test_it_is_said_whether_the_motor_could_turn() -> None:
    with Holders(limit_s=0.01, motor_may_turn=lambda: True) as watched:
        asyncio.run(asyncio.to_thread(hold, 0.0))
        asyncio.run(_hold_once())
    assert watched.found[0].motor
    assert "the motor could turn" in str(watched.found[0])
    assert "motor" not in str(Holder("x", 0.01, 0.01, 0, motor=False))


async def _hold_once() -> None:
    hold(0.02)


def test_afterwards_the_loop_is_as_it_was() -> None:
    before = asyncio.Handle._run
    with Holders():
        assert asyncio.Handle._run is not before
    assert asyncio.Handle._run is before
