"""An evening in Chromium: a whole launcher, several phones, and the screen that all see.

Rounds are played of all games, with real cards and with the cards on the phones.
"""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from playwright.async_api import Page, Route, expect

from dispenser.journal import Journal
from dispenser.launcher.messages import BurstEnded, PressAccepted
from dispenser.service import bots
from tests.browser.party import PHONE, SMALL, mine, party, turn_up
from tests.browser.phone import CHOICE, LAY, PUSH, Phone
from tests.browser.rig import NARROW, fits, in_chromium, narrow_enough, table, until
from tests.table.played import evening

GAMES = ["uno", "uno-extreme", "huit-americain", "151", "uno-vache"]
SCORES = ".ranking, .places"
"""Points, or who came in which place."""
UNWIELDY = ["extreme hit", "discard all", "customizable", "joker", "white"]
"""Cards that a round with few of them does without."""
DEAD_LINE = "ERR_INTERNET_DISCONNECTED|ERR_INCOMPLETE_CHUNKED|409|Failed to load|ERR_NETWORK"


async def fair(page: Page, what: str) -> None:
    """Nothing beside the screen, also with text twice as large, and nothing that axe-core minds."""
    await fits(page, what)
    await page.evaluate("document.documentElement.style.fontSize = '200%'")
    await narrow_enough(page, f"{what}, with large text")
    await page.evaluate("document.documentElement.style.fontSize = ''")


# --- whole rounds ---


@in_chromium
async def test_play_against_two_bots_in_three_taps(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the launcher's page: Play, the bots, and a card; a press is one more."""
    monkeypatch.setattr(bots, "THINKS_S", 0.1)
    async with party(seed="a demo") as on:
        page = await on.look(owner=True, reduced_motion="no-preference")
        await page.get_by_role("link", name="Play").click()
        await page.get_by_role("button", name="Play against two bots now").click()
        await until(lambda: bool(on.people.people.order))
        me = Phone(on, page, on.people.people.persons[1].name)
        await expect(page.locator(".hand li")).to_have_count(7)
        await expect(page.locator(f".lay, .dome, .kind-push, {CHOICE}").first).to_be_visible()
        assert len(on.entries("table.match.begun")) == 1
        await fair(page, "my hand")
        await on.plays_on(me, LAY, PUSH, done=lambda: mine(on, "lay"))
        presses = len(on.entries(PressAccepted.type))
        await on.plays_on(me, PUSH, LAY, done=lambda: len(on.entries(PressAccepted.type)) > presses)
        await page.get_by_role("button", name="Menu").click()
        await fair(page, "the menu")


@pytest.mark.parametrize("game", GAMES)
@in_chromium
async def test_a_round_with_real_cards_is_told_by_two_taps_a_card(game: str) -> None:
    async with party(seed=f"evening of {game}") as on:
        host, *_ = await on.sit("Léa", "Tom", "Zoé", "Max")
        await on.starts(host, game, "referee")
        on.shuffle(f"evening of {game}", UNWIELDY)
        await on.opens_round()
        await on.deal(1)
        await fair(host.page, "a round")
        await on.plays_round()
        for phone in on.phones.values():
            await expect(phone.page.locator(SCORES)).to_be_visible()
        await expect(on.screen.locator(SCORES)).to_be_visible()
        await fair(host.page, "after the round")


@pytest.mark.parametrize("game", GAMES)
@in_chromium
async def test_a_round_with_the_cards_on_phones(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "THINKS_S", 0.02)
    async with party(seed=f"phones play {game}") as on:
        (me,) = await on.sit("Léa")
        for _ in range(2):  # the same tap twice, before the first is answered, is one
            async with me.page.expect_response("**/table/tell"):
                await me.chooses("A bot")
        await until(lambda: len(on.people.people.order) == 3)
        await on.starts(me, game, "cards")
        await on.plays_on(me, done=lambda: on.phase in ("between", "over"))
        await expect(me.page.locator(SCORES)).to_be_visible()


@in_chromium
async def test_a_round_in_french_that_the_launcher_deals() -> None:
    """Each presses once, seven cards; so that the round is short, all but one of them are said to be gone."""
    async with party(seed="une soirée", language="fr") as on:
        host, tom, _ = await on.sit("Léa", "Tom", "Zoé")
        await on.starts(host, "uno", "referee", deals=True)
        on.shuffle("une soirée", UNWIELDY)
        assert on.phase == "dealing"
        await on.opens_round()
        dealt = on.entries("table.dealt")
        assert sorted((each["seat"], each["cards"]) for each in dealt) == [(0, 7), (1, 7), (2, 7)]
        assert [each["planned"] for each in on.entries(BurstEnded.type)] == [7, 7, 7]
        await expect(tom.page.locator(".seat.me .cards")).to_contain_text("7 cartes")
        await on.deal(1)
        await fair(tom.page, "une manche")
        await on.plays_round()
        for page in (*(phone.page for phone in on.phones.values()), on.screen):
            await expect(page.locator("html")).to_have_attribute("lang", "fr")
            await expect(page.locator(".ranking")).to_be_visible()
        await tom.says(re.compile("gagne|remporte"))


@in_chromium
async def test_a_table_that_counts_itself_tells_only_what_brings_presses() -> None:
    """Charged, paid by presses of which some bring nothing, struck out, the round over, and the board."""
    async with party(seed="they count") as on:
        host, tom, _ = await on.sit("Léa", "Tom", "Zoé")
        await on.starts(host, "uno-extreme", "counter")
        at = on.people.at
        await host.tap(re.compile("^Press 2"), "Tom")
        await on.changes(at)
        await tom.says("Press 1 of 2!")
        await expect(on.screen.locator("#sentence")).to_have_text("Tom: press 1 of 2")
        for sentence in ("One more!", "Play on! Tap only what makes someone draw."):
            at = on.people.at
            await fair(tom.page, "owing")
            await tom.presses()
            await on.changes(at)
            await on.clear()  # a card that sticks out is taken first, and the phone says so
            await tom.says(sentence)
        at = on.people.at
        await tom.tap(re.compile("^Press 4"), "Zoé")
        await on.changes(at)
        at = on.people.at
        await host.tap(re.compile("^Cancel (for )?Zoé"))
        await on.changes(at)
        await host.tap("Round over: who is out?", "Tom")
        for points in ("12", "7"):
            await host.page.locator("input[type=number]").fill(points)
            await host.tap("OK")
        await host.says("Tom wins the round!")
        await tom.says("You win the round!")
        for page in (host.page, tom.page, on.screen):
            await expect(page.locator(".ranking li").filter(has_text="Tom")).to_contain_text("19")
        await fair(on.screen, "the screen after a round")


@in_chromium
async def test_who_only_watches_is_asked_for_no_name_again_and_may_take_a_seat_later() -> None:
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


# --- things that go wrong at a table ---


@in_chromium
async def test_a_phone_that_was_away_comes_back_to_its_seat() -> None:
    """Without network, after a reload, and beside a second page of the same phone."""
    async with party(seed="away") as on:
        host, tom = await on.sit("Léa", "Tom")
        await on.starts(host, "uno", "referee")
        on.complaints.clear()
        await turn_up(on, "red 7")
        await tom.page.context.set_offline(True)
        await expect(tom.page.locator(".banner")).to_have_text("Connection lost, trying again…")
        del on.phones["Tom"]
        at = on.people.at
        await host.sets_hand("Tom", 5)
        await on.changes(at)
        await tom.page.context.set_offline(False)
        await on.sees(tom.page)
        await expect(tom.page.locator(".banner")).to_have_count(0)
        await expect(tom.page.locator(".seat.me .cards")).to_contain_text("5")
        await tom.page.reload()
        await on.sees(tom.page)
        await expect(tom.page.locator(".seat.me .name")).to_have_text("Tom")
        second = await tom.page.context.new_page()
        await second.goto(f"{on.house}table")
        await on.sees(second)
        await expect(tom.page.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
        await fair(tom.page, "another phone plays")
        await tom.tap("Play on here")
        await expect(second.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
        on.complaints[:] = [each for each in on.complaints if not re.search(DEAD_LINE, each)]


@in_chromium
async def test_of_two_who_jump_in_at_once_one_is_too_late() -> None:
    async with party() as on:
        people = await on.sit("Léa", "Tom", "Zoé", "Max")
        await on.starts(people[0], "uno-vache", "referee")
        on.deck = ["red 7"]
        await on.opens_round()
        at = on.people.at
        await on.who(on.match.game.turn).card("red 3")
        await on.changes(at)
        both = asyncio.Barrier(2)

        async def together(route: Route) -> None:
            await both.wait()
            await route.continue_()

        there = []
        for phone in people:
            jump = phone.page.get_by_role("button", name=re.compile("^Jump in: red 3"))
            if await jump.count():
                there.append(jump)
                await phone.page.route("**/api/v1/table/tell", together)
        assert len(there) >= 2
        acted = len(on.entries("table.acted"))
        await asyncio.gather(*(jump.evaluate("(button) => button.click()") for jump in there[:2]))
        await until(lambda: len(on.entries("table.acted")) > acted)
        late = [phone.page.locator(".notice", has_text="Too late") for phone in people]

        async def one_is_late() -> bool:
            return sum([await notice.count() for notice in late]) == 1

        await until(one_is_late)
        assert len(on.entries("table.acted")) == acted + 1


@in_chromium
async def test_a_phone_is_the_launcher_in_the_middle_of_a_debt_and_the_real_one_takes_over_again() -> None:
    async with party(seed="they count") as on:
        host, *_ = await on.sit("Léa", "Tom", "Zoé")
        await on.starts(host, "uno", "referee")
        await turn_up(on, "red 7")
        first = on.who(on.match.game.turn)
        at = on.people.at
        await first.card("red +2")
        await on.changes(at)
        await host.chooses(re.compile("^This phone is the launcher"))
        await until(lambda: on.people.stand_in == host.person)
        inside = on.toy.view().cards_in_stack
        await fair(host.page, "a phone is the launcher")
        at = on.people.at
        await host.page.locator(".dome:not([aria-disabled])").click()
        await on.changes(at)
        await expect(host.page.locator(".take")).to_have_text("Take 2 cards from the pile")
        assert on.entries(PressAccepted.type)[-1]["source"] == "phone"
        assert on.toy.view().cards_in_stack == inside
        await host.chooses("The real launcher again")
        await until(lambda: on.people.stand_in is None)
        await expect(host.page.locator(".take")).to_have_count(0)
        at = on.people.at
        turn = on.who(on.match.game.turn)
        await turn.tap("Draw")
        await on.changes(at)
        burst = on.entries(BurstEnded.type)[-1]
        assert burst["planned"] == 1
        assert max(1, burst["delivered"]) <= inside - on.toy.view().cards_in_stack <= 2  # one may be on its way


@in_chromium
async def test_while_the_hosts_phone_is_away_another_acts_as_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dispenser.service.presence.ATTENDED_S", 0.5)
    monkeypatch.setattr("dispenser.web.stream.PING_S", 0.5)
    async with party() as on:
        host, tom, zoe = await on.sit("Léa", "Tom", "Zoé")
        await expect(tom.page.locator(".start")).to_have_count(0)
        await host.page.close()
        del on.phones["Léa"]
        await expect(tom.page.locator(".start")).to_be_visible()
        await expect(zoe.page.locator(".start")).to_have_count(0)
        await fair(tom.page, "choosing a game")


@pytest.mark.parametrize("name", ["<b>Ali</b> & 'co'", "👩‍🚀🎲 Zoé", "שלום \u202eabc"])
@in_chromium
async def test_a_name_is_only_a_name(name: str) -> None:
    async with party() as on:
        await on.begins()
        page = await on.look(f"t/{await on.code()}", viewport=SMALL)
        await page.get_by_role("textbox", name="What’s your name?").fill(name)
        await page.keyboard.press("Enter")
        await until(lambda: bool(on.people.people.order))
        other = await on.comes("Tom")
        kept = on.people.people.persons[1].name
        assert "\u202e" not in kept
        for each in (page, other.page, on.screen):
            await expect(each.locator(".seat .name").first).to_have_text(kept)
            assert await each.locator("b", has_text="Ali").count() == 0
            await fair(each, name)


@in_chromium
async def test_one_comes_late_and_one_leaves_in_the_middle() -> None:
    async with party() as on:
        host, tom, _ = await on.sit("Léa", "Tom", "Zoé")
        await on.starts(host, "uno", "counter")
        late = await on.comes("Max", viewport=PHONE)
        await expect(host.page.locator(".waiting")).to_contain_text("Max")
        await expect(on.screen.locator(".waiting")).to_contain_text("Max")
        await fair(late.page, "waiting")
        await tom.chooses("Leave the table", "Yes, leave the table")
        await host.news("Tom has gone.")
        del on.phones["Tom"]
        await expect(tom.page.get_by_role("textbox", name="What’s your name?")).to_be_visible()
        await host.tap("Round over: who is out?", "Zoé")
        number = host.page.locator("input[type=number]")
        await expect(number).to_be_visible()
        while await number.count():
            await number.fill("5")
            await host.tap("OK")
        await host.tap("Next round")
        await until(lambda: on.phase == "playing")
        await on.seen()
        assert [on.people.people.name(number) for number in on.match.order] == ["Léa", "Zoé", "Max"]
        await expect(late.page.locator(".seat.me")).to_be_visible()


# --- afterwards ---


@in_chromium
async def test_past_evenings_are_for_everybody_and_one_is_deleted(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    with Journal.open(path) as journal:
        for day, names in (("first", ("Léa", "Tom", "Mathilde", "Alphonse")), ("second", ("Ana", "Bob"))):
            lines = evening(day, "uno-extreme", steps=200, names=names).lines
            journal.append("table", [(line.type, line.data) for line in lines])
    async with table(journal=path) as on:
        for scheme in ("light", "dark"):
            page = await on.open_page(wait=False, viewport=NARROW, color_scheme=scheme, locale="fr")
            await page.goto(on.address + "evenings")
            await expect(page.get_by_role("article")).to_have_count(2)
            await expect(page.locator(".chart .line")).to_have_count(8)
            await fits(page, scheme)
            rows = page.locator("article", has_text="Mathilde").locator("table tr")
            heights = await rows.evaluate_all("all => all.map((row) => Math.round(row.offsetHeight / 9))")
            assert len(set(heights)) == 1, "names are not broken"
        await page.get_by_role("button", name="Supprimer…").first.click()
        await page.get_by_role("button", name="La garder").click()
        await page.get_by_role("button", name="Supprimer…").first.click()
        await page.get_by_role("button", name="Supprimer", exact=True).click()
        await expect(page.get_by_role("article")).to_have_count(1)
        await expect(page.get_by_role("article")).to_contain_text("Léa, Tom")
