"""A phone at the table, in Chromium: what is drawn of a view, and what a tap sends. A stand-in serves the views."""

from __future__ import annotations

from playwright.async_api import expect

from tests.browser.rig import play, settled
from tests.browser.stand_in import phones
from tests.browser.table_page import PHONE, listens, says, send_of, tap


def test_everybody_is_told_of_what_keeps_back_the_cards_that_are_owed_and_of_nothing_else() -> None:
    async def scenario() -> None:
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

    play(scenario)


def test_the_button_is_the_biggest_thing_for_who_owes() -> None:
    async def scenario() -> None:
        async with phones("owes") as on:
            page = await on.look(viewport=PHONE)
            await says(page, "Tom: press 2 of 4")
            await settled(page)
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
            await settled(page)
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
            await says(page, "Appuie pour 6 cartes !")
            await expect(page.locator(".recount .choice")).to_have_count(3)
            await settled(page)
            torn = await page.locator(".sentence, .always .label, .colour .label").evaluate_all(TORN)
            assert torn == []
            tops = await page.locator(".recount .choice").evaluate_all("all => all.map((one) => one.offsetTop)")
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


def test_how_many_came_is_one_tap_and_the_likely_number_the_biggest() -> None:
    async def scenario() -> None:
        async with phones("asks") as on:
            page = await on.look(viewport=PHONE)
            buttons = page.locator("#act button")
            await expect(page.get_by_role("button", name="Another number")).to_be_visible()
            await settled(page)
            areas = await buttons.evaluate_all("all => all.map((b) => b.offsetWidth * b.offsetHeight)")
            assert areas[0] == max(areas)
            await tap(page, "Another number", "7")
            assert await send_of(on) == {"do": "count", "press": 41, "cards": 7}

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
