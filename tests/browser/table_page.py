"""What tests of the table's pages share: sizes, what is waited for, what is tapped."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, ViewportSize, expect

from tests.browser.rig import until
from tests.browser.stand_in import Phones, StandIn

PHONE: ViewportSize = {"width": 390, "height": 844}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
SMALL: ViewportSize = {"width": 360, "height": 640}
SMALL_SIDEWAYS: ViewportSize = {"width": 740, "height": 360}
BROKEN_LINE = "503|Failed to load|ERR_|404|401"


LONG_NAME = "Wolfeschlegelsteinhausen"
OUT_OF_REACH = """() => [...document.querySelectorAll(".bar button, .reach button")].filter((button) => {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top < 0 || bottom > innerHeight || !button.contains(met);
}).map((button) => button.ariaLabel ?? button.textContent.trim())"""
"""Buttons that are not whole in the window, or lie under something."""
LAST_CARD_IS_CLEAR = """() => {
  const card = [...document.querySelectorAll(".hand button")].at(-1);
  scrollBy(0, card.getBoundingClientRect().top - 4);
  const { left, right, bottom } = card.getBoundingClientRect();
  return card.contains(document.elementFromPoint((left + right) / 2, bottom - 4));
}"""


def long_hand(table: StandIn, language: str = "en") -> dict[str, Any]:
    """28 cards, ten at the table, and two that can be called out."""
    view = table.view(language)
    calls = ("UNO!", f"{LONG_NAME} forgot to say “UNO!”")
    if language == "fr":
        calls = ("UNO\xa0!", f"{LONG_NAME} n’a pas dit «\xa0UNO\xa0!\xa0»")
    seats = [{**view["seats"][seat % 4], "seat": seat, "name": LONG_NAME, "turn": seat == 1} for seat in range(10)]
    always = [{"label": label, "kind": "call", "send": {"do": label}} for label in calls]
    return {"hand": [view["hand"][0]] * 28, "seats": seats, "always": always}


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
