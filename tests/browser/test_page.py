"""The page in Chromium, in front of a whole simulated launcher."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from playwright.async_api import expect

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.messages import BurstEnded, CardLeft, PressAccepted, PressRefused
from dispenser.service.settings import Settings
from tests.browser.rig import (
    ENGLISH,
    UNREACHABLE,
    clear_the_exit,
    flew,
    in_chromium,
    open_drawer,
    said,
    says,
    show_tab,
    table,
    until,
    words_for,
)

DUD = ENGLISH["outcome"]["dud"]


@in_chromium
async def test_a_press_with_the_mouse_and_one_with_the_space_bar() -> None:
    """The simulator's odds: the first press is a dud, the second brings cards."""
    async with table(seed="a press") as on:
        page = await on.open_page()
        await says(page, "Ready. Press!")
        await page.get_by_role("button", name="Press").click()
        await said(page, "The drum rolls…", DUD)
        await flew(page, 0)
        await expect(page.locator("body")).to_have_attribute("data-press", "counts")

        await page.keyboard.press("Space")
        await until(lambda: len(on.records(BurstEnded.type)) == 2)
        burst = on.records(BurstEnded.type)[1]
        assert burst["delivered"] >= 3
        await said(page, "The drum rolls…", words_for(burst))
        seen = len(on.records(CardLeft.type))
        await flew(page, seen)
        await expect(page.locator("#table-cards > .flown")).to_have_count(seen)  # they lie there
        assert [press["source"] for press in on.records(PressAccepted.type)] == ["web", "web"]


@in_chromium
async def test_a_press_that_does_not_count_says_why() -> None:
    async with table() as on:
        page = await on.open_page()
        on.simulator.open_lid()
        await says(page, "Lid open: nothing can move.")
        on.simulator.push_button()
        await said(page, "Lid open: nothing can move.", "Shut the lid first.", "Lid open: nothing can move.")
        assert len(on.records(PressRefused.type)) == 1


@in_chromium
async def test_loading_is_lid_up_cards_in_lid_down() -> None:
    async with table(cards=3) as on:
        page = await on.open_page()
        await page.get_by_role("button", name="Load cards").click()
        dialog = page.get_by_role("dialog", name="Load cards")
        await expect(dialog).to_be_visible()
        await dialog.get_by_role("spinbutton").fill("60")
        await dialog.get_by_role("button", name="Ten fewer").click()
        await dialog.get_by_role("button", name="Load", exact=True).click()
        await says(page, "Lid open: nothing can move.")
        await says(page, "Ready. Press!")
        assert on.service.snapshot()["cards_inside"] == 50
        assert on.simulator.view().cards_in_stack == 50
        await expect(page.locator("#stack-label")).to_have_text("50")


@in_chromium
async def test_without_an_exit_sensor_the_page_asks_for_the_number() -> None:
    no_sensor = dataclasses.replace(Settings(), pins=dataclasses.replace(GpioWiring(), exit=None))
    async with table(settings=no_sensor) as on:
        page = await on.open_page()
        burst = await on.eject(4)
        assert burst["delivered"] is None
        await says(page, "Cards are out. How many?")
        await flew(page, 0)  # no sensor saw a card
        number = page.get_by_label("How many cards came out?")
        await expect(number).to_have_value("4")
        await page.get_by_role("button", name="One more").click()
        await page.get_by_role("button", name="That many").click()
        await says(page, "Five cards!")
        assert on.records("launcher.burst.counted")[0]["cards"] == 5
        await expect(number).to_be_hidden()


@in_chromium
async def test_after_a_restart_of_everything_nothing_is_missed_and_nothing_comes_twice(tmp_path: Path) -> None:
    async with table(journal=tmp_path / "journal.sqlite3") as on:
        page = await on.open_page(allow=f"{UNREACHABLE}|ERR_INTERNET_DISCONNECTED")
        await open_drawer(page, "Journal")
        await on.eject(2)
        await clear_the_exit(on)
        before = len(on.records(CardLeft.type))
        await flew(page, before)

        await on.switch_off()
        await says(page, "Connection lost, trying again…")
        await expect(page.get_by_role("button", name="Press")).to_have_attribute("aria-disabled", "true")
        await page.get_by_role("button", name="Press").click(force=True)

        await page.context.set_offline(True)  # until a burst is over
        await on.switch_on()
        await on.eject(1)
        await clear_the_exit(on)
        missed = len(on.records(CardLeft.type)) - before
        assert missed
        await page.context.set_offline(False)
        await expect(page.locator("body")).to_have_attribute("data-state", "ready")
        await expect(page.get_by_role("button", name="Press")).to_have_attribute("aria-disabled", "false")
        assert on.service.snapshot()["presses"] == 2, "a press on a greyed button is none"
        await on.eject(3)

        last = on.service.journal.last_seq
        newest = page.locator(f"#journal li[title^='{last} ']")
        await expect(newest).to_have_count(1)
        titles = await page.locator("#journal li[title]").evaluate_all("items => items.map((item) => item.title)")
        seqs = sorted(int(title.split()[0]) for title in titles)
        assert seqs == list(range(seqs[0], last + 1)), "each record once, without a gap"
        await show_tab(page, "Presses")
        presses = page.locator("#bursts tbody td:first-child")
        await expect(presses).to_have_text(["3", "2", "1"])
        await flew(page, len(on.records(CardLeft.type)) - missed)  # what was missed does not fly late
