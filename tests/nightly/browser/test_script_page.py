"""The page beside a script (``dispenser toy run``), in Chromium: hands on the page, the answer on the drawing."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from dispenser.web.texts import script_texts
from tests.browser.desk import LAUNCH, script
from tests.browser.rig import (
    LAPTOP,
    PHONE,
    flew,
    holds,
    in_chromium,
    narrow_enough,
    open_drawer,
    settled,
    show_tab,
    sounds,
)

ENGLISH = script_texts("en")
OVER = r"ERR_CONNECTION_REFUSED"

HEEDLESS = """
from signal import pause
from gpiozero import Motor

motor = Motor(23, 24, enable=25)
motor.forward(0.5)
print("set up", flush=True)
pause()
"""
BROKEN = """
from gpiozero import Button

print("set up", flush=True)
Button(17).wait_for_press()
raise RuntimeError
"""


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
        out = await page.evaluate("fetch('/api/v1/toy').then((toy) => toy.json())")
        await expect(page.locator("#count")).to_have_text(str(out["cards_out"]))
        await flew(page, out["cards_out"])
        await expect(page.locator("#stack-label text")).to_have_text(str(112 - out["cards_out"]))


@in_chromium
async def test_the_space_bar_is_held_like_the_button(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page()
        await page.bring_to_front()  # a window that is left takes its finger off the button
        await page.keyboard.down("Space")
        await expect(page.locator("#press")).to_have_class(re.compile(r"\bdown\b"))
        await says(page, "Motor forward, 100%.")
        await page.keyboard.up("Space")
        await says(page, re.compile("is running|sticks out"))
        await page.locator("#press").focus()
        await page.keyboard.down("Enter")
        await says(page, "Motor forward, 100%.")
        await page.evaluate("window.dispatchEvent(new Event('blur'))")  # another window: the finger is gone
        await says(page, re.compile("is running|sticks out"))


@in_chromium
async def test_the_lid_and_what_the_script_makes_of_it(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page()
        for _ in range(2):  # off and on: what would be heard before a page may sound is not heard at all
            await page.get_by_role("button", name="Sound").click()
        await sounds(page)
        await page.locator("#lid").click()
        await says(page, "The lid is open.")
        await expect(page.locator("#launcher")).to_have_attribute("data-lid", "open")
        await holds(page, "window.notes > 0")  # the script's beep is heard
        await page.locator("#lid").click()
        await says(page, "mine.py is running.")
        await expect(page.locator("#launcher")).to_have_attribute("data-lid", "shut")


@in_chromium
async def test_a_script_that_does_not_mind_the_lid_is_told_so(tmp_path: Path) -> None:
    async with script(HEEDLESS, tmp_path, "--cards", "0") as on:
        page = await on.page()
        await says(page, "Motor forward, 50%.")
        await page.locator("#lid").click()
        await says(page, ENGLISH["script"]["open_turning"])


@in_chromium
async def test_trouble_is_made_and_mended_on_the_page(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page()
        await open_drawer(page, "Trouble")
        await expect(page.locator("#faults label")).to_have_count(11)
        await page.get_by_label(ENGLISH["faults"]["roller_jam"]).check()
        await hold(page)
        await says(page, ENGLISH["sentence"]["jammed"])
        await page.mouse.up()
        await page.get_by_label(ENGLISH["faults"]["roller_jam"]).uncheck()
        await page.locator("#lid").click()
        await page.locator("#take-card").click()
        await page.locator("#lid").click()
        await says(page, "mine.py is running.")
        await show_tab(page, "Journal")
        await expect(page.locator("#journal")).to_contain_text("A card jams")


@in_chromium
async def test_cards_are_loaded_under_the_lid(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path, "--cards", "0") as on:
        page = await on.page()
        await says(page, ENGLISH["script"]["empty"])
        await page.locator("#load-open").click()
        await page.locator("#load-cards").fill("40")
        await page.locator("#load-ok").click()
        await says(page, "mine.py is running.")
        await expect(page.locator("#stack-label text")).to_have_text("40")
        await expect(page.locator("#launcher")).to_have_attribute("data-lid", "shut")


@in_chromium
async def test_the_page_says_when_the_script_is_over(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page(allow=OVER)
        await says(page, "mine.py is running.")
        await on.interrupt()
        await says(page, "The script is over.")
        await page.wait_for_event("requestfailed")  # the page looks for it again, in vain
        await says(page, "The script is over.")


@in_chromium
async def test_the_page_says_when_an_error_ended_the_script(tmp_path: Path) -> None:
    async with script(BROKEN, tmp_path) as on:
        page = await on.page(allow=OVER)
        await says(page, "mine.py is running.")
        await hold(page)
        await says(page, ENGLISH["script"]["failed"])


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@in_chromium
async def test_everything_is_on_the_screen_and_nothing_jumps(size: Any, locale: str, tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page(viewport=size, locale=locale)

        async def places() -> list[Any]:
            return [await page.locator(name).bounding_box() for name in ("#press", ".stage", ".bubble", "#lid")]

        await settled(page)
        before = await places()
        for box in before:
            assert box["y"] + box["height"] <= size["height"]
        await hold(page)
        await expect(page.locator("body")).to_have_attribute("data-state", "feeding")
        assert await places() == before
        await page.mouse.up()
        await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        await page.locator("#lid").click()
        await expect(page.locator("body")).to_have_attribute("data-state", "open")
        assert await places() == before
        await open_drawer(page, "Journal")
        await expect(page.locator("#journal li").first).to_be_visible()
        await narrow_enough(page)
