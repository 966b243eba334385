"""The page of the evenings that were, ``/evenings``: all of them, or those of ``?name=``, the newest first."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response

from dispenser.rules.library import BOOKS
from dispenser.rules.registry import GAMES
from dispenser.web.access import Rank, readable_seats, role_of
from dispenser.web.api import Seq
from dispenser.web.languages import language_of
from dispenser.web.pages import CachedResponse, render, sent, switch_language
from dispenser.web.table.charts import chart
from dispenser.web.table.evenings import story_if_there

if TYPE_CHECKING:
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
    async def evenings(
        request: Request, name: str = "", skip: Annotated[Seq, Query()] = 0, lang: str | None = None
    ) -> Response:
        name, first = name.strip()[:MOST_NAME], skip or 0
        if lang is not None:
            return switch_language(lang, _address(name, first))
        role = role_of(request)
        seats = readable_seats(role)
        briefs = await service.ask_journal(lambda journal: service.evenings.listed(journal, name or None, seats))
        more = first + PAGE if len(briefs) > first + PAGE else None
        # one at a time, so that whoever else reads gets a turn
        told = [await service.ask_journal(story_if_there(service, brief.id)) for brief in briefs[first : first + PAGE]]
        shown = tuple(story for story in told if story is not None)
        may_delete = role.rank >= Rank.OWNER
        make = asyncio.to_thread
        return sent(request, await make(evenings_page, language_of(request), shown, name, more, may_delete=may_delete))

    app.include_router(router)


def evenings_page(
    language: str,
    stories: tuple[EveningStory, ...],
    name: str = "",
    more: int | None = None,
    *,
    may_delete: bool = False,
) -> CachedResponse:
    """Evenings as a page. Takes long: make it on another thread.

    :param name: only evenings with somebody of this name are among them.
    :param more: how many newer ones the page with older ones leaves out, if there are older ones.
    """
    facts: dict[str, Any] = {
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
    return render("evenings.html", language, **facts)


def _address(name: str, skip: int = 0) -> str:
    query = urlencode({key: value for key, value in (("name", name), ("skip", skip)) if value})
    return f"{PATH}?{query}" if query else PATH
