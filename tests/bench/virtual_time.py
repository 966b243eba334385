"""``virtual``: how much faster than life the whole simulated launcher runs.

A press every 5 s at the toy's button, full physics, default odds, journal in memory. The baseline is an empty loop in
virtual time with as many timers in a simulated second.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from statistics import median

from dispenser import simulated_launcher
from dispenser.launcher.commands import Load
from dispenser.service.service import Service
from dispenser.simulator import Toy
from tests.bench import virtual_loop
from tests.bench.measure import Measure
from tests.bench.timing import Effort, calm
from tests.bench.virtual_loop import counted_jumps

RATIO_AT_MOST = 20
"""How much slower than the empty loop."""
PRESS_EVERY_S = 5.0
FEW_CARDS = 20
PUT_RIGHT = ("jammed", "empty", "blind", "fault")


@dataclass(frozen=True, slots=True)
class Evening:
    """One launcher's evening: simulated seconds, real seconds, and what happened."""

    simulated_s: float
    took_s: float
    entries: int
    presses: int
    cards: int
    jumps: int

    @property
    def times_life(self) -> float:
        return self.simulated_s / self.took_s


def virtual(effort: Effort) -> list[Measure]:
    """Evenings with different seeds, each followed by an empty loop of the same length."""
    presses = effort.pick(400, 60)
    evenings, empty = [], []
    with calm():
        for number in range(effort.pick(8, 1) + 1):
            evening: Evening = virtual_loop.run(_evening(f"evening {number}", presses))
            took_s: float = virtual_loop.run(_empty_loop(evening))
            if number:  # the first warms up
                evenings.append(evening)
                empty.append(evening.simulated_s / took_s)
    ours = median(evening.times_life for evening in evenings)
    entries_a_second = median(evening.entries / evening.took_s for evening in evenings)
    total = {
        name: sum(getattr(evening, name) for evening in evenings) for name in ("presses", "cards", "entries", "jumps")
    }
    return [
        Measure(
            benchmark="virtual",
            measure="simulated seconds a second, whole service",
            unit="",
            ours=ours,
            baseline=median(empty),
            ratio=median(empty) / ours,
            goal=f"ratio ≤ {RATIO_AT_MOST}",
            met=median(empty) / ours <= RATIO_AT_MOST,
            note=f"{total['presses']} presses, {total['cards']} cards; baseline: an empty loop with as many timers",
            detail=total | {"each": [evening.times_life for evening in evenings]},
        ),
        Measure(benchmark="virtual", measure="journal entries a second of real time", unit="", ours=entries_a_second),
    ]


async def _evening(seed: str, presses: int) -> Evening:
    loop = asyncio.get_running_loop()
    async with simulated_launcher(seed=seed) as launcher:
        begin_s, begin_ns = loop.time(), time.perf_counter_ns()
        with counted_jumps() as jumps:
            for _ in range(presses):
                _toy(launcher).push_button()
                await asyncio.sleep(PRESS_EVERY_S)
                await _look_after(launcher)
        took_s = (time.perf_counter_ns() - begin_ns) / 1e9
        return Evening(
            simulated_s=loop.time() - begin_s,
            took_s=took_s,
            entries=launcher.journal.last_seq,
            presses=launcher.snapshot()["presses"],
            cards=_toy(launcher).view().cards_out,
            jumps=jumps.count,
        )


def _toy(launcher: Service) -> Toy:
    if launcher.toy is None:
        raise RuntimeError("a simulated launcher has a toy")
    return launcher.toy


async def _look_after(launcher: Service) -> None:
    """What people at a table do: take the card that sticks out, clear a jam, load when few are left."""
    toy = _toy(launcher)
    toy.take_card()
    if launcher.snapshot()["state"] in PUT_RIGHT or toy.view().cards_in_stack < FEW_CARDS:
        toy.open_lid()
        await asyncio.sleep(1.0)
        toy.clear_jam()
        toy.load(112 - toy.view().cards_in_stack)
        toy.new_cells()
        toy.close_lid()
        await asyncio.sleep(1.0)
        await launcher.handle(Load(toy.view().cards_in_stack))


async def _empty_loop(evening: Evening) -> float:
    """Real seconds for as many timers, spread over as many simulated seconds, that do nothing."""
    loop = asyncio.get_running_loop()
    over = loop.create_future()
    every_s = evening.simulated_s / evening.jumps
    end_s = loop.time() + evening.simulated_s

    def tick() -> None:
        if loop.time() < end_s:
            loop.call_later(every_s, tick)
        else:
            over.set_result(None)

    begin_ns = time.perf_counter_ns()
    tick()
    await over
    return (time.perf_counter_ns() - begin_ns) / 1e9
