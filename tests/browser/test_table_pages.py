"""A phone at the table, in Chromium: what is drawn of a view, and what a tap sends. A stand-in serves the views."""

from __future__ import annotations

import pytest
from playwright.async_api import Route, expect

from tests.browser.rig import play
from tests.browser.stand_in import phones
from tests.browser.table_page import PHONE, listens, says, send_of, sent, tap

pytestmark = pytest.mark.browser


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
