"""A short evening of each tracking mode, in Chromium: a whole launcher, phones, and the common screen."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from dispenser.service import bots
from dispenser.table import commands as c
from tests.browser.party import PHONE, mine, party
from tests.browser.phone import CHOICE, LAY, PUSH, Phone
from tests.browser.rig import in_chromium, narrow_enough, until


@in_chromium
async def test_a_table_that_counts_itself_tells_what_brings_presses_and_who_won() -> None:
    async with party(seed="they count presses") as on:
        host, tom = await on.sit("Léa", "Tom")
        await on.starts(host, "uno-extreme", "counter")
        at = on.people.at
        await host.tap(re.compile("^Press 2"), "Tom")
        await on.changes(at)
        await tom.says("Press 1 of 2!")
        await expect(on.screen.locator("#sentence")).to_have_text("Tom: press 1 of 2")
        for sentence in ("Press once more!", "Play on! Tap only what makes someone draw."):
            at = on.people.at
            await tom.presses()
            await on.changes(at)
            await on.clear()  # a card that sticks out is taken first, and the phone says so
            await tom.says(sentence)
        await host.tap("Round over: who won?", "Tom")
        await host.page.locator("input[type=number]").fill("7")
        await host.tap("OK")
        await host.says("Tom wins the round!")
        await tom.says("You win the round!")
        for page in (host.page, tom.page, on.screen):
            await expect(page.locator(".ranking li").filter(has_text="Tom")).to_contain_text("7")
        on.service.execute(c.Close(), owner=True)
        for page in (host.page, tom.page, on.screen):
            await expect(page.locator(".sentence")).to_have_text("The evening is over.")
            await expect(page.locator(".ranking li").filter(has_text="Tom")).to_contain_text("7")
        await expect(tom.page.get_by_text("Ask the launcher’s owner to start a new evening")).to_be_visible()
        await tom.page.get_by_role("link", name="Past evenings").click()
        await expect(tom.page.locator("article")).to_contain_text("Léa, Tom")


@in_chromium
async def test_with_the_cards_on_phones_a_card_is_laid_against_two_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "THINKS_S", 0.1)
    async with party(seed="a demo") as on:
        page = await on.look(owner=True, viewport=PHONE)
        await page.get_by_role("link", name="Play").click()
        await page.get_by_role("button", name="Play against two bots now").click()
        await until(lambda: bool(on.people.people.order))
        me = Phone(on, page, on.people.people.persons[1].name)
        await expect(page.locator(".hand li")).to_have_count(7)
        await expect(page.locator(f".lay, .dome, .kind-push, {CHOICE}").first).to_be_visible()
        await narrow_enough(page)
        await on.plays_on(me, LAY, PUSH, done=lambda: mine(on, "lay"))
