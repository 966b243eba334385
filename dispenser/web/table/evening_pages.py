"""The page of the evenings that were, ``/evenings``: all of them, or those of ``?name=``, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from dispenser.rules.library import BOOKS
from dispenser.rules.registry import GAMES
from dispenser.web.access import readable_seats, role_of
from dispenser.web.api import Seq
from dispenser.web.languages import language_of
from dispenser.web.pages import page_response
from dispenser.web.table.charts import chart
from dispenser.web.table.evenings import story_if_there

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastapi import FastAPI

    from dispenser.service.service import Service
    from dispenser.table.evenings import EveningStory

PATH: Final = "/evenings"
PAGE: Final = 5
"""Evenings on a page: each that nobody has asked for lately is played again, which takes a third of a second."""
MOST_NAME: Final = 200
"""Signs of a name."""


def add_evening_pages(app: FastAPI, service: Service) -> None:
    """The one there is."""
    router = APIRouter(include_in_schema=False)

    @router.get(PATH)
    async def evenings(request: Request, name: str = "", skip: Annotated[Seq, Query()] = 0) -> Response:
        name, first = name.strip()[:MOST_NAME], skip or 0
        role = role_of(request)
        seats = readable_seats(role)
        briefs = await service.ask_journal(lambda journal: service.evenings.listed(journal, name or None, seats))
        more = first + PAGE if len(briefs) > first + PAGE else None
        # one at a time, so that whoever else reads gets a turn
        told = [await service.ask_journal(story_if_there(service, brief.id)) for brief in briefs[first : first + PAGE]]
        stories = [story for story in told if story is not None]
        return await page_response(
            request, "evenings.html", **page_facts(language_of(request), stories, name, more, may_delete=role.owner)
        )

    app.include_router(router)


def page_facts(
    language: str,
    stories: Sequence[EveningStory],
    name: str = "",
    more: int | None = None,
    *,
    may_delete: bool = False,
) -> dict[str, Any]:
    """What the template of the page shows.

    :param name: only evenings with somebody of this name are among them.
    :param more: how many newer ones the page with older ones leaves out, if there are older ones.
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
        "chart": chart,
        "texts": {},
    }


def _address(name: str, skip: int = 0) -> str:
    query = urlencode({key: value for key, value in (("name", name), ("skip", skip)) if value})
    return f"{PATH}?{query}" if query else PATH
