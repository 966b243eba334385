"""A small table that knows people by their secrets, and clients that are somebody at it."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.responses import Response

from dispenser.service.assembly import simulated_launcher
from dispenser.service.service import Service
from dispenser.service.settings import WebSettings
from dispenser.table.secrets import same_code
from dispenser.web.access import set_seat_cookie, set_watch_cookie
from dispenser.web.app import create_app
from dispenser.web.owners import OwnerPhones
from dispenser.web.security import Guard, OwnWifi, Policy
from dispenser.web.stream import Streams
from tests.web.rig import Listener

TOKEN = "correct-horse-battery"
LAN = WebSettings(lan=True)
LAN_WITH_TOKEN = WebSettings(lan=True, token=TOKEN)
HERE = ("127.0.0.1", 51000)
PHONE = ("192.168.1.77", 51000)
LEA, TOM = "secret-of-Lea-0123456789", "secret-of-Tom-0123456789"


@dataclass
class Table:
    """An evening, its table and its people in one. Léa is person 1 and host, Tom is person 2."""

    code: str = "K7PM"
    watch_key: bytes = b"sixteen or more random bytes"
    host: int | None = 1
    is_open: bool = True
    present: tuple[int, ...] = ()

    def joinable(self) -> Any:
        return self if self.is_open else None

    @property
    def table(self) -> Table:
        return self

    @property
    def people(self) -> Table:
        return self

    def acting_host(self, _present: object) -> int | None:
        return self.host

    def knows_code(self, offered: str) -> bool:
        return same_code(offered, self.code)

    def person_of(self, secret: str) -> int | None:
        return {LEA: 1, TOM: 2}.get(secret)


def cookies(answer: httpx.Response | Response) -> dict[str, str]:
    """What an answer has a browser keep, by name; empty for what it is to forget."""
    raw = (
        answer.headers.get_list("set-cookie")
        if isinstance(answer, httpx.Response)
        else [value.decode() for name, value in answer.raw_headers if name == b"set-cookie"]
    )
    return {each.partition("=")[0]: each.partition("=")[2].partition(";")[0].strip('"') for each in raw}


def kept(table: Table, *, watches: bool = False, secret: str | None = None) -> dict[str, str]:
    """The header with the cookies of somebody at that table."""
    response = Response()
    if watches:
        set_watch_cookie(response, table)
    if secret is not None:
        set_seat_cookie(response, secret)
    jar = cookies(response)
    return {"cookie": "; ".join(f"{name}={value}" for name, value in jar.items())} if jar else {}


@dataclass
class House:
    """A launcher in a house: its web, its table, and whoever asks from anywhere."""

    service: Service
    app: Guard
    table: Table

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
        base = "http://127.0.0.1:8112" if client == HERE else "http://192.168.1.20:8112"
        transport = httpx.ASGITransport(self.app, client=client, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=host or base) as asking:
            return await asking.request(method, path, headers=headers, **more)

    async def begin(
        self, method: str, path: str, headers: dict[str, str] | None = None, client: tuple[str, int] = PHONE
    ) -> tuple[int, bytes]:
        """Status and beginning of an answer, which may be a stream."""
        host = "127.0.0.1:8112" if client == HERE else "192.168.1.20:8112"
        sent = {"host": host, "content-type": "application/json", **(headers or {})}
        listener = Listener(self.app, headers=sent, client=client, path=path, method=method)
        await listener.leave()
        return listener.status, listener.text.encode()


@asynccontextmanager
async def house(
    settings: WebSettings = LAN,
    table: Table | None = None,
    own_wifi: OwnWifi | None = None,
    owners: OwnerPhones | None = None,
) -> AsyncIterator[House]:
    """A launcher that people in the house may reach."""
    async with simulated_launcher(seed="access tests") as service:
        table = table or Table()
        streams = Streams(8)
        policy = Policy(dataclasses.replace(settings), table.joinable, None, lambda: own_wifi)
        policy.owners = owners
        app = create_app(service, policy, streams)
        yield House(service, app, table)
        streams.close()
