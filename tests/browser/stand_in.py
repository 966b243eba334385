"""The pages of the table with nothing behind them: views from files, and whatever the pages told is kept.

``views/every.json`` has what is the same in all scenes; a scene's file has what is different there, in each language.
``python -m tests.browser.stand_in SCENE [PORT]`` shows one in a browser of one's own.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, StreamingResponse
from playwright.async_api import Page, ViewportSize, expect

from dispenser.service.settings import WebSettings
from dispenser.web.join import problem_response
from dispenser.web.languages import language_of
from dispenser.web.pages import add_files, add_table_pages
from dispenser.web.security import Guard, Policy
from dispenser.web.server import StrictProtocol, listen
from tests.browser.rig import PATIENCE_S, Front, chromium, leave, until

VIEWS = Path(__file__).with_name("views")
SCENES = sorted(path.stem for path in VIEWS.glob("*.json") if path.stem != "every")

PHONE: ViewportSize = {"width": 390, "height": 844}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
SMALL: ViewportSize = {"width": 360, "height": 640}
SMALL_SIDEWAYS: ViewportSize = {"width": 740, "height": 360}
BROKEN_LINE = "503|Failed to load|ERR_|404|401"
LONG_NAME = "Wolfeschlegelsteinhausen"
OUT_OF_REACH = """() => [...document.querySelectorAll(".bar button, .reach button")].filter((button) => {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top < 0 || bottom > innerHeight || !button.contains(met);
}).map((button) => button.ariaLabel ?? button.textContent.trim())"""
"""Buttons that are not whole in the window, or lie under something."""
LAST_CARD_IS_CLEAR = """() => {
  const card = [...document.querySelectorAll(".hand button")].at(-1);
  scrollBy(0, card.getBoundingClientRect().top - 4);
  const { left, right, bottom } = card.getBoundingClientRect();
  return card.contains(document.elementFromPoint((left + right) / 2, bottom - 4));
}"""

BEHIND = ("menu", "lobby")
"""What a page asks for when somebody looks at it."""
_READY = {
    "state": "ready",
    "refusal": None,
    "order": None,
    "cards_inside": 60,
    "press": 41,
    "delivered": 0,
    "planned": None,
    "refused": None,
}


class StandIn:
    """What the service of a table would be to the pages.

    :ivar told: what they sent, by path and body, in order.
    :ivar answers: the next ones to a POST, before it is 202: a status and a body, or None for a line that breaks.
    :ivar opened: streams, so far.
    :ivar status: of the view; anything but 200 keeps the streams away as well. ``why``: its message.
    """

    def __init__(self, scene: str) -> None:
        self.told: list[tuple[str, dict[str, Any]]] = []
        self.answers: list[tuple[int, dict[str, Any]] | None] = []
        self.status, self.why = 200, ""
        self.opened = 0
        self._scene, self._changes = scene, dict[str, Any]()
        self._at = 57
        self._launcher: dict[str, Any] = _READY
        self._streams: dict[asyncio.Queue[str | None], str] = {}
        self.app = FastAPI()
        add_files(self.app.router)
        add_table_pages(self.app.router, 60.0)
        self.app.add_api_route("/api/v1/table/view", self._get_view)
        self.app.add_api_route("/api/v1/table/views", self._get_views)
        self.app.add_api_route("/api/v1/table/sheet", self._get_sheet)
        for code in ("qr", "wifi"):
            self.app.add_api_route(f"/api/v1/table/{code}.svg", self._get_square)
        for path in ("table/commands", "press", "reset"):
            self.app.add_api_route(f"/api/v1/{path}", self._on_post, methods=["POST"])

    def view(self, language: str = "en") -> dict[str, Any]:
        found = {"at": self._at, "seq": 812 + self._at, **self._found(language)}
        found["quick"] = [each for each in found["menu"] if (each.get("send") or {}).get("do") in {"undo", "redo"}]
        found["may_start"] = found["lobby"] is not None
        if found["join"]:
            ways = [{"host": each, "interface": "", "url": each} for each in found["join"]["addresses"]]
            found["join"] = {"wifi": None, **found["join"], "addresses": ways}
        found["board"] = {"places": [], **found["board"]}
        usual = {"called": True, "in_force": [], "round": "round"}
        usual |= {"stand_in": None, "take": None, "acting": found["me"]["seat"]}
        return {**usual, **{name: value for name, value in found.items() if name not in BEHIND}}

    def sheet(self, language: str = "en") -> dict[str, Any]:
        found = self._found(language)
        return {"at": self._at, **{name: found[name] for name in BEHIND}}

    def _found(self, language: str) -> dict[str, Any]:
        every, scene = (json.loads((VIEWS / f"{name}.json").read_text()) for name in ("every", self._scene))
        return {**every[language], **scene[language], **self._changes}

    def show(self, scene: str, **changes: Any) -> None:
        """To everybody who looks, at once."""
        self._scene, self._changes = scene, changes
        self._at += 1
        for stream, language in self._streams.items():
            stream.put_nowait(_event("view", self.view(language)))

    def launcher(self, state: str, **facts: Any) -> None:
        self._launcher = {**_READY, "state": state, **facts}
        self.say("launcher", self._launcher)

    def say(self, name: str, data: dict[str, Any]) -> None:
        for stream in self._streams:
            stream.put_nowait(_event(name, data))

    def hang_up(self) -> None:
        for stream in self._streams:
            stream.put_nowait(None)

    @property
    def listeners(self) -> int:
        return len(self._streams)

    async def _get_view(self, request: Request) -> Response:
        return JSONResponse(
            self.view(language_of(request)) if self.status == 200 else {"message": self.why}, self.status
        )

    async def _get_sheet(self, request: Request) -> Response:
        return JSONResponse(self.sheet(language_of(request)))

    async def _get_square(self) -> Response:
        return Response('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>', media_type="image/svg+xml")

    async def _get_views(self, request: Request) -> Response:
        if self.status != 200:
            return Response(status_code=self.status)
        return StreamingResponse(self._stream(language_of(request)), media_type="text/event-stream")

    async def _stream(self, language: str) -> AsyncIterator[str]:
        queue: asyncio.Queue[str | None] = asyncio.Queue()
        self._streams[queue] = language
        self.opened += 1
        try:
            yield _event("view", self.view(language)) + _event("launcher", self._launcher)
            while (event := await queue.get()) is not None:
                yield event
        finally:
            del self._streams[queue]

    async def _on_post(self, request: Request) -> Response:
        self.told.append((request.url.path, await request.json()))
        answer = self.answers.pop(0) if self.answers else (202, {})
        if answer is None:
            return Response(status_code=503)
        return JSONResponse(answer[1], answer[0])


def _event(name: str, data: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(data)}\n\n"


class Phones(Front):
    """A browser in front of the stand-in's pages."""

    def __init__(self, browser: Any, table: StandIn) -> None:
        super().__init__(browser)
        self.table = table
        self.root = ""

    async def look(self, path: str = "/table", *, allow: str = "", **context: Any) -> Any:
        self.address = self.root + path
        return await self.open_page(wait=False, allow=allow, **context)


async def _at_once() -> None:
    """Nothing here is kept."""


@asynccontextmanager
async def served(scene: str, port: int = 0) -> AsyncIterator[tuple[StandIn, str]]:
    table = StandIn(scene)
    policy = Policy(WebSettings())
    guard = Guard(table.app, policy, lambda: _at_once, partial(problem_response, policy))
    config = uvicorn.Config(guard, http=StrictProtocol, log_level="error", lifespan="off")
    server, socket = uvicorn.Server(config), listen("127.0.0.1", port)
    serving = asyncio.create_task(server.serve(sockets=[socket]))
    try:
        yield table, f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        server.should_exit = True
        table.hang_up()
        async with asyncio.timeout(PATIENCE_S):
            await serving


@asynccontextmanager
async def phones(scene: str) -> AsyncIterator[Phones]:
    async with served(scene) as (table, address), chromium() as browser:
        on = Phones(browser, table)
        on.root = address
        yield on
        await leave(browser)
    assert not on.complaints, on.complaints


# --- what tests wait for and tap ---


def long_hand(table: StandIn, language: str = "en") -> dict[str, Any]:
    """28 cards, ten at the table, and two that can be called out."""
    view = table.view(language)
    calls = ("UNO!", f"{LONG_NAME} forgot to say “UNO!”")
    if language == "fr":
        calls = ("UNO\xa0!", f"{LONG_NAME} n’a pas dit «\xa0UNO\xa0!\xa0»")
    seats = [{**view["seats"][seat % 4], "seat": seat, "name": LONG_NAME, "turn": seat == 1} for seat in range(10)]
    always = [{"label": label, "kind": "call", "send": {"do": label}} for label in calls]
    return {"hand": [view["hand"][0]] * 28, "seats": seats, "always": always}


async def sent(table: StandIn, count: int = 1) -> list[tuple[str, dict[str, Any]]]:
    """What was told, once there is so much of it."""
    await until(lambda: len(table.told) >= count)
    return table.told


async def listens(table: StandIn, lines: int = 1) -> None:
    """Until a page has opened so many lines: it shows what it asked for before it listens."""
    await until(lambda: table.opened >= lines)


async def says(page: Page, text: str) -> None:
    await expect(page.locator(".sentence")).to_have_text(text)


async def tap(page: Page, *names: str) -> None:
    for name in names:
        await page.get_by_role("button", name=name, exact=True).click()


async def send_of(on: Phones) -> dict[str, Any]:
    told: dict[str, Any] = (await sent(on.table))[0][1]["command"]
    return told


async def _show(scene: str, port: int) -> None:
    async with served(scene, port) as (_, address):
        print(f"{address}/table  {address}/screen")
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_show(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 8113))
