"""An evening in Chromium: a whole launcher, several phones, and the screen that all see.

A round is played of each game, with real cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from playwright.async_api import expect

from dispenser.journal import Journal
from dispenser.launcher.messages import BurstEnded
from dispenser.rules.engine.demands import POINTS, TURN_UP
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, NAMING
from tests.browser.party import MOST_STEPS, SMALL, Party, party
from tests.browser.phone import PUSH, Phone
from tests.browser.rig import NARROW, fits, in_chromium, table, until
from tests.nightly.browser.test_for_everybody import shuts_nobody_out
from tests.table.played import evening

GAMES = ["uno", "uno-extreme", "huit-americain", "151", "uno-vache"]
SCORES = ".ranking, .places"
"""Points, or who came in which place."""
UNWIELDY = ["extreme hit", "discard all", "customizable", "joker", "white"]
"""Cards that a round with few of them does without."""
DEAD_LINE = "ERR_INTERNET_DISCONNECTED|ERR_INCOMPLETE_CHUNKED|409|Failed to load|ERR_NETWORK"


# --- whole rounds ---


class RealCards:
    """A round in which people hold real cards, of a deck of the test's, and tap what they do with them."""

    def __init__(self, on: Party) -> None:
        self.on = on
        self.deck: list[str] = []
        self._all_cards: list[str] = []
        self._handed = 0

    def shuffle(self, seed: str, without: Sequence[str] = ()) -> None:
        """The real deck of the match, but for some cards; three of four are of one colour, so that a round is short."""
        state = self.on.match.game.state
        names = [state.cards.names[kind].en for kind in state.deck()]
        names = [name for name in names if not any(name.endswith(word) for word in without)]
        Random(seed).shuffle(names)
        colours = {name.en: state.cards.colour[kind] for kind, name in enumerate(state.cards.names)}
        alike = [name for name in names if colours[name] == colours[names[0]]]
        others = [name for name in names if colours[name] != colours[names[0]]]
        mixed = [(alike if place % 4 else others).pop() for place in range(len(alike))]
        self.deck = [*alike, *others, *mixed[::-1]]
        self._all_cards = list(self.deck)

    def _draw(self) -> str:
        """From the real deck; when that is empty, what was laid is shuffled, but for the card on top."""
        if not self.deck:
            state = self.on.match.game.state
            left = Counter(self._all_cards) - Counter(card for phone in self.on.phones.values() for card in phone.hand)
            left[state.cards.names[state.top].en] -= 1
            self.deck = sorted(left.elements())
            Random(len(self.deck)).shuffle(self.deck)
        return self.deck.pop()

    def who(self, seat: int) -> Phone:
        name = self.on.people.people.name(self.on.match.order[seat])
        return self.on.phones[name]

    async def opens_round(self) -> None:
        """What there is to press for and to say before the first card is laid."""
        match = self.on.match
        while match.dealing or match.game.question is not None or match.game.phase is CHOOSING_DIRECTION:
            at = self.on.people.at
            await self._one_step()
            await self.on.changes(at)

    async def deal(self, cards: int) -> None:
        """Real cards for everybody; so few that the sizes of hands are set right."""
        self._handed = len(self.on.records(BurstEnded.type))
        helper = next(iter(self.on.phones.values()))
        for phone in self.on.phones.values():
            phone.hand = [self.deck.pop() for _ in range(cards)]
            if self.on.match.in_round and self.on.match.game.state.hidden:
                at = self.on.people.at
                await helper.sets_hand(phone.name, cards)
                await self.on.changes(at)

    async def plays_round(self) -> int:
        """Everybody does what is theirs to do until the round is over; so many steps it took."""
        for step in range(MOST_STEPS):
            if self.on.phase in ("between", "over"):
                return step
            at = self.on.people.at
            await self._one_step()
            await self.on.changes(at)
            self._hand_out()
        raise AssertionError(f"the round does not end: {self.on.people.at}")

    async def _one_step(self) -> None:
        game = self.on.match.game
        if self.on.people.asked:
            await next(iter(self.on.phones.values())).page.locator("#act .kind-main").first.click()
        elif self.on.match.dealing:
            await self._pushes(self.who(next(iter(self.on.match.dealing))))
        elif game.question is not None:
            await self._answers()
        elif game.demand is not None:
            await self._pushes(self.who(game.demand.payer))
        else:
            await self._turn(self.who(game.turn))

    async def _pushes(self, phone: Phone) -> None:
        presses = self._presses
        await phone.presses()
        await until(lambda: self._presses > presses)

    def _hand_out(self) -> None:
        """The cards that came lie in the hands of those whose presses brought them."""
        bursts = self.on.records(BurstEnded.type)
        taken = {record["press"]: record["seat"] for record in self.on.records("table.press.taken")}
        too_many = {
            record["press"]: record["cards"] for record in self.on.records("table.press.done")
        }  # they are put back
        for burst in bursts[self._handed :]:
            came = burst["delivered"] - too_many.get(burst["press"], 0)
            self.who(taken[burst["press"]]).hand += [self._draw() for _ in range(came)]
        self._handed = len(bursts)

    async def _answers(self) -> None:
        asked = self.on.match.game.question
        assert asked is not None
        if asked.kind == TURN_UP:
            await next(iter(self.on.phones.values())).card(self.deck.pop())
        elif asked.kind == POINTS:
            assert asked.seat is not None
            await self._counts(self.who(asked.seat))
        else:
            await next(iter(self.on.phones.values())).page.locator("#act .choices button").first.click()

    async def _counts(self, phone: Phone) -> None:
        """The cards left in a hand, tapped; those that the table knows are there already."""
        await phone.tap(phone.say("Tap the cards"))
        await expect(phone.page.get_by_role("button", name=re.compile(f"^{phone.say('Done')}"))).to_be_visible()
        left = list(phone.hand)
        for given in await phone.page.locator(".picked li > span .visually-hidden").all_inner_texts():
            left.remove(next(card for card in left if phone.called(card)[0] == given))
        for card in left:
            await phone.card(card)
        await phone.tap(re.compile(f"^{phone.say('Done')}"))

    async def _turn(self, phone: Phone) -> None:
        game = self.on.match.game
        kinds = {move.card for move in game.legal_moves(game.turn) if move.card is not None}
        names = [game.state.cards.names[kind].en for kind in kinds]
        said = phone.page.locator(".always").get_by_role("button", name=phone.say("UNO!"))
        if await said.count():
            await said.click()
        elif card := next((card for card in phone.hand if card in names), None):
            await phone.card(card)
            phone.hand.remove(card)
            await phone.answers_rest()
        else:
            await self._cannot_play(phone)

    async def _cannot_play(self, phone: Phone) -> None:
        """A tap on what one does then, which may be a push as well; or the push itself."""
        main = phone.page.locator("#act .choices .kind-main")
        if await main.count():
            await self.on.clear()
            at, presses = self.on.people.at, self._presses

            async def pushed_or_owed() -> bool:
                owes = await phone.page.locator(PUSH).count() > 0
                return owes or self._presses > presses or self.on.match.game.demand is None

            await main.first.click()
            await until(lambda: self.on.people.at > at)
            await until(pushed_or_owed)  # the push comes after what was tapped
        elif self.on.match.game.phase in (CHOOSING_DIRECTION, NAMING):
            await phone.page.locator("#act .choices button").first.click()
        else:
            await self._pushes(phone)

    @property
    def _presses(self) -> int:
        return len(self.on.records("launcher.press.accepted"))


@pytest.mark.parametrize("game", GAMES)
@in_chromium
async def test_a_round_with_real_cards_is_told_by_two_taps_a_card(game: str) -> None:
    async with party(seed=f"evening of {game}") as on:
        host, *_ = await on.sit("Léa", "Tom", "Zoé", "Max")
        await on.starts(host, game, "referee")
        real = RealCards(on)
        real.shuffle(f"evening of {game}", UNWIELDY)
        await real.opens_round()
        await real.deal(1)
        await shuts_nobody_out(host.page, "a round")
        await real.plays_round()
        for phone in on.phones.values():
            await expect(phone.page.locator(SCORES)).to_be_visible()
        await expect(on.screen.locator(SCORES)).to_be_visible()
        await shuts_nobody_out(host.page, "after the round")


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
        await shuts_nobody_out(tom.page, "another phone plays")
        await tom.tap("Play on here")
        await expect(second.locator(".banner")).to_contain_text("Another phone plays for this seat now.")
        on.complaints[:] = [each for each in on.complaints if not re.search(DEAD_LINE, each)]


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
            await shuts_nobody_out(each, name)


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


async def turn_up(on: Party, card: str) -> None:
    """The first card of a round, as the table asks for it."""
    at = on.people.at
    await next(iter(on.phones.values())).card(card)
    await on.changes(at)
