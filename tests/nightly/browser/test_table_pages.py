"""A phone at the table, in Chromium: what is drawn of a view, and what a tap sends. A stand-in serves the views.

And the line between the two: lost, found, moved; what the phone rings and reads aloud.
"""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.browser.rig import holds, in_chromium, until
from tests.browser.stand_in import BROKEN_LINE, PHONE, listens, phones, says, tap


@in_chromium
async def test_everybody_is_told_of_what_keeps_back_the_cards_that_are_owed_and_of_nothing_else() -> None:
    async with phones("watcher") as on:
        page = await on.look(viewport=PHONE)
        before = on.table.view()["sentence"]
        await says(page, before)
        await listens(on.table)
        on.table.launcher("ready", refusal="card_in_exit")
        on.table.show("watcher")
        at = str(on.table.view()["at"])
        await expect(page.locator("body")).to_have_attribute("data-at", at)  # which was told after the launcher
        await says(page, before)
        on.table.show("watcher", owes={"seat": 1, "left": 1, "total": 1})
        await says(page, "Take the card that sticks out.")
        on.table.launcher("jammed", refusal="jammed")
        await says(page, "Jam! Lid up, card out, lid down. No card? Wipe the sensor.")
        await expect(page.get_by_role("button", name="I have freed it")).to_have_count(0)


# --- the line ---


@pytest.mark.parametrize("status", [204, 404, 503])
@in_chromium
async def test_a_line_that_is_refused_is_opened_anew(status: int) -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE, allow=BROKEN_LINE)
        await says(page, "Tom: press 2 of 4")
        await listens(on.table)
        on.table.status = status
        on.table.hang_up()
        await expect(page.locator(".banner")).to_be_visible()
        on.table.status = 200
        on.table.show("cards")
        await says(page, "Your turn, Tom")


@in_chromium
async def test_a_line_without_a_ping_is_given_up() -> None:
    async with phones("owes") as on:
        page = await on.look("/table", viewport=PHONE)
        await says(page, "Tom: press 2 of 4")
        await listens(on.table)
        await page.clock.install(time=0)
        await page.clock.pause_at(1)
        on.table.say("ping", {})
        on.table.show("cards")
        await says(page, "Your turn, Tom")
        await page.clock.fast_forward(39_000)
        await expect(page.locator(".banner")).to_be_hidden()
        await page.clock.fast_forward(1_100)
        await expect(page.locator(".banner")).to_be_visible()
        await page.clock.run_for(1_000)
        await listens(on.table, 2)
        await expect(page.locator(".banner")).to_be_hidden()
        assert on.table.opened == 2


@in_chromium
async def test_a_hidden_page_holds_no_line_and_a_seen_one_looks_anew() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE, allow=BROKEN_LINE)
        await says(page, "Tom: press 2 of 4")
        seen = """(state) => {
          Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
        await page.evaluate(
            """() => {
              window.locks = 0;
              navigator.wakeLock.request = async () => { window.locks += 1; return { released: true }; };
            }"""
        )
        await listens(on.table)
        await page.locator(".sentence").click()
        await holds(page, "window.locks === 1")  # a tap keeps the screen awake
        await page.evaluate(seen, "hidden")

        def nobody_listens() -> bool:
            on.table.say("ping", {})  # a server notices that a line is gone when it says something
            return on.table.listeners == 0

        await until(nobody_listens)
        on.table.show("cards")
        await page.evaluate(seen, "visible")
        await says(page, "Your turn, Tom")
        await holds(page, "window.locks === 2")  # hidden, it has lost that
        await page.evaluate("() => dispatchEvent(new PageTransitionEvent('pagehide'))")
        on.table.show("owes")
        await page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        await says(page, "Tom: press 2 of 4")


# --- calling ---


@in_chromium
async def test_it_rings_and_shakes_when_it_is_called_and_not_when_muted() -> None:
    async with phones("cards_wait") as on:
        page = await on.look(viewport=PHONE)
        await listens(on.table)
        on.table.show("cards_wait", calls=2)
        at = str(on.table.view()["at"])
        await expect(page.locator("body")).to_have_attribute("data-at", at)  # it may not shake before it was touched
        await page.evaluate(
            "() => { window.shaken = 0; navigator.vibrate = () => { window.shaken += 1; return true; }; }"
        )
        await tap(page, "Menu", "Close")
        await sounds(page)
        await page.evaluate("window.shaken = 0")  # the call before may have come late
        on.table.show("cards", calls=3)
        await says(page, "Your turn, Tom")
        assert await page.evaluate("[window.notes, window.shaken]") == [2, 1]
        await tap(page, "Menu")
        await page.get_by_role("switch", name="Sound").click()
        await page.get_by_role("switch", name="Vibration").click()
        await page.keyboard.press("Escape")
        on.table.show("owes", calls=4)
        await says(page, "Tom: press 2 of 4")
        assert await page.evaluate("[window.notes, window.shaken]") == [2, 1]
        await page.reload()
        await tap(page, "Menu")
        await expect(page.get_by_role("switch", name="Sound")).to_have_attribute("aria-checked", "false")


@in_chromium
async def test_the_count_of_a_burst_is_seen_and_not_read() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE)
        await says(page, "Tom: press 2 of 4")
        await listens(on.table)
        await page.evaluate(
            """() => {
              window.read = [];
              const said = document.getElementById("said");
              const reader = new MutationObserver(() => window.read.push(said.textContent));
              reader.observe(said, { childList: true, subtree: true });
            }"""
        )
        on.table.launcher("feeding", delivered=3)
        await expect(page.locator(".burst")).to_have_text("3")
        await expect(page.locator(".burst")).to_have_attribute("aria-hidden", "true")
        on.table.launcher("ready", delivered=3)
        on.table.show("owes", recount={"press": 42, "cards": 3, "choices": [], "seconds": 10})
        await expect(page.locator(".recount")).to_be_visible()
        jam = "Jam! Lid up, card out, lid down. No card? Wipe the sensor."
        for delivered in (3, 4):
            on.table.launcher("jammed", refusal="jammed", delivered=delivered)
        await says(page, jam)
        on.table.launcher("ready", refusal="lid_open")
        await expect(page.locator(".refusal")).to_have_text("Shut the lid first.")
        assert await page.evaluate("window.read") == [jam], "once, and no number"


async def sounds(page: Page) -> None:
    """Wait until a click has let it sound: what would sound before is dropped."""
    await holds(page, "window.audio?.state === 'running'")
