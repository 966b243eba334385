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
from dispenser.web.pages import files, page_response
from dispenser.web.table.texts import table_texts

if TYPE_CHECKING:
    from fastapi import FastAPI


@cache
def _icon() -> str:
    """The icon as an address of its own: one request less for a phone on a weak network."""
    return f"data:image/svg+xml,{quote(files()['icon.svg'])}"


def add_table_pages(app: FastAPI, remind_s: float) -> None:
    """Both of them.

    :param remind_s: so long all wait for somebody before they are called again, seconds; 0: never.
    """
    router = APIRouter(include_in_schema=False)

    @router.get("/table")
    async def phone(request: Request) -> Response:
        texts, owners_phone = table_texts(language_of(request), screen=False), role_of(request).phone
        facts = {"texts": texts, "icon": _icon(), "remind_s": remind_s, "owners_phone": owners_phone}
        return await page_response(request, "table.html", **facts)

    @router.get("/screen")
    async def screen(request: Request) -> Response:
        texts = table_texts(language_of(request), screen=True)
        return await page_response(request, "screen.html", texts=texts, icon=_icon(), remind_s=remind_s)

    app.include_router(router)
