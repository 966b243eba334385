"""The routes of the evenings that were, ``/api/v1/table/evenings``: to look at, to take along, to delete."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from fastapi import APIRouter, Query, Request, Response

from dispenser.journal import Record
from dispenser.service.evenings import UnknownEveningError
from dispenser.table.evenings import EveningStory
from dispenser.table.export import as_csv
from dispenser.web import models
from dispenser.web.access import readable_seats, role_of
from dispenser.web.api import PageLength, Seq, entry_response, told
from dispenser.web.schemas import EVERYWHERE, answer, problems, takes

if TYPE_CHECKING:
    from collections.abc import Callable

    from dispenser.journal import JournalReader
    from dispenser.service.service import Service

PAGE: Final = 20
_NAME: Final = Query(description="Only evenings with somebody of this name.", max_length=200, examples=["Léa"])
_UNKNOWN: Final = {404: "There is no such evening, or none any more."}
_CSV: Final = {
    "description": "A line for each player of each round; RFC 4180, UTF-8.",
    "content": {"text/csv": {"schema": {"type": "string"}}},
}


def evenings_router(service: Service) -> APIRouter:
    """All of them. They are read beside the loop, and never at the start."""
    router = APIRouter(prefix="/api/v1/table", tags=["table"], responses=problems(EVERYWHERE))
    _add_deleting(router, service)  # first: else "delete" would be taken for an evening
    _add_looking(router, service)
    _add_exports(router, service)
    return router


def _add_looking(router: APIRouter, service: Service) -> None:
    page = answer(models.EveningPage, "The evenings.")

    @router.get("/evenings", response_class=Response, responses={200: page})
    async def evenings(
        request: Request,
        name: Annotated[str | None, _NAME] = None,
        skip: Annotated[Seq, Query(description="Leave out so many of the newest.")] = 0,
        limit: Annotated[PageLength, Query(description="Evenings at most.")] = PAGE,
    ) -> Response:
        """The evenings there were, the newest first: who was there, and what was played.

        The owner sees all of them, a phone those in which it had a seat.
        """
        first, most = skip or 0, limit or PAGE
        seats = readable_seats(role_of(request))
        found = await service.ask_journal(lambda journal: service.evenings.listed(journal, name, seats))
        return told(models.EveningPage(found[first : first + most], more=len(found) > first + most))

    story = answer(EveningStory, "The evening.")

    @router.get("/evenings/{evening}", response_class=Response, responses={200: story, **problems(_UNKNOWN)})
    async def one(request: Request, evening: str) -> Response:
        """All of one evening: rounds and points, who won, who had the luck. One that is under way, as it stands."""
        seats = readable_seats(role_of(request))
        return told(await service.ask_journal(lambda journal: service.evenings.story(journal, evening, seats)))


def _add_exports(router: APIRouter, service: Service) -> None:
    async def made(request: Request, name: str | None) -> list[EveningStory]:
        """One evening at a time, so that whoever else reads gets a turn."""
        seats = readable_seats(role_of(request))
        briefs = await service.ask_journal(lambda journal: service.evenings.listed(journal, name, seats))
        return [story for brief in briefs if (story := await service.ask_journal(story_if_there(service, brief.id)))]

    @router.get("/evenings.csv", response_class=Response, responses={200: _CSV})
    async def spreadsheet(request: Request, name: Annotated[str | None, _NAME] = None) -> Response:
        """All evenings for a spreadsheet; names that it would take for formulas have a quotation mark before them."""
        rows = as_csv(await made(request, name))
        return Response(rows, media_type="text/csv; charset=utf-8", headers=_saved_as("csv"))

    stories = answer(list[EveningStory], "All evenings, the newest first.")

    @router.get("/evenings.json", response_class=Response, responses={200: stories})
    async def programs(request: Request, name: Annotated[str | None, _NAME] = None) -> Response:
        """All evenings for programs."""
        found = msgspec.json.encode(await made(request, name))
        return Response(found, media_type="application/json", headers=_saved_as("json"))


def story_if_there(service: Service, id_: str) -> Callable[[JournalReader], EveningStory | None]:
    """Reads an evening, unless somebody has deleted it meanwhile."""

    def read(journal: JournalReader) -> EveningStory | None:
        try:
            return service.evenings.story(journal, id_)
        except UnknownEveningError:
            return None

    return read


def _saved_as(kind: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="evenings.{kind}"'}


def _add_deleting(router: APIRouter, service: Service) -> None:
    done = answer(Record, "The entry that tells of it.")
    refused = answer(models.TableRefused, "The evening is under way.")

    @takes(router, "/evenings/delete", responses={200: done, 409: refused, **problems(_UNKNOWN)})
    async def delete(request: Request, command: models.DeleteEvening) -> Response:
        """Delete an evening for good: its names and all that was played are taken out of the journal itself."""
        return entry_response(service.delete_evening(command.evening, by=role_of(request).person, request=command.id))
