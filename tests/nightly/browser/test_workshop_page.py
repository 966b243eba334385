"""The workshop in Chromium: axe, a narrow phone, a step of the self-test, and the launcher by hand."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.rig import NARROW, fits, in_chromium, table


@in_chromium
async def test_the_owner_tests_the_launcher_and_works_it_by_hand() -> None:
    async with table() as on:
        page = await on.open_page(wait=False, viewport=NARROW, color_scheme="light", locale="fr")
        await page.goto(on.address + "workshop")
        await expect(page.get_by_role("heading", name="Atelier")).to_be_visible()
        await fits(page, "light")
        await page.get_by_role("button", name="Essai complet").click()
        await expect(page.locator("#say")).to_have_text("Ouvre le couvercle.")
        other = await on.open_page(wait=False, locale="fr")
        await expect(other.locator("#sentence")).to_have_text("Le lance-cartes est éteint.")
        await expect(other.locator("#detail")).to_contain_text("à l’atelier avec lui")
        await fits(page, "light")
        await page.get_by_role("button", name="Une main s’en charge").click()
        await expect(page.locator("#say")).to_have_text("Ferme le couvercle.")
        await page.get_by_role("button", name="Une main s’en charge").click()
        await expect(page.locator("#findings li")).to_have_count(1)
        await page.get_by_role("button", name="Quitter l’atelier").click()

        await page.get_by_role("button", name="À la main").click()
        await page.get_by_role("button", name="Lancer").dispatch_event("pointerdown", {"pointerId": 1})
        await expect(page.locator("#said")).to_have_text("Une carte.")
        await page.get_by_role("button", name="Lancer").dispatch_event("pointerup", {"pointerId": 1})
        await page.get_by_role("button", name="Couvercle du lance-cartes simulé").click()
        await expect(page.locator("#lid")).to_have_text("ouvert")
        await fits(page, "light")
        await page.get_by_role("button", name="Quitter l’atelier").click()
        await expect(page.get_by_role("button", name="À la main")).to_be_visible()
        await expect(other.locator("#detail")).to_be_hidden()
