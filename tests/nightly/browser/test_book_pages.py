"""The rules on the page, in Chromium: searching while one types, links to a rule."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, expect

from dispenser.rules.library import folded
from tests.browser.rig import (
    Table,
    in_chromium,
    table,
)


async def open_rules(on: Table, path: str, **context: Any) -> Page:
    page = await on.open_page(wait=False, allow="404", **context)
    await page.goto(on.address + path)
    return page


async def words_of(page: Page) -> list[str]:
    """The words of each rule, as they are looked through."""
    await expect(page.get_by_role("searchbox")).to_be_visible()
    words: list[str] = await page.locator("[data-words]").evaluate_all("all => all.map((one) => one.dataset.words)")
    return words


@in_chromium
async def test_rules_are_found_while_one_types() -> None:
    async with table() as on:
        page = await open_rules(on, "rules/uno-extreme", locale="fr")
        rules = page.locator("article:visible")
        words = await words_of(page)
        every, found = len(words), sum("extreme" in each for each in words)
        assert 0 < found < every
        await expect(rules).to_have_count(every)
        await page.get_by_role("searchbox").fill("EXTREME")
        await expect(rules).to_have_count(found)
        await expect(page.get_by_role("status")).to_have_text(f"Ce mot figure dans {found} règles.")
        assert page.url.endswith("?word=EXTREME"), "it can be sent to somebody"
        await page.reload()
        await expect(rules).to_have_count(found)
        await page.get_by_role("searchbox").fill("xyz")
        await expect(page.get_by_role("status")).to_have_text("Ce mot ne figure dans aucune règle.")
        await expect(page.locator(".part:visible")).to_have_count(0)
        await page.get_by_role("searchbox").fill("")
        await expect(rules).to_have_count(every)
        await expect(page.get_by_role("status")).to_have_text("")
        assert on.complaints == []


@in_chromium
async def test_script_and_server_find_the_same() -> None:
    words = ("coeur", "ŒU", "l'on", "E-1", "pêche", "zzz", " PRESS ", "+4")
    async with table() as on:
        page = await open_rules(on, "rules/uno-extreme", locale="fr")
        said = await words_of(page)
        for word in words:
            await page.get_by_role("searchbox").fill(word)
            found = sum(folded(word.strip()) in each for each in said)
            await expect(page.locator("article:visible")).to_have_count(found)


@in_chromium
async def test_a_link_to_a_rule_shows_it_though_another_was_looked_for() -> None:
    async with table() as on:
        page = await open_rules(on, "rules/uno?word=U-11")
        await expect(page.locator("#U-02")).to_be_hidden()
        await page.evaluate("location.hash = 'U-02'")
        await expect(page.locator("#U-02")).to_be_in_viewport()
        await expect(page.get_by_role("searchbox")).to_have_value("")
        assert page.url.endswith("/rules/uno#U-02")
