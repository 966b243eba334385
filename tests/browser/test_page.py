"""The page in Chromium, in front of a whole simulated launcher."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.commands import Eject
from dispenser.launcher.messages import (
    BurstEnded,
    CardLeft,
    DriverFailed,
    DriverRecovered,
    LidWasOpened,
    PressAccepted,
    PressRefused,
)
from dispenser.launcher.settings import MachineSettings
from dispenser.service.requests import NoSessionError
from dispenser.service.settings import Settings
from dispenser.simulator import ToyParameters
from tests.browser.launcher_page import ENGLISH, TOKEN, UNREACHABLE, clear_the_exit, does, says, words_for
from tests.browser.rig import PHONE, flew, holds, open_drawer, play, said, show_tab, sounds, table, until

DUD = ENGLISH["outcome"]["dud"]
ONE_TRY = Settings(launcher=MachineSettings(suspense_min_s=0.3, suspense_max_s=0.4, max_tries=1))


def test_a_press_with_the_mouse_and_one_with_the_space_bar() -> None:
    """The toy's odds: the first press is a dud, the second brings cards."""

    async def scenario() -> None:
        async with table(seed="a press") as on:
            page = await on.open_page()
            await says(page, "Ready. Press!")
            await page.get_by_role("button", name="Press").click()
            await said(page, "The drum rolls…", DUD)
            await flew(page, 0)
            await expect(page.locator("body")).to_have_attribute("data-press", "counts")

            await page.keyboard.press("Space")
            await until(lambda: len(on.entries(BurstEnded.type)) == 2)
            burst = on.entries(BurstEnded.type)[1]
            assert burst["delivered"] >= 3
            await said(page, "The drum rolls…", words_for(burst))
            await flew(page, len(on.entries(CardLeft.type)))
            assert [press["source"] for press in on.entries(PressAccepted.type)] == ["web", "web"]

    play(scenario)


def test_a_hidden_page_holds_no_stream_and_a_seen_one_looks_anew() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await says(page, "Ready. Press!")
            seen = """(state) => {
              Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
              document.dispatchEvent(new Event("visibilitychange"));
            }"""
            await page.evaluate(seen, "hidden")
            await until(lambda: len(on.service.event_bus) == 0)
            on.toy.open_lid()
            await page.evaluate(seen, "visible")
            await says(page, "Lid open: nothing can move.")

    play(scenario)


def test_a_browser_that_understands_the_scripts_reads_nothing_of_being_too_old() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await expect(page.locator("#too-old")).to_have_count(0)

    play(scenario)


def test_as_many_cards_fly_as_the_sensor_saw_and_they_lie_there_until_the_next_press() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            total = 0
            for cards in (1, 5):
                burst = await on.eject(cards)
                await says(page, words_for(burst))
                seen = len(on.entries(CardLeft.type)) - total
                total += seen
                await expect(page.locator("#table-cards > .flown")).to_have_count(seen)
                await flew(page, total)
                await clear_the_exit(on)

    play(scenario)


def test_a_press_that_does_not_count_says_why() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            on.toy.open_lid()
            await says(page, "Lid open: nothing can move.")
            on.toy.push_button()
            await said(page, "Lid open: nothing can move.", "Shut the lid first.", "Lid open: nothing can move.")
            assert len(on.entries(PressRefused.type)) == 1

    play(scenario)


# A hand quicker than a test that looks from outside: clicks the page's lid button once so many cards have flown.
CLICK_THE_LID_AFTER = """
(cards) => void new MutationObserver((_, observer) => {
  if (document.querySelectorAll(".flown").length < cards) return;
  observer.disconnect();
  document.getElementById("lid").click();
}).observe(document.getElementById("table-cards"), { childList: true })
"""


def test_the_lid_opened_in_the_middle_of_a_burst_stops_the_motor() -> None:
    async def scenario() -> None:
        async with table() as on:
            on.toy.set_cell_voltage(3.0)  # slow cards: there is a middle
            page = await on.open_page()
            await expect(page.get_by_role("button", name="Open the lid")).to_be_enabled()
            await page.evaluate(CLICK_THE_LID_AFTER, 3)
            accepted = await on.service.handle(Eject(12), "test")
            await until(lambda: bool(on.entries(LidWasOpened.type)))
            burst = (await on.service.outcome(accepted)).data
            assert on.toy.view().motor_commanded == 0
            assert burst["cause"] == "lid"
            assert 3 <= burst["delivered"] < 12
            await says(page, re.compile(f"^{burst['delivered']} of 12: the lid was lifted. Lid open"))
            await expect(page.locator("#launcher")).to_have_attribute("data-lid", "open")
            await flew(page, len(on.entries(CardLeft.type)))
            await page.locator("#lid").click()
            await expect(page.locator("#launcher")).to_have_attribute("data-lid", "shut")
            assert on.toy.view().motor_commanded == 0, "it never starts again by itself"

    play(scenario)


def test_loading_is_lid_up_cards_in_lid_down() -> None:
    async def scenario() -> None:
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
            assert on.toy.view().cards_in_stack == 50
            await expect(page.locator("#stack-label")).to_have_text("50")

    play(scenario)


def test_while_no_journal_can_be_written_nothing_is_offered_and_it_goes_on_by_itself() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            on.service.journal.ask("PRAGMA query_only = ON")
            with pytest.raises(NoSessionError):
                await on.service.handle(Eject(1), "test")
            await expect(page.locator("#detail")).to_contain_text("read-only")
            await expect(page.locator("#press")).to_have_attribute("data-deed", "none")
            await says(page, "Ready. Press!")
            await expect(page.locator("#press")).to_have_attribute("data-deed", "press")

    play(scenario)


def test_a_broken_launcher_says_so_and_a_person_resets_it() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()

            on.service.enqueue(DriverFailed("a test broke the driver"))
            on.service.enqueue(DriverRecovered())
            await says(page, "Something is broken.")
            await expect(page.locator("#detail")).to_contain_text("a test broke the driver")
            await does(page, "Done, go on")
            await says(page, "Ready. Press!")
            await expect(page.locator("body")).to_have_attribute("data-press", "counts")

    play(scenario)


def test_a_card_that_sticks_out_can_be_taken() -> None:
    async def scenario() -> None:
        async with table(parameters=ToyParameters(brake_ms=25)) as on:  # a motor that runs on
            page = await on.open_page()
            burst = await on.eject(2)
            while not burst["sticking_out"]:  # a busy machine may brake too late, and the card is out
                burst = await on.eject(2)
            await says(page, words_for(burst))
            await expect(page.locator("#launcher")).to_have_attribute("data-exit", "blocked")
            await does(page, "Take the card")
            await expect(page.locator("#launcher")).to_have_attribute("data-exit", "clear")
            await expect(page.locator("#press")).to_have_attribute("data-deed", "press")

    play(scenario)


def test_without_an_exit_sensor_the_page_asks_for_the_number() -> None:
    no_sensor = dataclasses.replace(Settings(), pins=dataclasses.replace(GpioWiring(), exit=None))

    async def scenario() -> None:
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
            assert on.entries("launcher.burst.counted")[0]["cards"] == 5
            await expect(number).to_be_hidden()

    play(scenario)


def test_the_big_button_says_that_the_jam_is_freed() -> None:
    async def scenario() -> None:
        async with table(settings=ONE_TRY) as on:
            page = await on.open_page()
            on.toy.switch_fault("roller_jam", cards=9)
            await on.eject(1)
            await expect(page.locator("#launcher")).to_have_attribute("data-mood", "jammed")
            on.toy.switch_fault("roller_jam", on=False)
            await does(page, "Free the card")  # lid up, card out, lid down
            await says(page, "Ready. Press!")
            assert on.service.snapshot()["presses"] == 1

    play(scenario)


def test_after_a_restart_of_everything_nothing_is_missed_and_nothing_comes_twice(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with table(journal=tmp_path / "journal.sqlite3") as on:
            page = await on.open_page(allow=f"{UNREACHABLE}|ERR_INTERNET_DISCONNECTED")
            await open_drawer(page, "Journal")
            await on.eject(2)
            await clear_the_exit(on)
            before = len(on.entries(CardLeft.type))
            await flew(page, before)

            await on.switch_off()
            await says(page, "Connection lost, trying again…")
            await expect(page.get_by_role("button", name="Press")).to_have_attribute("aria-disabled", "true")
            await page.get_by_role("button", name="Press").click(force=True)

            await page.context.set_offline(True)  # until a burst is over
            await on.switch_on()
            await on.eject(1)
            await clear_the_exit(on)
            missed = len(on.entries(CardLeft.type)) - before
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
            assert seqs == list(range(seqs[0], last + 1)), "each entry once, without a gap"
            await show_tab(page, "Presses")
            presses = page.locator("#bursts tbody td:first-child")
            await expect(presses).to_have_text(["3", "2", "1"])
            await flew(page, len(on.entries(CardLeft.type)) - missed)  # what was missed does not fly late

    play(scenario)


def test_a_short_loss_of_the_connection_is_made_good() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(allow=r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK")
            on.service.event_bus.close()  # every stream ends, as when a proxy gives up
            burst = await on.eject(3)
            await says(page, words_for(burst))
            await expect(page.locator("body")).to_have_attribute("data-state", "ready")

    play(scenario)


def test_a_person_logs_in_once() -> None:
    async def scenario() -> None:
        async with table(token=TOKEN) as on:
            page = await on.open_page(wait=False, allow=r"403 \(Forbidden\)")
            field = page.get_by_label("The launcher's token")
            await field.fill("wrong-horse-battery")
            await page.get_by_role("button", name="Continue").click()
            await expect(page.get_by_role("alert")).to_have_text("That is not the token.")
            await field.fill(TOKEN)
            await field.press("Enter")
            await says(page, "Ready. Press!")
            await page.reload()
            await says(page, "Ready. Press!")
            await page.get_by_role("button", name="Press").click()
            await says(page, DUD)

    play(scenario)


def test_the_chimes_are_heard_once_there_was_a_click_and_not_when_switched_off() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            sound = page.get_by_role("button", name="Sound")
            for on_now in ("false", "true"):
                await sound.click()
                await expect(sound).to_have_attribute("aria-pressed", on_now)
            await sounds(page)
            await page.get_by_role("button", name="Press").click()
            await says(page, DUD)
            await holds(page, "window.notes >= 6")  # four of the drum, two of the dud
            await page.get_by_role("button", name="Sound").click()
            await expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
            heard = await page.evaluate("window.notes")
            burst = await on.eject(1)
            await says(page, words_for(burst))
            on.toy.open_lid()  # after whatever sounds at the end of a burst
            await expect(page.locator("body")).to_have_attribute("data-state", "open")
            assert await page.evaluate("window.notes") == heard
            await page.reload()
            await expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")

    play(scenario)


def test_on_a_phone_a_press_is_a_tap() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(viewport=PHONE, has_touch=True, is_mobile=True)
            await page.get_by_role("button", name="Press").tap()
            await says(page, DUD)
            await expect(page.get_by_text("or the space bar")).to_be_hidden()

    play(scenario)


def test_a_whole_turn_by_keyboard_only() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await page.keyboard.press("Tab")
            await page.keyboard.press("Enter")  # to the button
            await page.keyboard.press("Enter")
            await expect(page.locator("#press")).to_be_focused()
            await until(lambda: on.service.snapshot()["presses"] == 1)
            await says(page, DUD)
            await page.keyboard.press("Tab")  # the way to the table
            await page.keyboard.press("Tab")
            await page.keyboard.press("Enter")  # the lid
            await expect(page.locator("body")).to_have_attribute("data-state", "open")
            await page.keyboard.press("Space")
            await expect(page.locator("body")).to_have_attribute("data-state", "ready")
            await page.keyboard.press("Tab")
            await page.keyboard.press("Enter")  # load
            await expect(page.get_by_role("dialog")).to_be_visible()
            await page.keyboard.press("Escape")
            await expect(page.get_by_role("dialog")).to_be_hidden()
            await expect(page.locator("#load-open")).to_be_focused()  # it comes back
            assert on.service.snapshot()["presses"] == 1

    play(scenario)
