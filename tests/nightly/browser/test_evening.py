"""An evening in Chromium: a whole launcher, several phones, and the screen that all see.

A round is played of each game, with real cards.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from dispenser.journal import Journal
from tests.browser.party import SMALL, party, turn_up
from tests.browser.rig import NARROW, fits, in_chromium, table, until
from tests.nightly.browser.test_for_everybody import shuts_nobody_out
from tests.table.played import evening

GAMES = ["uno", "uno-extreme", "huit-americain", "151", "uno-vache"]
SCORES = ".ranking, .places"
"""Points, or who came in which place."""
UNWIELDY = ["extreme hit", "discard all", "customizable", "joker", "white"]
"""Cards that a round with few of them does without."""
DEAD_LINE = "ERR_INTERNET_DISCONNECTED|ERR_INCOMPLETE_CHUNKED|409|Failed to load|ERR_NETWORK"


# --- whole rounds ---


@pytest.mark.parametrize("game", GAMES)
@in_chromium
async def test_a_round_with_real_cards_is_told_by_two_taps_a_card(game: str) -> None:
    async with party(seed=f"evening of {game}") as on:
        host, *_ = await on.sit("Léa", "Tom", "Zoé", "Max")
        await on.starts(host, game, "referee")
        on.shuffle(f"evening of {game}", UNWIELDY)
        await on.opens_round()
        await on.deal(1)
        await shuts_nobody_out(host.page, "a round")
        await on.plays_round()
        for phone in on.phones.values():
            await expect(phone.page.locator(SCORES)).to_be_visible()
        await expect(on.screen.locator(SCORES)).to_be_visible()
        await shuts_nobody_out(host.page, "after the round")


# --- things that go wrong at a table ---


@in_chromium
async def test_a_phone_that_was_away_comes_back_to_its_seat() -> None:
    """Without network, after a reload, and beside a second page of the same phone."""
    async with party(seed="away") as on:
        host, tom = await on.sit("Léa", "Tom")
        await on.starts(host, "uno", "referee")
        on.complaints.clear()
        await turn_up(on, "red 7")
        await tom.page.context.set_offline(True)
        await expect(tom.page.locator(".banner")).to_have_text("Connection lost, trying again…")
        del on.phones["Tom"]
        at = on.people.at
        await host.sets_hand("Tom", 5)
        await on.changes(at)
        await tom.page.context.set_offline(False)
        await on.sees(tom.page)
        await expect(tom.page.locator(".banner")).to_have_count(0)
        await expect(tom.page.locator(".seat.me .cards")).to_contain_text("5")
        await tom.page.reload()
        await on.sees(tom.page)
        await expect(tom.page.locator(".seat.me .name")).to_have_text("Tom")
        second = await tom.page.context.new_page()
        await second.goto(f"{on.house}table")
        await on.sees(second)
        await expect(tom.page.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
        await shuts_nobody_out(tom.page, "another phone plays")
        await tom.tap("Play on here")
        await expect(second.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
        on.complaints[:] = [each for each in on.complaints if not re.search(DEAD_LINE, each)]


@pytest.mark.parametrize("name", ["<b>Ali</b> & 'co'", "👩‍🚀🎲 Zoé", "שלום \u202eabc"])
@in_chromium
async def test_a_name_is_only_a_name(name: str) -> None:
    async with party() as on:
        await on.begins()
        page = await on.look(f"t/{await on.code()}", viewport=SMALL)
        await page.get_by_role("textbox", name="What’s your name?").fill(name)
        await page.keyboard.press("Enter")
        await until(lambda: bool(on.people.people.order))
        other = await on.comes("Tom")
        kept = on.people.people.persons[1].name
        assert "\u202e" not in kept
        for each in (page, other.page, on.screen):
            await expect(each.locator(".seat .name").first).to_have_text(kept)
            assert await each.locator("b", has_text="Ali").count() == 0
            await shuts_nobody_out(each, name)


# --- afterwards ---


@in_chromium
async def test_past_evenings_are_for_everybody_and_one_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        for day, names in (("first", ("Léa", "Tom", "Mathilde", "Alphonse")), ("second", ("Ana", "Bob"))):
            lines = evening(day, "uno-extreme", steps=200, names=names).lines
            journal.append("table", [(line.type, line.data) for line in lines])
    async with table(journal=path) as on:
        for scheme in ("light", "dark"):
            page = await on.open_page(wait=False, viewport=NARROW, color_scheme=scheme, locale="fr")
            await page.goto(on.address + "evenings")
            await expect(page.get_by_role("article")).to_have_count(2)
            await expect(page.locator(".chart .line")).to_have_count(8)
            await fits(page, scheme)
            rows = page.locator("article", has_text="Mathilde").locator("table tr")
            heights = await rows.evaluate_all("all => all.map((row) => Math.round(row.offsetHeight / 9))")
            assert len(set(heights)) == 1, "names are not broken"
        await page.get_by_role("button", name="Supprimer…").first.click()
        await page.get_by_role("button", name="La garder").click()
        await page.get_by_role("button", name="Supprimer…").first.click()
        await page.get_by_role("button", name="Supprimer", exact=True).click()
        await expect(page.get_by_role("article")).to_have_count(1)
        await expect(page.get_by_role("article")).to_contain_text("Léa, Tom")
