"""All clients of the ``holders`` benchmark: ``python -m tests.bench.holder_clients PORT PAGES BURSTS``."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from contextlib import AsyncExitStack, suppress

PATIENCE_S = 60.0
CARDS = 5
AT_ONCE = 30
"""Requests under way: what a few browsers send at once."""
FILTERS = "&".join(f"type=toy.bench.kind_{number}.none" for number in range(20))
SLOW = (
    "/",
    "/api/v1/docs",
    "/api/v1/openapi.json",
    "/api/v1/odds",
    f"/api/v1/journal?{FILTERS}",
    "/api/v1/journal?limit=500&type=toy",
    "/api/v1/journal?last=500",
    "/favicon.ico",
    "/api/v1/snapshot",
)


class Clients:
    def __init__(self, port: int) -> None:
        self._port = port
        self._few = asyncio.Semaphore(AT_ONCE)
        self._reading: list[asyncio.Future[bytes]] = []

    async def ask(self, method: str, path: str, body: bytes = b"") -> bytes:
        """One request on a connection of its own; the answer's body."""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
        async with self._few:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
            writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + body)
            answer = await reader.read()
            writer.close()
        start, _, content = answer.partition(b"\r\n\r\n")
        if start.split()[1] not in {b"200", b"202", b"307"}:  # the icon is elsewhere
            raise RuntimeError(f"{method} {path}: {answer[:300]!r}")
        return content

    async def listen(self, after: int, until: int) -> None:
        """Read a stream from entry ``after`` to ``until``."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"GET /api/v1/events?after={after} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        last, tail = f"\nid: {until}\n".encode(), b""
        while last not in tail:
            tail = tail[-len(last) :] + (chunk := await reader.read(2**16))
            if not chunk:
                raise RuntimeError(f"the stream ended before entry {until}")
        writer.close()

    async def snapshot(self) -> dict[str, object]:
        known: dict[str, object] = json.loads(await self.ask("GET", "/api/v1/snapshot"))
        return known

    async def page(self) -> asyncio.StreamWriter:
        """What a browser asks for when somebody opens the page; the stream stays open."""
        html = (await self.ask("GET", "/")).decode()
        files = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', html))
        await asyncio.gather(*(self.ask("GET", path) for path in (*files, "/api/v1/chimes", "/api/v1/odds")))
        seq = (await self.snapshot())["seq"]
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(f"GET /api/v1/events?after={seq} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        await reader.readuntil(b"retry:")
        self._reading.append(asyncio.ensure_future(reader.read()))
        return writer

    async def _ready(self) -> dict[str, object]:
        """Wait until a press would count; take what sticks out, and load."""
        while True:
            known = await self.snapshot()
            if known["state"] == "ready" and not known["exit_blocked"]:
                return known
            if known["exit_blocked"]:
                with suppress(RuntimeError):  # it has moved on
                    await self.ask("POST", "/api/v1/toy/take-card")
            if known["state"] in {"blind", "empty"}:  # on a busy machine a simulated card may come late
                await self.ask("POST", "/api/v1/reset")
            await asyncio.sleep(0.1)

    async def burst(self) -> None:
        """Cards, and from the moment that the motor may turn all questions at once."""
        before = await self._ready()
        await self.ask("POST", "/api/v1/eject", json.dumps({"cards": CARDS}).encode())
        questions = [self.ask("GET", path) for path in SLOW]
        press = before["presses"]
        if press:
            count = json.dumps({"press": press, "cards": CARDS}).encode()
            questions.append(self.ask("POST", "/api/v1/count", count))
        await asyncio.gather(*questions, self.listen(0, int(str(before["seq"]))))


async def main(port: int, pages: int, bursts: int) -> None:
    clients = Clients(port)
    async with asyncio.timeout(PATIENCE_S * bursts), AsyncExitStack() as stack:
        await clients.burst()
        for writer in await asyncio.gather(*(clients.page() for _ in range(pages))):
            stack.callback(writer.close)
        for _ in range(bursts - 1):
            await clients.burst()


if __name__ == "__main__":
    asyncio.run(main(*(int(argument) for argument in sys.argv[1:])))
