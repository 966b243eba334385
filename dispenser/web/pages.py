"""The pages of the launcher and of the table, their files, the description of the API, and the login form.

To add a page: its template, a route that answers with ``page_response``, and its scripts among the files in ``static``.
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
"""Under the policy ``no-referrer`` a browser would send a form with the origin "null", like a stranger's."""


@cache
def files() -> dict[str, bytes]:
    """The pages' files by their path; types of scripts (``.d.ts``) are for whoever checks them."""
    paths = [path for path in STATIC.rglob("*.*") if not path.name.endswith(".d.ts")]
    return {path.relative_to(STATIC).as_posix(): path.read_bytes() for path in sorted(paths)}


@cache
def version() -> str:
    """A hash of all files: part of their address, so that a browser may keep them for ever."""
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
    """One page in one language, with ``texts`` for its scripts, or the launcher's. The first time it takes long."""
    given = json.dumps(script_texts(language) if texts is None else texts, ensure_ascii=False)
    # "<" cannot close the script element early, whatever a text says.
    return _environment(language).get_template(template).render(script_texts=given.replace("<", "\\u003c"), **facts)


def html_response(request: Request, page: str) -> Response:
    """The page, 304 for a browser that has it, or a redirect to it in the language that ``?lang=`` chooses."""
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
    """The page of a template in the language of whoever asks."""
    return html_response(request, await asyncio.to_thread(render, template, language_of(request), **facts))


async def form_response(
    request: Request, template: str, status: int = 200, headers: dict[str, str] | None = None, **facts: Any
) -> Response:
    """A page with a form, which no browser keeps."""
    page = await asyncio.to_thread(render, template, language_of(request), **facts)
    return HTMLResponse(page, status, {**FORM_HEADERS, **(headers or {})})


def add_pages(app: FastAPI, router: APIRouter, showing: Showing, about: dict[str, Any], policy: Policy) -> None:
    """Everything a browser opens that is not the API, the rules or the table; ``about`` is for the launcher's page."""

    @router.get("/")
    async def page(request: Request, token: str | None = None) -> Response:
        if token is not None and policy.knows_token(token):
            return await _welcome(request, policy)
        role = role_of(request)
        if role.rank < Rank.HOST:  # its buttons would refuse them
            return RedirectResponse("/table", 303)
        rights = {"may_switch_off": role.rank >= Rank.OWNER, "owners_phone": role.phone}
        return await page_response(request, "page.html", simulated=showing.toy is not None, **rights, **about)

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
    """A seat's phone, and the screen that everybody sees; who is waited for is called again after ``remind_s``."""
    # the icon as an address of its own: one request less for a phone on a weak network
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
            by_key="key" in request.query_params,  # in a frame no other page can be shown, and no cookie is kept
            **facts,
        )


def add_files(router: APIRouter) -> None:
    """The pages' files, at addresses that change with their content."""

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
    """Set the cookie and go to the page by a step of our own: a redirect that began on another site (a link in a
    message) would not carry a strict cookie."""
    response = HTMLResponse(await asyncio.to_thread(render, "link.html", language_of(request), url="/"))
    response.set_cookie(SESSION_COOKIE, policy.session(), max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
    return response
