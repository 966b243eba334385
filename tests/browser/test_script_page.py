"""The page beside a script (``dispenser toy run``), in Chromium: hands on the page, the answer on the drawing."""

from __future__ import annotations

import asyncio
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from dispenser.web.texts import script_texts
from tests.browser.rig import LAPTOP, PATIENCE_S, PHONE, Front, chromium, flown, open_drawer, play, show_tab

pytestmark = pytest.mark.browser

ENGLISH = script_texts("en")
OVER = r"ERR_CONNECTION_REFUSED"

LAUNCH = """
from signal import pause
from gpiozero import LED, Button, Motor, TonalBuzzer

motor, light, buzzer = Motor(23, 24, enable=25), LED(16), TonalBuzzer(18)
button, lid = Button(17, bounce_time=0.02), Button(27, bounce_time=0.02)

def go():
    light.on()
    motor.forward()

def halt():
    light.off()
    motor.stop()

button.when_pressed, button.when_released = go, halt
lid.when_released, lid.when_pressed = lambda: buzzer.play(440), buzzer.stop
print("set up", flush=True)
pause()
"""
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


class Desk(Front):
    """A script under way, and a browser in front of its page."""

    process: asyncio.subprocess.Process

    async def page(self, **context: Any) -> Page:
        page = await self.open_page(wait=False, **context)
        # before its line is open a page is "connecting", then "away", and a push on it is none
        await expect(page.locator("body")).to_have_attribute("data-state", re.compile("^(?!connecting|away)"))
        return page

    async def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE_S):
            await self.process.wait()


@asynccontextmanager
async def script(source: str, folder: Path, *options: str) -> AsyncIterator[Desk]:
    (folder / "mine.py").write_text(source)
    command = ["-c", "from dispenser.cli import main; main()", "toy", "run", "--no-browser", "--port", "0"]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *command,
        *("--seed", "recipes", *options),
        folder / "mine.py",
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr is not None
        found = re.match(rb"Page: (\S+)", await process.stderr.readline())
        assert found is not None
        assert process.stdout is not None
        assert await process.stdout.readline() == b"set up\n"
        async with chromium() as browser:
            desk = Desk(browser)
            desk.process, desk.address = process, found[1].decode()
            yield desk
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()
    assert not desk.complaints, desk.complaints


async def says(page: Page, text: str | re.Pattern[str]) -> None:
    await expect(page.locator("#sentence")).to_have_text(text)


async def hold(page: Page) -> None:
    """The mouse goes down on the button, and stays down."""
    box = await page.locator("#press").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    await page.mouse.down()


def test_the_button_is_down_for_as_long_as_the_mouse_is(tmp_path: Path) -> None:
    async def scenario() -> None:
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
            while await flown(page) < 3:  # noqa: ASYNC110 - the page tells nobody
                await asyncio.sleep(0.02)
            await page.mouse.up()
            await says(page, re.compile("is running|sticks out"))
            await expect(launcher).to_have_attribute("data-light", "off")
            await expect(page.locator("#press")).not_to_have_class(re.compile(r"\bdown\b"))
            out = await page.evaluate("fetch('/api/v1/toy').then((toy) => toy.json())")
            await expect(page.locator("#count")).to_have_text(str(out["cards_out"]))
            assert await flown(page) == out["cards_out"]
            await expect(page.locator("#stack-label text")).to_have_text(str(112 - out["cards_out"]))

    play(scenario)


def test_the_space_bar_is_held_like_the_button(tmp_path: Path) -> None:
    async def scenario() -> None:
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

    play(scenario)


def test_the_lid_and_what_the_script_makes_of_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with script(LAUNCH, tmp_path) as on:
            page = await on.page()
            await page.locator("#lid").click()
            await says(page, "The lid is open.")
            await expect(page.locator("#launcher")).to_have_attribute("data-lid", "open")
            await page.wait_for_function("window.notes > 0")  # the script's beep is heard
            await page.locator("#lid").click()
            await says(page, "mine.py is running.")
            await expect(page.locator("#launcher")).to_have_attribute("data-lid", "shut")

    play(scenario)


def test_a_script_that_does_not_mind_the_lid_is_told_so(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with script(HEEDLESS, tmp_path, "--cards", "0") as on:
            page = await on.page()
            await says(page, "Motor forward, 50%.")
            await page.locator("#lid").click()
            await says(page, ENGLISH["script"]["open_turning"])

    play(scenario)


def test_trouble_is_made_and_mended_on_the_page(tmp_path: Path) -> None:
    async def scenario() -> None:
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

    play(scenario)


def test_cards_are_loaded_under_the_lid(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with script(LAUNCH, tmp_path, "--cards", "0") as on:
            page = await on.page()
            await says(page, ENGLISH["script"]["empty"])
            await page.locator("#load-open").click()
            await page.locator("#load-cards").fill("40")
            await page.locator("#load-ok").click()
            await says(page, "mine.py is running.")
            await expect(page.locator("#stack-label text")).to_have_text("40")
            await expect(page.locator("#launcher")).to_have_attribute("data-lid", "shut")

    play(scenario)


def test_the_page_says_when_the_script_is_over(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with script(LAUNCH, tmp_path) as on:
            page = await on.page(allow=OVER)
            await says(page, "mine.py is running.")
            await on.interrupt()
            await says(page, "The script is over.")
            await page.wait_for_timeout(1000)  # the page looks for it again, in vain
            await says(page, "The script is over.")

    play(scenario)


def test_the_page_says_when_an_error_ended_the_script(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with script(BROKEN, tmp_path) as on:
            page = await on.page(allow=OVER)
            await says(page, "mine.py is running.")
            await hold(page)
            await says(page, ENGLISH["script"]["failed"])

    play(scenario)


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
def test_everything_is_on_the_screen_and_nothing_jumps(size: Any, locale: str, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with script(LAUNCH, tmp_path) as on:
            page = await on.page(viewport=size, locale=locale)

            async def places() -> list[Any]:
                return [await page.locator(name).bounding_box() for name in ("#press", ".stage", ".bubble", "#lid")]

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
            assert await page.evaluate("document.documentElement.scrollWidth") <= size["width"]

    play(scenario)
