"""Each page opened once on a phone: nothing in the console, nothing wider than the screen, nothing axe-core minds."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from playwright.async_api import ViewportSize, expect

from dispenser.i18n import Text
from tests.browser.desk import LAUNCH, script
from tests.browser.party import party
from tests.browser.rig import (
    DASHBOARD,
    LAPTOP,
    NARROW,
    PHONE,
    SCREEN_KEY,
    fits,
    in_chromium,
    narrow_enough,
    open_drawer,
    says,
    script_texts,
    table,
)
from tests.browser.stand_in import SCENES, SMALL, phones, tap
from tests.browser.stand_in import says as table_says


@pytest.mark.parametrize(("size", "locale"), [(PHONE, "en"), (NARROW, "fr")], ids=["phone", "narrow, French"])
@in_chromium
async def test_the_launchers_page(size: ViewportSize, locale: str) -> None:
    async with table() as on:
        page = await on.open_page(viewport=size, locale=locale, has_touch=True, is_mobile=True)
        await expect(page.locator("#too-old")).to_have_count(0)
        await expect(page.locator("#press")).to_be_in_viewport(ratio=1)
        await page.locator("#press").tap()
        await says(page, script_texts(locale)["outcome"]["dud"])
        await fits(page, "the launcher")
        await open_drawer(page)
        for tab in await page.get_by_role("tab").all():
            await tab.tap()
            await expect(page.get_by_role("tabpanel", name=await tab.inner_text())).to_be_visible()
            await fits(page, await tab.inner_text())


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("table", "Nobody is playing yet."),
        ("screen", "Nobody is playing yet."),
        ("rules", "The rules of five games"),
        ("rules/uno-extreme", "Search these rules"),
        ("rules/151?word=joker", "151"),
        ("evenings", "Past evenings"),
        ("workshop", "Workshop"),
    ],
)
@in_chromium
async def test_a_page_of_the_house(path: str, text: str, locale: str) -> None:
    async with table() as on:
        on.address += path
        page = await on.open_page(wait=False, viewport=PHONE, locale=locale)
        await expect(page.get_by_text(Text(text)[locale]).first).to_be_visible()
        await fits(page, path)


@in_chromium
async def test_the_screen_in_a_dashboard_of_another_machine_in_the_house() -> None:
    async with party() as on:
        await on.begins()
        screen = f"{on.house}screen?key={SCREEN_KEY}"
        shown = f'<iframe src="{screen}" width=900 height=600>'
        page = await on.open_page(wait=False, viewport=LAPTOP)
        await page.route(DASHBOARD, lambda route: route.fulfill(body=shown, content_type="text/html"))
        await page.goto(DASHBOARD)
        frame = page.frame_locator("iframe")
        await expect(frame.locator(".code b")).to_have_text(on.people.code)
        await expect(frame.locator("img.qr")).to_have_js_property("complete", value=True)
        assert await frame.locator("img.qr").evaluate("image => image.naturalWidth") > 0


@in_chromium
async def test_the_page_beside_a_script(tmp_path: Path) -> None:
    async with script(LAUNCH, tmp_path) as on:
        page = await on.page(viewport=PHONE)
        await says(page, "mine.py is running.")
        await fits(page, "beside a script")
        await page.locator("#lid").click()
        await says(page, "The lid is open.")


@pytest.mark.parametrize(
    ("path", "scenes"), [("/table", SCENES), ("/screen", ["screen", "over"])], ids=["table", "screen"]
)
@in_chromium
async def test_each_scene_of_an_evening(path: str, scenes: Iterable[str]) -> None:
    async with phones("owes") as on:
        page = await on.look(path, viewport=NARROW, locale="fr", reduced_motion="reduce")
        for scene in scenes:
            on.table.show(scene)
            await table_says(page, on.table.view("fr")["sentence"])
            await narrow_enough(page, scene)


@in_chromium
async def test_a_question_beside_the_play_moves_no_button() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=SMALL, reduced_motion="reduce")
        press, aside = page.get_by_role("button", name="Press!"), page.locator(".aside")
        before = await press.bounding_box()
        yes = {"label": "Yes, it is Bob", "kind": "main", "send": {"do": "confirm", "person": 4, "yes": True}}
        on.table.show("owes", asks={"text": "Is Bob here with a new phone?", "choices": [yes]})
        await expect(aside).to_be_in_viewport(ratio=1)
        assert await press.bounding_box() == before
        on.table.show("owes", recount={"press": 41, "cards": 3, "text": "", "choices": [], "seconds": 600})
        await expect(aside).to_have_text("Counted: 3 cards")
        assert await press.bounding_box() == before
        on.table.launcher("suspense", press=42)
        await expect(aside).to_have_count(0)


@in_chromium
async def test_cards_to_pick_scroll_beneath_what_confirms_them_and_undo() -> None:
    async with phones("cards") as on:
        page = await on.look(viewport=SMALL, reduced_motion="reduce")
        cards = [{"label": f"Card {n}", "value": str(n), "card": {"name": str(n), "symbol": str(n), "colour": None}}
                 for n in range(40)]  # fmt: skip
        pick = {"cards": cards, "least": 1, "most": 3, "given": [], "key": "cards"}
        on.table.show("cards", choices=[{"label": "Which?", "pick": pick, "send": {"do": "tell"}}])
        await tap(page, "Which?", "Card 39", "Done (1)")  # a tap waits until nothing lies above
        await expect(page.get_by_role("button", name="Undo: Léa laid the red 7")).to_be_in_viewport(ratio=1)
