"""A short evening of each way of telling the table, in Chromium: a whole launcher, phones, and the common screen."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from dispenser.service import bots
from dispenser.table import messages as t
from tests.browser.party import PHONE, mine, party, turn_up
from tests.browser.phone import CHOICE, LAY, PUSH, Phone
from tests.browser.rig import narrow_enough, play, until


def test_a_table_that_counts_itself_tells_what_brings_presses_and_who_won() -> None:
    async def scenario() -> None:
        async with party(seed="they count presses") as on:
            host, tom = await on.sit("Léa", "Tom")
            await on.starts(host, "uno-extreme", "counter")
            at = on.people.at
            await host.tap(re.compile("^Press 2"), "Tom")
            await on.changes(at)
            await tom.says("Press 1 of 2!")
            await expect(on.screen.locator("#sentence")).to_have_text("Tom: press 1 of 2")
            for sentence in ("One more!", "Play on! Tap only what makes someone draw."):
                at = on.people.at
                await tom.presses()
                await on.changes(at)
                await tom.says(sentence)
            await host.tap("Round over: who is out?", "Tom")
            await host.page.locator("input[type=number]").fill("7")
            await host.tap("OK")
            await host.says("Tom wins the round!")
            await tom.says("You win the round!")
            for page in (host.page, tom.page, on.screen):
                await expect(page.locator(".ranking li").filter(has_text="Tom")).to_contain_text("7")
            on.service.tell(t.Close(), owner=True)
            for page in (host.page, tom.page, on.screen):
                await expect(page.locator(".sentence")).to_have_text("The evening is over.")
                await expect(page.locator(".ranking li").filter(has_text="Tom")).to_contain_text("7")
            await expect(tom.page.get_by_text("Ask the launcher’s owner to start a new evening")).to_be_visible()
            await tom.page.get_by_role("link", name="Past evenings").click()
            await expect(tom.page.locator("article")).to_contain_text("Léa, Tom")

    play(scenario)


def test_who_comes_is_asked_for_a_name_and_the_screen_invites() -> None:
    async def scenario() -> None:
        async with party() as on:
            await on.begins()
            await expect(on.screen.locator("#sentence")).to_have_text("Scan the code to play.")
            page = await on.look(f"t/{await on.code()}")
            await expect(page.locator("p.sentence")).to_have_text("What’s your name?")
            await expect(page.locator("#act .asked")).to_have_count(0)
            await page.get_by_role("textbox", name="What’s your name?").fill("Léa")
            await narrow_enough(page)
            await page.get_by_role("button", name="Take a seat").click()
            await expect(page.locator("p.sentence")).to_have_text("Let others scan the code, or add bots.")
            await expect(on.screen.locator("#sentence")).to_have_text("Scan the code to play.")

    play(scenario)


def test_who_only_watches_is_asked_for_no_name_again_and_may_take_a_seat_later() -> None:
    async def scenario() -> None:
        async with party() as on:
            await on.begins()
            page = await on.look(f"t/{await on.code()}")
            await page.get_by_role("button", name="Just watch").click()
            await expect(page.locator("p.sentence")).to_have_text("You’re watching. The host is choosing a game.")
            await page.reload()
            await expect(page.locator("p.sentence")).to_have_text("You’re watching. The host is choosing a game.")
            await expect(page.get_by_role("textbox")).to_have_count(0)
            await expect(page.get_by_role("button", name="Just watch")).to_have_count(0)
            await page.get_by_role("button", name="Take a seat").click()
            await page.get_by_role("textbox", name="What’s your name?").fill("Léa")
            await page.keyboard.press("Enter")
            await expect(page.locator("p.sentence")).to_have_text("Let others scan the code, or add bots.")

    play(scenario)


def test_a_card_that_was_told_is_taken_back() -> None:
    async def scenario() -> None:
        async with party(seed="they tell") as on:
            host, tom = await on.sit("Léa", "Tom")
            await on.starts(host, "uno", "referee")
            await turn_up(on, "red 7")
            player = on.who(on.match.game.turn)
            other = tom if player is host else host
            at = on.people.at
            await player.card("red 3")
            await on.changes(at)
            await narrow_enough(host.page)
            at = on.people.at
            await other.page.get_by_role("button", name="Take back").click()
            await on.changes(at)
            for page in (host.page, tom.page, on.screen):
                await expect(page.locator(".news")).to_contain_text(re.compile(f"^{other.name} took back: .*red 3"))
            assert on.who(on.match.game.turn) is player

    play(scenario)


def test_a_round_with_real_cards_is_told() -> None:
    async def scenario() -> None:
        async with party(seed="they tell") as on:
            host, tom = await on.sit("Léa", "Tom")
            await on.starts(host, "uno", "referee")
            await turn_up(on, "red 7")
            player = on.who(on.match.game.turn)
            on.deck = ["red 5", "red 3"]
            await on.deal(1)
            await on.plays_round()
            for page in (host.page, tom.page, on.screen):
                await expect(page.locator(".ranking")).to_be_visible()
            await player.says("You win the round!")

    play(scenario)


def test_with_the_cards_on_phones_a_card_is_laid_against_two_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "THINKS_S", 0.1)

    async def scenario() -> None:
        async with party(seed="a demo") as on:
            page = await on.look(owner=True, viewport=PHONE)
            await page.get_by_role("link", name="Play").click()
            await page.get_by_role("button", name="Play against two bots now").click()
            await until(lambda: bool(on.people.people.order))
            me = Phone(on, page, on.people.people.persons[1].name)
            await expect(page.locator(".hand li")).to_have_count(7)
            await expect(page.locator(f".lay, .dome, .kind-push, {CHOICE}").first).to_be_visible()
            await narrow_enough(page)
            await on.plays_on(me, LAY, PUSH, done=lambda: mine(on, "lay"))

    play(scenario)


def test_a_phone_shows_its_own_hand_and_has_received_no_other() -> None:
    async def scenario() -> None:
        async with party(seed="hidden hands") as on:
            people = await on.sit("Léa", "Tom")
            await on.starts(people[0], "uno", "cards")
            state = on.match.game.state
            hands = {phone.name: state.held(on.match.order.index(phone.person)) for phone in people}
            for phone, other in zip(people, reversed(people), strict=True):
                shown = phone.page.locator(".hand li")
                await expect(shown).to_have_count(len(hands[phone.name]))
                for card in set(hands[phone.name]):
                    await expect(shown.filter(has_text=state.cards.names[card].en).first).to_be_attached()
                received = await phone.page.evaluate("fetch('/api/v1/table/view').then((view) => view.text())")
                hidden = set(hands[other.name]) - set(hands[phone.name]) - {state.top}
                assert hidden
                for card in hidden:
                    assert f'"{state.cards.names[card].en}"' not in received, phone.name
            await expect(on.screen.locator(".hand")).to_have_count(0)

    play(scenario)
