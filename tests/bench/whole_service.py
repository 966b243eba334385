"""``service``: button edge to motor on through the whole service: a real asyncio loop and a journal.

No goal: this is what a press costs in life. The edge comes on a foreign thread, as from lgpio.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from functools import partial
from pathlib import Path

from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.journal import Journal
from dispenser.service.service import Service
from dispenser.service.session import SessionConfig
from tests.bench.measure import Measure
from tests.bench.pins import AT_ONCE, NO_SUSPENSE, WIRING, Stopwatch, watched_factory
from tests.bench.timing import Effort, Series, calm
from tests.launcher.scripted import ScriptedOdds

PATIENCE_S = 10.0


def service(effort: Effort) -> list[Measure]:
    """Journal in memory, and in a file."""
    presses = effort.pick(2_000, 50)
    with tempfile.TemporaryDirectory() as folder, calm():
        places = {"memory": ":memory:", "file": str(Path(folder) / "journal.sqlite3")}
        return [_row(where, asyncio.run(_presses(path, presses))) for where, path in places.items()]


def _row(where: str, times: Series) -> Measure:
    return Measure(
        benchmark="service",
        measure=f"press edge → motor on, whole service, journal in {where}, median",
        unit="µs",
        ours=times.at_us(0.5),
        note=f"p99 {times.at_us(0.99):.0f} µs; what the press means is in the journal before the motor starts",
        detail=times.as_json(),
    )


async def _presses(journal: str, presses: int) -> Series:
    loop = asyncio.get_running_loop()
    factory = watched_factory()
    driver = GpioDriver(WIRING, factory, loop, timing=AT_ONCE)
    button, lid, exit_ = (factory.pin(gpio) for gpio in (WIRING.button, WIRING.lid, WIRING.exit))
    watch = Stopwatch(factory.pin(WIRING.motor_enable), on=True)
    odds = ScriptedOdds([], suspense=0.0)
    session_config = SessionConfig(NO_SUSPENSE, partial(Journal.open, journal), lambda _: odds, lambda _: bytes(32))
    times: list[int] = []

    def push() -> int:
        begin = time.perf_counter_ns()
        button.drive_low()
        return begin

    async with (
        asyncio.timeout(PATIENCE_S + presses / 100),
        Service(driver, session_config) as launcher,
    ):
        lid.drive_low()
        last = 0
        for _ in range(presses):
            async for entry in launcher.events("launcher.state.changed", after=last):
                last = entry.seq
                if entry.data["new"] == "ready":
                    break
            begin = await loop.run_in_executor(None, push)
            async for _ in launcher.events("launcher.burst.started", after=last):
                break
            times.append(watch.at_ns - begin)
            button.drive_high()
            exit_.drive_high()
            exit_.drive_low()
    return Series((times,))
