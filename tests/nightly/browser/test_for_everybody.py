"""The page on a phone, by keyboard, by screen reader, in French, in the dark, and without motion."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Page, ViewportSize, expect

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.commands import Eject, Press, Reset
from dispenser.launcher.messages import CardLeft
from dispenser.launcher.settings import MachineSettings
from dispenser.service.settings import Settings
from dispenser.web.pages import render
from tests.browser.rig import (
    LAPTOP,
    PHONE,
    Table,
    flew,
    focused,
    in_chromium,
    narrow_enough,
    open_drawer,
    settled,
    show_tab,
    table,
)

SIZES: list[ViewportSize] = [
    PHONE,
    {"width": 360, "height": 640},
    {"width": 320, "height": 568},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 667, "height": 375},
    {"width": 768, "height": 1024},
    LAPTOP,
    {"width": 1920, "height": 1080},
]
SMALLEST_TEXT_PX = 18
SMALLEST_TOUCH_PX = 44

# The contrast of each element's own text with what is behind it (WCAG 2). Gradients count with their least favourable
# colour; what has no text of its own, or is not seen, does not count.
CONTRASTS = """
() => {
  const numbers = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (a, b) => {
    const [high, low] = [light(a), light(b)].sort((x, y) => y - x);
    return (high + 0.05) / (low + 0.05);
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const stops = style.backgroundImage.match(/(rgba?|color|oklab)\\([^()]*\\)/g);
      if (stops) return stops.map(rgba);
      const own = rgba(style.backgroundColor);
      if (own[3] > 250) return [own];
    }
    return [[255, 255, 255, 255]];
  };
  const found = [];
  for (const element of document.querySelectorAll("body *:not(svg *):not(script):not(noscript *)")) {
    const text = [...element.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data.trim()).join("");
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest(".visually-hidden, .skip, dialog:not([open])")) continue;
    const style = getComputedStyle(element);
    const least = Math.min(...behind(element).map((back) => contrast(rgba(style.color), back)));
    found.push({ text: text.slice(0, 40), contrast: least, size: parseFloat(style.fontSize) });
  }
  return found;
}
"""


# Buttons of the drawer that reach beyond the row in which they stand.
BEYOND_THEIR_BOX = """
[...document.querySelectorAll(".fault-buttons .handle")].filter((each) =>
  each.getBoundingClientRect().right > each.parentElement.getBoundingClientRect().right + 1).map((each) => each.id)
"""


LONG_SUSPENSE = Settings(launcher=MachineSettings(suspense_min_s=3.0, suspense_max_s=3.0))
"""A drum roll during which a test can measure."""
IN_PANELS = {"bursts": "#bursts tbody tr", "odds": "#chart svg", "trouble": "#faults label", "journal": "#journal li"}
"""What shows that a tab of the drawer is filled."""


async def tabs(page: Page) -> AsyncIterator[str]:
    """Each tab of the drawer, filled, and with nothing that moves."""
    for name, content in IN_PANELS.items():
        await page.locator(f"#tab-{name}").click()
        await expect(page.locator(content).first).to_be_visible()
        await settled(page)
        yield name


TV: ViewportSize = {"width": 1920, "height": 1080}


# --- sizes ---


@pytest.mark.parametrize("locale", ["en", "fr"])
@in_chromium
async def test_nothing_sticks_out_of_the_screen(locale: str) -> None:
    async with table() as on:
        for size in SIZES:
            page = await on.open_page(viewport=size, locale=locale)
            await settled(page)
            for name in ("#press", "#lid"):
                box = await page.locator(name).bounding_box()
                assert box is not None
                assert box["y"] + box["height"] <= size["height"], f"{name} is seen without scrolling, {size}"
            if size["height"] < 400:  # a phone on its side
                launcher, press = [await page.locator(each).bounding_box() for each in ("#launcher", "#press")]
                assert launcher is not None
                assert press is not None
                assert launcher["x"] + launcher["width"] <= press["x"], "the button stands beside the launcher"
            await on.eject(12)
            await narrow_enough(page, str(size))
            on.toy.open_lid()
            await expect(page.locator("body")).to_have_attribute("data-state", "open")
            on.toy.take_card()
            await open_drawer(page)
            async for _ in tabs(page):
                await narrow_enough(page, str(size))
                assert await page.evaluate(BEYOND_THEIR_BOX) == [], size
                panel = page.get_by_role("tabpanel")
                assert await panel.evaluate("one => one.scrollWidth <= one.clientWidth"), size
                head, box = await page.get_by_role("tablist").bounding_box(), await panel.bounding_box()
                assert head is not None
                assert box is not None
                assert head["y"] + head["height"] <= box["y"] + 1, "nothing lies over what the drawer tells"
                assert box["y"] + box["height"] <= size["height"], size
            await page.keyboard.press("Escape")
            on.toy.close_lid()
            await expect(page.locator("body")).to_have_attribute("data-state", "ready")
            await page.context.close()


async def everything_is_on_the_screen(page: Page, width: int = PHONE["width"]) -> None:
    await settled(page)
    boxes = await page.locator("main :is(p, label, input, button, a):visible").evaluate_all(
        "all => all.map((one) => [one.id, one.getBoundingClientRect().left, one.getBoundingClientRect().right])"
    )
    for name, left, right in boxes:
        assert left >= 0, name
        assert right <= width, name


@pytest.mark.parametrize("locale", ["en", "fr"])
@in_chromium
async def test_on_a_phone_there_is_room_for_a_fault_and_for_a_card_in_the_exit(locale: str) -> None:
    async with table() as on:
        page = await on.open_page(viewport=PHONE, locale=locale)
        on.toy.switch_fault("exit_stuck_dark")
        await expect(page.locator("#press")).to_have_attribute("data-deed", "wait")
        await everything_is_on_the_screen(page)
        on.toy.switch_fault("exit_stuck_dark", on=False)
        await expect(page.locator("#press")).to_have_attribute("data-deed", "press")
        on.toy.switch_fault("motor_dead")
        await on.eject(3)
        await expect(page.locator("#detail span")).to_have_count(3)
        await everything_is_on_the_screen(page)
        on.toy.switch_fault("motor_dead", on=False)
        await on.service.handle(Reset())
        accepted = await on.service.handle(Eject(12), "test")
        await expect(page.locator("body")).to_have_attribute("data-state", "feeding")
        on.service.driver.stop()  # somebody else stops the motor: a fault
        await on.service.outcome(accepted)
        await expect(page.locator("#press")).to_have_attribute("data-deed", "done")
        await expect(page.locator("#detail")).to_be_visible()
        await everything_is_on_the_screen(page)


@pytest.mark.parametrize("locale", ["en", "fr"])
@in_chromium
async def test_on_a_phone_there_is_room_to_enter_a_number(locale: str) -> None:
    no_sensor = dataclasses.replace(Settings(), pins=dataclasses.replace(GpioWiring(), exit=None))
    async with table(settings=no_sensor) as on:
        page = await on.open_page(viewport=PHONE, locale=locale)
        await on.eject(4)
        await expect(page.locator("#count-form")).to_be_visible()
        await everything_is_on_the_screen(page)


@in_chromium
async def test_the_button_is_the_biggest_thing_and_everything_can_be_touched() -> None:
    async with table() as on:
        page = await on.open_page(viewport=PHONE, has_touch=True, is_mobile=True)
        await open_drawer(page, "Trouble")
        await expect(page.locator("#faults label").first).to_be_visible()
        await settled(page)
        boxes = await page.locator("button:visible, summary:visible, .tool, .faults label").evaluate_all(
            "all => all.map((one) => [one.id, one.offsetWidth, one.offsetHeight])"
        )
        areas = {name: width * height for name, width, height in boxes}
        assert max(areas, key=lambda name: areas[name]) == "press"
        second = max(area for name, area in areas.items() if name != "press")
        assert areas["press"] > 2 * second
        for name, width, height in boxes:
            assert min(width, height) >= SMALLEST_TOUCH_PX, name


@in_chromium
async def test_across_the_room_the_launcher_is_large() -> None:
    async with table() as on:
        page = await on.open_page(viewport=TV)
        await settled(page)
        box = await page.locator("#machine").bounding_box()
        assert box is not None
        assert box["height"] >= 0.6 * TV["height"]


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize("size", SIZES[:-1], ids=lambda size: f"{size['width']}x{size['height']}")
@in_chromium
async def test_the_way_to_the_table_is_second_to_the_button(size: Any, locale: str) -> None:
    async with table() as on:
        page = await on.open_page(viewport=size, locale=locale)
        language = "fr" if locale == "fr" else "en"
        body = render("page.html", language, simulated=True, table=True)
        await page.route(on.address, lambda route: route.fulfill(body=body, content_type="text/html"))
        await page.reload()
        await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        await expect(page.locator("#play")).to_have_attribute("href", "/table")
        await everything_is_on_the_screen(page, size["width"])
        areas = {}
        for name in ("press", "play", "lid", "load-open"):
            box = await page.locator(f"#{name}").bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= size["height"], f"{name} is seen without scrolling"
            areas[name] = box["width"] * box["height"]
        assert sorted(areas, key=lambda name: -areas[name])[:2] == ["press", "play"]


@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("locale", ["en", "fr"])
@in_chromium
async def test_nothing_jumps_when_the_state_changes(size: Any, locale: str) -> None:
    async with table(settings=LONG_SUSPENSE) as on:
        page = await on.open_page(viewport=size, locale=locale)

        async def places() -> list[Any]:
            names = ("#press", ".stage", ".bubble", ".handles", "#drawer-handle")
            return [await page.locator(name).bounding_box() for name in names]

        async def in_state(state: str) -> None:
            await expect(page.locator("body")).to_have_attribute("data-state", state)
            assert await places() == before, f"in state {state}"

        await settled(page)
        before = await places()
        await on.service.handle(Press(), "test")
        await in_state("suspense")
        await in_state("ready")  # the dud's sentence
        on.toy.open_lid()
        await in_state("open")
        on.toy.close_lid()
        await in_state("ready")
        on.toy.switch_fault("roller_jam", cards=9)
        await on.eject(3)
        await in_state("jammed")
        on.toy.open_lid()
        await expect(page.locator("#press")).to_have_attribute("data-deed", "take")
        await in_state("open")


# --- looks ---


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@in_chromium
async def test_every_text_is_large_and_has_contrast(scheme: str, size: Any) -> None:
    async with table() as on:
        page = await on.open_page(viewport=size, color_scheme=scheme)
        await open_drawer(page)
        await expect(page.locator("#streak")).not_to_be_empty()
        for state in ("ready", "open"):
            await expect(page.locator("body")).to_have_attribute("data-state", state)
            found = []
            async for _ in tabs(page):
                found += await page.evaluate(CONTRASTS)
            assert len(found) > 40
            for text in found:
                assert text["contrast"] >= 4.5, text
                assert text["size"] >= SMALLEST_TEXT_PX, text
            on.toy.open_lid()


@in_chromium
async def test_the_dark_page_is_dark_and_the_light_one_light() -> None:
    async with table() as on:
        for scheme, ink in (("dark", "rgb(247, 239, 224)"), ("light", "rgb(42, 33, 64)")):
            page = await on.open_page(color_scheme=scheme)
            await expect(page.locator("body")).to_have_css("color", ink)


@in_chromium
async def test_with_reduced_motion_cards_appear_and_nothing_moves() -> None:
    async with table(settings=LONG_SUSPENSE) as on:
        page = await on.open_page(reduced_motion="reduce")
        await page.evaluate(WATCH_MOTION)
        await on.service.handle(Press(), "test")  # a dud, with suspense
        await expect(page.locator("body")).to_have_attribute("data-state", "suspense")
        running = "document.querySelector('#machine').getAnimations({ subtree: true }).length"
        assert await page.evaluate(running) == 0
        await expect(page.locator("#drum")).to_have_css("opacity", "1")  # it is seen, though it does not move
        await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        await on.eject(4)
        seen = len(on.entries(CardLeft.type))
        await expect(page.locator(".flown")).to_have_count(seen)
        moved = await page.evaluate("window.moved")
        assert len(moved) == seen
        assert all("transform" not in frames and "translate" not in frames for frames in moved)


@in_chromium
async def test_with_motion_cards_fly() -> None:
    async with table() as on:
        page = await on.open_page()
        await page.evaluate(WATCH_MOTION)
        await on.eject(3)
        seen = len(on.entries(CardLeft.type))
        await flew(page, seen)
        moved = await page.evaluate("window.moved")
        assert len([frames for frames in moved if "transform" in frames or "translate" in frames]) >= seen


WATCH_MOTION = """
() => {
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.moved.push(JSON.stringify(frames));
    return animate.call(this, frames, options);
  };
}
"""


# --- languages ---


@in_chromium
async def test_the_page_in_french_and_back() -> None:
    async with table() as on:
        page = await on.open_page(locale="fr-CH")
        await expect(page).to_have_title("Lance-cartes")
        await expect(page.locator("#sentence")).to_have_text("Prêt. Appuie\u202f!")
        await page.get_by_role("button", name="Ouvrir le couvercle").click()
        await expect(page.locator("#sentence")).to_have_text("Le couvercle est ouvert\u00a0: rien ne peut bouger.")
        await page.locator("#lid").click()
        await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        await page.get_by_role("button", name="Appuie").click()
        await expect(page.locator("#sentence")).to_have_text("Ouf… pas une seule carte\u202f!")
        await open_drawer(page)
        await expect(page.locator("#streak")).to_have_text("1 coup pour rien depuis les dernières cartes.")
        await show_tab(page, "Pannes")
        await expect(page.locator("#toy-facts")).to_contain_text("4,8\u00a0V")
        await page.get_by_role("link", name="English").click()
        await expect(page).to_have_title("Card launcher")
        await page.reload()
        await expect(page.locator("html")).to_have_attribute("lang", "en")
        await page.get_by_role("link", name="Français").click()
        await expect(page.locator("html")).to_have_attribute("lang", "fr")


# --- keyboard and screen reader ---


@in_chromium
async def test_everything_is_reached_by_keyboard_in_a_sensible_order() -> None:
    async with table() as on:
        page = await on.open_page(allow="409")
        order = []
        for _ in range(8):
            await page.keyboard.press("Tab")
            order.append(await focused(page))
            outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline == "solid", order
        assert order == ["skip", "sound", "tool", "press", "play", "lid", "load-open", "drawer-handle"]
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("tablist")).to_be_visible()
        await page.keyboard.press("Tab")
        inside = await page.evaluate("document.activeElement.closest('.drawer') !== null")
        assert inside, "the drawer follows its handle"


@in_chromium
async def test_the_accessibility_tree() -> None:
    async with table() as on:
        page = await on.open_page()
        await expect(page.locator("body")).to_match_aria_snapshot(
            """
            - link "Go to the button"
            - banner:
              - heading "Card launcher" [level=1]
              - button "Sound" [pressed]
              - link "FR Français"
            - main:
              - status:
                - paragraph: Ready. Press!
              - img "The launcher, its lid shut. About 112 cards inside. The light is on."
              - button "Press or the space bar"
              - button "Open the lid"
              - button "Load cards"
            - complementary "Numbers, journal and faults":
              - group: Behind the scenes
            """
        )
        await open_drawer(page)
        drawer = page.get_by_role("complementary")
        await expect(drawer).to_match_aria_snapshot(
            """
            - tablist "Behind the scenes":
              - tab "Presses" [selected]
              - tab "Luck"
              - tab "Trouble"
              - tab "Journal"
            - tabpanel "Presses":
              - table "Last presses":
                - rowgroup:
                  - row "Press Cards Ended by"
            """
        )
        await page.get_by_role("tab", name="Presses").press("ArrowRight")
        await expect(page.get_by_role("tab", name="Luck")).to_be_focused()
        await expect(drawer).to_match_aria_snapshot(
            """
            - tabpanel "Luck":
              - list:
                - listitem: /No card/
            """
        )
        await page.keyboard.press("ArrowRight")
        await expect(drawer).to_match_aria_snapshot(
            """
            - tabpanel "Trouble":
              - group:
                - checkbox "Cards jam"
            """
        )
        await page.keyboard.press("End")
        await expect(drawer).to_match_aria_snapshot(
            """
            - tabpanel "Journal":
              - list "Journal"
            """
        )


@in_chromium
async def test_a_screen_reader_hears_what_is_going_on() -> None:
    async with table() as on:
        page = await on.open_page()
        drawing = page.get_by_role("img").first
        await on.eject(3)
        seen = len(on.entries(CardLeft.type))
        await flew(page, seen)
        await expect(drawing).to_have_accessible_name(f"{describe(on)} {seen} cards on the table.")
        on.toy.take_card()
        on.toy.open_lid()
        await expect(page.get_by_role("status")).to_have_text("Lid open: nothing can move.")
        await expect(drawing).to_have_accessible_name(
            f"The launcher, its lid open. About {on.service.snapshot()['cards_inside']} cards inside. "
            f"The light is off. {seen} cards on the table."
        )


def describe(on: Table) -> str:
    snapshot = on.service.snapshot()
    light = "The light is on." if snapshot["refusal"] is None else "The light is off."
    parts = ["The launcher, its lid shut.", f"About {snapshot['cards_inside']} cards inside.", light]
    if snapshot["exit_blocked"]:
        parts.append("A card sticks out of the exit.")
    return " ".join(parts)
