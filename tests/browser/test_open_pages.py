"""Each page opened once on a phone: nothing in the console, nothing wider than the screen.

And on the smallest phones, what lies where on the table's page.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import ViewportSize, expect

from dispenser.client import LauncherClient
from dispenser.journal import Journal
from dispenser.web import addresses
from tests.browser.desk import LAUNCH, script
from tests.browser.rig import HOUSE, NARROW, PHONE, narrow_enough, open_drawer, play, settled, table
from tests.browser.stand_in import SCENES, phones
from tests.browser.table_page import (
    LAST_CARD_IS_CLEAR,
    OUT_OF_REACH,
    SMALL,
    SMALL_SIDEWAYS,
    long_hand,
    says,
    send_of,
    tap,
)
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


# --- what lies where on a small phone ---


@pytest.mark.parametrize("size", [SMALL, SMALL_SIDEWAYS], ids=["upright", "sideways"])
def test_what_to_do_now_is_in_the_window_and_the_cards_scroll_beneath_it(size: ViewportSize) -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            page = await on.look(viewport=size, reduced_motion="reduce")
            draw = {"label": "Draw", "kind": "main", "send": {"do": "draw"}}
            on.table.show("cards", sentence="Play!", choices=[draw], **long_hand(on.table))
            await says(page, "Play!")
            await settled(page)
            assert await page.evaluate(OUT_OF_REACH) == []
            assert await page.evaluate(LAST_CARD_IS_CLEAR)
            on.table.show("counter")
            await page.get_by_role("button", name="I am out!").click()
            await expect(page.get_by_role("button", name="OK")).to_be_visible()
            assert await page.evaluate(OUT_OF_REACH) == []

    play(scenario)


@pytest.mark.parametrize("size", [SMALL, SMALL_SIDEWAYS], ids=["upright", "sideways"])
def test_the_cards_are_in_sight_while_a_colour_is_chosen(size: ViewportSize) -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            page = await on.look(viewport=size, reduced_motion="reduce")
            await tap(page, "Wild")
            await expect(page.get_by_role("button", name="Yellow", exact=True)).to_be_in_viewport(ratio=1)
            await expect(page.locator(".hand .card").first).to_be_in_viewport(ratio=1)
            assert await page.evaluate(OUT_OF_REACH) == []

    play(scenario)


@pytest.mark.parametrize("size", [SMALL, SMALL_SIDEWAYS], ids=["upright", "sideways"])
def test_a_question_beside_the_play_moves_no_button(size: ViewportSize) -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=size, reduced_motion="reduce")
            press, aside = page.get_by_role("button", name="Press!"), page.locator(".aside")
            before = await press.bounding_box()
            yes = {"label": "Yes, it is Bob", "kind": "main", "send": {"do": "confirm", "person": 4, "yes": True}}
            on.table.show("owes", asks={"text": "Is Bob here with a new phone?", "choices": [yes]})
            await expect(aside).to_be_in_viewport(ratio=1)
            assert await press.bounding_box() == before
            on.table.show("owes", recount={"press": 41, "cards": 3, "text": "", "choices": [], "seconds": 600})
            await expect(aside).to_have_text("3 cards came?")
            assert await press.bounding_box() == before
            on.table.launcher("suspense", press=42)
            await expect(aside).to_have_count(0)

    play(scenario)


def test_cards_to_pick_scroll_beneath_what_confirms_them_and_undo() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            page = await on.look(viewport=SMALL, reduced_motion="reduce")
            cards = [{"label": f"Card {n}", "value": str(n), "card": {"name": str(n), "symbol": str(n), "colour": None}}
                     for n in range(40)]  # fmt: skip
            pick = {"cards": cards, "least": 1, "most": 3, "given": [], "key": "cards"}
            on.table.show("cards", choices=[{"label": "Which?", "pick": pick, "send": {"do": "tell"}}])
            await tap(page, "Which?", "Card 39", "Done (1)")  # a tap waits until nothing lies above
            assert await send_of(on) == {"do": "tell", "cards": ["39"]}
            await expect(page.get_by_role("button", name="Undo: Léa laid the red 7")).to_be_in_viewport(ratio=1)

    play(scenario)


def test_who_has_come_is_seen_before_the_games_and_the_last_choice_above_start() -> None:
    async def scenario() -> None:
        async with phones("lobby") as on:
            page = await on.look(viewport=SMALL, reduced_motion="reduce")
            await expect(page.locator(".seat").last).to_be_in_viewport(ratio=1)
            start = page.get_by_role("button", name="Play Uno Extreme")
            await expect(start).to_be_in_viewport(ratio=1)
            await page.get_by_label("The launcher deals").uncheck()
            await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            last, bar = await page.locator(".lobby > .switch").bounding_box(), await start.bounding_box()
            assert last is not None
            assert bar is not None
            assert last["y"] + last["height"] < bar["y"]

    play(scenario)


def test_the_names_in_the_chart_of_scores_are_18_px_high() -> None:
    async def scenario() -> None:
        async with phones("between") as on:
            page = await on.look(viewport=NARROW)
            size = await page.locator(".chart text").first.evaluate(
                "(text) => parseFloat(getComputedStyle(text).fontSize) * text.ownerSVGElement.getScreenCTM().a"
            )
            assert size >= 18

    play(scenario)
