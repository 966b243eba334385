"""A small table that knows people by their secrets, and clients that are somebody at it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

import httpx
from starlette.responses import Response

from dispenser.service.settings import WebSettings
from dispenser.table.secrets import same_code
from dispenser.web.access import set_seat_cookie, set_watch_cookie
from tests.web.rig import Launcher, launcher

TOKEN = "correct-horse-battery"
LAN = WebSettings(lan=True)
LAN_WITH_TOKEN = WebSettings(lan=True, token=TOKEN)
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


def house(web: WebSettings = LAN, table: Table | None = None, **more: Any) -> AbstractAsyncContextManager[Launcher]:
    """A launcher that people in the house may reach, and that table."""
    return launcher(web, table=table or Table(), **more)
