"""The launcher's page in Chromium: what the short tests leave out."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from dispenser.launcher.commands import Eject
from dispenser.service.requests import NoSessionError, PowerAction
from tests.browser.rig import (
    clear_the_exit,
    in_chromium,
    open_drawer,
    said,
    says,
    show_tab,
    table,
    until,
    words_for,
)

# --- pressing ---


@in_chromium
async def test_the_space_bar_presses_only_when_nothing_else_wants_it() -> None:
    async with table() as on:
        page = await on.open_page()
        await page.get_by_role("button", name="Load cards").click()
        await page.get_by_label("How many cards are inside now?").focus()
        await page.keyboard.press("Space")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await page.get_by_role("button", name="Sound").focus()
        await page.keyboard.press("Space")
        await expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
        assert on.service.snapshot()["presses"] == 0
        await page.get_by_role("button", name="Press").focus()
        await page.keyboard.press("Space")
        await until(lambda: on.service.snapshot()["presses"] == 1)
        await says(page, "Phew… not a single card!")
        assert on.service.snapshot()["presses"] == 1, "the focused button and the shortcut are one press"


# --- the computer ---


@in_chromium
async def test_the_computer_is_switched_off_by_two_taps_and_not_by_one() -> None:
    async def switch(_: PowerAction) -> None:
        """Nothing is switched off here."""

    async with table() as on:
        on.service.power = switch
        page = await on.open_page()
        await open_drawer(page)
        opens = page.get_by_role("button", name="Switch the computer off")
        dialog = page.get_by_role("dialog", name="Switch the computer off?")
        await opens.click()
        await dialog.get_by_role("button", name="Cancel").click()
        await expect(dialog).to_be_hidden()
        assert not list(on.service.journal.read(types=["service.computer"]))
        await opens.click()
        await dialog.get_by_role("button", name="Switch off", exact=True).click()
        await expect(dialog.get_by_role("status")).to_have_text("It is being done: good night!")
        (record,) = on.service.journal.read(types=["service.computer"])
        assert (record.type, record.source) == ("service.computer.off", "web")


# --- trouble ---


@in_chromium
async def test_the_big_button_of_a_real_launcher_asks_whether_the_jam_is_freed() -> None:
    async with table() as on:
        simulator, on.service.simulator = on.simulator, None
        page = await on.open_page()
        simulator.switch_fault("roller_jam", cards=9)
        await on.eject(3)
        await expect(page.locator("#launcher")).to_have_attribute("data-mood", "jammed")
        simulator.switch_fault("roller_jam", on=False)
        await does(page, "I have freed it")
        await said(page, "Free the stuck card first.")
        simulator.open_lid()
        simulator.clear_jam()
        simulator.close_lid()
        await says(page, "Ready. Press!")
        assert on.service.snapshot()["presses"] == 1
        on.service.simulator = simulator


# --- behind the scenes ---


@in_chromium
async def test_the_drawer_tells_bursts_luck_and_journal() -> None:
    async with table() as on:
        await on.eject(2)
        await clear_the_exit(on)
        page = await on.open_page()
        await page.locator("#drawer-handle").press("Enter")
        bursts = page.locator("#bursts tbody tr")
        await expect(bursts).to_have_count(1)
        await page.locator("#press").click()
        await says(page, words_for({"cause": "dud", "press": 2}))
        await expect(bursts).to_have_count(2)
        await expect(bursts.first).to_have_text(re.compile(r"^2\s*0\s*dud$"))
        await expect(page.locator("#streak")).to_have_text("1 dud since cards last came.")
        await show_tab(page, "Odds")
        await expect(page.locator("#tally")).to_contain_text("Random presses: 1.")
        await expect(page.locator("#commitment")).to_have_text(on.service.snapshot()["commitment"])
        await expect(page.locator("#chart li").first).to_contain_text("No card: expected in 65 of 100 presses")
        await expect(page.locator("#chart .bar-expected")).to_have_count(9)
        await expect(page.locator("#chart .share")).to_have_text(["0%", "20%", "40%", "60%", "80%", "100%"])
        await expect(page.locator("#chart svg")).to_contain_text("Cards that a press brings")
        await show_tab(page, "Journal")
        await expect(page.locator("#journal")).to_contain_text("Press 2: 0 of 0 (dud)")
        await show_tab(page, "Faults")
        await page.get_by_role("button", name="Flat batteries").click()
        await expect(page.locator("#simulator-facts")).to_contain_text("2.7 V")
        await page.get_by_role("button", name="Push the real button").click()
        await until(lambda: on.service.snapshot()["presses"] == 3)


@in_chromium
async def test_at_the_end_the_seed_is_shown() -> None:
    async with table() as on:
        page = await on.open_page(allow=r"503|ERR_")
        await open_drawer(page, "Odds")
        await expect(page.locator("#commitment")).not_to_be_empty()
        await on.service.stop()
        await expect(page.locator("#seed")).to_have_text(re.compile(r"^The seed was [0-9a-f]{64}\.$"))


@in_chromium
async def test_while_no_journal_can_be_written_nothing_is_offered_and_it_goes_on_by_itself() -> None:
    async with table() as on:
        page = await on.open_page()
        on.service.journal.ask("PRAGMA query_only = ON")
        with pytest.raises(NoSessionError):
            await on.service.handle(Eject(1), "test")
        await expect(page.locator("#detail")).to_contain_text("read-only")
        await expect(page.locator("#press")).to_have_attribute("data-deed", "none")
        await says(page, "Ready. Press!")
        await expect(page.locator("#press")).to_have_attribute("data-deed", "press")


async def does(page: Page, deed: str) -> None:
    """Push the big button when it says so; it may be pushed a moment later."""
    button = page.locator("#press")
    await expect(button).to_have_accessible_name(deed)
    await button.click()
