"""One server of the ``stream`` benchmark, as a process: ``python -m tests.bench.stream_server ours|bare``.

It prints its port. Each line on standard input is an event that happened at that time (``perf_counter_ns`` of
whoever wrote it) and goes to every client of ``/api/v1/events``. An empty line ends it; then it prints how long it
took to publish an event (journal and queues, not yet the sending), median, in microseconds.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sqlite3
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

from tests.bench.timing import go_first

MOST_CLIENTS = 256
TYPE = "bench.event"
Publish = Callable[[int, int], None]
"""Tells everybody of event number so-and-so, which happened at that time."""


@asynccontextmanager
async def ours() -> AsyncIterator[tuple[int, Publish]]:
    """The product: a simulated launcher with a journal in a file, and its web."""
    from dispenser import simulated_launcher
    from dispenser.service.settings import WebSettings
    from dispenser.web.server import serve

    with tempfile.TemporaryDirectory() as folder:
        async with simulated_launcher(journal=Path(folder) / "journal.sqlite3", seed="stream") as launcher:
            ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            settings = WebSettings(port=0, max_streams=MOST_CLIENTS)
            serving = asyncio.create_task(serve(launcher, settings, ready=ready.set_result))
            try:
                yield (
                    urlsplit(await ready).port,
                    lambda number, at_ns: launcher.note(TYPE, {"number": number, "at_ns": at_ns}, "bench"),
                )
            finally:
                serving.cancel()
                await asyncio.wait([serving])


@asynccontextmanager
async def bare() -> AsyncIterator[tuple[int, Publish]]:
    """What one writes in ten minutes: a row that is on the disk, then one text for the queue of each client."""
    import uvicorn
    from fastapi import FastAPI
    from fastapi.responses import StreamingResponse

    app = FastAPI()
    queues: set[asyncio.Queue[str]] = set()

    @app.get("/api/v1/events")
    async def events() -> StreamingResponse:
        queue: asyncio.Queue[str] = asyncio.Queue()
        queues.add(queue)

        async def stream() -> AsyncIterator[str]:
            try:
                yield "retry: 1000\n\n"
                while True:
                    yield await queue.get()
            finally:
                queues.discard(queue)

        return StreamingResponse(stream(), media_type="text/event-stream")

    folder = tempfile.TemporaryDirectory()
    db = sqlite3.connect(Path(folder.name) / "rows.sqlite3", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")

    def publish(number: int, at_ns: int) -> None:
        entry = {
            "seq": number,
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "source": "bench",
            "type": TYPE,
            "data": {"number": number, "at_ns": at_ns},
        }
        db.execute("INSERT INTO rows VALUES (?, ?)", (number, json.dumps(entry)))
        text = f"id: {number}\nevent: {TYPE}\ndata: {json.dumps(entry)}\n\n"
        for queue in queues:
            queue.put_nowait(text)

    listener = socket.create_server(("127.0.0.1", 0), backlog=MOST_CLIENTS)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off"))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield listener.getsockname()[1], publish
    finally:
        server.should_exit = server.force_exit = True
        await serving
        db.close()
        folder.cleanup()


async def main(kind: str) -> None:
    over = asyncio.Event()
    took_ns: list[int] = []
    async with {"ours": ours, "bare": bare}[kind]() as (port, publish):
        rest = b""

        def happened() -> None:
            nonlocal rest
            *lines, rest = (rest + os.read(0, 65536)).split(b"\n")
            for line in lines:
                if not line:
                    over.set()
                    return
                begin = time.perf_counter_ns()
                publish(len(took_ns) + 1, int(line))
                took_ns.append(time.perf_counter_ns() - begin)

        asyncio.get_running_loop().add_reader(0, happened)
        print(port, flush=True)
        await over.wait()
        asyncio.get_running_loop().remove_reader(0)
    print(median(took_ns) / 1e3, flush=True)


if __name__ == "__main__":
    go_first()
    asyncio.run(main(sys.argv[1]))
