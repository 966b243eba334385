"""The page, its files, and the login form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response

from dispenser.language import LANGUAGES, Text, catalog
from dispenser.web import docs
from dispenser.web.assets import Asset, assets, version
from dispenser.web.backroom import Backroom
from dispenser.web.errors import ProblemError
from dispenser.web.i18n import COOKIE as LANGUAGE_COOKIE
from dispenser.web.i18n import choose_language, language_for
from dispenser.web.security import COOKIE as SESSION_COOKIE
from dispenser.web.security import Policy, client_of
from dispenser.web.texts import script_texts

if TYPE_CHECKING:
    from fastapi import FastAPI

    from dispenser.web.showing import Showing

OPENAPI_PATH = "/api/v1/openapi.json"
_HTML = "text/html; charset=utf-8"
_YEAR_S = 365 * 24 * 3600
_FOREVER = f"public, max-age={_YEAR_S}, immutable"


def render(template: str, language: str, **facts: Any) -> Asset:
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
    # "<" cannot close the script element early, whatever a text says.
    script = json.dumps(script_texts(language), ensure_ascii=False).replace("<", "\\u003c")
    html = environment.get_template(template).render(
        language=language, static=f"/static/{version()}", script_texts=script, **facts
    )
    return Asset.of(html.encode(), _HTML)


def _description_for_people(app: FastAPI) -> Asset:
    schema = app.openapi()
    facts = {
        "everywhere": docs.EVERYWHERE,
        "introduction": [docs.marked(text) for text in schema["info"]["description"].split("\n\n")],
        "chapters": docs.chapters(schema),
        "entries": docs.entry_types(schema),
    }
    return render("docs.html", LANGUAGES[0], **facts)


def _description_for_programs(app: FastAPI) -> Asset:
    return Asset.of(json.dumps(app.openapi(), ensure_ascii=False, separators=(",", ":")).encode(), "application/json")


def page_router(showing: Showing, about: dict[str, Any], policy: Policy, backroom: Backroom) -> APIRouter:
    """Everything a browser opens that is not the API.

    :param about: what else the page is to know of what it shows.
    """
    router = APIRouter(include_in_schema=False)
    _add_page(router, showing, about, policy, backroom)
    _add_assets(router, backroom)
    if policy.needs_token:
        _add_login(router, policy, backroom)
    return router


def _add_page(router: APIRouter, showing: Showing, about: dict[str, Any], policy: Policy, backroom: Backroom) -> None:
    @router.get("/")
    async def page(request: Request, lang: str | None = None, token: str | None = None) -> Response:
        if token is not None and policy.knows_token(token):
            return await _welcome(language_for(request.headers), policy, backroom)
        if lang is not None:
            return _switch_language(lang)
        html = await backroom.make(
            render, "page.html", language_for(request.headers), simulated=showing.toy is not None, **about
        )
        return _cached(request, html, "no-cache", vary="Accept-Language, Cookie")


def _add_assets(router: APIRouter, backroom: Backroom) -> None:
    @router.get("/static/{of_version}/{name}")
    async def asset(request: Request, of_version: str, name: str) -> Response:
        found = (await backroom.make(assets)).get(name)
        if found is None or of_version != version():
            raise ProblemError(404, "not_found", Text("There is no such file."), Text("Load the page again."))
        return _cached(request, found, _FOREVER)

    @router.get("/api/v1/docs")
    async def describe(request: Request) -> Response:
        return _cached(request, await backroom.make(_description_for_people, request.app), "no-cache")

    @router.get(OPENAPI_PATH)
    async def openapi(request: Request) -> Response:
        return _cached(request, await backroom.make(_description_for_programs, request.app), "no-cache")

    @router.get("/favicon.ico")
    async def icon(request: Request) -> Response:
        return _cached(request, (await backroom.make(assets))["icon.svg"], "no-cache")


def _add_login(router: APIRouter, policy: Policy, backroom: Backroom) -> None:
    @router.get("/login")
    async def form(request: Request) -> Response:
        return await _login_page(request, 200, backroom)

    @router.post("/login")
    async def login(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        offered = parse_qs(body).get("token", [""])[0].strip()
        if policy.knows_token(offered):
            return await _welcome(language_for(request.headers), policy, backroom)
        await policy.guesses.wait(client_of(request.scope))
        return await _login_page(request, 403, backroom)


async def _login_page(request: Request, status: int, backroom: Backroom) -> Response:
    """The form. Under the policy ``no-referrer`` a browser would send it with the origin "null", like a stranger's."""
    html = await backroom.make(render, "login.html", language_for(request.headers), wrong=status != 200)
    return Response(html.body, status, {"referrer-policy": "same-origin"}, _HTML)


async def _welcome(language: str, policy: Policy, backroom: Backroom) -> Response:
    """Set the cookie and go to the page by a step of our own: a redirect that began on another site (a link in a
    message) would not carry a strict cookie."""
    html = await backroom.make(render, "welcome.html", language)
    response = Response(html.body, 200, media_type=_HTML)
    response.set_cookie(SESSION_COOKIE, policy.session(), max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
    return response


def _switch_language(language: str) -> Response:
    response = Response(status_code=303, headers={"location": "/"})
    response.set_cookie(LANGUAGE_COOKIE, choose_language(language, None), max_age=_YEAR_S, samesite="lax", path="/")
    return response


def _cached(request: Request, found: Asset, cache_control: str, vary: str | None = None) -> Response:
    """The body, or 304 when the browser has it."""
    headers = {"etag": found.etag, "cache-control": cache_control}
    if vary is not None:
        headers["vary"] = vary
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        return Response(status_code=304, headers=headers)
    return Response(found.body, 200, headers, found.media_type)
