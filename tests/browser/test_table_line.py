"""The line between a phone and its table, in Chromium: lost, found, moved; what it rings and reads aloud."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.rig import play
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


def test_who_comes_back_when_the_code_counts_no_more_is_sent_to_where_it_is_typed() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            on.table.status = 401
            page = await on.look(viewport=PHONE, allow="401|404")
            await page.wait_for_url("**/t")

    play(scenario)
