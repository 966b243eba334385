"""The page, its files, the description of the API, and the login form.

To add a page: its template, a route here that lets the back room make it in the language of whoever asks, and its
scripts among the files in ``static``.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Hashable
from functools import cache, partial
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.staticfiles import NotModifiedResponse

from dispenser.language import LANGUAGES, catalog
from dispenser.web.bodies import EVERYWHERE, whole_body
from dispenser.web.docs import Description, marked
from dispenser.web.errors import ProblemError
from dispenser.web.guesses import client_of
from dispenser.web.languages import COOKIE as LANGUAGE_COOKIE
from dispenser.web.languages import choose_language, language_of
from dispenser.web.security import COOKIE as SESSION_COOKIE
from dispenser.web.security import Policy
from dispenser.web.texts import script_texts

if TYPE_CHECKING:
    from fastapi import FastAPI

    from dispenser.web.show import Showing

OPENAPI_PATH = "/api/v1/openapi.json"
STATIC = Path(__file__).with_name("static")
_YEAR_S = 365 * 24 * 3600
OF_A_FORM = {"referrer-policy": "same-origin"}
"""Under the policy ``no-referrer`` a browser would send a form with the origin "null", like a stranger's."""
_T = TypeVar("_T")


class Backroom:
    """Where pages are made: once, on another thread, and not while the motor may turn.

    A page, a description of the API: each takes tens of milliseconds here and a second on a small Pi. Another thread
    keeps the loop free, but it shares the interpreter with whoever watches the pins; so it waits until the motor rests.
    """

    def __init__(self, showing: Showing) -> None:
        self._showing = showing
        self._made: dict[Hashable, asyncio.Task[Any]] = {}
        self._turn = asyncio.Lock()

    async def make(self, job: Callable[..., _T], *given: Hashable, **named: Hashable) -> _T:
        """What ``job(*given, **named)`` returns, made when first asked for; who asks meanwhile waits for the same."""
        key = (job, given, *named.items())
        task: asyncio.Task[_T] | None = self._made.get(key)
        if task is None:
            task = self._made[key] = asyncio.create_task(
                self._at_rest(partial(job, *given, **named)), name=f"making {job.__name__}"
            )
            task.add_done_callback(lambda done: self._forget_failed(key, done))
        return await asyncio.shield(task)

    async def make_once(self, job: Callable[..., _T], *given: Hashable, **named: Hashable) -> _T:
        """The same for what hardly anybody else will ask for: it is not kept."""
        return await self._at_rest(partial(job, *given, **named))

    async def _at_rest(self, job: Callable[[], _T]) -> _T:
        async with self._turn:
            await self._showing.rest()
            return await asyncio.to_thread(job)

    def _forget_failed(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        if task.cancelled() or task.exception() is not None:
            del self._made[key]


@cache
def files() -> dict[str, Response]:
    """The page's files by name. A browser may keep them: their address changes with their content."""
    found = {}
    for path in STATIC.iterdir():
        made = Response(path.read_bytes(), media_type=guess_type(path.name)[0])
        found[path.name] = _tagged(made, cache_control=f"public, max-age={_YEAR_S}, immutable")
    return found


@cache
def version() -> str:
    """A name for the content of all files."""
    return hashlib.sha256("".join(sorted(file.headers["etag"] for file in files().values())).encode()).hexdigest()[:12]


def render(template: str, language: str, **facts: Any) -> Response:
    """One page in one language. Takes long: make it in the back room."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.install_gettext_translations(catalog(language), newstyle=True)  # type: ignore[attr-defined]
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters["marked"] = marked
    # "<" cannot close the script element early, whatever a text says.
    texts = json.dumps(script_texts(language), ensure_ascii=False).replace("<", "\\u003c")
    usual = {"language": language, "static": f"/static/{version()}", "script_texts": texts}
    page = environment.get_template(template).render(**usual, **facts)
    return _tagged(HTMLResponse(page, headers={"vary": "Accept-Language, Cookie"}))


def description_for_people(app: FastAPI) -> Response:
    schema = app.openapi()
    facts = {"schema": schema, "description": Description(schema), "everywhere": EVERYWHERE}
    return render("docs.html", LANGUAGES[0], **facts)


def description_for_programs(app: FastAPI) -> Response:
    return _tagged(JSONResponse(app.openapi()))


def _tagged(made: Response, cache_control: str = "no-cache") -> Response:
    """An answer that is made once, with a name for its content: a browser that has it asks whether there is another."""
    made.headers["cache-control"] = cache_control
    made.headers["etag"] = f'"{hashlib.sha256(made.body).hexdigest()[:24]}"'
    return made


def sent(request: Request, made: Response) -> Response:
    """The answer, or 304 when the browser has it."""
    has = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return NotModifiedResponse(made.headers) if made.headers["etag"] in has else made


def add_pages(app: FastAPI, showing: Showing, about: dict[str, Any], policy: Policy, backroom: Backroom) -> None:
    """Everything a browser opens that is not the API, the rules or the table.

    :param about: what else the page is to know of what it shows.
    """
    router = APIRouter(include_in_schema=False)
    address = f"/static/{version()}"

    @router.get("/")
    async def page(request: Request, lang: str | None = None, token: str | None = None) -> Response:
        if token is not None and policy.knows_token(token):
            return await _welcome(request, policy, backroom)
        if lang is not None:
            return switch_language(lang, "/")
        simulated = showing.toy is not None
        return sent(
            request, await backroom.make(render, "page.html", language_of(request), simulated=simulated, **about)
        )

    @router.get("/api/v1/docs")
    async def describe(request: Request) -> Response:
        return sent(request, await backroom.make(description_for_people, request.app))

    @router.get(OPENAPI_PATH)
    async def openapi(request: Request) -> Response:
        return sent(request, await backroom.make(description_for_programs, request.app))

    @router.get(address + "/{name}")
    async def file(request: Request, name: str) -> Response:
        if (found := files().get(name)) is None:
            raise ProblemError("not_found")
        return sent(request, found)

    @router.get("/favicon.ico")
    async def icon() -> Response:
        return RedirectResponse(f"{address}/icon.svg")

    if policy.needs_token:
        _add_login(router, policy, backroom)
    app.include_router(router)


def _add_login(router: APIRouter, policy: Policy, backroom: Backroom) -> None:
    async def form(request: Request, status: int) -> Response:
        made = await backroom.make(render, "login.html", language_of(request), wrong=status != 200)
        return HTMLResponse(made.body, status, OF_A_FORM)

    @router.get("/login")
    async def show(request: Request) -> Response:
        return await form(request, 200)

    @router.post("/login")
    async def login(request: Request) -> Response:
        fields = parse_qs((await whole_body(request)).decode("utf-8", "replace"))
        if policy.knows_token(fields.get("token", [""])[0].strip()):
            return await _welcome(request, policy, backroom)
        await policy.guesses.wait(client_of(request))
        return await form(request, 403)


async def _welcome(request: Request, policy: Policy, backroom: Backroom) -> Response:
    """Set the cookie and go to the page by a step of our own: a redirect that began on another site (a link in a
    message) would not carry a strict cookie."""
    response = HTMLResponse((await backroom.make(render, "welcome.html", language_of(request))).body)
    response.set_cookie(SESSION_COOKIE, policy.session(), max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
    return response


def switch_language(language: str, address: str) -> Response:
    """Back to the page, now in that language."""
    response = RedirectResponse(address, 303)
    response.set_cookie(LANGUAGE_COOKIE, choose_language(language, ""), max_age=_YEAR_S, samesite="lax", path="/")
    return response
