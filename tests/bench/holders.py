"""``holders``: what keeps the service's loop from all else for longer than 5 ms, while people look at everything.

A launcher with a long journal throws cards again and again. Each time, from the moment that the motor may turn, clients
(a process of their own) ask for what is slow to make: the page, its files, the description of the API, old entries by
many filters, the odds, the whole past as a stream; the first time all of it for the first time. Fifty pages listen.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from dispenser import simulated_launcher
from dispenser.journal import Journal
from dispenser.service.settings import WebSettings
from tests.bench.held_up import LIMIT_S, Holder, Holders
from tests.bench.measure import Measure
from tests.bench.process import environment
from tests.bench.timing import Effort

SHOWN = 8


def holders(effort: Effort) -> list[Measure]:
    """Journal of 90,000 entries, 50 pages."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite3"
        _fill(path, effort.pick(90_000, 3_000))
        with Holders() as watched:
            asyncio.run(_evening(path, watched, pages=effort.pick(50, 5), bursts=effort.pick(10, 2)))
    turning = [holder for holder in watched.found if holder.motor]
    resting = [holder for holder in watched.found if not holder.motor]
    busy = [holder for holder in turning if holder.busy_s > LIMIT_S]
    what = f"turns of the loop above {LIMIT_S * 1e3:g} ms"
    return [
        _row(f"{what} while the motor may turn, busy", busy, goal="0", met=not busy),
        _row(f"{what} while the motor may turn, by the clock (other programs, too)", turning),
        _row(f"{what} at rest, by the clock", resting),
    ]


def _row(measure: str, found: list[Holder], **more: Any) -> Measure:
    return Measure(
        benchmark="holders",
        measure=measure,
        unit="",
        ours=len(found),
        note="; ".join(str(holder) for holder in found[:SHOWN]),
        detail={"found": [str(holder) for holder in found]},
        **more,
    )


def _fill(path: Path, entries: int) -> None:
    types = [f"toy.bench.kind_{number}" for number in range(30)]
    with Journal.open(path) as journal:
        for begin in range(0, entries, 1000):
            journal.append("bench", [(types[n % 30], {"number": n}) for n in range(begin, begin + 1000)])


async def _evening(path: Path, watched: Holders, *, pages: int, bursts: int) -> None:
    server = await asyncio.to_thread(import_module, "dispenser.web.server")
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    async with simulated_launcher(journal=path, seed="holders") as launcher:
        watched.motor_may_turn = lambda: launcher.busy
        serving = asyncio.create_task(
            server.serve(launcher, WebSettings(port=0, max_streams=200), ready=ready.set_result)
        )
        port = (await ready).rsplit(":", 1)[1].strip("/")
        clients = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.bench.holder_clients",
            port,
            str(pages),
            str(bursts),
            env=environment(),
            stderr=subprocess.PIPE,
        )
        _, complaint = await clients.communicate()
        if clients.returncode:
            raise RuntimeError(complaint.decode())
        await launcher.rest()  # to stop may take its time
        serving.cancel()
        await asyncio.wait([serving])
