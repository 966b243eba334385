"""The pages of the table, in Chromium: what is drawn of a view, and what a tap sends. A stand-in serves the views."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from playwright.async_api import CDPSession, Page, Route, ViewportSize, expect

from tests.browser.rig import LAPTOP, PATIENCE_S, fits, play
from tests.browser.stand_in import SCENES, Phones, StandIn, phones

pytestmark = pytest.mark.browser

NARROW: ViewportSize = {"width": 320, "height": 640}
PHONE: ViewportSize = {"width": 390, "height": 844}
SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
BROKEN_LINE = "503|Failed to load|ERR_|404|401"


async def sent(table: StandIn, count: int = 1) -> list[tuple[str, dict[str, Any]]]:
    """What was told, once there is so much of it."""
    async with asyncio.timeout(PATIENCE_S):
        while len(table.told) < count:  # noqa: ASYNC110 - nobody tells when a page has told
            await asyncio.sleep(0.01)
    return table.told


async def listens(table: StandIn, lines: int = 1) -> None:
    """Until a page has opened so many lines: it shows what it asked for before it listens."""
    async with asyncio.timeout(PATIENCE_S):
        while table.opened < lines:  # noqa: ASYNC110 - nobody tells when a page listens
            await asyncio.sleep(0.01)


async def says(page: Page, text: str) -> None:
    await expect(page.locator(".sentence")).to_have_text(text)


async def tap(page: Page, *names: str) -> None:
    for name in names:
        await page.get_by_role("button", name=name, exact=True).click()


async def send_of(on: Phones) -> dict[str, Any]:
    told: dict[str, Any] = (await sent(on.table))[0][1]["tell"]
    return told


# --- what is sent ---


def test_the_big_button_pushes_the_launchers() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await says(page, "Tom: press 2 of 4")
            await expect(page.get_by_role("img", name="2 of 4 done")).to_be_visible()
            await tap(page, "Press!")
            path, body = (await sent(on.table))[0]
            assert path == "/api/v1/press"
            assert set(body) == {"id"}

    play(scenario)


def test_whoever_is_to_press_sees_what_the_launcher_waits_for() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await says(page, "Tom: press 2 of 4")
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

    play(scenario)


def test_everybody_is_told_of_what_keeps_back_the_cards_that_are_owed_and_of_nothing_else() -> None:
    async def scenario() -> None:
        async with phones("watcher") as on:
            page = await on.look(viewport=PHONE)
            before = await page.locator(".sentence").inner_text()
            on.table.launcher("ready", refusal="card_in_exit")
            await page.wait_for_timeout(200)
            await says(page, before)
            on.table.show("watcher", owes={"seat": 1, "left": 1, "total": 1})
            await says(page, "Take the card that sticks out.")
            on.table.launcher("jammed", refusal="jammed")
            await says(page, "Jam! Lid up, card out, lid down. No card? Wipe the sensor.")
            await expect(page.get_by_role("button", name="I have freed it")).to_have_count(0)

    play(scenario)


def test_a_push_of_the_launchers_own_button_that_does_not_count_says_why() -> None:
    async def scenario() -> None:
        async with phones("cards_wait") as on:
            refused = {"press": 44, "reason": "nothing_owed"}
            on.table.launcher("ready", refused={"press": 43, "reason": "busy"})
            page, screen = await on.look(viewport=PHONE), await on.look("/screen")
            await listens(on.table, 2)
            usual = await screen.locator(".sentence").inner_text()
            await expect(page.locator(".notice")).to_have_count(0)
            on.table.launcher("ready", refused=refused)
            await expect(page.locator(".notice")).to_have_text("Nothing is owed. Play on!")
            await says(screen, "Nothing is owed. Play on!")
            await says(screen, usual)
            on.table.launcher("ready", refused=refused, refusal="nothing_owed")
            on.table.launcher("suspense", press=45)
            await says(screen, usual)

    play(scenario)


def test_a_double_tap_is_one_tap() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            held: list[Route] = []

            def hold(route: Route) -> None:
                held.append(route)

            await page.route("**/api/v1/press", hold)
            await page.get_by_role("button", name="Press!").dblclick()
            await expect(page.locator(".dome.down")).to_be_visible()
            assert len(held) == 1, "while the first is on its way, the second says nothing"
            await held[0].continue_()
            await sent(on.table)

    play(scenario)


def test_the_button_is_the_biggest_thing_for_who_owes() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await says(page, "Tom: press 2 of 4")
            areas = await page.locator("button").evaluate_all("all => all.map((b) => b.offsetWidth * b.offsetHeight)")
            dome = await page.locator(".dome").evaluate("(b) => b.offsetWidth * b.offsetHeight")
            assert dome == max(areas)
            assert dome > 4 * sorted(areas)[-2]

    play(scenario)


def test_on_the_smallest_phone_the_button_is_whole_beside_cards_and_a_count() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            push = {"label": "Press!", "send": {"press": True}, "due": True}
            owes = {"seat": 1, "left": 2, "total": 2, "kind": "presses"}
            on.table.show("cards", push=push, owes=owes, choices=[], sentence="Press 1 of 2!")
            page = await on.look(viewport={"width": 320, "height": 568})
            await expect(page.locator(".dome")).to_be_in_viewport(ratio=1)
            right = {"label": "Right", "kind": "main", "send": None}
            less, more = ({"label": label, "send": {"do": "count"}} for label in ("−1", "+1"))
            recount = {"press": 9, "cards": 2, "choices": [less, right, more], "seconds": 60}
            on.table.show("cards", push=push, owes=owes, recount=recount)
            rows = page.locator(".recount .choice")
            await expect(rows).to_have_count(3)
            tops = await rows.evaluate_all("all => all.map((one) => one.offsetTop)")
            assert len(set(tops)) == 1, "in one row"

    play(scenario)


def test_on_the_smallest_phone_no_word_is_torn_and_no_button_leaves_its_row() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            wild = {"name": "+4", "colour": None, "symbol": "+4", "label": "+4"}
            green = {"key": "green", "name": "vert", "letter": "V", "shape": "■"}
            red = {"name": "3 jaune", "colour": {**green, "key": "yellow"}, "symbol": "3"}
            always = [{"label": "UNO !", "kind": "call", "send": {"do": "act"}}]
            always.append({"label": "Hors tour : 3 jaune", "kind": "call", "send": {"do": "act"}, "card": red})
            right = {"label": "C’est juste", "kind": "main", "send": None}
            less, more = ({"label": label, "send": {"do": "count"}} for label in ("−1", "+1"))
            recount = {"press": 9, "cards": 2, "choices": [less, right, more], "seconds": 60}
            suits = [{"label": name, "colour": {**green, "key": "clubs", "name": name}, "send": {"do": name}}
                     for name in ("Trèfle", "Carreau")]  # fmt: skip
            push = {"label": "Appuie !", "send": {"press": True}, "due": True}
            owes = {"seat": 1, "left": 6, "total": 6, "kind": "cards"}
            shown = {"top": wild, "colour": green, "always": always, "recount": recount, "choices": suits}
            on.table.show("cards", sentence="Appuie pour 6 cartes !", push=push, owes=owes, **shown)
            page = await on.look(viewport={"width": 320, "height": 568}, locale="fr")
            torn = await page.locator(".sentence, .always .label, .colour .label").evaluate_all(TORN)
            assert torn == []
            tops = await page.locator(".recount .choice").evaluate_all("all => all.map((one) => one.offsetTop)")
            assert len(tops) == 3
            assert len(set(tops)) == 1, "in one row"
            await expect(page.locator(".pips")).to_have_count(0)  # one push brings all six

    play(scenario)


TORN = """
(all) => all.flatMap((element) => {
  const found = [];
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode())
    for (const { 0: word, index } of text.data.matchAll(/\\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
    }
  return found;
})
"""
"""The words that go on in another line."""


def test_two_taps_lay_a_card_and_back_goes_back() -> None:
    async def scenario() -> None:
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

    play(scenario)


def test_a_card_against_the_rules_is_at_its_place_and_says_why() -> None:
    async def scenario() -> None:
        async with phones("referee") as on:
            page = await on.look(viewport=PHONE)
            await tap(page, "Blue")
            await page.get_by_role("button", name="Blue 8").click(force=True)
            await expect(page.locator(".notice")).to_contain_text("Only red, or a 7, fits on the red 7.")
            await tap(page, "Blue 7")
            assert (await send_of(on))["action"][2] == ["lay", "blue 7"]

    play(scenario)


def test_uno_is_said_while_a_colour_is_chosen() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            page = await on.look(viewport=PHONE)
            await tap(page, "Wild", "UNO!")
            assert await send_of(on) == {"do": "act", "action": ["play", 1, ["announce"]]}
            on.table.show("cards")
            await tap(page, "Yellow")
            told = await sent(on.table, 2)
            assert told[1][1]["tell"]["action"][2] == ["lay", "wild", "yellow"]

    play(scenario)


def test_a_card_that_cannot_be_laid_now_says_why() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            page = await on.look(viewport=PHONE)
            await page.get_by_role("button", name="blue 2, not now").click(force=True)
            await expect(page.locator(".notice")).to_contain_text("(E-05)")
            assert not on.table.told

    play(scenario)


def test_how_many_came_is_one_tap_and_the_likely_number_the_biggest() -> None:
    async def scenario() -> None:
        async with phones("asks") as on:
            page = await on.look(viewport=PHONE)
            buttons = page.locator("#act button")
            areas = await buttons.evaluate_all("all => all.map((b) => b.offsetWidth * b.offsetHeight)")
            assert areas[0] == max(areas)
            await tap(page, "Another number", "7")
            assert await send_of(on) == {"do": "count", "press": 41, "cards": 7}

    play(scenario)


def test_a_large_number_is_typed() -> None:
    async def scenario() -> None:
        async with phones("counter") as on:
            page = await on.look(viewport=PHONE)
            await page.get_by_role("button", name="I am out!").click()
            await tap(page, "1", "2", "Rub out", "7", "OK")
            assert await send_of(on) == {"do": "out", "seat": 1, "points": 17}

    play(scenario)


def test_a_name_is_typed_where_it_stands() -> None:
    async def scenario() -> None:
        async with phones("watcher") as on:
            page = await on.look(viewport=PHONE)
            on.table.answers = [(200, {"at": 1, "anew": True})]
            await page.get_by_role("textbox").fill("  Paul ")
            await listens(on.table)
            await page.keyboard.press("Enter")
            assert await send_of(on) == {"do": "join", "name": "Paul"}
            await listens(on.table, 2)  # a line that was opened as nobody is nobody's

    play(scenario)


def test_the_buttons_of_an_open_menu_stay_under_the_finger() -> None:
    """And what is told from it is meant for the table as it was then."""

    async def scenario() -> None:
        async with phones("referee") as on:
            page = await on.look(viewport=PHONE)
            await listens(on.table)
            at = on.table.view()["at"]
            undo = {"label": "Take back the red 7", "send": {"do": "undo"}}
            on.table.show("referee", menu=[undo])
            await tap(page, "Menu")
            aimed = page.get_by_role("dialog").get_by_role("button", name="Take back the red 7")
            await expect(aimed).to_be_visible()
            on.table.show(
                "referee", menu=[{"label": "Redo", "send": {"do": "redo"}}, undo], sentence="Somebody was quicker"
            )
            await says(page, "Somebody was quicker")
            await page.wait_for_timeout(300)
            await expect(page.get_by_role("button", name="Redo")).to_have_count(0)
            await aimed.click()
            _, body = (await sent(on.table))[0]
            assert (body["tell"], body["at"]) == ({"do": "undo"}, at + 1)
            await tap(page, "Menu", "Redo")
            _, body = (await sent(on.table, 2))[1]
            assert (body["tell"], body["at"]) == ({"do": "redo"}, at + 2)

    play(scenario)


def test_a_form_asks_one_thing_after_the_other_and_leaves_out_what_needs_no_answer() -> None:
    async def scenario() -> None:
        async with phones("referee") as on:
            page = await on.look(viewport=PHONE)
            await tap(page, "Menu", "How much the table is told", "Cards on the phones")
            await tap(page, "Wild")
            await expect(page.locator("dialog .step-title")).to_have_text("Which colour is in force?")
            await tap(page, "Back")
            sheet = page.locator("dialog")
            await sheet.get_by_role("button", name="Red", exact=False).click()
            await tap(page, "Red 7")
            await expect(page.locator("dialog .step-title")).to_have_text("Whose turn is it?")
            await tap(page, "Tom")
            done = sheet.get_by_role("button", name="Done")
            await expect(done).to_have_attribute("aria-disabled", "true")
            await sheet.get_by_role("button", name="Red", exact=False).click()
            await expect(sheet.get_by_role("button", name="Red 7")).to_be_visible()
            await tap(page, "Red 8")
            await tap(page, "Wild")
            await sheet.get_by_role("button", name="Put back").last.click()
            await tap(page, "Wild")
            await done.click()
            assert await send_of(on) == {
                "do": "telling",
                "telling": "cards",
                "position": {
                    "sizes": [2, 2],
                    "first": "red 7",
                    "turn": 1,
                    "hands": [["red 8", "red 8", "wild"]],
                },
            }

    play(scenario)


def test_a_match_is_chosen_and_begun() -> None:
    async def scenario() -> None:
        async with phones("lobby") as on:
            page = await on.look(viewport=PHONE)
            await page.get_by_text("House rules").click()
            await page.get_by_label("Jump in").check()
            await page.get_by_label("Points to win").fill("300")
            await page.get_by_label("Scoring").select_option("each his own")
            await page.get_by_label("Each card").check()
            await page.get_by_label("The launcher deals").uncheck()
            await tap(page, "Play Uno Extreme")
            assert await send_of(on) == {
                "do": "start",
                "game": "uno-extreme",
                "options": {"jump_in": True, "target": 300, "scoring": "each"},
                "telling": "referee",
                "deals": False,
            }
            await page.get_by_label("Mau-Mau").check()
            await expect(page.locator(".lobby .asked")).to_have_text("4 sit here; it takes 2 to 3.")
            await page.get_by_role("button", name="Play Mau-Mau").click(force=True)
            assert len(on.table.told) == 1

    play(scenario)


def test_undo_is_one_tap() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            page = await on.look(viewport=PHONE)
            await tap(page, "Undo: Léa laid the red 7")
            assert await send_of(on) == {"do": "undo"}

    play(scenario)


def test_whether_the_count_was_right_is_asked_for_a_while() -> None:
    async def scenario() -> None:
        async with phones("cards_wait") as on:
            page = await on.look(viewport=PHONE)
            await expect(page.locator(".recount")).to_contain_text("3 cards came?")
            await tap(page, "4")
            assert await send_of(on) == {"do": "count", "press": 41, "cards": 4}
            again = {**on.table.view()["recount"], "press": 42, "seconds": 0.6}
            on.table.show("cards_wait", recount=again)
            await expect(page.locator(".recount")).to_be_visible()
            await expect(page.locator(".recount")).to_be_hidden()

    play(scenario)


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


# --- the shared screen ---


def test_the_screen_shows_what_comes_and_laughs_at_what_does_not() -> None:
    async def scenario() -> None:
        async with phones("screen") as on:
            page = await on.look("/screen")
            await says(page, "Tom: press 2 of 4")
            await expect(page.locator(".code b")).to_have_text("K7PM")
            await expect(page.locator(".owes")).to_contain_text("3×")
            on.table.launcher("suspense", press=42)
            await expect(page.locator("#launcher")).to_have_attribute("data-mood", "suspense")
            for card in range(1, 4):
                on.table.launcher("feeding", press=42, delivered=card, planned=3)
            await expect(page.locator("#live")).to_have_text("3")
            assert await page.evaluate("window.flown") == 3
            on.table.launcher("suspense", press=43)
            on.table.launcher("ready", press=43)
            await expect(page.locator("#launcher")).to_have_attribute("data-mood", "dud")
            await expect(page.locator(".sentence")).not_to_have_text("Tom: press 2 of 4")
            await says(page, "Tom: press 2 of 4")

    play(scenario)


def test_the_screen_writes_a_sentence_as_large_as_fits() -> None:
    async def scenario() -> None:
        async with phones("screen") as on:
            page = await on.look("/screen", viewport={"width": 1024, "height": 768}, locale="fr")
            place = page.locator("#sentence")
            sizes = []
            for said in (
                "À toi !",
                "Ouf… pas une seule carte !",
                "Combien de cartes sont sorties ?",
                "Prends la carte. " * 5,
            ):
                on.table.show("screen", sentence=said)
                await says(page, said.strip())
                assert await place.evaluate("(one) => one.scrollHeight <= one.clientHeight"), said
                sizes.append(await place.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)"))
            assert sizes == sorted(sizes, reverse=True)
            assert sizes[0] > sizes[-1]

    play(scenario)


def test_the_screen_speaks_when_it_is_asked_to() -> None:
    async def scenario() -> None:
        async with phones("screen") as on:
            page = await on.look("/screen", locale="fr")
            await page.evaluate(
                """() => {
                  window.heard = [];
                  speechSynthesis.speak = (said) => window.heard.push([said.lang, said.text]);
                }"""
            )
            on.table.show("screen", aloud="Un", sentence="1")
            await says(page, "1")
            assert await page.evaluate("window.heard") == [], "off at first"
            await page.get_by_role("button", name="À voix haute").click()
            on.table.show("screen", aloud="Deux", sentence="2")
            await says(page, "2")
            heard = await page.evaluate("window.heard")
            assert [text for _, text in heard][-1] == "Deux"
            assert {language for language, _ in heard} == {"fr-FR"}
            on.table.show("screen", aloud="Deux", sentence="3")  # somebody has sat down, say
            await says(page, "3")
            assert await page.evaluate("window.heard") == heard, "whoever was called is not called again"
            await page.get_by_role("button", name="Autre adresse").click()
            await expect(page.locator(".qr")).to_have_attribute("src", re.compile("launcher.local"))
            await expect(page.locator(".address")).to_contain_text("launcher.local:8080/t/K7PM")

    play(scenario)


# --- for everybody ---


@pytest.mark.parametrize(
    ("size", "locale", "scheme"),
    [(NARROW, "en", "light"), (NARROW, "fr", "dark"), (SIDEWAYS, "en", "dark"), (SIDEWAYS, "fr", "light")],
    ids=["narrow", "narrow, French, dark", "sideways, dark", "sideways, French"],
)
def test_nobody_is_shut_out(size: ViewportSize, locale: str, scheme: str) -> None:
    """Widths, words and colours are minded apart from one another: each with each is more than it takes."""

    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=size, locale=locale, color_scheme=scheme, reduced_motion="reduce")
            for scene in SCENES:
                on.table.show(scene)
                await says(page, on.table.view(locale)["sentence"])
                await fits(page, scene)
                assert not await page.evaluate(ANIMATED), "less motion was asked for"
            on.table.show("over")
            for sheet in ("Menu", "Scores"):
                await page.get_by_role("button", name=sheet).first.click()
                await fits(page, sheet)
                await page.keyboard.press("Escape")

    play(scenario)


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_nobody_is_shut_out_of_the_screen(locale: str) -> None:
    async def scenario() -> None:
        async with phones("screen") as on:
            for size in (PHONE, LAPTOP, ViewportSize(width=1920, height=1080)):
                page = await on.look("/screen", viewport=size, locale=locale, reduced_motion="reduce")
                for scene in ("screen", "over"):
                    on.table.show(scene)
                    await says(page, on.table.view(locale)["sentence"])
                    await fits(page, scene)
                    assert not await page.evaluate(ANIMATED), "less motion was asked for"

    play(scenario)


STEPS: list[tuple[str, tuple[str, ...]]] = [
    ("referee", ("Red",)),
    ("cards", ("Wild",)),
    ("counter", ("I am out!",)),
    ("asks", ("Another number",)),
    ("referee", ("Menu", "How much the table is told")),
    ("referee", ("Menu", "How much the table is told", "Cards on the phones")),
    ("referee", ("Menu", "How much the table is told", "Cards on the phones", "Wild")),
    ("between", ("Scores",)),
    ("cards_wait", ("Scores",)),
]
"""What stands behind a tap, by scene and taps."""


def test_nobody_is_shut_out_of_what_stands_behind_a_tap() -> None:
    """Steps, forms, questions and sheets, on the narrowest phone, in light and dark."""

    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=NARROW, reduced_motion="reduce")
            for scene, taps in STEPS:
                on.table.show(scene)
                await says(page, on.table.view()["sentence"])
                for name in taps:
                    await page.get_by_role("button", name=name).first.click()
                for scheme in ("light", "dark"):
                    await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                    await fits(page, f"{scene}, {taps}, {scheme}")
                await page.reload()
            on.table.show("lobby")
            await page.get_by_text("House rules").click()
            await fits(page, "house rules")

    play(scenario)


ANIMATED = """() => [...document.querySelectorAll("*")]
  .filter((one) => getComputedStyle(one).animationName !== "none").map((one) => one.className)"""
BEYOND = """(width) => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > width + 1)
  .map((one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`).slice(0, 8)"""
"""What sticks out to the right."""


def test_with_text_twice_as_large_nothing_sticks_out() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE, locale="fr")
            await page.evaluate("document.documentElement.style.fontSize = '36px'")
            for scene in SCENES:
                if scene == "screen":  # that is no phone's
                    continue
                on.table.show(scene)
                await says(page, on.table.view("fr")["sentence"])
                beyond = await page.evaluate(BEYOND, PHONE["width"])
                wide = await page.evaluate("document.documentElement.scrollWidth")
                assert wide <= PHONE["width"], (scene, wide, beyond)

    play(scenario)


def test_by_keyboard_a_card_is_laid_and_a_sheet_is_left() -> None:
    async def scenario() -> None:
        async with phones("referee") as on:
            page = await on.look(viewport=PHONE)
            menu = page.get_by_role("button", name="Menu")
            await menu.press("Enter")
            await expect(page.get_by_role("dialog")).to_be_visible()
            await page.get_by_role("button", name="How much the table is told").press("Enter")
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

    play(scenario)


@pytest.mark.parametrize(
    ("path", "scenes"),
    [("/table", ["cards", "owes", "referee", "between", "asks"]), ("/screen", ["screen", "over"])],
    ids=["a phone", "the screen"],
)
def test_an_evening_of_views_leaves_nothing_behind(path: str, scenes: list[str]) -> None:
    """After as many views as a round has, a page holds no more nodes and listeners than after the first of them."""

    async def scenario() -> None:
        async with phones(scenes[0]) as on:
            page = await on.look(path, viewport=PHONE, reduced_motion="reduce")
            devtools = await page.context.new_cdp_session(page)
            await devtools.send("Performance.enable")
            held = []
            for rounds in (10, 30):
                for _ in range(rounds):
                    await show_all(on, page, scenes)
                held.append(await holds(devtools))
            for what, number in held[0].items():
                assert held[1][what] <= number, held

    play(scenario)


async def show_all(on: Phones, page: Page, scenes: list[str]) -> None:
    """Each scene, with a burst in each."""
    for scene in scenes:
        on.table.show(scene)
        press = on.table.view()["at"]
        for state, cards in (("suspense", 0), ("feeding", 1), ("feeding", 2), ("ready", 2)):
            on.table.launcher(state, press=press, delivered=cards, planned=2)
    await expect(page.locator("body")).to_have_attribute("data-at", str(on.table.view()["at"]))


async def holds(devtools: CDPSession) -> dict[str, float]:
    """What a page keeps, once nothing moves on it any more and what it has dropped is collected."""
    last, now = dict[str, float](), {"none yet": 0.0}
    async with asyncio.timeout(PATIENCE_S):
        while now != last:
            last = now
            await asyncio.sleep(0.3)
            await devtools.send("HeapProfiler.collectGarbage")
            found = (await devtools.send("Performance.getMetrics"))["metrics"]
            now = {each["name"]: each["value"] for each in found if each["name"] in {"Nodes", "JSEventListeners"}}
    return now


def test_a_phone_loads_little() -> None:
    async def scenario() -> None:
        async with phones("cards") as on:
            fresh = await on.look("/table", viewport=PHONE, locale="fr")
            await says(fresh, "À toi de jouer, Tom")
            loaded = await fresh.evaluate(
                """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
                   .map(({ name, encodedBodySize }) => [name, encodedBodySize])"""
            )
            names = [re.sub(r".*/", "", name) for name, _ in loaded if not name.startswith("data:")]
            assert len(names) <= 12, names
            assert sum(size for _, size in loaded) < 100_000

    play(scenario)
