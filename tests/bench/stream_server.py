"""One server of ``stream`` and ``table``, as a process: ``python -m tests.bench.stream_server ours|bare [SIZE...]``.

It prints, as JSON, its port, the cookies of its phones, and how many bytes each phone's view has; ``bare`` is told
those sizes. Each line on standard input is the number of an event that goes to every client of ``/api/v1/events``; the
end of standard input ends it.
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
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.bench.timing import go_first

SEATS = 10
MOST_STREAMS = 256
HOST = "192.168.1.20"
"""Not this machine's name for itself, so phones are no owners."""
GAME = "uno-extreme"
TYPE = "bench.event"
_PRAGMAS = ("journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0", "cache_size = -512")
"""The journal's own; but each row is on the disk once it is written, as ours is when clients are told."""
Publish = Callable[[int], object]  # Tells every client of the event with that number


@asynccontextmanager
async def ours() -> AsyncIterator[tuple[dict[str, Any], Publish]]:
    """The product on mock pins, as in ``service``: a journal in a file, its web in the house, and ten who play."""
    from dispenser.drivers.gpio.driver import GpioDriver
    from dispenser.journal import Journal
    from dispenser.service.assembly import named_seed
    from dispenser.service.service import Service
    from dispenser.service.settings import Settings, WebSettings
    from dispenser.web import security
    from dispenser.web.server import serve
    from tests.bench.pins import AT_ONCE, NO_SUSPENSE, WIRING, watched_factory

    security.COMMANDS_AT_ONCE = 1_000_000  # they tap faster than people may
    loop, factory = asyncio.get_running_loop(), watched_factory()
    driver = GpioDriver(WIRING, factory, loop, timing=AT_ONCE)
    lid = factory.pin(WIRING.lid)
    settings = Settings(launcher=NO_SUSPENSE)

    with tempfile.TemporaryDirectory() as folder:
        open_journal = partial(Journal.open, Path(folder) / "journal.sqlite3")
        async with Service(driver, settings, open_journal, partial(named_seed, "table")) as launcher:
            lid.drive_low()
            ready: asyncio.Future[str] = loop.create_future()
            web = WebSettings(port=0, lan=True, max_streams=MOST_STREAMS)
            serving = asyncio.create_task(serve(launcher, web, ready=ready.set_result))
            try:
                about = {"port": urlsplit(await ready).port, **sit_down(launcher)}
                yield about, lambda number: launcher.note(TYPE, {"number": number}, "bench")
            finally:
                serving.cancel()
                await asyncio.wait([serving])


def sit_down(launcher: Any) -> dict[str, Any]:
    """Ten people begin a round; their cookies, a watcher's, and the sizes of what they are shown."""
    import msgspec
    from starlette.responses import Response

    from dispenser.table import commands as c
    from dispenser.table.common import Around
    from dispenser.table.views import Viewer, view
    from dispenser.web.access import set_seat_cookie, set_watch_cookie

    opened = launcher.execute(c.Open("Léa"), owner=True)
    secrets = [opened.secret, *(launcher.execute(c.Join(f"Player {number}")).secret for number in range(2, SEATS + 1))]
    launcher.execute(c.Start(GAME, {"customizable": 0}), person=1)
    launcher.execute(c.Act(["answer", None, "red 7"]), person=1)
    answers = [Response() for _ in range(SEATS + 1)]
    for answer, secret in zip(answers, secrets, strict=False):
        set_seat_cookie(answer, secret)
    set_watch_cookie(answers[-1], launcher.evening.table)
    table, around = launcher.evening.table, Around(launcher.evening.present)
    views = [view(table, Viewer(person, owner=False, language="en"), around) for person in (*range(1, SEATS + 1), None)]
    return {
        "cookies": [answer.headers["set-cookie"].partition(";")[0] for answer in answers],
        "sizes": [len(msgspec.json.encode(each)) for each in views],
    }


@asynccontextmanager
async def bare(*sizes: str) -> AsyncIterator[tuple[dict[str, Any], Publish]]:
    """What one writes in ten minutes: a row that is on the disk, then a text into a queue for each client."""
    import uvicorn
    from fastapi import FastAPI
    from fastapi.responses import StreamingResponse

    app = FastAPI()
    listeners: list[asyncio.Queue[str]] = []
    phones: list[asyncio.Queue[str]] = []
    view_bytes = [int(size) for size in sizes]
    with tempfile.TemporaryDirectory() as folder:
        db = sqlite3.connect(Path(folder) / "rows.sqlite3", isolation_level=None)
        for pragma in _PRAGMAS:
            db.execute(f"PRAGMA {pragma}")
        db.execute("CREATE TABLE rows (number INTEGER PRIMARY KEY, text TEXT)")

        def keep(text: str) -> int:
            return db.execute("INSERT INTO rows (text) VALUES (?)", (text,)).lastrowid or 0

        def streamed(queues: list[asyncio.Queue[str]]) -> StreamingResponse:
            queue: asyncio.Queue[str] = asyncio.Queue()
            queues.append(queue)

            async def stream() -> AsyncIterator[str]:
                yield "retry: 1000\n\n"
                while True:
                    yield await queue.get()

            return StreamingResponse(stream(), media_type="text/event-stream")

        @app.get("/api/v1/events")
        async def events() -> StreamingResponse:
            return streamed(listeners)

        @app.get("/api/v1/table/views")
        async def views() -> StreamingResponse:
            return streamed(phones)

        @app.post("/api/v1/table/commands")
        async def tell(body: dict[str, Any]) -> dict[str, int]:
            number = keep(json.dumps(body))
            texts = [_view(number, size) for size in view_bytes]
            for phone, queue in enumerate(phones):
                queue.put_nowait(texts[min(phone, SEATS)])
            return {"at": number}

        def publish(number: int) -> None:
            when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            record = {"seq": number, "time": when, "source": "bench", "type": TYPE, "data": {"number": number}}
            keep(json.dumps(record))
            for queue in listeners:
                queue.put_nowait(f"id: {number}\nevent: {TYPE}\ndata: {json.dumps(record)}\n\n")

        listener = socket.create_server(("127.0.0.1", 0), backlog=MOST_STREAMS)
        config = uvicorn.Config(app, http="h11", log_level="warning", access_log=False, lifespan="off")
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield {"port": listener.getsockname()[1], "cookies": [""]}, publish
        finally:
            server.should_exit = server.force_exit = True
            await serving
            db.close()


def _view(number: int, size: int) -> str:
    data = json.dumps({"at": number, "rest": ""}, separators=(",", ":"))
    return f"event: view\ndata: {data[:-2]}{'x' * (size - len(data))}{data[-2:]}\n\n"


async def main(kind: str, *sizes: str) -> None:
    over, loop = asyncio.Event(), asyncio.get_running_loop()
    async with {"ours": ours, "bare": bare}[kind](*sizes) as (about, publish):

        def read() -> None:
            numbers = os.read(0, 65536).split()
            for number in numbers:
                publish(int(number))
            if not numbers:
                over.set()

        loop.add_reader(0, read)
        print(json.dumps(about), flush=True)
        await over.wait()
        loop.remove_reader(0)


if __name__ == "__main__":
    go_first()
    asyncio.run(main(*sys.argv[1:]))
