"""The workshop on the page, ``/workshop``, for the owner: self-test, calibration, and the launcher by hand.

Its routes are the page's own. What there is to see comes whole, in the reader's language; the answer to ``number``
waits for something newer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response

from dispenser.drivers.base import DriverError
from dispenser.service.answers import ServiceError
from dispenser.web import models
from dispenser.web.api import Seq, told
from dispenser.web.bodies import takes
from dispenser.web.errors import ProblemError
from dispenser.web.languages import language_of
from dispenser.web.pages import Backroom, render, sent, switch_language

if TYPE_CHECKING:
    from fastapi import FastAPI

    from dispenser.service.service import Service

PATH: Final = "/workshop"
WAIT_S: Final = 4.0
"""How long an answer waits for news; a page gives up after 8."""


def add_workshop(app: FastAPI, service: Service, backroom: Backroom) -> None:
    """The page and its routes."""
    router = APIRouter(include_in_schema=False)

    @router.get(PATH)
    async def page(request: Request, lang: str | None = None) -> Response:
        if lang is not None:
            return switch_language(lang, PATH)
        made = await backroom.make(render, "workshop.html", language_of(request), simulated=service.toy is not None)
        return sent(request, made)

    @router.get("/api/v1/workshop")
    async def look(request: Request, number: Annotated[Seq, Query()] = None) -> Response:
        if service.workshop is not None and number is not None:
            await service.workshop.changed(number, WAIT_S)
        return _seen(service, request)

    @takes(router, "/api/v1/workshop/open")
    async def begin(command: models.OpenWorkshop) -> Response:
        try:
            service.open_workshop(command.kind)
        except (ServiceError, DriverError) as error:
            raise ProblemError("workshop_refused", error.text) from error
        return told({"open": True})

    @takes(router, "/api/v1/workshop/tell")
    async def tell(command: models.TellWorkshop) -> Response:
        workshop = service.workshop
        if workshop is None or workshop.over:
            raise ProblemError("workshop_closed")
        try:
            workshop.tell(command.word)
        except ServiceError as error:
            raise ProblemError("workshop_refused", error.text) from error
        return told({"open": True})

    @takes(router, "/api/v1/workshop/close")
    async def end(command: models.CloseWorkshop) -> Response:  # noqa: ARG001 - nothing more to say
        service.leave()
        return told({"open": False})

    app.include_router(router)


def _seen(service: Service, request: Request) -> Response:
    workshop = service.workshop
    seen: dict[str, Any] = {"open": False}
    if workshop is not None and not workshop.over:
        seen = {"open": True, **workshop.told(language_of(request))}
    return told(seen)
