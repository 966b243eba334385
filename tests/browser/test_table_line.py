"""The line between a phone and its table, in Chromium: lost, found, moved; what it rings and reads aloud."""

from __future__ import annotations

from typing import Any

from playwright.async_api import Page, Route, expect

from tests.browser.rig import holds, play
from tests.browser.stand_in import phones
from tests.browser.table_page import BROKEN_LINE, PHONE, listens, says, sent, tap


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
            await listens(on.table)
            await page.clock.install()
            on.table.answers = [(409, {"error": "stale", "message": "Léa was faster.", "remedy": ""})]
            await tap(page, "Press!")
            await expect(page.locator(".notice")).to_have_text("Léa was faster.")
            await page.clock.run_for(5_000)  # longer than it waits before it sends again
            await tap(page, "Press!")
            told = await sent(on.table, 2)
            assert told[0] != told[1], "the second is a press of its own"

    play(scenario)


def test_offline_and_back() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE, allow=BROKEN_LINE)
            await says(page, "Tom: press 2 of 4")
            await listens(on.table)
            await page.context.set_offline(True)
            await expect(page.locator(".banner")).to_be_visible()
            on.table.show("cards")
            await says(page, "Tom: press 2 of 4")
            await page.context.set_offline(False)
            await says(page, "Your turn, Tom")
            await expect(page.locator(".banner")).to_be_hidden()

    play(scenario)


def test_the_older_phone_goes_quiet_and_may_come_back() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await listens(on.table)
            on.table.say("moved", {})
            await expect(page.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
            await expect(page.locator(".hand-side")).to_have_attribute("inert", "")
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
            await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
            on.table.show("cards")
            await tap(page, "Play on here")
            await says(page, "Your turn, Tom")
            assert asked.count("view") == 1, "no fight for the seat before it was asked for"

    play(scenario)


def test_the_older_phone_hides_the_hand() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            page = await on.look(viewport=PHONE)
            await expect(page.locator(".hand .card").first).to_be_visible()
            await listens(on.table)
            on.table.say("moved", {})
            await expect(page.locator(".banner")).to_be_visible()
            await expect(page.locator(".hand")).to_have_count(0)

    play(scenario)


def test_a_launcher_that_cannot_go_on_says_why_on_phone_and_screen() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            pages = [await on.look(viewport=PHONE, allow="503"), await on.look("/screen", allow="503")]
            await listens(on.table, 2)
            on.table.status, on.table.why = 503, "The disk is full."
            on.table.hang_up()
            for page in pages:
                await expect(page.get_by_text("The disk is full.").first).to_be_visible()
            on.table.status = 200
            for page in pages:
                await expect(page.get_by_text("The disk is full.")).to_have_count(0)

    play(scenario)


def test_a_new_phone_shows_large_what_the_host_compares() -> None:
    async def scenario() -> None:
        async with phones("watcher") as on:
            page = await on.look(viewport=PHONE)
            await expect(page.get_by_role("textbox")).to_be_visible()
            asked = "Show Tom 2 this number: 43. Then you are Bob again."
            on.table.show("watcher", sentence=asked, tone="wait", choices=[])
            await expect(page.locator(".burst")).to_have_text("43")

    play(scenario)


def test_an_answer_that_broke_off_is_taken_for_no_view() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await says(page, "Tom: press 2 of 4")
            await listens(on.table)
            asked: list[str] = []

            async def break_off_once(route: Route) -> None:
                asked.append(route.request.url)
                if len(asked) > 1:
                    await route.continue_()
                else:
                    await route.fulfill(body='{"phase": "playing", "sent', content_type="application/json")

            await page.route("**/table/view", break_off_once)
            on.table.hang_up()
            await listens(on.table, 2)
            assert len(asked) == 2, "the whole one was asked for, and only then a line opened"
            await says(page, "Tom: press 2 of 4")

    play(scenario)


def test_who_comes_back_when_the_code_counts_no_more_is_sent_to_where_it_is_typed() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            on.table.status = 401
            page = await on.look(viewport=PHONE, allow="401|404")
            await page.wait_for_url("**/t")

    play(scenario)


def test_who_dawdles_is_called_again_by_phone_and_screen() -> None:
    async def scenario() -> None:
        async with phones("referee") as on:
            page, screen = await on.look(viewport=PHONE), await on.look("/screen")
            await listens(on.table, 2)
            for each in (page, screen):
                await each.evaluate(
                    "() => { window.shakes = 0; navigator.vibrate = () => { window.shakes += 1; return true; }; }"
                )
                await each.clock.install()

            async def after_a_minute(each: Page, **shown: Any) -> None:
                """A line that hears nothing for 40 s is given up, so it hears something in between."""
                for _ in range(2):
                    on.table.show("referee", **shown)
                    for other in (page, screen):
                        await expect(other.locator("body")).to_have_attribute("data-at", str(on.table.view()["at"]))
                    await each.clock.run_for(30_500)

            mine = {"calls": 99, "called": True, "sentence": "Your turn!", "aloud": "Léa, your turn."}
            for calls in (2, 3):
                await after_a_minute(page, **mine)
                await holds(page, f"window.shakes === {calls}")
            await after_a_minute(screen, **mine)
            await says(screen, "Léa, your turn.")
            await after_a_minute(page, calls=100, called=False, sentence="Tom’s turn", aloud="Tom, your turn.")
            await says(screen, "Tom’s turn")
            await holds(page, "window.shakes === 3")

    play(scenario)
