"""The same script on a real asyncio loop and in virtual time: the same cards, faults and edges."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Coroutine
from typing import Any

import looptime
import pytest

from dispenser.toy import ToyFault, ToyParameters
from tests.toy.rig import RawEdge, Rig

UNLUCKY = ToyParameters(misfeed_probability_new=0.15, double_probability_new=0.3, jam_probability_new=0.2)


def in_virtual_time(script: Coroutine[Any, Any, Any]) -> Any:
    loop = looptime.new_event_loop(noop_cycles=0)
    try:
        return loop.run_until_complete(script)
    finally:
        loop.close()


async def rest(rig: Rig) -> None:
    """Until nothing more happens by itself, so that no step depends on how fast this machine is."""
    while not rig.toy.at_rest:  # noqa: ASYNC110 - rest is a state, nobody signals it
        await asyncio.sleep(0.005)


async def play(seed: int) -> tuple[list[Any], list[Any], Any]:
    """Some bursts with pushes, jams, retracts and an open lid; each step waits for the last one to be over."""
    rig = Rig.build(UNLUCKY, seed=seed, scheduler=asyncio.get_running_loop(), cards=30)
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
    edges = [(edge.line, edge.active) for edge in rig.edges]
    events = [(event.happening, event.value) for event in rig.events]
    view = dataclasses.replace(rig.toy.view(), time_s=0.0, cell_voltage_v=0.0)
    rig.toy.close()
    return edges, events, view


def test_real_time_and_virtual_time_tell_the_same_story() -> None:
    seed = 6
    edges, events, view = in_virtual_time(play(seed))
    print(f"seed {seed}: {len(edges)} edges, {view}")
    happened = {happening.value for happening, _ in events}
    assert {"jam", "card_left", "lid", "button"} <= happened, "the script must meet faults to mean anything"
    assert asyncio.run(play(seed)) == (edges, events, view)


@pytest.mark.parametrize("seed", range(3))
def test_virtual_time_repeats_itself(seed: int) -> None:
    assert in_virtual_time(play(seed)) == in_virtual_time(play(seed)), f"seed {seed}"


def test_an_idle_toy_never_wakes_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    async def idle() -> int:
        loop = asyncio.get_running_loop()
        rig = Rig.build(scheduler=loop)
        rig.toy.push_button()
        rig.motor.forward()
        await asyncio.sleep(30.0)
        rig.motor.stop()
        await asyncio.sleep(1.0)
        assert rig.toy.at_rest
        timers: list[float] = []
        plain_call_at = loop.call_at

        def counting_call_at(when: float, *args: Any, **named: Any) -> asyncio.TimerHandle:
            timers.append(when)
            return plain_call_at(when, *args, **named)

        monkeypatch.setattr(loop, "call_at", counting_call_at)
        await asyncio.sleep(3600.0)
        return len(timers)

    assert in_virtual_time(idle()) == 1, "only this test's own sleep"
