"""``idle``: how often a launcher that nobody touches wakes up, by the minute.

Twice: in virtual time, where the count is exact and a jump of the clock is a wake-up; and as a real process, where
the selector's waits are counted, with the kernel's count of all threads' sleeps as a second witness. The exact count
is the baseline of the process.
"""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import AsyncExitStack, ExitStack
from urllib.parse import SplitResult, urlsplit

from dispenser import simulated_launcher
from dispenser.service.settings import WebSettings
from tests.bench import virtual_loop
from tests.bench.measure import Measure, against
from tests.bench.process import LauncherProcess, Wakeups
from tests.bench.timing import Effort
from tests.bench.virtual_loop import counted_jumps

PER_MINUTE_AT_MOST = 90
"""In virtual time."""
OF_VIRTUAL_AT_MOST = 1.5
"""Times the exact count."""
MINUTES = 10
LOOKS = 3
"""The quietest of them counts: other people's work on the disk adds sleeps to a process, and takes none away."""
SETTLE_S = 1.45
"""Until what a start leaves behind (first checkpoint, threads of an import) is over."""


def idle(effort: Effort) -> list[Measure]:
    """Web off, web on, and with one client that listens."""
    seconds = effort.pick(20, 4)
    exact = [
        virtual_loop.run(_jumps_a_minute(web=web, client=client))
        for web, client in ((False, False), (True, False), (True, True))
    ]
    with ExitStack() as stack:
        off = stack.enter_context(LauncherProcess(web=False, count=True))
        on = stack.enter_context(LauncherProcess(web=True, count=True))
        listened = stack.enter_context(LauncherProcess(web=True, count=True))
        stack.callback(listened.open_stream().close)
        processes = [off, on, listened]
        time.sleep(SETTLE_S)
        looks = [_look(processes, seconds) for _ in range(LOOKS)]
    names = ("web off", "web on, nobody there", "web on, one stream open")
    quietest = [min(of_one, key=lambda look: look[0].sleeps / look[1]) for of_one in zip(*looks, strict=True)]
    return [_row(name, jumps, *look) for name, jumps, look in zip(names, exact, quietest, strict=True)]


def _look(processes: list[LauncherProcess], seconds: float) -> list[tuple[Wakeups, float]]:
    """How often each woke up, and in how many minutes."""
    before = [process.wakeups() for process in processes]
    begin = time.monotonic()
    time.sleep(seconds)
    counted = [process.wakeups() - start for process, start in zip(processes, before, strict=True)]
    minutes = (time.monotonic() - begin) / 60
    return [(each, minutes) for each in counted]


def _row(what: str, exact: float, process: Wakeups, minutes: float) -> Measure:
    """Both witnesses in real time must agree with the goal."""
    seen = {"virtual": exact, "process": process.waits / minutes, "all_threads": process.sleeps / minutes}
    return against(
        exact,
        max(seen["process"], seen["all_threads"]),
        "idle",
        f"wake-ups a minute, {what} (virtual time)",
        "",
        at_most=OF_VIRTUAL_AT_MOST,
        note=f"{exact:.1f} in virtual time; a process in {minutes * 60:.0f} s: {process.waits} waits of its loop, "
        f"{process.sleeps} sleeps of all its threads",
        detail=seen | {"seconds": minutes * 60, "returns": process.returns / minutes},
    )


async def _jumps_a_minute(*, web: bool, client: bool) -> float:
    """Jumps of the virtual clock in a minute, over ten minutes of nothing."""
    async with AsyncExitStack() as stack:
        launcher = await stack.enter_async_context(simulated_launcher(seed="idle"))
        if web:
            from dispenser.web.server import serve

            ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            serving = asyncio.create_task(serve(launcher, WebSettings(port=0), ready=ready.set_result))
            stack.push_async_callback(_end, serving)
            await asyncio.sleep(0.7)  # the client's own timers shall not hide behind the launcher's
            if client:
                stack.enter_context(await _listening_client(urlsplit(await ready)))
        await asyncio.sleep(SETTLE_S)
        with counted_jumps() as jumps:
            await asyncio.sleep(MINUTES * 60)
    return (jumps.count - 1) / MINUTES  # the end of this sleep was one


async def _listening_client(page: SplitResult) -> socket.socket:
    """Somebody who opened the stream and whose bytes wait in the socket: outside this loop, so not counted."""
    client = socket.create_connection((page.hostname, page.port))
    client.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    await asyncio.sleep(0.1)
    if b"retry:" not in client.recv(4096):
        raise RuntimeError("the stream did not begin")
    return client


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])
