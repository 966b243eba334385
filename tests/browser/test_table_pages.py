"""A phone at the table, in Chromium: what is drawn of a view, and what a tap sends. A stand-in serves the views.

And the line between a phone and its table: lost, found, moved.
"""

from __future__ import annotations

import asyncio
import re

from playwright.async_api import Route, expect

from tests.browser.rig import NARROW, flew, in_chromium, narrow_enough
from tests.browser.stand_in import BROKEN_LINE, PHONE, listens, phones, says, send_of, sent, tap

A_MOMENT_MS = 5_000
"""Longer than the screen says what a press came to."""


@in_chromium
async def test_whoever_is_to_press_sees_for_whom_and_what_the_launcher_waits_for() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE)
        await says(page, "Tom: press 2 of 4")
        await expect(page.get_by_role("img", name="2 of 4 done")).to_be_visible()
        await expect(page.locator(".for")).to_have_count(0)
        on.table.show("owes", acting=2)
        await expect(page.locator(".for")).to_have_text("For Mamie")
        on.table.launcher("jammed", refusal="jammed")
        await says(page, "Jam! Lid up, card out, lid down. No card? Wipe the sensor.")
        await expect(page.get_by_role("button", name="Press!")).to_have_count(0)
        await tap(page, "I have freed it")
        path, _ = (await sent(on.table))[0]
        assert path == "/api/v1/reset"
        on.table.launcher("open", refusal="lid_open")
        await says(page, "The lid is open. Shut it!")
        on.table.launcher("ready")
        await says(page, "Tom: press 2 of 4")


@in_chromium
async def test_who_came_during_a_round_reads_when_they_play() -> None:
    async with phones("referee") as on:
        page = await on.look(viewport=PHONE)
        await says(page, on.table.view()["sentence"])
        on.table.show("referee", me={**on.table.view()["me"], "name": "Ana"}, waiting=["Ana"])
        await expect(page.locator(".now .force").last).to_have_text("You join in the next round.")


@in_chromium
async def test_an_open_lid_is_told_to_who_may_press_and_beside_the_question_for_the_first_card() -> None:
    async with phones("cards") as on:
        page = await on.look(viewport=PHONE)
        on.table.launcher("open", refusal="lid_open")
        await says(page, "The lid is open. Shut it!")
        await expect(page.locator(".kind-push")).to_have_count(0)
        first = {"text": "Which one is it?", "rule": "E-02", "choices": [{"label": "Red", "send": {"do": "act"}}]}
        on.table.show("referee", asks=first, owes=None, push=None, sentence=first["text"])
        await expect(page.locator(".asked")).to_have_text(first["text"])
        await says(page, "The lid is open. Shut it!")


@in_chromium
async def test_a_double_tap_is_one_tap() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE)
        held: list[Route] = []
        released = asyncio.Event()

        async def hold(route: Route) -> None:
            held.append(route)
            await released.wait()
            await route.continue_()

        await page.route("**/api/v1/press", hold)
        await page.get_by_role("button", name="Press!").dblclick()
        await expect(page.locator(".dome.down")).to_be_visible()
        released.set()
        await expect(page.locator(".dome.down")).to_have_count(0)
        await tap(page, "Press!")
        told = await sent(on.table, 2)
        assert len(held) == 2, "while the first was on its way, the second said nothing"
        assert told[0] != told[1]


@in_chromium
async def test_two_taps_lay_a_card_and_back_goes_back() -> None:
    async with phones("referee") as on:
        page = await on.look(viewport=PHONE)
        await expect(page.locator(".spot.paint-red")).to_have_text("●\ufe0eR")
        await tap(page, "Red")
        await expect(page.locator(".choice .card.paint-red .corner").first).to_have_text("R●\ufe0e")
        await tap(page, "Back")
        await expect(page.get_by_role("button", name="Blue", exact=True)).to_be_visible()
        await tap(page, "Red")
        on.table.show("referee", calls=99)
        await expect(page.get_by_role("button", name="Back")).to_be_hidden()  # who is called sees what to do
        await tap(page, "Red")
        await expect(page.get_by_role("button", name="UNO!", exact=True)).to_be_in_viewport()
        await tap(page, "Red 7")
        assert await send_of(on) == {"do": "act", "action": ["play", 1, ["lay", "red 7"]]}
        assert (await sent(on.table))[0][1]["at"] == on.table.view()["at"]


@in_chromium
async def test_uno_is_said_while_a_colour_is_chosen() -> None:
    async with phones("cards") as on:
        page = await on.look(viewport=PHONE)
        await tap(page, "Wild", "UNO!")
        assert await send_of(on) == {"do": "act", "action": ["play", 1, ["announce"]]}
        on.table.show("cards")
        await tap(page, "Yellow")
        told = await sent(on.table, 2)
        assert told[1][1]["command"]["action"][2] == ["lay", "wild", "yellow"]


@in_chromium
async def test_a_card_that_cannot_be_laid_now_says_why() -> None:
    async with phones("cards") as on:
        page = await on.look(viewport=PHONE)
        await page.get_by_role("button", name="blue 2, not now").click(force=True)
        await expect(page.locator(".notice")).to_contain_text("(E-05)")
        await tap(page, "Undo: Léa laid the red 7")
        assert await send_of(on) == {"do": "undo"}, "and that is all that was sent"


@in_chromium
async def test_a_name_is_typed_where_it_stands() -> None:
    async with phones("watcher") as on:
        page = await on.look(viewport=PHONE)
        on.table.answers = [(200, {"at": 1, "reopen_stream": True})]
        await page.get_by_role("textbox").fill("  Paul ")
        await listens(on.table)
        await page.keyboard.press("Enter")
        assert await send_of(on) == {"do": "join", "name": "Paul"}
        await listens(on.table, 2)  # a line that was opened as nobody is nobody's


@in_chromium
async def test_the_buttons_of_an_open_menu_stay_under_the_finger() -> None:
    """And what is told from it is meant for the table as it was then."""
    async with phones("referee") as on:
        page = await on.look(viewport=PHONE)
        await listens(on.table)
        at = on.table.view()["at"]
        undo = {"label": "Undo the red 7", "send": {"do": "undo"}}
        on.table.show("referee", menu=[undo])
        await tap(page, "Menu")
        aimed = page.get_by_role("dialog").get_by_role("button", name="Undo the red 7")
        await expect(aimed).to_be_visible()
        redo = {"label": "Redo", "send": {"do": "redo"}}
        on.table.show("referee", menu=[redo, undo], sentence="Somebody was quicker")
        await says(page, "Somebody was quicker")  # the menu is drawn together with the sentence
        await expect(page.get_by_role("button", name="Redo")).to_have_count(0)
        await aimed.click()
        _, body = (await sent(on.table))[0]
        assert (body["command"], body["at"]) == ({"do": "undo"}, at + 1)
        await tap(page, "Menu", "Redo")
        _, body = (await sent(on.table, 2))[1]
        assert (body["command"], body["at"]) == ({"do": "redo"}, at + 2)


@in_chromium
async def test_a_match_is_chosen_and_begun() -> None:
    async with phones("lobby") as on:
        page = await on.look(viewport=PHONE)
        await page.get_by_text("House rules").click()
        await page.get_by_label("Jump in").check()
        await page.get_by_label("Points to win").fill("300")
        await page.get_by_label("Scoring").select_option("each his own")
        await page.get_by_label("Each card").check()
        await page.get_by_label("The launcher deals").uncheck()
        await tap(page, "Play Uno Extreme Each card")
        assert await send_of(on) == {
            "do": "start",
            "game": "uno-extreme",
            "options": {"jump_in": True, "target": 300, "scoring": "each"},
            "tracking_mode": "referee",
            "deals": False,
        }
        await page.get_by_label("Mau-Mau").check()
        await expect(page.locator(".lobby .asked")).to_have_text("4 players: 2 to 3 needed.")
        await page.get_by_role("button", name="Play Mau-Mau").click(force=True)
        await page.locator("input[name=game][value='uno-extreme']").check()
        await tap(page, "Play Uno Extreme Each card")
        told = await sent(on.table, 2)
        assert told[1][1]["command"]["game"] == "uno-extreme", "the tap on what could not begin sent nothing"


@in_chromium
async def test_the_main_button_is_in_the_window_beside_a_long_list_above_cards_and_in_large_text() -> None:
    async with phones("cards") as on:
        page = await on.look(viewport=PHONE, reduced_motion="reduce")
        names = ("Léa", "Tom", "Zoé", "Maxime", "Ana", "Mathilde", "Bob")
        presses = [{"label": f"Presses for {name}", "next": [{"label": "1", "send": {"do": name}}]} for name in names]
        on.table.show("cards", push=None, choices=[*presses, {"label": "Done", "kind": "main", "send": {"do": "done"}}])
        await expect(page.get_by_role("button", name="Done")).to_be_in_viewport(ratio=1)
        await expect(page.get_by_role("button", name="Presses for Bob")).to_be_in_viewport(ratio=1)
        right = {"label": "That’s right", "kind": "main", "send": None}
        on.table.show("referee", recount={"press": 41, "cards": 2, "text": "", "seconds": 60, "choices": [right]})
        await tap(page, "Red")
        await expect(page.get_by_role("button", name="That’s right")).to_be_in_viewport(ratio=1)
        await page.get_by_role("button", name="That’s right").click(trial=True)
        await page.set_viewport_size(NARROW)
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        await narrow_enough(page)


@in_chromium
async def test_the_screen_shows_what_comes_and_laughs_below_the_headline_at_what_does_not() -> None:
    async with phones("screen") as on:
        page = await on.look("/screen")
        await says(page, "Tom: press 2 of 4")
        await expect(page.locator(".code b")).to_have_text("K7PM")
        await expect(page.locator(".owes")).to_contain_text("3×")
        await listens(on.table)
        await page.clock.install()
        on.table.launcher("suspense", press=42)
        await expect(page.locator("#launcher")).to_have_attribute("data-mood", "suspense")
        for card in range(1, 4):
            on.table.launcher("feeding", press=42, delivered=card, planned=3)
        await expect(page.locator("#live")).to_have_text("3")
        await flew(page, 3)
        on.table.launcher("suspense", press=43)
        on.table.launcher("ready", press=43)
        await expect(page.locator("#launcher")).to_have_attribute("data-mood", "dud")
        on.table.show("screen", sentence="Tom: press 3 of 4")
        await says(page, "Tom: press 3 of 4")
        await expect(page.locator("#remark")).to_have_text(re.compile("."))
        await page.clock.run_for(A_MOMENT_MS)
        await expect(page.locator("#remark")).to_be_hidden()


@in_chromium
async def test_back_closes_the_open_step_then_the_menu_and_only_then_leaves() -> None:
    async with phones("referee") as on:
        page = await on.look(viewport=PHONE)
        before = page.url
        await tap(page, "Menu", "How we play")
        await page.go_back()
        await expect(page.get_by_role("dialog").get_by_role("button", name="How we play")).to_be_visible()
        await page.go_back()
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await tap(page, "Red")
        await expect(page.locator(".step-title")).to_be_visible()
        await page.go_back()
        await expect(page.locator(".step-title")).to_be_hidden()
        assert page.url == before
        await page.go_back()
        await page.wait_for_url("about:blank")


@in_chromium
async def test_by_keyboard_a_card_is_laid_and_a_sheet_is_left() -> None:
    async with phones("referee") as on:
        page = await on.look(viewport=PHONE)
        menu = page.get_by_role("button", name="Menu")
        await menu.press("Enter")
        await expect(page.get_by_role("dialog")).to_be_visible()
        await page.get_by_role("button", name="How we play").press("Enter")
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_be_hidden()
        await expect(menu).to_be_focused()
        await page.get_by_role("button", name="Red", exact=True).press("Enter")
        await expect(page.locator(".step-title")).to_be_focused()
        await page.keyboard.press("Escape")
        await page.get_by_role("button", name="Red", exact=True).press("Enter")
        await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        assert (await send_of(on))["action"][2] == ["lay", "red 0"]


# --- the line to the table ---


@in_chromium
async def test_what_the_network_lost_is_sent_again_with_the_same_id() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE, allow=BROKEN_LINE)
        on.table.answers = [None]
        await tap(page, "Press!")
        told = await sent(on.table, 2)
        assert told[0] == told[1]
        assert told[0][0] == "/api/v1/press"


@in_chromium
async def test_a_refusal_is_said_and_not_sent_again() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE, allow="409")
        await listens(on.table)
        await page.clock.install()
        on.table.answers = [(409, {"error": "stale", "message": "Léa was faster.", "remedy": ""})]
        await tap(page, "Press!")
        await expect(page.locator(".notice")).to_have_text("Léa was faster.")
        said = {"error": "press_refused", "message": "It is dark here.", "remedy": "Clear the exit."}
        on.table.answers = [(409, said)]
        await tap(page, "Press!")
        await expect(page.locator(".notice")).to_have_text(said["remedy"])  # the sentence says the rest
        await page.clock.run_for(5_000)  # longer than it waits before it sends again
        await tap(page, "Press!")
        told = await sent(on.table, 3)
        assert told[1] != told[2], "the last is a press of its own"


@in_chromium
async def test_offline_and_back() -> None:
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


@in_chromium
async def test_the_older_phone_goes_quiet_and_may_come_back() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE)
        await listens(on.table)
        on.table.say("moved", {})
        await expect(page.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
        await expect(page.locator(".hand-side")).to_have_attribute("inert", "")
        await expect(page.locator(".hand")).to_have_count(0)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
        await page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
        on.table.show("cards")
        await tap(page, "Play on here")
        await says(page, "Your turn, Tom")
        assert asked.count("view") == 1, "no fight for the seat before it was asked for"


@in_chromium
async def test_a_launcher_that_cannot_go_on_says_why_on_phone_and_screen() -> None:
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


@in_chromium
async def test_who_comes_back_when_the_code_counts_no_more_is_sent_to_where_it_is_typed() -> None:
    async with phones("owes") as on:
        on.table.status = 401
        page = await on.look(viewport=PHONE, allow="401|404")
        await page.wait_for_url("**/t")
