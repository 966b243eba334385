"""A phone at the table, in Chromium: what is drawn of a view, and what a tap sends. A stand-in serves the views.

And the line between the two: lost, found, moved; what the phone rings and reads aloud.
"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.async_api import Page, Route, expect

from tests.browser.rig import holds, in_chromium, settled, sounds, until
from tests.browser.stand_in import BROKEN_LINE, PHONE, listens, phones, says, send_of, tap


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


@in_chromium
async def test_the_button_is_the_biggest_thing_for_who_owes() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE)
        await says(page, "Tom: press 2 of 4")
        await settled(page)
        areas = await page.locator("button").evaluate_all("all => all.map((b) => b.offsetWidth * b.offsetHeight)")
        dome = await page.locator(".dome").evaluate("(b) => b.offsetWidth * b.offsetHeight")
        assert dome == max(areas)
        assert dome > 4 * sorted(areas)[-2]


@in_chromium
async def test_on_the_smallest_phone_the_button_is_whole_beside_cards_and_a_count() -> None:
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


@in_chromium
async def test_on_the_smallest_phone_no_word_is_torn_and_no_button_leaves_its_row() -> None:
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


@in_chromium
async def test_how_many_came_is_one_tap_and_the_likely_number_the_biggest() -> None:
    async with phones("asks") as on:
        page = await on.look(viewport=PHONE)
        buttons = page.locator("#act button")
        await expect(page.get_by_role("button", name="Another number")).to_be_visible()
        await settled(page)
        areas = await buttons.evaluate_all("all => all.map((b) => b.offsetWidth * b.offsetHeight)")
        assert areas[0] == max(areas)
        await tap(page, "Another number", "7")
        assert await send_of(on) == {"do": "count", "press": 41, "cards": 7}


@in_chromium
async def test_whether_the_count_was_right_is_asked_for_a_while() -> None:
    async with phones("cards_wait") as on:
        page = await on.look(viewport=PHONE)
        await expect(page.locator(".recount")).to_contain_text("3 cards came?")
        await tap(page, "4")
        assert await send_of(on) == {"do": "count", "press": 41, "cards": 4}
        again = {**on.table.view()["recount"], "press": 42, "seconds": 0.6}
        on.table.show("cards_wait", recount=again)
        await expect(page.locator(".recount")).to_be_visible()
        await expect(page.locator(".recount")).to_be_hidden()


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
        lines: list[str] = []
        page.on("request", lambda request: lines.append(request.url.rpartition("/")[2]))
        async with page.expect_event("requestfinished", lambda request: request.url.endswith("/table/view")):
            await late[0].fulfill(response=older)
        async with page.expect_event("requestfailed", lambda request: request.url.endswith("/table/view")):
            await late[1].abort()
        await settled(page)
        on.table.show("owes")
        await says(page, "Tom: press 2 of 4")
        await expect(page.locator(".banner")).to_be_hidden()
        assert lines == [], "what comes for an older opening changes nothing"


@in_chromium
async def test_a_push_of_the_launchers_own_button_that_does_not_count_says_why() -> None:
    async with phones("cards_wait") as on:
        refused = {"press": 44, "reason": "nothing_owed"}
        on.table.launcher("ready", refused={"press": 43, "reason": "busy"})
        page, screen = await on.look(viewport=PHONE), await on.look("/screen")
        await listens(on.table, 2)
        usual = on.table.view()["sentence"]
        await says(screen, usual)
        await says(page, usual)
        await expect(page.locator(".notice")).to_have_count(0)
        await screen.clock.install()
        on.table.launcher("ready", refused=refused)
        await expect(page.locator(".notice")).to_have_text("Nobody has to press. Play on!")
        await says(screen, "Nobody has to press. Play on!")
        await screen.clock.run_for(5_000)
        await says(screen, usual)
        on.table.launcher("ready", refused=refused, refusal="nothing_owed")
        on.table.launcher("suspense", press=45)
        await expect(screen.locator("#launcher")).to_have_attribute("data-mood", "suspense")
        await says(screen, usual)


@in_chromium
async def test_a_name_that_is_read_from_the_right_turns_nothing_around() -> None:
    async with phones("between") as on:
        page = await on.look(viewport=PHONE)
        await listens(on.table)
        names = ["Léa", "שרה 2", "🇫🇷" * 7, "Zoé"]
        on.table.show("between", waiting=["Ada", "שרה"], board={**on.table.view()["board"], "names": names})
        await expect(page.locator(".waiting")).to_contain_text("Ada, \u2068שרה\u2069")
        name = page.locator(".ranking .name").nth(1)
        assert await name.evaluate("(name) => getComputedStyle(name).direction") == "rtl"
        await expect(page.locator(".chart .who")).to_have_text(["Léa", "\u2068שרה 2\u2069", "🇫🇷" * 4 + "…", "Zoé"])


@in_chromium
async def test_an_answer_that_broke_off_is_taken_for_no_view() -> None:
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
        await holds(page, "window.resumed > 0")  # a lock has silenced it, and only a tap may wake it


@in_chromium
async def test_who_dawdles_is_called_again_by_phone_and_screen() -> None:
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


@in_chromium
async def test_the_same_words_twice_are_read_twice() -> None:
    async with phones("owes") as on:
        page = await on.look(viewport=PHONE)
        places = page.locator("#said p")
        await expect(page.locator("#said")).to_have_text("Tom: press 2 of 4")
        before = await places.all_text_contents()
        await listens(on.table)
        on.table.show("owes", calls=2)
        await expect(places.nth(0)).not_to_have_text(before[0])
        assert await places.all_text_contents() == before[::-1]


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
