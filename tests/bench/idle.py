"""``idle``: how often a launcher that nobody touches wakes up, by the minute.

Real processes on mock pins, the service and the process that holds its pins; the kernel counts the sleeps of all their
threads. The baseline is the same without web.
"""

from __future__ import annotations

import time
from contextlib import ExitStack

from tests.bench.measure import Measure
from tests.bench.process import LauncherProcess
from tests.bench.timing import Effort

PER_MINUTE_AT_MOST = 90
LOOKS = 3
"""The quietest of them counts: other people's work on the disk adds sleeps to a process, and takes none away."""
SETTLE_S = 1.45
"""Until what a start leaves behind (first checkpoint, threads of an import) is over."""


def idle(effort: Effort) -> list[Measure]:
    """Web off, web on, and with one client that listens."""
    seconds = effort.pick(20, 4)
    with ExitStack() as stack:
        processes = [stack.enter_context(LauncherProcess(web=web)) for web in (False, True, True)]
        stack.callback(processes[-1].open_stream().close)
        time.sleep(SETTLE_S)
        looks = [_sleeps_a_minute(processes, seconds) for _ in range(LOOKS)]
    names = ("web off", "web on, nobody there", "web on, one stream open")
    off, *_ = quietest = [min(of_one) for of_one in zip(*looks, strict=True)]
    return [
        Measure(
            benchmark="idle",
            measure=f"wake-ups a minute, {name}",
            unit="",
            ours=ours,
            baseline=off,
            ratio=ours / off,
            goal=f"≤ {PER_MINUTE_AT_MOST}",
            met=ours <= PER_MINUTE_AT_MOST,
        )
        for name, ours in zip(names, quietest, strict=True)
    ]


def _sleeps_a_minute(processes: list[LauncherProcess], seconds: float) -> list[float]:
    before = [process.sleeps() for process in processes]
    begin = time.monotonic()
    time.sleep(seconds)
    minutes = (time.monotonic() - begin) / 60
    return [(process.sleeps() - start) / minutes for process, start in zip(processes, before, strict=True)]
