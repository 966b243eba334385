"""The page in Chromium, in front of a whole simulated launcher."""

from __future__ import annotations

import asyncio
import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from dispenser.drivers.pins.wiring import GpioWiring
from dispenser.launcher.messages import BurstEnded, CardLeft, Command, Feed, LidWasOpened, PressAccepted, PressRefused
from dispenser.service.answers import ServiceError
from dispenser.service.settings import Settings
from dispenser.toy import ToyParameters
from dispenser.web.texts import script_texts
from tests.browser.rig import PATIENCE_S, PHONE, Table, flown, open_drawer, play, show_tab, table

pytestmark = pytest.mark.browser

ENGLISH = script_texts("en")
REFUSED = r"409 \(Conflict\)"
UNREACHABLE = r"ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET"


def sentence(page: Page) -> object:
    return expect(page.locator("#sentence"))


async def says(page: Page, text: str | re.Pattern[str]) -> None:
    await expect(page.locator("#sentence")).to_have_text(text)


def words_for(burst: dict[str, Any]) -> str:
    """The sentence after a whole burst."""
    if burst["cause"] == "dud":
        jokes = [ENGLISH["outcome"]["dud"], *ENGLISH["outcome"]["jokes"]]
        return str(jokes[(burst["press"] - 1) % len(jokes)])
    cards, words = burst["delivered"], ENGLISH["outcome"]["words"]
    told = ENGLISH["outcome"]["counting"][cards > 1] if burst["sticking_out"] else ENGLISH["outcome"]["all"]
    said = [told.format(cards=words[cards - 1] if cards <= len(words) else f"{cards} cards")]
    if doubles := burst["suspected_doubles"]:
        said.append(ENGLISH["outcome"]["double"][doubles > 1].format(n=doubles))
    return " ".join(said)


async def does(page: Page, deed: str) -> None:
    """Push the big button when it says so; it may be pushed a moment later."""
    button = page.locator("#press")
    await expect(button).to_have_accessible_name(deed)
    await button.click()


async def clear_the_exit(on: Table) -> None:
    """Take what sticks out, as players do."""
    on.toy.take_card()
    await on.until(lambda: not on.service.snapshot()["exit_blocked"])


# --- pressing ---


def test_a_press_with_the_mouse_and_one_with_the_space_bar() -> None:
    """The toy's odds: the first press is a dud, the second brings cards."""

    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await says(page, "Ready. Press!")
            await page.get_by_role("button", name="Press").click()
            await says(page, "The drum rolls…")
            await says(page, "Phew… not a single card!")
            assert await flown(page) == 0

            await page.keyboard.press("Space")
            await says(page, "The drum rolls…")
            await on.until(lambda: len(on.entries(BurstEnded.type)) == 2)
            burst = on.entries(BurstEnded.type)[1]
            assert burst["delivered"] >= 3
            await says(page, words_for(burst))
            assert await flown(page) == len(on.entries(CardLeft.type)) >= 3
            assert [press["source"] for press in on.entries(PressAccepted.type)] == ["web", "web"]

    play(scenario)


def test_as_many_cards_fly_as_the_sensor_saw_and_they_lie_there_until_the_next_press() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            total = 0
            for cards in (1, 4, 12):
                burst = await on.eject(cards)
                await says(page, words_for(burst))
                seen = len(on.entries(CardLeft.type)) - total
                total += seen
                await expect(page.locator("#table-cards > .flown")).to_have_count(seen)
                assert await flown(page) == total
                await clear_the_exit(on)

    play(scenario)


def test_the_button_of_the_launcher_itself_is_seen_on_the_page() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            on.toy.push_button()
            await says(page, "The drum rolls…")
            await says(page, "Phew… not a single card!")

    play(scenario)


def test_a_press_that_does_not_count_says_why() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            on.toy.open_lid()
            await says(page, "Lid open: nothing can move.")
            on.toy.push_button()
            await says(page, "Shut the lid first.")
            await says(page, "Lid open: nothing can move.")
            assert len(on.entries(PressRefused.type)) == 1

    play(scenario)


REFUSED_TOMORROW = """
async () => {
  const { newView, mood, lit } = await import(document.querySelector("[href$='/state.js']").href);
  const { sentence } = await import(document.querySelector("[href$='/words.js']").href);
  const { deedOf } = await import(document.querySelector("[href$='/deed.js']").href);
  const view = { ...newView(), connected: true, state: "ready", refusal: "of_tomorrow" };
  const dud = { ...view, outcome: { press: 1, cause: "dud", delivered: 0, planned: 0 } };
  return [sentence(view, ""), mood(view), lit(view), deedOf(view, true), sentence(dud, "")];
}
"""


def test_a_reason_that_the_page_does_not_know_is_said_as_not_now() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            told = await page.evaluate(REFUSED_TOMORROW)
            not_now, dud = ENGLISH["sentence"]["not_now"], ENGLISH["outcome"]["dud"]
            assert told == [not_now, "waiting", False, "wait", f"{dud} {not_now}"]

    play(scenario)


def test_each_dud_has_a_joke_of_its_own_and_whoever_comes_later_reads_the_same() -> None:
    jokes = [ENGLISH["outcome"]["dud"], *ENGLISH["outcome"]["jokes"]]

    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            for press in (1, 2, 3, 4):
                burst = (await on.service.outcome(await on.service.press("test"))).data
                await says(page, words_for(burst))
                if burst["cause"] == "dud":
                    await says(page, jokes[press - 1])
                    await page.reload()
                    await says(page, jokes[press - 1])
                await clear_the_exit(on)

    play(scenario)


def test_the_space_bar_presses_only_when_nothing_else_wants_it() -> None:
    async def scenario() -> None:
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
            await on.until(lambda: on.service.snapshot()["presses"] == 1)
            await says(page, "Phew… not a single card!")
            assert on.service.snapshot()["presses"] == 1, "the focused button and the shortcut are one press"

    play(scenario)


# --- the lid ---

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
            accepted = await on.service.press("test", cards=12)
            await on.until(lambda: on.toy.view().motor_commanded > 0)
            await on.until(lambda: bool(on.entries(LidWasOpened.type)))
            assert on.toy.view().motor_commanded == 0
            burst = (await on.service.outcome(accepted)).data
            assert burst["cause"] == "lid"
            assert 3 <= burst["delivered"] < 12
            await says(page, f"{burst['delivered']} of 12: the lid was lifted. Lid open: nothing can move.")
            await expect(page.locator("#launcher")).to_have_attribute("data-lid", "open")
            assert await flown(page) == len(on.entries(CardLeft.type))
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


# --- the computer ---


def test_the_computer_is_switched_off_by_two_taps_and_not_by_one() -> None:
    async def scenario() -> None:
        async with table() as on:
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
            await expect(dialog.get_by_role("status")).to_have_text(
                "This launcher is simulated, so nothing is switched off."
            )
            (entry,) = on.service.journal.read(types=["service.computer"])
            assert (entry.type, entry.source) == ("service.computer.off", "web")

    play(scenario)


# --- trouble ---


def test_a_jam_made_in_the_fault_panel_and_put_right() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await open_drawer(page, "Trouble")
            jam = page.get_by_role("checkbox", name="Cards jam")
            await jam.check()
            await on.until(lambda: "roller_jam" in on.toy.view().faults)
            await on.eject(3)
            await says(page, "Jam! Lid up, card out, lid down. No card? Wipe the sensor.")
            await expect(page.locator("#launcher")).to_have_attribute("data-exit", "blocked")
            await jam.uncheck()
            await page.get_by_role("button", name="Open the lid").click()
            await says(page, "Lid open. Take the card out, then shut it.")
            await does(page, "Take the card")
            await expect(page.locator("#launcher")).to_have_attribute("data-exit", "clear")
            await does(page, "Shut the lid")
            await says(page, "Ready. Press!")
            burst = await on.eject(2)
            await says(page, words_for(burst))

    play(scenario)


def test_what_a_hand_did_is_not_undone_by_an_answer_that_is_older() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await open_drawer(page, "Trouble")
            jam = page.get_by_role("checkbox", name="Cards jam")
            await expect(jam).not_to_be_checked()
            asked, late = asyncio.Event(), asyncio.Event()

            async def answer_late(route: Route) -> None:
                answer = await route.fetch()
                asked.set()
                await late.wait()
                await route.fulfill(response=answer)

            await page.route("**/api/v1/toy", answer_late, times=1)
            await page.evaluate("dispatchEvent(new Event('resize'))")
            await asyncio.wait_for(asked.wait(), PATIENCE_S)
            await jam.check()
            await on.until(lambda: "roller_jam" in on.toy.view().faults)
            await page.wait_for_timeout(500)
            async with page.expect_event("requestfinished", lambda request: request.url.endswith("/toy")):
                late.set()
            await page.wait_for_timeout(100)
            await expect(jam).to_be_checked(timeout=1)

    play(scenario)


@pytest.mark.parametrize(
    ("fault", "name", "expected"),
    [
        ("empty_stack", "Roller reaches no card", "I saw nothing come out."),
        ("exit_stuck_light", "Exit sensor stuck light", "I saw nothing come out."),
        ("motor_dead", "Motor dead", "I saw nothing come out."),
        ("exit_stuck_dark", "Exit sensor stuck dark", "Something darkens my exit. Clear it, or wipe the sensor."),
    ],
)
def test_other_trouble_of_the_panel(fault: str, name: str, expected: str) -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(allow=REFUSED)
            await open_drawer(page, "Trouble")
            await page.get_by_role("checkbox", name=name).check()
            await on.until(lambda: fault in on.toy.view().faults)
            if fault != "exit_stuck_dark":
                await on.eject(3)
                await expect(page.locator("#detail")).to_contain_text("Wipe the exit sensor")
                await expect(page.locator("#press")).to_have_accessible_name("Seen to it: go on")
            await says(page, expected)
            await expect(page.locator("#launcher")).to_have_attribute("data-light", "off")
            await expect(page.locator("#launcher")).to_have_attribute("data-exit", "clear")
            await expect(page.locator("body")).to_have_attribute("data-press", "refused")

    play(scenario)


def test_the_cards_are_counted_in_large_while_they_fly_and_told_when_they_have_landed() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await expect(page.locator("body")).to_have_attribute("data-press", "counts")
            await page.evaluate(WATCH)
            burst = await on.eject(5)
            await says(page, words_for(burst))
            numbers, early = await page.evaluate("window.watched")
            assert numbers[: burst["planned"]] == ["1", "2", "3", "4", "5"]
            assert not early, "no number was said before the cards had landed"
            await expect(page.locator("#live")).to_be_empty()
            await expect(page.locator("body")).to_have_attribute(
                "data-press", "refused" if burst["sticking_out"] else "counts"
            )

    play(scenario)


WATCH = """
() => void (window.watched = new Promise((resolve) => {
  const live = document.getElementById("live"), sentence = document.getElementById("sentence");
  const numbers = [], early = [];
  const observer = new MutationObserver(() => {
    if (live.textContent && live.textContent !== numbers.at(-1)) numbers.push(live.textContent);
    if (live.textContent && sentence.textContent.includes("cards")) early.push(sentence.textContent);
    if (!sentence.textContent.includes("cards") || live.textContent) return;
    observer.disconnect();
    resolve([numbers, early]);
  });
  observer.observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
}))
"""
"""What the large number showed, and sentences with a number in them that came before it had gone."""


def test_a_broken_launcher_says_so_and_a_person_resets_it() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()

            def break_down(command: Command) -> None:
                match command:
                    case Feed():
                        raise RuntimeError("a test broke the driver")
                give(command)

            give = on.service.driver.give
            on.service.driver.give = break_down  # type: ignore[method-assign]
            with pytest.raises(ServiceError):
                await on.service.press("test", cards=1)
            await says(page, "Something is broken. The motor is off.")
            await expect(page.locator("#detail")).to_contain_text("a test broke the driver")
            on.service.driver.give = give  # type: ignore[method-assign]
            await on.until(lambda: on.entries(BurstEnded.type) != [])
            (burst,) = on.entries(BurstEnded.type)
            assert (burst["delivered"], burst["planned"]) == (0, 1)
            await does(page, "Seen to it: go on")
            await says(page, "Ready. Press!")
            await expect(page.locator("body")).to_have_attribute("data-press", "counts")

    play(scenario)


def test_a_card_that_sticks_out_can_be_taken() -> None:
    async def scenario() -> None:
        async with table(parameters=ToyParameters(brake_ms=25)) as on:  # a motor that runs on
            page = await on.open_page()
            burst = await on.eject(2)
            assert burst["sticking_out"]
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
            assert await flown(page) == 0, "no sensor saw a card, so none flies"
            number = page.get_by_label("How many cards came out?")
            await expect(number).to_have_value("4")
            await page.get_by_role("button", name="One more").click()
            await page.get_by_role("button", name="That many").click()
            await says(page, "Five cards!")
            assert on.entries("launcher.burst.counted")[0]["cards"] == 5
            await expect(number).to_be_hidden()

    play(scenario)


def test_a_real_launcher_shows_no_simulated_parts() -> None:
    async def scenario() -> None:
        async with table() as on:
            toy, on.service.toy = on.service.toy, None
            page = await on.open_page()
            await open_drawer(page, "Journal")
            await expect(page.get_by_role("tab")).to_have_text(["Presses", "Luck", "Journal"])
            await expect(page.get_by_role("button", name="Open the lid")).to_have_count(0)
            on.service.toy = toy

    play(scenario)


@pytest.mark.parametrize("simulated", [True, False])
def test_the_big_button_says_that_the_jam_is_freed(simulated: bool) -> None:
    async def scenario() -> None:
        async with table() as on:
            toy = on.toy
            if not simulated:
                on.service.toy = None
            page = await on.open_page()
            toy.switch_fault("roller_jam", cards=9)
            await on.eject(3)
            await expect(page.locator("#launcher")).to_have_attribute("data-mood", "jammed")
            toy.switch_fault("roller_jam", on=False)
            if simulated:
                await does(page, "Free the card")  # lid up, card out, lid down
            else:
                await does(page, "I have freed it")
                await says(page, "Free the stuck card first.")
                toy.open_lid()
                toy.clear_jam()
                toy.close_lid()
            await says(page, "Ready. Press!")
            assert on.service.snapshot()["presses"] == 1
            on.service.toy = toy

    play(scenario)


def test_the_big_button_of_an_empty_launcher_asks_how_many_were_loaded() -> None:
    async def scenario() -> None:
        async with table(cards=2) as on:
            page = await on.open_page()
            await on.service.load(2)
            await on.eject(5)
            await expect(page.locator("#launcher")).to_have_attribute("data-mood", "empty")
            await expect(page.locator(".flown")).to_have_count(2)
            await does(page, "Load cards")
            await page.get_by_role("dialog").get_by_role("button", name="Load", exact=True).click()
            await says(page, "Ready. Press!")
            assert on.service.snapshot()["cards_inside"] == 112
            await expect(page.locator(".flown")).to_have_count(0)

    play(scenario)


def test_a_push_meant_for_the_press_does_not_do_what_the_button_has_just_become() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await page.evaluate(PUSH_AS_IT_BECOMES)
            await page.locator("#lid").click()
            await page.wait_for_function("window.refused === 'true'")
            assert on.toy.view().lid_open, "a push that comes at once does nothing"
            await does(page, "Shut the lid")
            await says(page, "Ready. Press!")

    play(scenario)


PUSH_AS_IT_BECOMES = """
() => {
  const button = document.getElementById("press");
  new MutationObserver(() => {
    if (button.dataset.deed !== "shut") return;
    button.click();
    window.refused ??= button.getAttribute("aria-disabled");
  }).observe(button, { attributeFilter: ["data-deed"] });
}
"""


def test_a_phone_buzzes_with_each_card_once_it_was_touched() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await page.evaluate("() => { window.buzzed = 0; navigator.vibrate = () => Boolean(++window.buzzed); }")
            await page.get_by_role("button", name="Sound").click()
            before = len(on.entries(CardLeft.type))
            burst = await on.eject(3)
            await says(page, words_for(burst))
            assert await page.evaluate("window.buzzed") == len(on.entries(CardLeft.type)) - before

    play(scenario)


# --- connection ---


def test_after_a_restart_of_everything_nothing_is_missed_and_nothing_comes_twice(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with table(journal=tmp_path / "journal.sqlite3") as on:
            page = await on.open_page(allow=UNREACHABLE)
            await open_drawer(page, "Journal")
            await on.eject(2)
            await clear_the_exit(on)
            before = await flown(page)

            await on.switch_off()
            await says(page, "Connection lost, trying again…")
            await expect(page.get_by_role("button", name="Press")).to_have_attribute("aria-disabled", "true")
            await page.get_by_role("button", name="Press").click(force=True)

            await on.switch_on()
            missed = await on.eject(1)  # most likely before the page is back
            await expect(page.locator("body")).to_have_attribute("data-state", "ready")
            await expect(page.get_by_role("button", name="Press")).to_have_attribute("aria-disabled", "false")
            assert on.service.snapshot()["presses"] == 2, "a press on a greyed button is none"
            await clear_the_exit(on)
            seen = await on.eject(3)

            last = on.service.journal.last_seq
            newest = page.locator(f"#journal li[title^='{last} ']")
            await expect(newest).to_have_count(1)
            titles = await page.locator("#journal li[title]").evaluate_all("items => items.map((item) => item.title)")
            seqs = sorted(int(title.split()[0]) for title in titles)
            assert seqs == list(range(seqs[0], last + 1)), "each entry once, without a gap"
            await show_tab(page, "Presses")
            presses = page.locator("#bursts tbody td:first-child")
            await expect(presses).to_have_text(["3", "2", "1"])
            late = await flown(page) - before - seen["delivered"]  # a busy machine may bring a card more
            assert late in (0, missed["delivered"]), "what was missed does not fly late"

    play(scenario)


def test_a_short_loss_of_the_connection_is_made_good() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(allow=r"ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_NETWORK")
            on.service.hub.close()  # every stream ends, as when a proxy gives up
            burst = await on.eject(3)
            await says(page, words_for(burst))
            await expect(page.locator("body")).to_have_attribute("data-state", "ready")

    play(scenario)


# --- the token ---

TOKEN = "correct-horse-battery"


def test_a_person_logs_in_once() -> None:
    async def scenario() -> None:
        async with table(token=TOKEN) as on:
            page = await on.open_page(wait=False, allow=r"403 \(Forbidden\)")
            field = page.get_by_label("The launcher's token")
            await field.fill("wrong-horse-battery")
            await page.get_by_role("button", name="Come in").click()
            await expect(page.get_by_role("alert")).to_have_text("That is not the token.")
            await field.fill(TOKEN)
            await field.press("Enter")
            await says(page, "Ready. Press!")
            await page.reload()
            await says(page, "Ready. Press!")
            await page.get_by_role("button", name="Press").click()
            await says(page, "Phew… not a single card!")

    play(scenario)


def test_a_link_with_the_token_opens_the_page_and_the_token_leaves_the_address_bar() -> None:
    async def scenario() -> None:
        async with table(token=TOKEN) as on:
            page = await on.open_page(wait=False)
            await page.goto(f"{on.address}?token={TOKEN}")
            await says(page, "Ready. Press!")
            assert page.url == on.address

    play(scenario)


# --- sound ---


def test_the_chimes_are_heard_once_there_was_a_click_and_not_when_switched_off() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await page.get_by_role("button", name="Press").click()
            await says(page, "Phew… not a single card!")
            await page.wait_for_function("window.notes >= 6")  # four of the drum, two of the dud
            await page.get_by_role("button", name="Sound").click()
            heard = await page.evaluate("window.notes")
            burst = await on.eject(1)
            await says(page, words_for(burst))
            assert await page.evaluate("window.notes") == heard
            await page.reload()
            await expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")

    play(scenario)


# --- behind the scenes ---


def test_the_drawer_tells_bursts_luck_and_journal() -> None:
    async def scenario() -> None:
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
            await show_tab(page, "Luck")
            await expect(page.locator("#tally")).to_contain_text("Presses left to luck: 1.")
            await expect(page.locator("#commitment")).to_have_text(on.service.snapshot()["commitment"])
            await expect(page.locator("#chart li").first).to_contain_text("No card: promised in 65 of 100 presses")
            assert await page.locator("#chart .bar-expected").count() == 9
            await expect(page.locator("#chart .share")).to_have_text(["0%", "20%", "40%", "60%", "80%", "100%"])
            await expect(page.locator("#chart svg")).to_contain_text("Cards that a press brings")
            await show_tab(page, "Journal")
            await expect(page.locator("#journal")).to_contain_text("Press 2: 0 of 0 (dud)")
            await show_tab(page, "Trouble")
            await page.get_by_role("button", name="Flat cells").click()
            await expect(page.locator("#toy-facts")).to_contain_text("2.7 V")
            await page.get_by_role("button", name="Push the real button").click()
            await on.until(lambda: on.service.snapshot()["presses"] == 3)

    play(scenario)


def test_presses_that_do_not_count_leave_no_gap_in_the_list() -> None:
    async def scenario() -> None:
        async with table() as on:
            await on.eject(1)
            await clear_the_exit(on)
            on.toy.open_lid()
            await on.until(lambda: on.service.snapshot()["lid_open"])
            for _ in range(3):
                await on.service.press("test")
            on.toy.close_lid()
            await on.until(lambda: on.service.snapshot()["refusal"] is None)
            await on.eject(2)
            page = await on.open_page()
            await open_drawer(page)
            await expect(page.locator("#bursts tbody td:first-child")).to_have_text(["2", "1"])
            assert on.service.snapshot()["presses"] == 5

    play(scenario)


def test_one_happening_is_one_line_of_the_journal_that_opens() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await open_drawer(page, "Journal")
            await page.locator("#lid").click()
            await says(page, "Lid open: nothing can move.")
            newest = page.locator("#journal > li").first
            await expect(newest.locator("summary")).to_contain_text("Lid lifted")
            await expect(newest.get_by_text("A hand lifts the lid")).to_be_hidden()
            await newest.locator("summary").click()
            await expect(newest.get_by_text("A hand lifts the lid")).to_be_visible()
            await page.wait_for_timeout(400)
            await does(page, "Shut the lid")
            await expect(newest.locator("summary")).to_contain_text("Lid shut")
            before = page.locator("#journal > li").nth(1)
            await expect(before.get_by_text("A hand lifts the lid")).to_be_visible()  # it stays open

    play(scenario)


def test_escape_shuts_the_drawer() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page()
            await open_drawer(page, "Luck")
            await page.keyboard.press("Escape")
            await expect(page.locator("#chart")).to_be_hidden()
            await expect(page.locator("#drawer-handle")).to_be_focused()

    play(scenario)


def test_at_the_end_the_seed_is_shown() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(allow=r"503|ERR_")
            await open_drawer(page, "Luck")
            await expect(page.locator("#commitment")).not_to_be_empty()
            await on.service.stop()
            await expect(page.locator("#seed")).to_have_text(re.compile(r"^The seed was [0-9a-f]{64}\.$"))

    play(scenario)


def test_on_a_phone_a_press_is_a_tap() -> None:
    async def scenario() -> None:
        async with table() as on:
            page = await on.open_page(viewport=PHONE, has_touch=True, is_mobile=True)
            await page.get_by_role("button", name="Press").tap()
            await says(page, "Phew… not a single card!")
            await expect(page.get_by_text("or the space bar")).to_be_hidden()

    play(scenario)
