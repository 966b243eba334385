"""Build the web application: API, simulated launcher, pages, behind one guard."""

from __future__ import annotations

from functools import cache, partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response

from dispenser.web import errors
from dispenser.web.access import OWNER_COOKIE, SEAT_COOKIE, WATCH_COOKIE, open_evening
from dispenser.web.api import api_router
from dispenser.web.book_pages import add_book_pages
from dispenser.web.join import add_invitation, add_join, add_owners, owners_router, problem_response
from dispenser.web.owners import OwnerPhones
from dispenser.web.pages import add_pages, add_table_pages
from dispenser.web.schemas import api_routes, components
from dispenser.web.security import COOKIE, Guard, Policy
from dispenser.web.show import ScriptShow
from dispenser.web.table.evenings import add_evenings, add_evenings_page
from dispenser.web.table.routes import add_commands, add_views
from dispenser.web.table.views import Views
from dispenser.web.workshop import workshop_router

if TYPE_CHECKING:
    from dispenser.service.service import Service
    from dispenser.web.metrics import Metrics
    from dispenser.web.show import Showing
    from dispenser.web.stream import Streams

_DESCRIPTION = """\
A motorized card launcher: at a press it ejects cards or, at random, none.

Every event is stored as a record of the journal, with a `seq` without gaps, and is on disk before this API sends it. So
get `/snapshot` first, then read `/events` after its `seq`; after an interruption resume after the last `seq` received.
Each record then arrives exactly once. The `data` of each record type has a schema below, named like the type.

Commands take an optional `id`, chosen by the client. A repeated command with the same `id` gets the first answer and is
not carried out again, so a client that got no answer can send the command again.
"""
METRICS_FORMAT = "text/plain; version=0.0.4; charset=utf-8"
_TAGS = [
    {"name": "look", "description": "Read the state, the journal and the odds."},
    {"name": "listen", "description": "Stream of new records."},
    {"name": "table", "description": "Evenings: views for phones, commands, joining, history."},
    {"name": "command", "description": "Commands to the launcher and its computer."},
    {"name": "owner", "description": "Phones with the owner's rights."},
    {"name": "workshop", "description": "Self-test, calibration and manual control: for the owner."},
    {"name": "simulator", "description": "Operate the simulated launcher. 404 with a real one."},
]


def create_app(showing: Showing, policy: Policy, streams: Streams) -> Guard:
    """Build the ASGI application of one launcher. Slow; may be called on any thread."""
    app = FastAPI(
        openapi_url=None,  # pages.py serves it, built on another thread
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=5, thread_minimum_size=2**20)  # 60 kB in 1 ms
    pages = APIRouter(include_in_schema=False)
    about: dict[str, Any]
    if isinstance(showing, ScriptShow):
        about, most_cards = {"script": showing.name, "wires": showing.wires}, None
    else:
        _add_table(app, pages, showing, policy, streams)
        about, most_cards = {"table": True}, showing.settings.max_burst_cards
    app.include_router(api_router(showing, streams))
    add_pages(app, pages, showing, about, policy)
    add_join(pages, policy)
    add_book_pages(pages)
    app.include_router(pages)
    refuse = partial(problem_response, policy)
    errors.install(app, refuse)
    app.openapi = cache(lambda: _described(app, policy, most_cards))  # type: ignore[method-assign]
    return Guard(app, policy, showing.disk_waiter, refuse)


def _add_table(app: FastAPI, pages: APIRouter, service: Service, policy: Policy, streams: Streams) -> None:
    """Add the routes that need a service: table, past evenings, owner's phones, maintenance, metrics."""
    policy.evening = policy.evening or partial(open_evening, service)
    table = api_routes("/table", "table")
    add_views(table, service, policy, Views(service, policy, streams))
    add_commands(table, service, policy.seats_taken)
    add_invitation(table, policy)
    add_evenings(table, service)
    app.include_router(table)  # before the API's other routes: they are matched in order
    settings = service.all_settings.table
    add_table_pages(pages, settings.remind_s)
    phones = policy.owners = policy.owners or OwnerPhones(service.owners_file)
    add_owners(pages, phones)
    app.include_router(owners_router(policy, phones, streams.recheck_roles))
    add_evenings_page(pages, service)
    _add_metrics(pages, service, streams)
    app.include_router(workshop_router(pages, service))


def _add_metrics(pages: APIRouter, service: Service, streams: Streams) -> None:
    @cache
    def metrics() -> Metrics:
        from dispenser.web.metrics import Metrics  # imported at the first request

        return Metrics(service, streams)

    @pages.get("/metrics")
    async def read_metrics() -> Response:
        return Response(await metrics().text(), media_type=METRICS_FORMAT)


def _described(app: FastAPI, policy: Policy, most_cards: int | None) -> dict[str, Any]:
    """Return the OpenAPI description of all routes."""
    described = get_openapi(
        title="Card launcher",
        version=version("card-dispenser"),
        description=_DESCRIPTION,
        routes=app.routes,
        tags=_TAGS,
        license_info={"name": "Apache 2.0", "identifier": "Apache-2.0"},
    )
    described["components"] = {"schemas": components(most_cards)}
    if schemes := _security_schemes(policy):
        described["components"]["securitySchemes"] = schemes
        described["security"] = [{name: []} for name in schemes]
    return described


def _security_schemes(policy: Policy) -> dict[str, Any]:
    def cookie(name: str, description: str) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": name, "description": description}

    schemes: dict[str, Any] = {}
    if policy.needs_token:
        token = {"type": "http", "scheme": "bearer", "description": "The setting `web.token`."}
        schemes |= {"token": token, "login": cookie(COOKIE, "Session cookie of a browser, set by `/login`.")}
    if policy.settings.lan:
        schemes["watch"] = cookie(WATCH_COOKIE, "Cookie of a watcher, set after the table's code.")
        schemes["seat"] = cookie(SEAT_COOKIE, "Cookie of a seat, set by `Open`, `Join` and `Claim`.")
    if policy.settings.is_open:
        schemes["owner"] = cookie(OWNER_COOKIE, "Cookie of an owner's phone.")
    return schemes
