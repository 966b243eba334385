"""Nobody is shut out of a page: axe, small windows, large text, dark, keyboard, reduced motion, screen reader."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, ViewportSize, expect

from dispenser.launcher.commands import Press
from dispenser.launcher.messages import CardLeft
from dispenser.launcher.settings import MachineSettings
from dispenser.service.settings import Settings
from tests.browser.rig import (
    LAPTOP,
    NARROW,
    PHONE,
    Table,
    fits,
    flew,
    in_chromium,
    narrow_enough,
    open_drawer,
    settled,
    table,
)
from tests.browser.stand_in import SCENES, SIDEWAYS, phones, says

LONG_SUSPENSE = Settings(launcher=MachineSettings(suspense_min_s=3.0, suspense_max_s=3.0))
"""A drum roll during which a test can measure."""
OF_A_TABLE = "rules/uno-extreme?options=scoring:low-score,target:300"
HOUSE = ("", "rules", OF_A_TABLE, "rules/151?word=joker", "rules/E-99", "evenings", "workshop")
IN_PANELS = {"bursts": "#bursts tbody tr", "odds": "#chart svg", "trouble": "#faults label", "journal": "#journal li"}
"""What shows that a tab of the launcher's drawer is filled."""
SMALLEST_TEXT_PX = 18
SMALLEST_TOUCH_PX = 44
TOO_SMALL = """
([text, touch]) => [...document.querySelectorAll("body *:not(svg *, script, noscript *)")].filter((one) => {
  if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  if (one.closest(".visually-hidden, .skip, dialog:not([open])")) return false;
  const says = [...one.childNodes].some((each) => each.nodeType === Node.TEXT_NODE && each.data.trim());
  const touched = one.matches("button, summary, .tool, .contents a, .faults label, input:not([type=checkbox])");
  return (says && parseFloat(getComputedStyle(one).fontSize) < text)
    || (touched && Math.min(one.offsetWidth, one.offsetHeight) < touch);
}).map((one) => one.outerHTML.slice(0, 160))
"""
ANIMATED = """() => [...document.querySelectorAll("*")]
  .filter((one) => getComputedStyle(one).animationName !== "none").map((one) => one.className)"""


async def shuts_nobody_out(page: Page, scene: str) -> None:
    """Nothing beside the window, also with text twice as large, and nothing that axe-core minds."""
    await fits(page, scene)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await narrow_enough(page, f"{scene}, large text")
    await page.evaluate("document.documentElement.style.fontSize = ''")


# --- the pages of the house ---


async def opened(on: Table, path: str, **context: Any) -> Page:
    page = await on.open_page(wait=False, allow="404", **context)
    await page.goto(on.address + path)
    await expect(page.locator("main")).to_be_visible()
    return page


async def states(page: Page, path: str) -> AsyncIterator[str]:
    """All that a page of the house has to show."""
    await page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
    yield path
    if not path:
        await open_drawer(page)
        for name, content in IN_PANELS.items():
            await page.locator(f"#tab-{name}").click()
            await expect(page.locator(content).first).to_be_visible()
            await settled(page)
            yield name


@pytest.mark.parametrize(("scheme", "locale"), [("light", "en"), ("dark", "fr")])
@pytest.mark.parametrize("path", HOUSE)
@in_chromium
async def test_a_page_of_the_house_is_for_everybody(path: str, scheme: str, locale: str) -> None:
    async with table() as on:
        await on.eject(2)
        page = await opened(on, path, viewport=NARROW, locale=locale, color_scheme=scheme)
        async for state in states(page, path):
            await shuts_nobody_out(page, state)
            assert await page.evaluate(TOO_SMALL, [SMALLEST_TEXT_PX, SMALLEST_TOUCH_PX]) == [], state


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ["skip", "sound", "tool", "press", "play", "lid", "load-open", "drawer-handle"]),
        ("rules/uno", ["skip", "home", "language", "A", "word", "handle strong", "SUMMARY", "id"]),
    ],
)
@in_chromium
async def test_everything_is_reached_by_keyboard_in_a_sensible_order(path: str, expected: list[str]) -> None:
    async with table() as on:
        page = await opened(on, path)
        if not path:
            await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        order = []
        for _ in expected:
            await page.keyboard.press("Tab")
            order.append(await focused(page))
            assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", order
        assert order == expected


SIZES: list[ViewportSize] = [
    {"width": 320, "height": 568},
    {"width": 360, "height": 640},
    {"width": 667, "height": 375},
    {"width": 768, "height": 1024},
    LAPTOP,
    {"width": 1920, "height": 1080},
]


@pytest.mark.parametrize("locale", ["en", "fr"])
@in_chromium
async def test_button_and_lid_are_seen_without_scrolling_in_every_window(locale: str) -> None:
    async with table() as on:
        page = await on.open_page(locale=locale)
        for size in SIZES:
            await page.set_viewport_size(size)
            await narrow_enough(page, str(size))
            for name in ("#press", "#lid"):
                await expect(page.locator(name)).to_be_in_viewport(ratio=1)


@in_chromium
async def test_with_reduced_motion_cards_appear_and_nothing_moves() -> None:
    async with table(settings=LONG_SUSPENSE) as on:
        page = await on.open_page(reduced_motion="reduce")
        await on.service.handle(Press(), "test")  # a dud, with suspense
        await expect(page.locator("body")).to_have_attribute("data-state", "suspense")
        assert await page.evaluate("document.getAnimations().length") == 0
        await expect(page.locator("#drum")).to_have_css("opacity", "1")  # it is seen, though it does not move
        await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        await on.eject(4)
        await expect(page.locator(".flown")).to_have_count(len(on.records(CardLeft.type)))


@in_chromium
async def test_a_screen_reader_hears_what_is_going_on() -> None:
    async with table() as on:
        page = await on.open_page()
        drawing = page.get_by_role("img").first
        await expect(drawing).to_have_accessible_name(
            "The launcher, its lid shut. About 112 cards inside. The light is on."
        )
        await on.eject(3)
        seen = len(on.records(CardLeft.type))
        await flew(page, seen)
        on.simulator.take_card()
        on.simulator.open_lid()
        await expect(page.get_by_role("status")).to_have_text("Lid open: nothing can move.")
        await expect(drawing).to_have_accessible_name(
            f"The launcher, its lid open. About {on.service.snapshot()['cards_inside']} cards inside. "
            f"The light is off. {seen} cards on the table."
        )
        await open_drawer(page)
        await page.get_by_role("tab", name="Presses").press("ArrowRight")
        await expect(page.get_by_role("tab", name="Odds")).to_be_focused()
        await expect(page.get_by_role("tabpanel", name="Odds")).to_be_visible()


# --- the pages of the table ---


BEHIND_A_TAP: list[tuple[str, tuple[str, ...]]] = [
    ("referee", ("Red",)),
    ("cards", ("Wild",)),
    ("counter", ("I am out!",)),
    ("asks", ("Another number",)),
    ("referee", ("Menu", "How we play")),
    ("between", ("Scores",)),
    ("cards_wait", ("Scores",)),
    ("over", ("Menu",)),
]
"""Steps, forms, questions and sheets, by scene and taps."""


@pytest.mark.parametrize(
    ("path", "size", "locale", "scheme"),
    [
        ("/table", NARROW, "en", "light"),
        ("/table", NARROW, "fr", "dark"),
        ("/table", SIDEWAYS, "en", "dark"),
        ("/screen", PHONE, "fr", "light"),
        ("/screen", LAPTOP, "en", "dark"),
    ],
)
@in_chromium
async def test_a_scene_of_the_table_is_for_everybody(path: str, size: ViewportSize, locale: str, scheme: str) -> None:
    async with phones("owes") as on:
        page = await on.look(path, viewport=size, locale=locale, color_scheme=scheme, reduced_motion="reduce")
        for scene in ("screen", "over") if path == "/screen" else [each for each in SCENES if each != "screen"]:
            on.table.show(scene)
            await says(page, on.table.view(locale)["sentence"])
            await shuts_nobody_out(page, scene)
            assert not await page.evaluate(ANIMATED), "less motion was asked for"


@in_chromium
async def test_what_stands_behind_a_tap_is_for_everybody() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=NARROW, reduced_motion="reduce")
        for scene, taps in BEHIND_A_TAP:
            on.table.show(scene)
            await says(page, on.table.view()["sentence"])
            for name in taps:
                await page.get_by_role("button", name=name).first.click()
            await fits(page, f"{scene}, {taps}")
            await page.reload()


async def focused(page: Page) -> str:
    """The name of what has the focus."""
    name: str = await page.evaluate(
        "(({ id, className, tagName }) => id || className || tagName)(document.activeElement)"
    )
    return name
