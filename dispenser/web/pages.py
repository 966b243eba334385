"""The pages of the launcher and of the table, their files, the description of the API, and the login form.

To add a page: add its template, a route that returns ``page_response``, and its scripts in ``static``.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import mimetypes
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from dispenser.i18n import catalog, isolated
from dispenser.web.access import Rank, role_of
from dispenser.web.errors import ProblemError
from dispenser.web.languages import COOKIE as LANGUAGE_COOKIE
from dispenser.web.languages import choose_language, language_of
from dispenser.web.schemas import whole_body
from dispenser.web.security import COOKIE as SESSION_COOKIE
from dispenser.web.security import Policy
from dispenser.web.table_texts import table_texts
from dispenser.web.texts import script_texts

if TYPE_CHECKING:
    from fastapi import FastAPI

    from dispenser.web.show import Showing

STATIC = Path(__file__).with_name("static")
_YEAR_S = 365 * 24 * 3600
FORM_HEADERS = {"referrer-policy": "same-origin", "cache-control": "no-store"}
"""Under the policy ``no-referrer`` a browser would send forms with the origin "null", which is refused as foreign."""


@cache
def files() -> dict[str, bytes]:
    """Return the static files by path, without type declarations (``.d.ts``), which only the type checker needs."""
    paths = [path for path in STATIC.rglob("*.*") if not path.name.endswith(".d.ts")]
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in sorted(paths)}


@cache
def version() -> str:
    """Return a hash of all files. It is part of their URLs, so that browsers may cache them without limit."""
    return hashlib.sha256(b"".join(files().values())).hexdigest()[:12]


@cache
def _environment(language: str) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.install_gettext_translations(catalog(language), newstyle=True)  # type: ignore[attr-defined]
    environment.policies["ext.i18n.trimmed"] = True
    environment.filters["isolated"] = isolated
    environment.globals |= {"language": language, "static": f"/static/{version()}"}
    return environment


def render(template: str, language: str, *, texts: Any = None, **facts: Any) -> str:
    """Render a template in one language; ``texts`` (default: the launcher's) are for its scripts. First call: slow."""
    given = json.dumps(script_texts(language) if texts is None else texts, ensure_ascii=False)
    # Escape "<", so that no text can close the script element.
    return _environment(language).get_template(template).render(script_texts=given.replace("<", "\\u003c"), **facts)


def html_response(request: Request, page: str) -> Response:
    """Return the page, 304 if the browser has it cached, or a redirect that stores the language of ``?lang=``."""
    if (language := request.query_params.get("lang")) is not None:
        left = request.url.remove_query_params("lang")
        response: Response = RedirectResponse(f"{left.path}?{left.query}" if left.query else left.path, 303)
        chosen = choose_language(language, "")
        response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=_YEAR_S, samesite="lax", path="/")
        return response
    tag = f'W/"{hashlib.sha256(page.encode()).hexdigest()[:24]}"'
    headers = {"cache-control": "no-cache", "vary": "Accept-Language, Cookie", "etag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return HTMLResponse(page, headers=headers)


async def page_response(request: Request, template: str, **facts: Any) -> Response:
    """Render a template in the language of the request."""
    return html_response(request, await asyncio.to_thread(render, template, language_of(request), **facts))


async def form_response(
    request: Request, template: str, status: int = 200, headers: dict[str, str] | None = None, **facts: Any
) -> Response:
    """Render a page with a form, which browsers must not cache."""
    page = await asyncio.to_thread(render, template, language_of(request), **facts)
    return HTMLResponse(page, status, {**FORM_HEADERS, **(headers or {})})


def add_pages(app: FastAPI, router: APIRouter, showing: Showing, about: dict[str, Any], policy: Policy) -> None:
    """Add the launcher's page, static files, OpenAPI and login; ``about`` holds variables for the launcher's page."""

    @router.get("/")
    async def page(request: Request, token: str | None = None) -> Response:
        if token is not None and policy.knows_token(token):
            return await _welcome(request, policy)
        role = role_of(request)
        if role.rank < Rank.HOST:  # the API would refuse its buttons
            return RedirectResponse("/table", 303)
        rights = {"may_switch_off": role.rank >= Rank.OWNER and showing.power is not None, "owners_phone": role.phone}
        return await page_response(request, "page.html", simulated=showing.simulator is not None, **rights, **about)

    @router.get("/api/v1/openapi.json")
    async def openapi() -> Response:
        return JSONResponse(await asyncio.to_thread(app.openapi))

    @router.get("/favicon.ico")
    async def icon() -> Response:
        return RedirectResponse(f"/static/{version()}/icon.svg")

    if policy.needs_token:
        _add_login(router, policy)
    add_files(router)


def add_table_pages(router: APIRouter, remind_s: float) -> None:
    """Add the pages ``/table`` and ``/screen``; after ``remind_s`` the page reminds the person it waits for."""
    # the icon as a data URL: one request less on a weak network
    facts = {"icon": f"data:image/svg+xml,{quote(files()['icon.svg'])}", "remind_s": remind_s}

    @router.get("/table")
    async def phone(request: Request) -> Response:
        texts = table_texts(language_of(request), screen=False)
        return await page_response(request, "table.html", texts=texts, owners_phone=role_of(request).phone, **facts)

    @router.get("/screen")
    async def screen(request: Request) -> Response:
        return await page_response(
            request,
            "screen.html",
            texts=table_texts(language_of(request), screen=True),
            by_key="key" in request.query_params,  # for a frame, where no other page can be shown and no cookie is kept
            **facts,
        )


def add_files(router: APIRouter) -> None:
    """Add the route of the static files; their URLs change with their content."""

    @router.get("/static/{asked_version}/{name:path}")
    async def file(asked_version: str, name: str) -> Response:
        if asked_version != version() or name not in files():
            raise ProblemError("not_found")
        headers = {"cache-control": f"public, max-age={_YEAR_S}, immutable"}
        return Response(files()[name], headers=headers, media_type=mimetypes.guess_type(name)[0])


def _add_login(router: APIRouter, policy: Policy) -> None:
    @router.get("/login")
    async def show(request: Request) -> Response:
        return await form_response(request, "login.html", wrong=False)

    @router.post("/login")
    async def login(request: Request) -> Response:
        fields = parse_qs((await whole_body(request)).decode("utf-8", "replace"))
        if policy.knows_token(fields.get("token", [""])[0].strip()):
            return await _welcome(request, policy)
        return await form_response(request, "login.html", 403, wrong=True)


async def _welcome(request: Request, policy: Policy) -> Response:
    """Set the session cookie, and return a page that opens ``/``.

    Not a redirect: after one that began on another site (a link in a message), browsers do not send strict cookies.
    """
    response = HTMLResponse(await asyncio.to_thread(render, "link.html", language_of(request), url="/"))
    response.set_cookie(SESSION_COOKIE, policy.session(), max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
    return response
