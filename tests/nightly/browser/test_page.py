"""The launcher's page in Chromium: everything that the short tests leave out."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from dispenser.launcher.commands import Eject, Load, Press
from dispenser.launcher.messages import CardLeft
from dispenser.service.requests import NoSessionError
from tests.browser.rig import (
    ENGLISH,
    REFUSED,
    TOKEN,
    clear_the_exit,
    does,
    holds,
    in_chromium,
    open_drawer,
    said,
    says,
    show_tab,
    sounds,
    table,
    until,
    words_for,
)

# --- pressing ---


@in_chromium
async def test_the_button_of_the_launcher_itself_is_seen_on_the_page() -> None:
    async with table() as on:
        page = await on.open_page()
        on.toy.push_button()
        await said(page, "The drum rolls…", "Phew… not a single card!")


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


@in_chromium
async def test_a_reason_that_the_page_does_not_know_is_said_as_not_now() -> None:
    async with table() as on:
        page = await on.open_page()
        told = await page.evaluate(REFUSED_TOMORROW)
        not_now, dud = ENGLISH["sentence"]["not_now"], ENGLISH["outcome"]["dud"]
        assert told == [not_now, "waiting", False, "wait", f"{dud} {not_now}"]


@in_chromium
async def test_each_dud_has_a_joke_of_its_own() -> None:
    jokes = [ENGLISH["outcome"]["dud"], *ENGLISH["outcome"]["jokes"]]
    async with table() as on:
        page = await on.open_page()
        for press in (1, 2, 3, 4):
            burst = (await on.service.outcome(await on.service.handle(Press(), "test"))).data
            await says(page, words_for(burst))
            if burst["cause"] == "dud":
                await says(page, jokes[press - 1])
            await clear_the_exit(on)


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


# --- trouble ---


@in_chromium
async def test_a_jam_made_in_the_fault_panel_and_put_right() -> None:
    async with table() as on:
        page = await on.open_page()
        await open_drawer(page, "Trouble")
        jam = page.get_by_role("checkbox", name="Cards jam")
        await jam.check()
        await until(lambda: "roller_jam" in on.toy.view().faults)
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


WATCH_UNCHECKED = """
(box) => {
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "checked");
  window.unchecked = false;
  Object.defineProperty(box, "checked", {
    get,
    set(checked) {
      if (!checked) window.unchecked = true;
      set.call(this, checked);
    },
  });
}
"""


@pytest.mark.parametrize(
    ("fault", "name", "expected"),
    [
        ("empty_stack", "Roller reaches no card", "I saw nothing come out."),
        ("exit_stuck_light", "Exit sensor stuck light", "I saw nothing come out."),
        ("motor_dead", "Motor dead", "I saw nothing come out."),
        ("exit_stuck_dark", "Exit sensor stuck dark", "Something darkens my exit. Clear it, or wipe the sensor."),
    ],
)
@in_chromium
async def test_other_trouble_of_the_panel(fault: str, name: str, expected: str) -> None:
    async with table() as on:
        page = await on.open_page(allow=REFUSED)
        await open_drawer(page, "Trouble")
        await page.get_by_role("checkbox", name=name).check()
        await until(lambda: fault in on.toy.view().faults)
        if fault != "exit_stuck_dark":
            await on.eject(3)
            await expect(page.locator("#detail")).to_contain_text("Wipe the exit sensor")
            await expect(page.locator("#press")).to_have_accessible_name("Done, go on")
        await says(page, expected)
        await expect(page.locator("#launcher")).to_have_attribute("data-light", "off")
        await expect(page.locator("#launcher")).to_have_attribute("data-exit", "clear")
        await expect(page.locator("body")).to_have_attribute("data-press", "refused")


@in_chromium
async def test_the_cards_are_counted_in_large_while_they_fly_and_told_when_they_have_landed() -> None:
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


@in_chromium
async def test_a_real_launcher_shows_no_simulated_parts() -> None:
    async with table() as on:
        toy, on.service.toy = on.service.toy, None
        page = await on.open_page()
        await open_drawer(page, "Journal")
        await expect(page.get_by_role("tab")).to_have_text(["Presses", "Luck", "Journal"])
        await expect(page.get_by_role("button", name="Open the lid")).to_have_count(0)
        on.service.toy = toy


@in_chromium
async def test_the_big_button_of_a_real_launcher_asks_whether_the_jam_is_freed() -> None:
    async with table() as on:
        toy, on.service.toy = on.toy, None
        page = await on.open_page()
        toy.switch_fault("roller_jam", cards=9)
        await on.eject(3)
        await expect(page.locator("#launcher")).to_have_attribute("data-mood", "jammed")
        toy.switch_fault("roller_jam", on=False)
        await does(page, "I have freed it")
        await said(page, "Free the stuck card first.")
        toy.open_lid()
        toy.clear_jam()
        toy.close_lid()
        await says(page, "Ready. Press!")
        assert on.service.snapshot()["presses"] == 1
        on.service.toy = toy


@in_chromium
async def test_the_big_button_of_an_empty_launcher_asks_how_many_were_loaded() -> None:
    async with table(cards=2) as on:
        page = await on.open_page()
        await on.service.handle(Load(2))
        await on.eject(5)
        await expect(page.locator("#launcher")).to_have_attribute("data-mood", "empty")
        await expect(page.locator(".flown")).to_have_count(2)
        await does(page, "Load cards")
        await page.get_by_role("dialog").get_by_role("button", name="Load", exact=True).click()
        await says(page, "Ready. Press!")
        assert on.service.snapshot()["cards_inside"] == 112
        await expect(page.locator(".flown")).to_have_count(0)


@in_chromium
async def test_a_push_meant_for_the_press_does_not_do_what_the_button_has_just_become() -> None:
    async with table() as on:
        page = await on.open_page()
        await page.evaluate(PUSH_AS_IT_BECOMES)
        await page.locator("#lid").click()
        await holds(page, "window.refused === 'true'")
        assert on.toy.view().lid_open, "a push that comes at once does nothing"
        await does(page, "Shut the lid")
        await says(page, "Ready. Press!")


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


@in_chromium
async def test_the_chimes_are_heard_once_there_was_a_click_and_not_when_switched_off() -> None:
    async with table() as on:
        page = await on.open_page()
        sound = page.get_by_role("button", name="Sound")
        await sound.click()
        await sound.click()
        await sounds(page)
        await page.get_by_role("button", name="Press").click()
        await holds(page, "window.notes >= 6")  # four of the drum, two of the dud
        await sound.click()
        heard = await page.evaluate("window.notes")
        burst = await on.eject(1)
        await says(page, words_for(burst))
        assert await page.evaluate("window.notes") == heard
        await page.reload()
        await expect(sound).to_have_attribute("aria-pressed", "false")


@in_chromium
async def test_a_phone_buzzes_with_each_card_once_it_was_touched() -> None:
    async with table() as on:
        page = await on.open_page()
        await page.evaluate("() => { window.buzzed = 0; navigator.vibrate = () => Boolean(++window.buzzed); }")
        await page.get_by_role("button", name="Sound").click()
        before = len(on.entries(CardLeft.type))
        burst = await on.eject(3)
        await says(page, words_for(burst))
        cards = len(on.entries(CardLeft.type)) - before
        await holds(page, "(cards) => window.buzzed >= cards", cards)
        assert await page.evaluate("window.buzzed") == cards


# --- the token ---


@in_chromium
async def test_a_link_with_the_token_opens_the_page_and_the_token_leaves_the_address_bar() -> None:
    async with table(token=TOKEN) as on:
        page = await on.open_page(wait=False)
        await page.goto(f"{on.address}?token={TOKEN}")
        await says(page, "Ready. Press!")
        assert page.url == on.address


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
        await show_tab(page, "Luck")
        await expect(page.locator("#tally")).to_contain_text("Presses left to luck: 1.")
        await expect(page.locator("#commitment")).to_have_text(on.service.snapshot()["commitment"])
        await expect(page.locator("#chart li").first).to_contain_text("No card: promised in 65 of 100 presses")
        await expect(page.locator("#chart .bar-expected")).to_have_count(9)
        await expect(page.locator("#chart .share")).to_have_text(["0%", "20%", "40%", "60%", "80%", "100%"])
        await expect(page.locator("#chart svg")).to_contain_text("Cards that a press brings")
        await show_tab(page, "Journal")
        await expect(page.locator("#journal")).to_contain_text("Press 2: 0 of 0 (dud)")
        await show_tab(page, "Trouble")
        await page.get_by_role("button", name="Flat cells").click()
        await expect(page.locator("#toy-facts")).to_contain_text("2.7 V")
        await page.get_by_role("button", name="Push the real button").click()
        await until(lambda: on.service.snapshot()["presses"] == 3)


@in_chromium
async def test_escape_shuts_the_drawer() -> None:
    async with table() as on:
        page = await on.open_page()
        await open_drawer(page, "Luck")
        await page.keyboard.press("Escape")
        await expect(page.locator("#chart")).to_be_hidden()
        await expect(page.locator("#drawer-handle")).to_be_focused()


@in_chromium
async def test_at_the_end_the_seed_is_shown() -> None:
    async with table() as on:
        page = await on.open_page(allow=r"503|ERR_")
        await open_drawer(page, "Luck")
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
