"""The routes of the table, ``/api/v1/table``: views and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fastapi import APIRouter, Request, Response

from dispenser.i18n import Text
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.common import Around
from dispenser.table.views import Viewer, sheet, view
from dispenser.web import models
from dispenser.web.access import role_of, set_seat_cookie
from dispenser.web.api import json_response
from dispenser.web.errors import ProblemError
from dispenser.web.join import is_in, may_join_wifi
from dispenser.web.languages import language_of
from dispenser.web.rate_limit import client_of
from dispenser.web.schemas import answer, problems, stream, takes
from dispenser.web.table.views import ViewStream, viewer_of

if TYPE_CHECKING:
    from dispenser.service.evening import CommandResult
    from dispenser.service.service import Service
    from dispenser.table.table import Table
    from dispenser.web.rate_limit import RateLimiter
    from dispenser.web.security import Policy
    from dispenser.web.table.views import Views

DEMO_GAME: Final = "uno-extreme"
DEMO_OPTIONS: Final[dict[str, int | str | bool]] = {"customizable": 0}  # Without cards whose effect people agree on
DEMO_BOTS: Final = 2
DEMO_NAME: Final = "Sam"  # Name of a demo's player who gave none
_VIEWS: Final = stream(
    "Server-sent events: `view` is a complete view, sent at the beginning and at each change; `launcher` is the state "
    "of the launcher and its newest burst; `ping` is sent every 15 s; `moved`: another phone has taken the seat."
)


def add_views(router: APIRouter, service: Service, policy: Policy, views: Views) -> None:
    """Add the routes that read views."""

    def viewer(request: Request) -> Viewer:
        return viewer_of(_table(service), role_of(request), language_of(request))

    @router.get(
        "/view", responses={200: answer(dict[str, Any], "The view; `dispenser/table/README.md` lists its fields.")}
    )
    async def seen(request: Request) -> Response:
        """Return what the client's seat may see now, ready for display, with the commands that it may send."""
        in_wifi = is_in(policy.own_wifi(), request)
        join = views.join(joins_wifi=may_join_wifi(role_of(request), is_in_it=in_wifi))
        return json_response(view(_table(service), viewer(request), views.around(join)))

    @router.get("/sheet", responses={200: answer(dict[str, Any], "Corrections, seats and games.")})
    async def behind(request: Request) -> Response:
        """Return the content of the page's menu: possible corrections, the seats, and the games with their options."""
        return json_response(sheet(_table(service), viewer(request), Around(service.present)))

    @router.get("/views", responses={200: _VIEWS})
    async def live(request: Request) -> ViewStream:
        """Stream the view: complete, at the beginning and at each change."""
        return views.response(request)


def add_commands(router: APIRouter, service: Service, seats_taken: RateLimiter) -> None:
    """Add the routes that send commands to the table."""
    answers = {
        200: answer(models.CommandResult, "The command was carried out."),
        409: answer(models.TableRefused, "The table refuses the command; nothing has changed."),
        **problems({429: "Too many seats were taken, or commands sent, from this address lately."}),
    }

    def execute(request: Request, command: c.Command, at: int | None = None, id_: str | None = None) -> CommandResult:
        role, client = role_of(request), client_of(request)
        sits_down = isinstance(command, c.Join | c.Claim)
        if sits_down and not role.owner:
            seats_taken.check(client)
        result = service.execute(command, person=role.person, owner=role.owner, at=at, request=id_)
        if sits_down and result.events:
            seats_taken.spend(client)
        return result

    def done(request: Request, secret: str | None, *, gone: bool = False) -> Response:
        response = json_response(models.CommandResult(_table(service).at, reopen_stream=secret is not None or gone))
        if secret is not None:
            set_seat_cookie(response, secret, request)
        return response

    @takes(router, "/commands", responses=answers)
    async def execute_command(request: Request, command: models.TableCommand) -> Response:
        """Send a command to the table, such as `Join`, `Act`, `SetCount` or `Undo`."""
        result = execute(request, command.command, command.at, command.id)
        return done(request, result.secret, gone=isinstance(command.command, c.Leave))

    @takes(router, "/demo", responses=answers)
    async def play_bots(request: Request, command: models.Demo) -> Response:
        """Take a seat and start a match against two bots; open an evening first if none is under way."""
        person, secret, name = role_of(request).person, None, command.name or DEMO_NAME
        is_open = service.evening is not None and service.evening.is_open
        if not is_open or person is None:
            result = execute(request, c.Join(name) if is_open else c.Open(name), None, command.id)
            secret, person = result.secret, result.seated
        table = _table(service)
        if table.match is None or table.match.over:
            bots = sum(table.people.persons[number].bot for number in table.people.order)
            start = c.Start(DEMO_GAME, DEMO_OPTIONS, e.TrackingMode.CARDS)
            for each in (*[c.Bot()] * (DEMO_BOTS - bots), start):
                service.execute(each, person=person, owner=role_of(request).owner)
        return done(request, secret)


def _table(service: Service) -> Table:
    if service.evening is None:
        raise ProblemError(
            "unavailable",
            Text("The launcher cannot save anything now. Its owner must look at it; the game goes on afterwards."),
        )
    return service.evening.table
