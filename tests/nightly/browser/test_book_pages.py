"""The rules on the page, in Chromium: searching while one types, keyboard, contrast, axe, paper, a narrow phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, expect

from dispenser.rules.library import folded
from tests.browser.rig import (
    LAPTOP,
    NARROW,
    PHONE,
    Table,
    focused,
    in_chromium,
    narrow_enough,
    settled,
    table,
    violations,
)
from tests.nightly.browser.test_for_everybody import CONTRASTS, SMALLEST_TEXT_PX, SMALLEST_TOUCH_PX

PAGES = ("rules", "rules/uno-extreme?options=scoring:low-score,target:300", "rules/151?word=joker", "rules/E-99")


async def open_rules(on: Table, path: str, **context: Any) -> Page:
    page = await on.open_page(wait=False, allow="404", **context)
    await page.goto(on.address + path)
    return page


async def words_of(page: Page) -> list[str]:
    """The words of each rule, as they are looked through."""
    await expect(page.get_by_role("searchbox")).to_be_visible()
    words: list[str] = await page.locator("[data-words]").evaluate_all("all => all.map((one) => one.dataset.words)")
    return words


async def open_examples(page: Page) -> None:
    await expect(page.locator("main")).to_be_visible()
    await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")


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
async def test_on_the_page_of_all_games_the_rules_found_are_listed() -> None:
    async with table() as on:
        page = await open_rules(on, "rules")
        found = page.get_by_role("list", name="Rules with this word")
        await expect(found).to_be_hidden()
        await page.get_by_role("searchbox").fill("e-14")
        await expect(found.get_by_role("listitem").filter(visible=True)).to_have_count(1)
        await expect(page.get_by_role("status")).to_have_text("1 rule has this word.")
        await found.get_by_role("link", name="E-14").click()
        await expect(page).to_have_url(f"{on.address}rules/uno-extreme#E-14")
        await expect(page.locator("#E-14")).to_be_in_viewport()


@in_chromium
async def test_a_link_to_a_rule_shows_it_though_another_was_looked_for() -> None:
    async with table() as on:
        page = await open_rules(on, "rules/uno?word=U-11")
        await expect(page.locator("#U-02")).to_be_hidden()
        await page.evaluate("location.hash = 'U-02'")
        await expect(page.locator("#U-02")).to_be_in_viewport()
        await expect(page.get_by_role("searchbox")).to_have_value("")
        assert page.url.endswith("/rules/uno#U-02")


@in_chromium
async def test_without_scripts_everything_is_there() -> None:
    async with table() as on:
        page = await open_rules(on, "rules/uno", java_script_enabled=False)
        await page.get_by_role("searchbox").fill("bluff")
        await page.get_by_role("button", name="Search").click()
        await expect(page.get_by_role("status")).to_contain_text("this word")
        assert 0 < await page.locator("article:visible").count() < await page.locator("article").count()
        await page.locator(".example summary:visible").first.click()
        await expect(page.locator(".example ol:visible").first).to_be_visible()


@in_chromium
async def test_the_language_changes_on_the_spot() -> None:
    async with table() as on:
        page = await open_rules(on, "rules/uno?options=target:300#U-11")
        await page.get_by_role("searchbox").fill("U-11")
        await page.get_by_role("link", name="Français").click()
        await expect(page.locator("html")).to_have_attribute("lang", "fr")
        assert "options=target%3A300" in page.url
        assert "word=U-11" in page.url
        await expect(page.locator(".here").first).to_contain_text("À cette table")


@in_chromium
async def test_by_keyboard_in_a_sensible_order() -> None:
    async with table() as on:
        page = await open_rules(on, "rules/uno")
        order = []
        for _ in range(8):
            await page.keyboard.press("Tab")
            order.append(await focused(page))
            assert await page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid", order
        assert order == ["skip", "home", "language", "A", "word", "handle strong", "SUMMARY", "id"]
        await page.keyboard.press("Tab")  # the first rule has no example, the second has
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await expect(page.locator(".example[open]")).to_have_count(1)


@pytest.mark.parametrize("locale", ["en", "fr"])
@pytest.mark.parametrize("path", PAGES)
@in_chromium
async def test_a_narrow_phone_has_room(path: str, locale: str) -> None:
    async with table() as on:
        page = await open_rules(on, path, viewport=NARROW, locale=locale)
        await open_examples(page)
        await narrow_enough(page)
        await page.evaluate("document.documentElement.style.fontSize = '36px'")
        await narrow_enough(page, "at twice the size")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, LAPTOP], ids=["phone", "laptop"])
@in_chromium
async def test_every_text_is_large_and_has_contrast(scheme: str, size: Any) -> None:
    async with table() as on:
        for path in PAGES:
            page = await open_rules(on, path, viewport=size, color_scheme=scheme)
            await open_examples(page)
            await settled(page)
            found = await page.evaluate(CONTRASTS)
            assert found
            for text in found:
                assert text["contrast"] >= 4.5, (path, text)
                assert text["size"] >= SMALLEST_TEXT_PX, (path, text)
            targets = "button:visible, summary:visible, .tool, .contents a:visible, input:visible"
            heights = await page.locator(targets).evaluate_all("all => all.map((one) => one.offsetHeight)")
            assert min(heights) >= SMALLEST_TOUCH_PX
            await page.context.close()


@in_chromium
async def test_on_paper_the_examples_are_open_and_what_is_for_fingers_is_gone() -> None:
    async with table() as on:
        page = await open_rules(on, "rules/uno", color_scheme="dark")
        await expect(page.locator("article").first).to_be_visible()
        await page.emulate_media(media="print")
        await page.evaluate("dispatchEvent(new Event('beforeprint'))")
        examples = await page.locator(".example").count()
        await expect(page.locator(".example[open]")).to_have_count(examples)
        for gone in (".bar", ".search", ".contents", ".up"):
            await expect(page.locator(gone)).to_be_hidden()
        await expect(page.locator("article p").first).to_have_css("color", "rgb(0, 0, 0)")
        await page.evaluate("dispatchEvent(new Event('afterprint'))")
        await expect(page.locator(".example[open]")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
@in_chromium
async def test_axe_finds_nothing(path: str, scheme: Any) -> None:
    async with table() as on:
        page = await open_rules(on, path, viewport=PHONE, color_scheme=scheme, locale="fr")
        await open_examples(page)
        await settled(page)
        assert not await violations(page)
