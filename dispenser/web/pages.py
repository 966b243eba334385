"""The page, its files, and the login form."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Request, Response

from dispenser.web import docs
from dispenser.web.assets import assets, etag, version
from dispenser.web.errors import ProblemError
from dispenser.web.i18n import COOKIE as LANGUAGE_COOKIE
from dispenser.web.i18n import LANGUAGES, choose_language, translations
from dispenser.web.security import COOKIE as SESSION_COOKIE
from dispenser.web.security import Policy
from dispenser.web.texts import script_texts

if TYPE_CHECKING:
    from dispenser.web.script_show import ScriptShow

_HTML = "text/html; charset=utf-8"
_YEAR_S = 365 * 24 * 3600
_FOREVER = f"public, max-age={_YEAR_S}, immutable"


@cache
def render(template: str, language: str, **facts: Any) -> bytes:
    """One page in one language. Pages differ by nothing else, so each is rendered once."""
    return _rendered(template, language, facts)


def _rendered(template: str, language: str, facts: dict[str, Any]) -> bytes:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        extensions=["jinja2.ext.i18n"],
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    texts = translations(language)
    environment.install_gettext_translations(texts, newstyle=True)  # type: ignore[attr-defined]
    environment.policies["ext.i18n.trimmed"] = True
    # "<" cannot close the script element early, whatever a text says.
    script = json.dumps(script_texts(texts), ensure_ascii=False).replace("<", "\\u003c")
    html = environment.get_template(template).render(
        language=language, static=f"/static/{version()}", script_texts=script, **facts
    )
    return html.encode()


def page_router(policy: Policy, *, simulated: bool, script: ScriptShow | None = None) -> APIRouter:
    """Everything a browser opens that is not the API.

    :param simulated: hands on a simulated launcher belong to the page.
    :param script: what drives it, when that is not the launcher's own brain.
    """
    router = APIRouter(include_in_schema=False)
    facts: dict[str, Any] = {"simulated": simulated, "script": None}
    if script is not None:
        facts |= {"script": script.name, "wires": script.wires}
    _add_page(router, policy, facts)
    _add_assets(router)
    if policy.needs_token:
        _add_login(router, policy)
    return router


def _add_page(router: APIRouter, policy: Policy, facts: dict[str, Any]) -> None:
    @router.get("/")
    async def page(request: Request, lang: str | None = None, token: str | None = None) -> Response:
        if token is not None and policy.knows_token(token):
            return _welcome(_language(request), policy)
        if lang is not None:
            return _switch_language(lang)
        html = render("page.html", _language(request), **facts)
        return _cached(request, html, _HTML, "no-cache", vary="Accept-Language, Cookie")


def _add_assets(router: APIRouter) -> None:
    @router.get("/static/{of_version}/{name}")
    async def asset(request: Request, of_version: str, name: str) -> Response:
        found = assets().get(name)
        if found is None or of_version != version():
            raise ProblemError(404, "not_found", "There is no such file.", "Load the page again.")
        return _cached(request, found.body, found.media_type, _FOREVER)

    @router.get("/api/v1/docs")
    async def describe(request: Request) -> Response:
        schema = request.app.openapi()
        facts = {
            "everywhere": docs.EVERYWHERE,
            "introduction": [docs.marked(text) for text in schema["info"]["description"].split("\n\n")],
            "chapters": docs.chapters(schema),
            "entries": docs.entry_types(schema),
        }
        return _cached(request, _rendered("docs.html", LANGUAGES[0], facts), _HTML, "no-cache")

    @router.get("/favicon.ico")
    async def icon(request: Request) -> Response:
        found = assets()["icon.svg"]
        return _cached(request, found.body, found.media_type, "no-cache")


def _add_login(router: APIRouter, policy: Policy) -> None:
    @router.get("/login")
    async def form(request: Request) -> Response:
        return _login_page(request, 200)

    @router.post("/login")
    async def login(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        offered = parse_qs(body).get("token", [""])[0].strip()
        if policy.knows_token(offered):
            return _welcome(_language(request), policy)
        return _login_page(request, 403)


def _login_page(request: Request, status: int) -> Response:
    """The form. Under the policy ``no-referrer`` a browser would send it with the origin "null", like a stranger's."""
    html = render("login.html", _language(request), wrong=status != 200)
    return Response(html, status, {"referrer-policy": "same-origin"}, _HTML)


def _welcome(language: str, policy: Policy) -> Response:
    """Set the cookie and go to the page by a step of our own: a redirect that began on another site (a link in a
    message) would not carry a strict cookie."""
    response = Response(render("welcome.html", language), 200, media_type=_HTML)
    response.set_cookie(SESSION_COOKIE, policy.session(), max_age=_YEAR_S, httponly=True, samesite="strict", path="/")
    return response


def _switch_language(language: str) -> Response:
    response = Response(status_code=303, headers={"location": "/"})
    response.set_cookie(LANGUAGE_COOKIE, choose_language(language, None), max_age=_YEAR_S, samesite="lax", path="/")
    return response


def _language(request: Request) -> str:
    return choose_language(request.cookies.get(LANGUAGE_COOKIE), request.headers.get("accept-language"))


def _cached(request: Request, body: bytes, media_type: str, cache_control: str, vary: str | None = None) -> Response:
    """The body, or 304 when the browser has it."""
    headers = {"etag": etag(body), "cache-control": cache_control}
    if vary is not None:
        headers["vary"] = vary
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if headers["etag"] in known:
        return Response(status_code=304, headers=headers)
    return Response(body, 200, headers, media_type)
