"""The routes of the table, ``/api/v1/table``: what a phone shows, and what it says."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final

import msgspec
from fastapi import APIRouter, Request, Response

from dispenser.i18n import Text
from dispenser.table import messages as t
from dispenser.table.common import Around
from dispenser.table.views import sheet, view
from dispenser.web import models
from dispenser.web.access import Role, ServiceTable, role_of, set_seat_cookie
from dispenser.web.api import told
from dispenser.web.errors import ProblemError
from dispenser.web.join import invitation, is_in, wifi_for
from dispenser.web.languages import language_of
from dispenser.web.rate_limit import client_of
from dispenser.web.schemas import EVERYWHERE, answer, problems, stream, takes
from dispenser.web.table.views import ViewStream, viewer_of

if TYPE_CHECKING:
    from dispenser.service.evening import CommandResult
    from dispenser.service.service import Service
    from dispenser.table.table import Table
    from dispenser.web.rate_limit import RateLimiter
    from dispenser.web.security import OwnWifi, Policy
    from dispenser.web.table.views import Views

DEMO_GAME: Final = "uno-extreme"
DEMO_OPTIONS: Final[dict[str, int | str | bool]] = {"customizable": 0}
"""Without the cards that need a table to agree."""
DEMO_BOTS: Final = 2
DEMO_NAME: Final = "Sam"
"""Of whoever plays against bots and has not said how they are called."""
_VIEWS: Final = stream(
    "Server-sent events: `view` is a whole view, at the beginning and whenever it changes; `launcher` tells what the "
    "launcher does; `ping` comes every 15 s; after `moved` another phone speaks for this seat."
)


def table_router(service: Service, service_table: ServiceTable, policy: Policy, views: Views) -> APIRouter:
    """All of them but how one joins."""
    router = APIRouter(prefix="/api/v1/table", tags=["table"], responses=problems(EVERYWHERE))
    _add_telling(router, service, service_table, policy.seats_taken)
    _add_looking(router, service, service_table, policy, views)
    return router


def _add_looking(
    router: APIRouter, service: Service, service_table: ServiceTable, policy: Policy, views: Views
) -> None:
    @router.get("/view", response_class=Response, responses={200: answer(dict[str, Any], "The view.")})
    async def seen(request: Request) -> Response:
        """What a phone shows now, as its seat may see it."""
        role = role_of(request)
        join = _join(policy, request, wifi_for(policy, request))
        around = Around(service.present, views.cards_per_press(), join, views.by_phone)
        return told(view(_table(service_table), viewer_of(_table(service_table), role, language_of(request)), around))

    @router.get("/sheet", response_class=Response, responses={200: answer(dict[str, Any], "Menu and games.")})
    async def behind(request: Request) -> Response:
        """What stands behind the page: what can be set right, who sits where, and the games to choose from."""
        role = role_of(request)
        around = Around(service.present)
        return told(sheet(_table(service_table), viewer_of(_table(service_table), role, language_of(request)), around))

    @router.get("/views", response_class=Response, responses={200: _VIEWS})
    async def live(request: Request) -> ViewStream:
        """The view at every change, whole each time: nothing need be remembered."""

        def join(joins_wifi: bool) -> dict[str, Any] | None:
            return _join(policy, request, policy.own_wifi() if joins_wifi else None)

        role, in_wifi = partial(policy.role, request), is_in(policy.own_wifi(), request)
        return views.response(role, language_of(request), join, client_of(request), in_wifi=in_wifi)


def _add_telling(router: APIRouter, service: Service, service_table: ServiceTable, seats_taken: RateLimiter) -> None:
    done = answer(models.Told, "It is so now.")
    refused = answer(models.TableRefused, "The table does not do that now, and why.")
    too_many = problems({429: "Too many seats were taken from there, or commands given."})
    answers = {200: done, 409: refused, **too_many}

    def sit_down(request: Request, tell: t.Tell, at: int | None, id_: str | None) -> CommandResult:
        role, client = role_of(request), client_of(request)
        if not role.owner:
            seats_taken.check(client)
        said = _said(service, role, tell, at, id_)
        if said.entries:
            seats_taken.spend(client)
        return said

    @takes(router, "/tell", responses=answers)
    async def tell(request: Request, command: models.TellTable) -> Response:
        """Say something to the table: sit down, lay a card, count, take back."""
        if isinstance(command.tell, t.Join | t.Claim):
            said = sit_down(request, command.tell, command.at, command.id)
        else:
            said = _said(service, role_of(request), command.tell, command.at, command.id)
        return _answer(service_table, request, said.secret, gone=isinstance(command.tell, t.Leave))

    @takes(router, "/demo", responses=answers)
    async def play_bots(request: Request, command: models.Demo) -> Response:
        """Sit down with two bots and play at once: an evening begins, if none is under way."""
        role, secret = role_of(request), None
        name = command.name or DEMO_NAME
        person = role.person
        if not service_table.is_open:
            said = _said(service, role, t.Open(name), None, command.id)
            secret, person = said.secret, said.seated
        elif person is None:
            said = sit_down(request, t.Join(name), None, command.id)
            secret, person = said.secret, said.seated
        _play_bots(service, _table(service_table), Role(owner=role.owner, person=person))
        return _answer(service_table, request, secret)


def _play_bots(service: Service, table: Table, role: Role) -> None:
    """Seat bots and begin, unless a match is under way."""
    if table.match is not None and not table.match.over:
        return
    bots = sum(table.people.persons[number].bot for number in table.people.order)
    for _ in range(DEMO_BOTS - bots):
        _said(service, role, t.Bot(), None, None)
    _said(service, role, t.Start(DEMO_GAME, DEMO_OPTIONS, t.Telling.CARDS), None, None)


def _said(service: Service, role: Role, tell: t.Tell, at: int | None, request: str | None) -> CommandResult:
    return service.tell(tell, person=role.person, owner=role.owner, at=at, request=request)


def _answer(service_table: ServiceTable, request: Request, secret: str | None, *, gone: bool = False) -> Response:
    table = service_table.table
    response = told(models.Told(table.at if table else 0, anew=secret is not None or gone))
    if secret is not None:
        set_seat_cookie(response, secret, request)
    return response


def _table(service_table: ServiceTable) -> Table:
    table = service_table.table
    if table is None:
        raise ProblemError(
            "unavailable",
            Text("The launcher cannot save anything now. Its owner must look at it; the game goes on afterwards."),
        )
    return table


def _join(policy: Policy, request: Request, wifi: OwnWifi | None) -> dict[str, Any] | None:
    try:
        return msgspec.to_builtins(invitation(policy, request, wifi))  # type: ignore[no-any-return]
    except ProblemError:
        return None
