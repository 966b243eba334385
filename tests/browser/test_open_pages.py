"""Each page opened once on a phone: nothing in the console, nothing wider than the screen."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import ViewportSize, expect

from dispenser.client import LauncherClient
from dispenser.journal import Journal
from dispenser.web import addresses
from tests.browser.desk import LAUNCH, script
from tests.browser.rig import HOUSE, NARROW, PHONE, narrow_enough, open_drawer, play, table
from tests.browser.stand_in import SCENES, phones
from tests.browser.table_page import says
from tests.table.played import evening


@pytest.mark.parametrize("size", [PHONE, NARROW], ids=["phone", "narrow"])
def test_the_launchers_page(size: ViewportSize) -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(viewport=size, has_touch=True, is_mobile=True)
            await expect(page.locator("#sentence")).to_have_text("Ready. Press!")
            await expect(page.locator("#press")).to_be_in_viewport(ratio=1)
            await narrow_enough(page)
            await open_drawer(page)
            for tab in ("Presses", "Luck", "Trouble", "Journal"):
                await page.get_by_role("tab", name=tab).tap()
                await expect(page.get_by_role("tabpanel", name=tab)).to_be_visible()
                await narrow_enough(page, tab)

    play(scenario)


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("table", "Nobody is playing yet."),
        ("screen", "Play"),
        ("rules", "Rules"),
        ("rules/uno-extreme", "Search these rules"),
        ("rules/151?word=joker", "151"),
        ("workshop", "Workshop"),
    ],
)
def test_a_page_of_the_house(path: str, title: str) -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(viewport=PHONE)
            await page.goto(on.address + path)
            await expect(page.get_by_text(title).first).to_be_visible()
            await narrow_enough(page)

    play(scenario)


def test_the_evenings_that_were(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        lines = evening("first", "uno-extreme", steps=200, names=("Léa", "Tom", "Mathilde", "Alphonse")).lines
        journal.append("table", [(line.type, line.data) for line in lines])

    async def scenario() -> None:
        async with table(journal=path) as on:
            page = await on.open_page(viewport=PHONE)
            await page.goto(on.address + "evenings")
            await expect(page.get_by_role("article")).to_contain_text("Mathilde")
            await narrow_enough(page)
            await page.get_by_role("button", name="Delete…").click()
            await page.get_by_role("button", name="Delete", exact=True).click()
            await expect(page.get_by_role("article")).to_have_count(0)

    play(scenario)


def test_the_page_beside_a_script(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with script(LAUNCH, tmp_path) as on:
            page = await on.page(viewport=PHONE)
            await expect(page.locator("#sentence")).to_have_text("mine.py is running.")
            await narrow_enough(page)
            await page.locator("#lid").click()
            await expect(page.locator("#sentence")).to_have_text("The lid is open.")

    play(scenario)


@pytest.mark.parametrize("path", ["/table", "/screen"])
def test_each_scene_of_an_evening(path: str) -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(path, viewport=NARROW, locale="fr", reduced_motion="reduce")
            for scene in SCENES if path == "/table" else ("screen", "over"):
                on.table.show(scene)
                await says(page, on.table.view("fr")["sentence"])
                await narrow_enough(page, scene)

    play(scenario)


def test_rules_are_found_while_one_types() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(viewport=PHONE)
            await page.goto(on.address + "rules/uno-extreme")
            rules = page.locator("article").filter(visible=True)
            await expect(page.locator("#E-14")).to_be_visible()
            await page.get_by_role("searchbox").fill("e-14")
            await expect(page.get_by_role("status")).to_have_text("1 rule has this word.")
            await expect(rules).to_have_count(1)
            await expect(page.locator("#E-14")).to_be_visible()

    play(scenario)


def test_a_link_makes_a_phone_the_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "reachable", lambda *_: [addresses.Address(HOUSE)])

    async def scenario() -> None:
        async with table(lan=True) as on:
            link = (await asyncio.to_thread(LauncherClient(on.address).invite_owner))["url"]
            page = await on.open_page(viewport=PHONE, locale="fr")
            await page.goto(link)
            await narrow_enough(page)
            await page.get_by_role("button", name="Oui, ce téléphone").click()
            await expect(page.get_by_role("heading", level=1)).to_contain_text("Propriétaire")
            await narrow_enough(page)
            await page.goto(link)
            await expect(page.get_by_role("main")).to_contain_text("déjà un téléphone du propriétaire")

    play(scenario)
