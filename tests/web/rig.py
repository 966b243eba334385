"""A whole simulated launcher with its web, in virtual time and without sockets; and a listener that can be slow."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any, TypeVar

import httpx

from dispenser.clocks.virtual import VirtualLoop
from dispenser.service.assembly import simulated_launcher
from dispenser.service.service import Service
from dispenser.service.settings import WebSettings
from dispenser.web.app import create_app
from dispenser.web.owners import OwnerPhones
from dispenser.web.security import Guard, OwnWifi, Policy
from dispenser.web.stream import Streams

Result = TypeVar("Result")
BASE = "http://localhost:8112"
HERE = ("127.0.0.1", 51000)
PHONE = ("192.168.1.77", 51000)
LONGEST_S = 3600.0


def in_virtual_time(scenario: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
    """Run a scenario on a clock that jumps to the next thing that happens."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(asyncio.wait_for(scenario(), LONGEST_S))


def real_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test on the clock of this machine, for what real sockets and threads do."""

    @wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    return run


@dataclass
class Launcher:
    """One launcher, its web application, a client on this machine, and whoever asks from anywhere."""

    service: Service
    app: Guard
    streams: Streams
    client: httpx.AsyncClient
    table: Any

    async def get(self, path: str, **more: Any) -> Any:
        response = await self.client.get(f"/api/v1{path}", **more)
        assert response.status_code == 200, response.text
        return response.json()

    async def post(self, path: str, **fields: Any) -> httpx.Response:
        return await self.client.post(f"/api/v1{path}", json=fields)

    async def ask(
        self,
        method: str,
        path: str,
        headers: dict[str, str] | None = None,
        *,
        client: tuple[str, int] = PHONE,
        host: str | None = None,
        **more: Any,
    ) -> httpx.Response:
        """One answer to somebody with no cookies but those given."""
        base = host or f"http://{host_of(client)}"
        transport = httpx.ASGITransport(self.app, client=client, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=base) as asking:
            return await asking.request(method, path, headers=headers, **more)

    async def settle(self, seconds: float = 5.0) -> None:
        """Until whatever is under way is over."""
        await asyncio.sleep(seconds)


def host_of(client: tuple[str, int]) -> str:
    """By what a client calls the launcher."""
    return "127.0.0.1:8112" if client == HERE else "192.168.1.20:8112"


@asynccontextmanager
async def launcher(
    web: WebSettings | None = None,
    *,
    table: Any = None,
    own_wifi: Callable[[], OwnWifi | None] = lambda: None,
    owners: OwnerPhones | None = None,
    **simulated: Any,
) -> AsyncIterator[Launcher]:
    """Switch a launcher on; ``simulated`` goes to ``simulated_launcher``.

    :param table: with the people to join in place of an evening's.
    """
    async with simulated_launcher(**{"seed": "web tests", **simulated}) as service:
        await asyncio.sleep(1)  # the first chime is over
        streams = Streams(WebSettings().max_streams)
        policy = Policy(web or WebSettings(), table.joinable if table else None, own_wifi=own_wifi)
        policy.owners = owners
        app = create_app(service, policy, streams)
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            yield Launcher(service, app, streams, client, table)
            streams.close()


class Listener:
    """One client of a stream, as plain ASGI: it sees each chunk at once, and reads only when it wants to."""

    def __init__(
        self,
        app: Guard,
        query: str = "",
        headers: dict[str, str] | None = None,
        client: tuple[str, int] = ("127.0.0.1", 1),
        path: str = "/api/v1/events",
        method: str = "GET",
    ) -> None:
        self._method = method
        self._client = client
        self._path = path
        self.status = 0
        self.headers: dict[str, str] = {}
        self.text = ""
        self.ended = False
        self._app = app
        self._query = query
        self._sent_headers = {"host": "localhost:8112", **(headers or {})}
        self._reading = asyncio.Event()
        self._reading.set()
        self._gone = asyncio.Event()
        self._asked = False
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": self._method,
            "scheme": "http",
            "path": self._path,
            "raw_path": self._path.encode(),
            "root_path": "",
            "query_string": self._query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in self._sent_headers.items()],
            "client": self._client,
            "server": ("127.0.0.1", 8112),
        }
        await self._app(scope, self._receive, self._send)
        self.ended = True

    async def _receive(self) -> dict[str, Any]:
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self._reading.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode(): value.decode() for name, value in message["headers"]}
        else:
            self.text += message.get("body", b"").decode()

    def pause(self) -> None:
        """Stop reading: whoever sends, waits."""
        self._reading.clear()

    def go_on(self) -> None:
        self._reading.set()

    async def leave(self) -> None:
        """Close the connection."""
        self._gone.set()
        self._reading.set()
        await self._task

    async def end(self) -> None:
        """Wait for the server to end the stream."""
        await self._task

    @property
    def records(self) -> list[dict[str, Any]]:
        """What came so far, whole events only."""
        return [json.loads(event["data"]) for event in self.events]

    @property
    def events(self) -> list[dict[str, str]]:
        blocks = self.text.split("\n\n")[:-1]
        events = [
            dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks if not block.startswith(":")
        ]
        return [event for event in events if "data" in event]

    @property
    def kinds(self) -> list[str]:
        return [event["event"] for event in self.events]

    def told(self, kind: str) -> list[dict[str, Any]]:
        """The data of the events of that kind."""
        return [json.loads(event["data"]) for event in self.events if event["event"] == kind]

    @property
    def views(self) -> list[dict[str, Any]]:
        return self.told("view")

    @property
    def seqs(self) -> list[int]:
        return [record["seq"] for record in self.records]
