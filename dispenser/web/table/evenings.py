"""Past evenings: the page ``/evenings``; routes under ``/api/v1/table/evenings`` to read, export, delete them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import urlencode

import msgspec
from fastapi import APIRouter, Query, Request, Response

from dispenser.journal import Record
from dispenser.rules.library import BOOKS
from dispenser.rules.registry import GAMES
from dispenser.service.evenings import UnknownEveningError
from dispenser.table.evenings import EveningStory
from dispenser.table.export import as_csv
from dispenser.web import models
from dispenser.web.access import readable_seats, role_of
from dispenser.web.api import PageLength, Seq, json_response, record_response
from dispenser.web.languages import language_of
from dispenser.web.pages import page_response
from dispenser.web.schemas import answer, problems, takes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dispenser.journal import JournalReader
    from dispenser.service.service import Service
    from dispenser.table.evenings import EveningInBrief, MatchStory

PATH: Final = "/evenings"
PAGE: Final = 5
"""Evenings per page: each one that is not cached is replayed, which takes a third of a second."""
API_PAGE: Final = 20
MOST_NAME: Final = 200
_NAME: Final = Query(description="Only evenings with a person of this name.", max_length=MOST_NAME, examples=["Léa"])
_UNKNOWN: Final = problems({404: "There is no such evening, or it was deleted."})
_CSV: Final = {
    "description": "One line per player and round; RFC 4180, UTF-8.",
    "content": {"text/csv": {"schema": {"type": "string"}}},
}


def story_if_there(service: Service, id_: str) -> Callable[[JournalReader], EveningStory | None]:
    """Return a query for one evening; its result is ``None`` if the evening was deleted meanwhile."""

    def read(journal: JournalReader) -> EveningStory | None:
        try:
            return service.evenings.story(journal, id_)
        except UnknownEveningError:
            return None

    return read


async def _listed(service: Service, request: Request, name: str | None) -> list[EveningInBrief]:
    """Return the evenings that the sender may read, newest first."""
    seats = readable_seats(role_of(request))
    return await service.ask_journal(lambda journal: service.evenings.listed(journal, name, seats))


async def _stories(service: Service, briefs: Sequence[EveningInBrief]) -> list[EveningStory]:
    """Read the evenings one query at a time, so that other readers of the journal get a turn."""
    return [story for brief in briefs if (story := await service.ask_journal(story_if_there(service, brief.id)))]


# --- the page ------------------------------------------------------------------------------------------------------


def add_evenings_page(router: APIRouter, service: Service) -> None:
    """Add the page ``/evenings``: all evenings, or those of ``?name=``, newest first."""

    @router.get(PATH)
    async def evenings(request: Request, name: str = "", skip: Annotated[Seq, Query()] = 0) -> Response:
        name, first = name.strip()[:MOST_NAME], skip or 0
        briefs = await _listed(service, request, name or None)
        stories = await _stories(service, briefs[first : first + PAGE])
        more = first + PAGE if len(briefs) > first + PAGE else None
        facts = page_facts(language_of(request), stories, name, more, may_delete=role_of(request).owner)
        return await page_response(request, "evenings.html", **facts)


def page_facts(
    language: str, stories: Sequence[EveningStory], name: str = "", more: int | None = None, *, may_delete: bool = False
) -> dict[str, Any]:
    """Return the variables of the page's template.

    :param name: the filter by name.
    :param more: how many evenings the next page skips; ``None`` if this page is the last.
    """
    return {
        "stories": stories,
        "name": name,
        "query": f"?{urlencode({'name': name})}" if name else "",
        "here": _address(name),
        "older": None if more is None else _address(name, more),
        "may_delete": may_delete,
        "game_names": {game: book.name[language] for game, book in BOOKS.items()},
        "round_names": {game: folder.rules.words.round[language] for game, folder in GAMES.items()},
        "score_lines": score_lines,
        "texts": {"table": {}},
    }


def score_lines(match: MatchStory) -> list[dict[str, Any]]:
    """Return the points that ``pieces.js`` draws for each player: round number and score; players may join late.

    Empty if no player has two rounds with known scores.
    """
    lines: dict[str, list[tuple[int, int]]] = {name: [(0, 0)] for name in match.players}
    for number, players in enumerate(match.rounds, 1):
        for each in players:
            if each.score is not None:
                lines.setdefault(each.name, [(number - 1, 0)]).append((number, each.score))
    if all(points[-1][0] < 2 for points in lines.values()):
        return []
    return [{"name": name, "points": points} for name, points in lines.items()]


def _address(name: str, skip: int = 0) -> str:
    query = urlencode({key: value for key, value in (("name", name), ("skip", skip)) if value})
    return f"{PATH}?{query}" if query else PATH


# --- the routes ----------------------------------------------------------------------------------------------------


def add_evenings(router: APIRouter, service: Service) -> None:
    """Add the API routes. The journal is read on another thread, and only when asked."""
    _add_exports(router, service)
    done = answer(Record, "The record of the deletion.")
    refused = answer(models.TableRefused, "The evening is still open.")

    # before the route of one evening, which would match "delete" as an evening
    @takes(router, "/evenings/delete", responses={200: done, 409: refused, **_UNKNOWN})
    async def delete(request: Request, command: models.DeleteEvening) -> Response:
        """Delete an evening for good: names and moves are erased from the journal's file."""
        return record_response(service.delete_evening(command.evening, by=role_of(request).person, request=command.id))

    page = answer(models.EveningPage, "The evenings.")

    @router.get("/evenings", responses={200: page})
    async def evenings(
        request: Request,
        name: Annotated[str | None, _NAME] = None,
        skip: Annotated[Seq, Query(description="Skip this many of the newest evenings.")] = 0,
        limit: Annotated[PageLength, Query(description="Maximum number of evenings.")] = API_PAGE,
    ) -> Response:
        """Return a page of evenings, newest first: their people and matches.

        The owner gets all evenings, a phone those in which it had a seat.
        """
        first, most = skip or 0, limit or API_PAGE
        found = await _listed(service, request, name)
        return json_response(models.EveningPage(found[first : first + most], more=len(found) > first + most))

    story = answer(EveningStory, "The evening.")

    @router.get("/evenings/{evening}", responses={200: story, **_UNKNOWN})
    async def one(request: Request, evening: str) -> Response:
        """Return one evening, open or closed: matches with rounds, points and winners; the presses of each person."""
        seats = readable_seats(role_of(request))
        return json_response(await service.ask_journal(lambda journal: service.evenings.story(journal, evening, seats)))


def _add_exports(router: APIRouter, service: Service) -> None:
    def saved(content: str | bytes, kind: str, media_type: str) -> Response:
        headers = {"content-disposition": f'attachment; filename="evenings.{kind}"'}
        return Response(content, media_type=media_type, headers=headers)

    @router.get("/evenings.csv", responses={200: _CSV})
    async def spreadsheet(request: Request, name: Annotated[str | None, _NAME] = None) -> Response:
        """Return all evenings as CSV. Names that a spreadsheet would take for formulas begin with an apostrophe."""
        stories = await _stories(service, await _listed(service, request, name))
        return saved(as_csv(stories), "csv", "text/csv; charset=utf-8")

    stories = answer(list[EveningStory], "All evenings, newest first.")

    @router.get("/evenings.json", responses={200: stories})
    async def programs(request: Request, name: Annotated[str | None, _NAME] = None) -> Response:
        """Return all evenings as JSON, each as `/table/evenings/{evening}` returns it."""
        stories = await _stories(service, await _listed(service, request, name))
        return saved(msgspec.json.encode(stories), "json", "application/json")
