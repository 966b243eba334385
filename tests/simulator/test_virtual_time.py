"""A whole script in virtual time: the same seed, the same cards, faults and edges, each at the same time."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Coroutine
from typing import Any

import pytest

from dispenser.clocks.virtual import VirtualLoop, VirtualWorld
from dispenser.simulator import ToyFault, ToyParameters
from tests.simulator.rig import RawEdge, Rig

UNLUCKY = ToyParameters(misfeed_probability_new=0.15, double_probability_new=0.3, jam_probability_new=0.2)


def in_virtual_time(script: Coroutine[Any, Any, Any]) -> Any:
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(script)
    finally:
        loop.close()


def world() -> VirtualWorld:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualLoop)
    return loop.world


async def rest(rig: Rig) -> None:
    """Until nothing more happens by itself, so that no step depends on how fast this machine is."""
    while not rig.toy.at_rest:  # noqa: ASYNC110 - rest is a state, nobody signals it
        await asyncio.sleep(0.005)


async def play(seed: int) -> tuple[list[Any], list[Any], Any]:
    """Some bursts with pushes, jams, retracts and an open lid; each step waits for the last one to be over."""
    rig = Rig.build(UNLUCKY, seed=seed, scheduler=world(), cards=30)
    cleared = 0

    def stop_after_two(edge: RawEdge) -> None:
        nonlocal cleared
        if edge.line == "exit" and not edge.active:
            cleared += 1
            if cleared == 2:
                rig.motor.stop()

    rig.on_edge = stop_after_two
    rig.toy.switch_fault(ToyFault.BOUNCING_BUTTON)
    for number in range(5):
        rig.toy.push_button(hold_s=0.05)
        await rest(rig)
        cleared = 0
        rig.motor.forward()
        await rest(rig)
        rig.motor.stop()
        await rest(rig)
        if rig.toy.view().jammed or number == 3:
            rig.motor.backward()
            await asyncio.sleep(0.12)
            rig.motor.stop()
            await rest(rig)
        rig.toy.open_lid()
        await rest(rig)
        rig.toy.clear_jam()
        rig.toy.close_lid()
        await rest(rig)
    await asyncio.sleep(0.05)  # the coast-down needs no timer
    rig.toy.close()
    return rig.edges, rig.events, rig.toy.view()


@pytest.mark.parametrize("seed", range(3))
def test_virtual_time_repeats_itself(seed: int) -> None:
    edges, events, view = in_virtual_time(play(seed))
    happened = {event.happening.value for event in events}
    assert {"card_left", "lid", "button"} <= happened, "the script must meet something to mean anything"
    assert in_virtual_time(play(seed)) == (edges, events, view), f"seed {seed}"


def test_an_idle_toy_sets_no_timer() -> None:
    async def idle() -> None:
        rig = Rig.build(scheduler=world())
        rig.toy.push_button()
        rig.motor.forward()
        await asyncio.sleep(30.0)
        rig.motor.stop()
        await asyncio.sleep(1.0)
        assert rig.toy.at_rest
        assert world().next_s() == math.inf

    in_virtual_time(idle())
