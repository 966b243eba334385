"""The maintenance page, ``/workshop``, for the owner: self-test, calibration, manual control.

The state is sent as a whole, in the reader's language; a request with ``number`` waits for a newer one. The page and
the terminal only display it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response

from dispenser.drivers.base import DriverError
from dispenser.service.requests import ServiceError
from dispenser.web import models
from dispenser.web.api import Seq, json_response
from dispenser.web.errors import ProblemError
from dispenser.web.languages import language_of
from dispenser.web.pages import page_response
from dispenser.web.schemas import answer, api_routes, problems, takes

if TYPE_CHECKING:
    from dispenser.service.service import Service

PATH: Final = "/workshop"


def workshop_router(pages: APIRouter, service: Service) -> APIRouter:
    """Return the API routes, and add the page to ``pages``."""

    @pages.get(PATH)
    async def page(request: Request) -> Response:
        return await page_response(request, "workshop.html", simulated=service.simulator is not None)

    router = api_routes("/workshop", "workshop")
    seen = answer(dict[str, Any], "The state, in the language of the request; only `open` while it is closed.")
    done = answer(models.WorkshopState, "The new state.")

    @router.get("", responses={200: seen})
    async def look(
        request: Request,
        number: Annotated[
            Seq, Query(description="`number` of the last state received: wait up to 4 s for a newer one.")
        ] = None,
    ) -> Response:
        """Return the state of the workshop. It closes if nobody has requested its state for 30 s."""
        workshop = service.workshop
        seen = await workshop.look(number, language_of(request)) if workshop is not None else {"open": False}
        return json_response(seen)

    refused = problems({409: "The workshop is open already, the launcher is in use, or its inputs cannot be read."})

    @takes(router, "/open", responses={200: done, **refused})
    async def begin(command: models.OpenWorkshop) -> Response:
        """Start a self-test, a calibration or manual control. While the workshop is open, presses are refused."""
        try:
            service.open_workshop(command.kind)
        except (ServiceError, DriverError) as error:
            raise ProblemError("workshop_refused", error.text) from error
        return json_response({"open": True})

    unheard = problems({409: "The workshop is closed, or its state does not offer this answer."})

    @takes(router, "/answer", responses={200: done, **unheard})
    async def send_answer(command: models.WorkshopAnswer) -> Response:
        """Send one of the answers that the state of the workshop offers."""
        workshop = service.workshop
        if workshop is None or workshop.over:
            raise ProblemError("workshop_closed")
        try:
            workshop.answer(command.answer)
        except ServiceError as error:
            raise ProblemError("workshop_refused", error.text) from error
        return json_response({"open": True})

    @takes(router, "/close", responses={200: done})
    async def end(command: models.Nothing) -> Response:  # noqa: ARG001 - the body is empty
        """Close the workshop; presses are accepted again."""
        service.leave()
        return json_response({"open": False})

    return router
