"""Puts the web together: API, simulated toy, page, behind one guard."""

from __future__ import annotations

from collections.abc import MutableMapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from dispenser.web import errors
from dispenser.web.api import api_router
from dispenser.web.backroom import Backroom
from dispenser.web.connections import Connections
from dispenser.web.pages import page_router
from dispenser.web.schema import notice_schemas
from dispenser.web.script_show import ScriptShow, show_router
from dispenser.web.security import COOKIE, App, Guard, Policy
from dispenser.web.stream import Streams
from dispenser.web.toy_api import toy_router

if TYPE_CHECKING:
    from dispenser.service.service import Service

_DESCRIPTION = """\
A motorized card launcher: press it, and it may or may not throw cards at you.

Everything that happens is a journal entry with a gapless `seq` before anybody hears of it. So: take a snapshot,
then listen to the entries after its `seq`; after a pause resume with the last `seq` you saw. Nothing is missed and
nothing comes twice. The `data` of each entry type has its schema below, under the type's name.

Commands take an `id` of yours. The same id again gives the same answer and moves nothing, so a command whose answer
was lost can be sent again.
"""
_TOKEN = {
    "token": {"type": "http", "scheme": "bearer", "description": "The token of the settings, `web.token`."},
    "login": {"type": "apiKey", "in": "cookie", "name": COOKIE, "description": "What a browser gets by logging in."},
}
_NOWHERE = {
    "type": "http",
    "asgi": {"version": "3.0"},
    "http_version": "1.1",
    "method": "GET",
    "scheme": "http",
    "path": "/nowhere",
    "raw_path": b"/nowhere",
    "root_path": "",
    "query_string": b"",
    "headers": [(b"host", b"localhost")],
    "client": None,
    "server": None,
}
_TAGS = [
    {"name": "look", "description": "What is, and what was."},
    {"name": "listen", "description": "What happens, as it happens."},
    {"name": "command", "description": "Press, load, put right."},
    {"name": "toy", "description": "The simulated launcher's lid, button, cells and faults. 404 on a real one."},
]


def create_app(
    showing: Service | ScriptShow, policy: Policy, streams: Streams, connections: Connections | None = None
) -> App:
    """The whole web of one launcher as one ASGI application. Takes long; may be called on any thread.

    :param showing: its service, or a toy that a script drives.
    :param connections: those of the server, if it keeps count of them.
    """
    app = FastAPI(
        title="Card launcher",
        version=version("card-dispenser"),
        description=_DESCRIPTION,
        openapi_tags=_TAGS,
        openapi_url=None,  # ours is made in the back room
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    about: dict[str, Any] = {}
    if isinstance(showing, ScriptShow):
        app.include_router(show_router(showing, streams))
        about = {"script": showing.name, "wires": showing.wires}
    else:
        app.include_router(api_router(showing, streams))
    app.include_router(toy_router(showing))
    app.include_router(page_router(showing, about, policy, Backroom(showing)))
    errors.install(app)

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = get_openapi(
                title=app.title,
                version=app.version,
                description=app.description,
                routes=app.routes,
                tags=_TAGS,
                license_info={"name": "Apache 2.0", "identifier": "Apache-2.0"},
            )
            components = app.openapi_schema["components"]
            components["schemas"].update(notice_schemas())
            if policy.needs_token:
                components["securitySchemes"] = _TOKEN
                app.openapi_schema["security"] = [{name: []} for name in _TOKEN]
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]
    return Guard(app, policy, connections or Connections(streams.most))


async def warm_up(app: App) -> None:
    """Ask once for what is not there: FastAPI puts routes and middleware together at the first request, in 20 ms."""

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: MutableMapping[str, Any]) -> None:
        pass

    await app({**_NOWHERE}, receive, send)
