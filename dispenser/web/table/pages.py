"""The pages of the table: a seat's phone, and the screen that everybody sees.

They are the same for everybody, but that an owner's phone is told that it is one; what they show comes with each
one's view.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from dispenser.web.access import role_of
from dispenser.web.languages import language_of
from dispenser.web.pages import CachedResponse, PageCache, files, render, sent, switch_language
from dispenser.web.table.texts import table_texts

if TYPE_CHECKING:
    from fastapi import FastAPI

PHONE, SCREEN = "table.html", "screen.html"


def table_page(template: str, language: str, remind_s: float = 0.0, *, owners_phone: bool = False) -> CachedResponse:
    """A page of the table. Takes long: make it on another thread."""
    texts = table_texts(language, screen=template == SCREEN)
    return render(template, language, texts=texts, icon=_icon(), remind_s=remind_s, owners_phone=owners_phone)


@cache
def _icon() -> str:
    """The icon as an address of its own: one request less for a phone on a weak network."""
    return f"data:image/svg+xml,{quote(bytes(files()['icon.svg'].body))}"


def add_table_pages(app: FastAPI, page_cache: PageCache, remind_s: float) -> None:
    """Both of them.

    :param remind_s: so long all wait for somebody before they are called again, seconds; 0: never.
    """
    router = APIRouter(include_in_schema=False)

    async def page(request: Request, template: str, lang: str | None) -> Response:
        if lang is not None:
            return switch_language(lang, request.url.path)
        owners_phone = template == PHONE and role_of(request).phone
        made = await page_cache.make(table_page, template, language_of(request), remind_s, owners_phone=owners_phone)
        return sent(request, made)

    @router.get("/table")
    async def phone(request: Request, lang: str | None = None) -> Response:
        return await page(request, PHONE, lang)

    @router.get("/screen")
    async def screen(request: Request, lang: str | None = None) -> Response:
        return await page(request, SCREEN, lang)

    app.include_router(router)
