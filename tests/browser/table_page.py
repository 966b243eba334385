"""What tests of the table's pages share: sizes, what is waited for, what is tapped."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, ViewportSize, expect

from tests.browser.rig import until
from tests.browser.stand_in import Phones, StandIn

PHONE: ViewportSize = {"width": 390, "height": 844}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
BROKEN_LINE = "503|Failed to load|ERR_|404|401"


async def sent(table: StandIn, count: int = 1) -> list[tuple[str, dict[str, Any]]]:
    """What was told, once there is so much of it."""
    await until(lambda: len(table.told) >= count)
    return table.told


async def listens(table: StandIn, lines: int = 1) -> None:
    """Until a page has opened so many lines: it shows what it asked for before it listens."""
    await until(lambda: table.opened >= lines)


async def says(page: Page, text: str) -> None:
    await expect(page.locator(".sentence")).to_have_text(text)


async def tap(page: Page, *names: str) -> None:
    for name in names:
        await page.get_by_role("button", name=name, exact=True).click()


async def send_of(on: Phones) -> dict[str, Any]:
    told: dict[str, Any] = (await sent(on.table))[0][1]["tell"]
    return told
