"""The page beside a script (``dispenser simulator run``), in Chromium: hands on the page, the answer on the drawing."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import Page, expect

from tests.browser.desk import LAUNCH, script
from tests.browser.rig import (
    flew,
    holds,
    in_chromium,
    settled,
)

OVER = r"ERR_CONNECTION_REFUSED"


async def says(page: Page, text: str | re.Pattern[str]) -> None:
    await expect(page.locator("#sentence")).to_have_text(text)


async def hold(page: Page) -> None:
    """The mouse goes down on the button, and stays down."""
    await settled(page)
    box = await page.locator("#press").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()


@in_chromium
async def test_the_button_is_down_for_as_long_as_the_mouse_is(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page()
        await says(page, "mine.py is running.")
        await expect(page.locator(".driven")).to_have_text(re.compile("no odds, and nobody counts presses"))
        launcher = page.locator("#launcher")
        await expect(launcher).to_have_attribute("data-light", "off")
        await hold(page)
        await says(page, "Motor forward, 100%.")
        await expect(launcher).to_have_attribute("data-mood", "feeding")
        await expect(launcher).to_have_attribute("data-light", "on")
        await expect(page.locator("#press")).to_have_class(re.compile(r"\bdown\b"))
        await holds(page, "window.flown >= 3")
        await page.mouse.up()
        await says(page, re.compile("is running|sticks out"))
        await expect(launcher).to_have_attribute("data-light", "off")
        await expect(page.locator("#press")).not_to_have_class(re.compile(r"\bdown\b"))
        out = await page.evaluate("fetch('/api/v1/simulator').then((simulator) => simulator.json())")
        await expect(page.locator("#count")).to_have_text(str(out["cards_out"]))
        await flew(page, out["cards_out"])
        await expect(page.locator("#stack-label text")).to_have_text(str(112 - out["cards_out"]))


@in_chromium
async def test_the_page_says_when_the_script_is_over(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page(allow=OVER)
        await says(page, "mine.py is running.")
        await on.interrupt()
        await says(page, "The script has ended.")
        await page.wait_for_event("requestfailed")  # the page looks for it again, in vain
        await says(page, "The script has ended.")
