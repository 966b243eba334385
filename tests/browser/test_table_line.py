"""The line between a phone and its table, in Chromium: lost, found, moved; what it rings and reads aloud."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Route, expect

from tests.browser.rig import PATIENCE_S, play
from tests.browser.stand_in import phones
from tests.browser.table_page import BROKEN_LINE, PHONE, listens, says, sent, tap

pytestmark = pytest.mark.browser


# --- the line ---


def test_what_the_network_lost_is_sent_again_with_the_same_id() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE, allow=BROKEN_LINE)
            on.table.answers = [None]
            await tap(page, "Press!")
            told = await sent(on.table, 2)
            assert told[0] == told[1]

    play(scenario)


def test_a_refusal_is_said_and_not_sent_again() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE, allow="409")
            on.table.answers = [(409, {"error": "stale", "message": "Léa was faster.", "remedy": ""})]
            await tap(page, "Press!")
            await expect(page.locator(".notice")).to_have_text("Léa was faster.")
            assert len(on.table.told) == 1

    play(scenario)


def test_offline_and_back() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE, allow=BROKEN_LINE)
            await says(page, "Tom: press 2 of 4")
            await page.context.set_offline(True)
            await expect(page.locator(".banner")).to_be_visible()
            on.table.show("cards")
            await says(page, "Tom: press 2 of 4")
            await page.context.set_offline(False)
            await says(page, "Your turn, Tom")
            await expect(page.locator(".banner")).to_be_hidden()

    play(scenario)


@pytest.mark.parametrize("status", [204, 404, 503])
def test_a_line_that_is_refused_is_opened_anew(status: int) -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE, allow=BROKEN_LINE)
            await says(page, "Tom: press 2 of 4")
            on.table.status = status
            on.table.hang_up()
            await expect(page.locator(".banner")).to_be_visible()
            on.table.status = 200
            on.table.show("cards")
            await says(page, "Your turn, Tom")

    play(scenario)


def test_a_line_without_a_ping_is_given_up() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look("/table", viewport=PHONE)
            await says(page, "Tom: press 2 of 4")
            await page.clock.install()
            on.table.say("ping", {})
            on.table.show("cards")
            await says(page, "Your turn, Tom")
            await page.clock.fast_forward(39_000)
            await expect(page.locator(".banner")).to_be_hidden()
            await page.clock.fast_forward(2_000)
            await page.clock.run_for(1_000)
            await expect(page.locator(".banner")).to_be_hidden()  # it is open again
            assert on.table.opened == 2

    play(scenario)


def test_a_hidden_page_holds_no_line_and_a_seen_one_looks_anew() -> None:
    async def scenario() -> None:
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
            await page.locator(".sentence").click()
            assert await page.evaluate("window.locks") == 1, "a tap keeps the screen awake"
            await page.evaluate(seen, "hidden")
            async with asyncio.timeout(PATIENCE_S):
                while on.table.listeners:
                    on.table.say("ping", {})
                    await asyncio.sleep(0.05)
            on.table.show("cards")
            await page.evaluate(seen, "visible")
            await says(page, "Your turn, Tom")
            assert await page.evaluate("window.locks") == 2, "hidden, it has lost that"
            await page.evaluate("() => dispatchEvent(new PageTransitionEvent('pagehide'))")
            on.table.show("owes")
            await page.evaluate("() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
            await says(page, "Tom: press 2 of 4")
            late: list[Route] = []

            async def hold_two(route: Route) -> None:
                if len(late) < 2:
                    late.append(route)
                else:
                    await route.continue_()

            await page.route("**/table/view", hold_two)
            for _ in range(2):
                async with page.expect_request("**/table/view"):
                    await page.evaluate(seen, "visible")
            older, opened = await late[0].fetch(), on.table.opened
            on.table.show("cards")
            await page.evaluate(seen, "visible")
            await listens(on.table, opened + 1)
            await says(page, "Your turn, Tom")
            await late[0].fulfill(response=older)
            await late[1].abort()
            await page.wait_for_timeout(200)
            await expect(page.locator(".banner")).to_be_hidden()
            assert on.table.opened == opened + 1, "what comes for an older opening changes nothing"

    play(scenario)


def test_the_older_phone_goes_quiet_and_may_come_back() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await listens(on.table)
            on.table.say("moved", {})
            await expect(page.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
            await expect(page.locator(".hand-side")).to_have_attribute("inert", "")
            opened = on.table.opened
            await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
            await page.wait_for_timeout(1500)
            assert on.table.opened == opened, "no fight for the seat"
            on.table.show("cards")
            await tap(page, "Play on here")
            await says(page, "Your turn, Tom")

    play(scenario)


def test_who_has_not_shown_the_code_is_asked_for_it() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            on.table.status = 401
            page = await on.look(viewport=PHONE, allow="401|404")
            await expect(page.locator("#code-help")).to_be_visible()
            await page.get_by_role("textbox").fill("k7 pm")
            await page.keyboard.press("Enter")
            await page.wait_for_url("**/t/K7PM")

    play(scenario)


# --- calling ---


def test_it_rings_and_shakes_when_it_is_called_and_not_when_muted() -> None:
    async def scenario() -> None:
        async with phones("cards_wait") as on:
            page = await on.look(viewport=PHONE)
            await listens(on.table)
            on.table.show("cards_wait", calls=2)
            await page.wait_for_timeout(200)  # Chromium complains of a page that shakes before it was touched
            await page.evaluate(
                "() => { window.shaken = 0; navigator.vibrate = () => { window.shaken += 1; return true; }; }"
            )
            await tap(page, "Menu", "Close")
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
            await page.evaluate(
                """() => {
                  window.resumed = 0;
                  Object.defineProperty(BaseAudioContext.prototype, "state", { get: () => "interrupted" });
                  AudioContext.prototype.resume = async () => { window.resumed += 1; };
                }"""
            )
            await page.get_by_role("switch", name="Sound").click()
            assert await page.evaluate("window.resumed") > 0, "a lock has silenced it, and only a tap may wake it"

    play(scenario)


def test_the_same_words_twice_are_read_twice() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            places = page.locator("#said p")
            await expect(page.locator("#said")).to_have_text("Tom: press 2 of 4")
            before = await places.all_text_contents()
            on.table.show("owes", calls=2)
            await expect(places.nth(0)).not_to_have_text(before[0])
            assert await places.all_text_contents() == before[::-1]

    play(scenario)


def test_the_count_of_a_burst_is_seen_and_not_read() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await says(page, "Tom: press 2 of 4")
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
            on.table.show("owes", recount={"press": 42, "cards": 3, "choices": [], "seconds": 10})
            await expect(page.locator(".recount")).to_be_visible()
            jam = "Jam! Lid up, card out, lid down. No card? Wipe the sensor."
            for delivered in (3, 4):
                on.table.launcher("jammed", refusal="jammed", delivered=delivered)
            await says(page, jam)
            on.table.launcher("ready", refusal="lid_open")
            await expect(page.locator(".refusal")).to_have_text("Shut the lid first.")
            assert await page.evaluate("window.read") == [jam], "once, and no number"

    play(scenario)
