"""Real time, the simulator on a thread of its own, and a loop that is held up in every way we know.

What a launcher says of each burst is compared with the cards that left the simulator. How soon this machine lets the
pins' thread run is its own affair, so a burst may bring a card too many here or be given up; but none is told wrongly.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

import pytest

from dispenser import Service, simulated_launcher
from dispenser.launcher.commands import Eject, Reset
from dispenser.simulator import SimulatorParameters
from tests.service.test_service import simulator_of, with_settings

BURSTS, CARDS, SEED = 6, 4, 11


class Burst(NamedTuple):
    """What the service said, and how many cards were out when it ended, one that sticks out included."""

    delivered: int
    cause: str
    out: int


def launcher() -> Service:
    settings = with_settings(launcher={"suspense_min_s": 0.0, "suspense_max_s": 0.0})
    return simulated_launcher(settings, seed=str(SEED), parameters=SimulatorParameters.flawless())


async def hold_up_at_random(hold_up: Callable[[], object]) -> None:
    """Block the loop's thread every 30 to 120 ms."""
    dice = Random(SEED)
    while True:
        await asyncio.sleep(dice.uniform(0.03, 0.12))
        hold_up()


def cards_out(service: Service) -> int:
    view = simulator_of(service).view()
    return view.cards_out + view.card_in_exit


async def burst(service: Service) -> Burst:
    """One burst; the exit is free and the stack not empty afterwards."""
    simulator, before = simulator_of(service), cards_out(service)
    if service.snapshot()["state"] != "ready":
        await service.handle(Reset())
    ended = await service.outcome(await service.handle(Eject(CARDS)))
    out = cards_out(service) - before
    simulator.take_card()
    while service.snapshot()["exit_blocked"]:  # noqa: ASYNC110 - real time; the level is what is asked for
        await asyncio.sleep(0.01)
    return Burst(ended.data["delivered"], ended.data["cause"], out)


async def check_bursts(service: Service) -> None:
    """Every card is told, and each burst as it was."""
    strays = []  # cards that were told outside a burst: their edge was taken when its end had been told
    service.on("launcher.card.left", lambda record: strays.append(record) if record.data["press"] is None else None)
    bursts = [await burst(service) for _ in range(BURSTS)]
    await asyncio.sleep(0.3)
    assert sum(each.delivered for each in bursts) + len(strays) == cards_out(service), bursts
    for each in bursts:
        assert each.delivered == each.out or strays, bursts
        assert (each.cause == "complete") == (each.delivered >= CARDS), bursts


def check(hold_up: Callable[[], object] | None) -> None:
    """A few bursts of a launcher whose loop is held up."""

    async def play() -> None:
        async with launcher() as service:
            stalls = asyncio.ensure_future(hold_up_at_random(hold_up)) if hold_up else None
            try:
                await check_bursts(service)
            finally:
                if stalls is not None:
                    stalls.cancel()

    asyncio.run(play())


def collect_garbage() -> None:
    """A full collection with as much about as a page brings."""
    rubbish = [[number] for number in range(300_000)]
    for one in rubbish:
        one.append(one)  # type: ignore[arg-type]
    del rubbish
    gc.collect()


@pytest.mark.parametrize(
    "hold_up",
    [None, *(partial(time.sleep, ms / 1000) for ms in (25, 120, 500)), collect_garbage],
    ids=["nothing", "25 ms", "120 ms", "500 ms", "garbage"],
)
def test_whatever_holds_up_the_loop_each_burst_is_told_as_it_was(hold_up: Callable[[], object] | None) -> None:
    check(hold_up)
