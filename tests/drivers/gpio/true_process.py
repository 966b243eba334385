"""The simulated launcher in a process of its own, in real time, and a driver for it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

from dispenser.drivers.base import DriverEvent, DriverLost
from dispenser.drivers.gpio.client import GpioProcess, GpioProcessDriver
from dispenser.drivers.gpio.ipc import Setup
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring

SETUP = Setup(GpioWiring(), GpioTiming())


class TrueProcess:
    """The simulator's world in another process, and a driver that belongs to this one's loop."""

    def __init__(self, log: Path, seed: int, after_kill: Callable[[], bool | None] = lambda: True) -> None:
        self.log = log
        self.events: asyncio.Queue[DriverEvent | DriverLost] = asyncio.Queue()
        self.links: list[GpioProcess] = []
        loop = asyncio.get_running_loop()
        command = (sys.executable, "-m", "tests.drivers.gpio.simulator_process", str(log), str(seed))

        def launch() -> GpioProcess:
            self.links.append(GpioProcess(after_kill, command))
            return self.links[-1]

        self.driver = GpioProcessDriver(SETUP, launch, loop)
        self.open()

    def open(self) -> None:
        self.driver.open(self.events.put_nowait)

    def out(self) -> int:
        return self.log.stat().st_size

    async def until(self, *kinds: type) -> DriverEvent | DriverLost:
        while not isinstance(event := await self.events.get(), kinds):
            pass
        return event
