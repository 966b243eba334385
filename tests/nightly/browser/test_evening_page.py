"""The evenings that were, in Chromium: axe, a narrow phone, and an evening that is deleted."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import expect

from dispenser.journal import Journal
from tests.browser.rig import NARROW, fits, play, table
from tests.table.played import evening


def test_it_is_for_everybody_and_deletes_what_it_is_told_to(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        for day, names in (("first", ("Léa", "Tom", "Mathilde", "Alphonse")), ("second", ("Ana", "Bob"))):
            lines = evening(day, "uno-extreme", steps=200, names=names).lines
            journal.append("table", [(line.type, line.data) for line in lines])

    async def scenario() -> None:
        async with table(journal=path) as on:
            for scheme in ("light", "dark"):
                page = await on.open_page(wait=False, viewport=NARROW, color_scheme=scheme, locale="fr")
                await page.goto(on.address + "evenings")
                await expect(page.get_by_role("article")).to_have_count(2)
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

    play(scenario)
