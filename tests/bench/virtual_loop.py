"""An asyncio loop in virtual time, and a count of how often its clock jumped: in life, a wake-up each."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dispenser.clocks.virtual import VirtualLoop


@dataclass(slots=True)
class Jumps:
    count: int = 0


def run(happening: Coroutine[Any, Any, Any]) -> Any:
    """Run it in a virtual loop of its own that starts at 0 s."""
    loop = VirtualLoop()
    try:
        return loop.run_until_complete(happening)
    finally:
        loop.close()


@contextmanager
def counted_jumps() -> Iterator[Jumps]:
    """Count the jumps of the running loop's clock."""
    loop: Any = asyncio.get_running_loop()
    jumps = Jumps()
    select = loop._selector.select  # it moves the clock in there

    def counting(timeout: float | None) -> object:
        before = loop.time()
        ready = select(timeout)
        jumps.count += loop.time() > before
        return ready

    loop._selector.select = counting
    try:
        yield jumps
    finally:
        loop._selector.select = select
