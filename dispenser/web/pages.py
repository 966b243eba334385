"""The page, its files, the description of the API, and the login form.

To add a page: its template, a route here that lets the page cache make it in the language of whoever asks, and its
scripts among the files in ``static``.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
import re
from collections.abc import Callable, Hashable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from starlette.staticfiles import NotModifiedResponse

from dispenser.i18n import LANGUAGES, Text, catalog, isolated
from dispenser.web.access import Rank, role_of
from dispenser.web.docs import Description, marked
from dispenser.web.errors import ProblemError
from dispenser.web.languages import COOKIE as LANGUAGE_COOKIE
from dispenser.web.languages import choose_language, language_of
from dispenser.web.schemas import EVERYWHERE, whole_body
from dispenser.web.security import COOKIE as SESSION_COOKIE
from dispenser.web.security import Policy
from dispenser.web.texts import script_texts

if TYPE_CHECKING:
    from fastapi import FastAPI

    from dispenser.web.show import Showing

OPENAPI_PATH = "/api/v1/openapi.json"
STATIC = Path(__file__).with_name("static")
LOOKS = "looks.css"
_BUNDLES = {LOOKS: ("page.css", "launcher.css"), "table/looks.css": ("table/table.css", "table/scores.css")}
"""Written apart, sent as one: a phone asks once. The table's screen has its own looks beside the launcher's."""
_TYPES = {
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webmanifest": "application/manifest+json",
}
"""All there are. The machine's own table of types knows a thousand more, and may know these otherwise."""
_YEAR_S = 365 * 24 * 3600
OF_A_FORM = {"referrer-policy": "same-origin"}
"""Under the policy ``no-referrer`` a browser would send a form with the origin "null", like a stranger's."""
_T = TypeVar("_T")


class CachedResponse(Response):
    """An answer that is made once, as it is and gzipped, with a name for its content: a browser that has it asks
    whether there is another. Packing takes long: make it on another thread."""

    def __init__(self, content: bytes | memoryview, media_type: str, headers: dict[str, str] | None = None) -> None:
        content = bytes(content)
        usual = {"cache-control": "no-cache", **(headers or {})}
        usual["vary"] = ", ".join(filter(None, (usual.get("vary"), "Accept-Encoding")))
        tag = hashlib.sha256(content).hexdigest()[:24]
        super().__init__(content, media_type=media_type, headers={**usual, "etag": f'"{tag}"'})
        gzipped = {**usual, "etag": f'"{tag}-gzip"', "content-encoding": "gzip"}
        self.gzipped = Response(gzip.compress(content, mtime=0), media_type=media_type, headers=gzipped)


class PageCache:
    """Pages that are made once, when first asked for, on another thread: each takes up to a second on a small Pi."""

    def __init__(self) -> None:
        self._made: dict[Hashable, asyncio.Task[Any]] = {}

    async def make(self, job: Callable[..., _T], *given: Hashable, **named: Hashable) -> _T:
        """What ``job(*given, **named)`` returns, made when first asked for; who asks meanwhile waits for the same."""
        key = (job, given, *named.items())
        task: asyncio.Task[_T] | None = self._made.get(key)
        if task is None:
            making = asyncio.to_thread(job, *given, **named)
            task = self._made[key] = asyncio.create_task(making, name=f"making {job.__name__}")
            task.add_done_callback(lambda done: self._forget_failed(key, done))
        return await asyncio.shield(task)

    def _forget_failed(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        if task.cancelled() or task.exception() is not None:
            del self._made[key]


@cache
def files() -> dict[str, CachedResponse]:
    """The pages' files by their path. A browser may keep them: their address changes with their content.

    Types of scripts (``.d.ts``) are for whoever checks them, and stay here.
    """
    found = {
        path.relative_to(STATIC).as_posix(): path.read_bytes()
        for path in STATIC.rglob("*.*")
        if not path.name.endswith(".d.ts")
    }
    found |= {name: b"".join(found[part] for part in parts) for name, parts in _BUNDLES.items()}
    for language in LANGUAGES:
        found[f"{language}.webmanifest"] = json.dumps(_manifest(language), ensure_ascii=False).encode()
    headers = {"cache-control": f"public, max-age={_YEAR_S}, immutable"}
    return {name: CachedResponse(content, _TYPES[Path(name).suffix], headers) for name, content in found.items()}


def _manifest(language: str) -> dict[str, Any]:
    """What a phone needs to keep the page among its apps."""
    name = Text("Card launcher")[language]
    icon = {"src": "icon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any"}
    colours = {"background_color": "#fdf1dc", "theme_color": "#fdf1dc"}
    return {"name": name, "lang": language, "start_url": "/", "display": "standalone", "icons": [icon], **colours}


@cache
def version() -> str:
    """A name for the content of all files."""
    return hashlib.sha256("".join(sorted(file.headers["etag"] for file in files().values())).encode()).hexdigest()[:12]


def render(template: str, language: str, **facts: Any) -> CachedResponse:
    """One page in one language. Takes long: make it on another thread.

    :param facts: what the template knows; ``texts`` are those of its scripts, unless they are the launcher's.
    """
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
    environment.filters |= {"marked": marked, "isolated": isolated}
    usual = {"language": language, "static": f"/static/{version()}", "looks": LOOKS, "texts": script_texts(language)}
    given = usual | facts
    # "<" cannot close the script element early, whatever a text says.
    texts = json.dumps(given["texts"], ensure_ascii=False).replace("<", "\\u003c")
    page = environment.get_template(template).render(**given, script_texts=texts)
    return CachedResponse(page.encode(), "text/html", {"vary": "Accept-Language, Cookie"})


def description_for_people(app: FastAPI) -> CachedResponse:
    schema = app.openapi()
    facts = {"schema": schema, "description": Description(schema), "everywhere": EVERYWHERE}
    return render("docs.html", LANGUAGES[0], **facts)


def description_for_programs(app: FastAPI) -> CachedResponse:
    return CachedResponse(JSONResponse(app.openapi()).body, "application/json")


def sent(request: Request, made: CachedResponse) -> Response:
    """The answer as this browser takes it, or 304 when it has it."""
    answer = made.gzipped if _takes_gzip(request.headers.get("accept-encoding", "")) else made
    has = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return NotModifiedResponse(answer.headers) if answer.headers["etag"] in has else answer


def _takes_gzip(accept_encoding: str) -> bool:
    for offered in accept_encoding.lower().split(","):
        coding, _, weight = offered.partition(";")
        if coding.strip() in ("gzip", "x-gzip"):
            return re.fullmatch(r"\s*q\s*=\s*0(\.0*)?\s*", weight) is None
    return False


def add_pages(app: FastAPI, showing: Showing, about: dict[str, Any], policy: Policy, page_cache: PageCache) -> None:
    """Everything a browser opens that is not the API, the rules or the table.

    :param about: what else the page is to know of what it shows.
    """
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def page(request: Request, lang: str | None = None, token: str | None = None) -> Response:
        if token is not None and policy.knows_token(token):
            return await _welcome(request, policy, page_cache)
        if lang is not None:
            return switch_language(lang, "/")
        role = role_of(request)
        if role.rank < Rank.HOST:  # its buttons would refuse them
            return RedirectResponse("/table", 303)
        rights = {"may_switch_off": role.rank >= Rank.OWNER, "owners_phone": role.phone}
        facts = {"simulated": showing.toy is not None, **rights, **about}
        return sent(request, await page_cache.make(render, "page.html", language_of(request), **facts))

    @router.get("/api/v1/docs")
    async def describe(request: Request) -> Response:
        return sent(request, await page_cache.make(description_for_people, request.app))

    @router.get(OPENAPI_PATH)
    async def openapi(request: Request) -> Response:
        return sent(request, await page_cache.make(description_for_programs, request.app))

    add_files(router, page_cache)

    @router.get("/favicon.ico")
    async def icon() -> Response:
        return RedirectResponse(f"/static/{await page_cache.make(version)}/icon.svg")

    if policy.needs_token:
        _add_login(router, policy, page_cache)
    app.include_router(router)


def add_files(router: APIRouter, page_cache: PageCache) -> None:
    """The pages' files, at addresses that change with their content."""

    @router.get("/static/{version}/{name:path}")
    async def file(request: Request) -> Response:
        asked = request.path_params
        if asked["version"] != await page_cache.make(version) or (found := files().get(asked["name"])) is None:
            raise ProblemError("not_found")
        return sent(request, found)


def _add_login(router: APIRouter, policy: Policy, page_cache: PageCache) -> None:
    async def form(request: Request, status: int) -> Response:
        made = await page_cache.make(render, "login.html", language_of(request), wrong=status != 200)
        return HTMLResponse(made.body, status, OF_A_FORM)

    @router.get("/login")
    async def show(request: Request) -> Response:
        return await form(request, 200)

    @router.post("/login")
    async def login(request: Request) -> Response:
        fields = parse_qs((await whole_body(request)).decode("utf-8", "replace"))
        if policy.knows_token(fields.get("token", [""])[0].strip()):
            return await _welcome(request, policy, page_cache)
        return await form(request, 403)


async def _welcome(request: Request, policy: Policy, page_cache: PageCache) -> Response:
    """Set the cookie and go to the page by a step of our own: a redirect that began on another site (a link in a
    message) would not carry a strict cookie."""
    response = HTMLResponse((await page_cache.make(render, "link.html", language_of(request), url="/")).body)
    response.set_cookie(SESSION_COOKIE, policy.session(), max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
    return response


def switch_language(language: str, address: str) -> Response:
    """Back to the page, now in that language."""
    response = RedirectResponse(address, 303)
    response.set_cookie(LANGUAGE_COOKIE, choose_language(language, ""), max_age=_YEAR_S, samesite="lax", path="/")
    return response
