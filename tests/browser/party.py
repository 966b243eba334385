"""An evening: a whole simulated launcher, people with their phones around it, and one screen that all see.

Who calls it by this machine's own name for itself is its owner, as in a house; phones call it otherwise, and come in by
the code. People know the rules, tap what their phones show, and hold real cards, of a deck of the test's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

from playwright.async_api import Page, ViewportSize, expect

from dispenser.i18n import Text
from dispenser.launcher.commands import Load, Reset
from dispenser.launcher.messages import BurstEnded
from dispenser.launcher.settings import MachineSettings
from dispenser.rules.engine.demands import POINTS, TURN_UP
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, NAMING
from dispenser.service.settings import Settings
from dispenser.table.match import Match
from dispenser.table.table import Table as People
from dispenser.table.views import phase
from tests.browser.phone import LAY, PUSH, STEP, Phone
from tests.browser.rig import HOUSE, Table, chromium, leave, until

PHONE: ViewportSize = {"width": 360, "height": 640}
SMALL: ViewportSize = {"width": 320, "height": 640}
SCREEN: ViewportSize = {"width": 1280, "height": 720}
NOT_SO = r"409 \(Conflict\)|401 \(Unauthorized\)|Cross-Origin-Opener-Policy"
"""What a browser says of a refusal, and of a header that counts under trusted names only."""
QUICK = Settings(
    launcher=MachineSettings(
        suspense_min_s=0.05, suspense_max_s=0.1, feed_base_s=3.0, stall_s=3.0, blind_s=3.0, double_ratio=1.9
    )
)
"""Short drum rolls, and patience where a busy machine makes the launcher's body slow."""
MOST_STEPS = 200
"""Of one round; more, and something goes round in circles."""
LOADED = 60
"""Cards that are put into an empty launcher: what lies on the table by then."""


class Party(Table):
    """Everybody at one table.

    :ivar phones: by name, in the order in which they came.
    """

    screen: Page
    owner: Page

    def __init__(self, *args: Any, language: str = "en", **more: Any) -> None:
        super().__init__(*args, **more)
        self.language = language
        self.phones: dict[str, Phone] = {}
        self.deck: list[str] = []
        self._all_cards: list[str] = []
        self._handed = 0

    @property
    def people(self) -> People:
        """The table itself, as people see it who look up."""
        assert self.service.evening is not None
        return self.service.evening.table

    @property
    def match(self) -> Match:
        assert self.people.match is not None
        return self.people.match

    @property
    def phase(self) -> str:
        return phase(self.people)

    @property
    def house(self) -> str:
        """Where phones find it."""
        return re.sub("//[^/]*:", f"//{HOUSE}:", self.address)

    async def look(self, path: str = "", *, owner: bool = False, allow: str = NOT_SO, **context: Any) -> Page:
        """A page as the owner sees it, or by the way that phones come."""
        root = self.address
        self.address = (root if owner else self.house) + path
        try:
            return await self.open_page(
                wait=False,
                allow=allow,
                **{"viewport": PHONE, "locale": self.language, "reduced_motion": "reduce", **context},
            )
        finally:
            self.address = root

    def say(self, english: str) -> str:
        return Text(english)[self.language]

    async def begins(self) -> None:
        """Everyone shares this tablet: the screen on which the code stands."""
        self.owner = self.screen = await self.look("table", owner=True, viewport=SCREEN)
        await self.screen.get_by_role("button", name=self.say("Everyone shares this tablet")).click()
        await until(lambda: self.people.is_open)
        await self.screen.goto(self.address + "screen")

    async def code(self) -> str:
        """What lets phones in, as it stands on the screen."""
        place = self.screen.locator(".code b")
        await expect(place).to_have_text(re.compile(r"^\w{4}$"))
        return await place.inner_text()

    async def comes(self, name: str, **context: Any) -> Phone:
        """Somebody scans the code, and takes a seat."""
        page = await self.look(f"t/{await self.code()}", **context)
        door = page.get_by_role("textbox", name=self.say("What’s your name?"))
        await door.fill(name)
        await page.keyboard.press("Enter")
        phone = Phone(self, page, name, self.language)
        await expect(door).to_have_count(0)
        self.phones[name] = phone
        return phone

    async def sit(self, *names: str) -> list[Phone]:
        """An evening begins with these people."""
        await self.begins()
        return [await self.comes(name) for name in names]

    async def starts(self, host: Phone, game: str, telling: str, *, deals: bool = False, **options: str) -> None:
        """What the host chooses before a match; options by what stands beside them, typed or selected."""
        page = host.page
        await page.locator(f"input[name=game][value='{game}']").check()
        await page.locator(f"input[name=telling][value='{telling}']").check()
        if options:
            await page.get_by_text(self.say("House rules"), exact=True).click()
        for label, value in options.items():
            field = page.get_by_label(re.compile(label.replace("_", " ")))
            select = await field.evaluate("(field) => field.tagName === 'SELECT'")
            await (field.select_option(value) if select else field.fill(value))
        await page.get_by_role("switch", name=self.say("The launcher deals")).set_checked(deals)
        await page.locator(".start").click()
        await until(lambda: self.people.match is not None and not self.match.over)
        await self.seen()

    async def seen(self) -> None:
        """Everybody sees how it is now."""
        for phone in self.phones.values():
            await self.sees(phone.page)

    async def sees(self, page: Page) -> None:
        async def is_new() -> bool:
            return await page.locator("body").get_attribute("data-at") == str(self.people.at)

        await until(is_new)

    async def changes(self, at: int) -> None:
        """Something comes of a tap, bursts are over, and everybody has seen it."""
        await until(lambda: self.people.at > at)
        await until(lambda: not self.people.pushes or bool(self.people.asked))
        await self.seen()

    async def clear(self) -> None:
        """See to the launcher until it can be pushed."""
        await until(self._tended)

    async def _tended(self) -> bool:
        """Whether it can be pushed, and if not, something is done about it."""
        if not self._is_clear:
            await self._tend()
        return self._is_clear

    async def _tend(self) -> None:
        """Take what sticks out, load what was laid; look when it has seen nothing come, being on a busy machine."""
        launcher = self.service.snapshot()
        if launcher["state"] == "blind":
            await self.service.handle(Reset())
        elif launcher["state"] == "empty":
            self.toy.load(LOADED)
            await self.service.handle(Load(LOADED))
        elif launcher["state"] == "ready" and launcher["exit_blocked"]:
            self.toy.take_card()

    @property
    def _is_clear(self) -> bool:
        launcher = self.service.snapshot()
        return launcher["state"] == "ready" and not launcher["exit_blocked"]

    async def tell_all(self) -> None:
        """What everybody saw when something went wrong, for whoever reads of it."""
        print(f"at {self.people.at}: {self.phase}; launcher: {self.service.snapshot()['state']}")
        for entry in self.service.journal.read(types=["table.*", "launcher.burst.ended"], last=30):
            print("  ", entry.type, entry.data)
        for phone in self.phones.values():
            print(f"--- {phone.name} holds {phone.hand}")
            if not phone.page.is_closed():
                print(await phone.page.locator("body").inner_text())

    # --- a round with real cards ---

    def shuffle(self, seed: str, without: Sequence[str] = ()) -> None:
        """The real deck of the match, but for some cards; three of four are of one colour, so that a round is short."""
        state = self.match.game.state
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
            state = self.match.game.state
            left = Counter(self._all_cards) - Counter(card for phone in self.phones.values() for card in phone.hand)
            left[state.cards.names[state.top].en] -= 1
            self.deck = sorted(left.elements())
            Random(len(self.deck)).shuffle(self.deck)
        return self.deck.pop()

    def who(self, seat: int) -> Phone:
        name = self.people.people.name(self.match.order[seat])
        return self.phones[name]

    async def opens_round(self) -> None:
        """What there is to press for and to say before the first card is laid."""
        while self.match.dealing or self.match.game.question is not None or self.match.game.phase is CHOOSING_DIRECTION:
            at = self.people.at
            await self._one_step()
            await self.changes(at)

    async def deal(self, cards: int) -> None:
        """Real cards for everybody; so few that the sizes of hands are set right."""
        self._handed = len(self.entries(BurstEnded.type))
        helper = next(iter(self.phones.values()))
        for phone in self.phones.values():
            phone.hand = [self.deck.pop() for _ in range(cards)]
            if self.match.in_round and self.match.game.state.hidden:
                at = self.people.at
                await helper.sets_hand(phone.name, cards)
                await self.changes(at)

    async def plays_round(self) -> int:
        """Everybody does what is theirs to do until the round is over; so many steps it took."""
        for step in range(MOST_STEPS):
            if self.phase in ("between", "over"):
                return step
            at = self.people.at
            await self._one_step()
            await self.changes(at)
            self._hand_out()
        raise AssertionError(f"the round does not end: {self.people.at}")

    # --- a round with the cards on the phones ---

    async def plays_on(self, me: Phone, *brightest: str, done: Callable[[], bool]) -> None:
        """The only person among bots does what their phone shows, card and press first, until something is done.

        :param brightest: what they prefer to do, by where it is on the page.
        """

        async def waited_for() -> bool:
            if done() or self._waits_for(me):
                return True
            await self._tend()
            return False

        async def something_came() -> bool:
            return self.people.at > at or await me.page.locator(STEP).count() > 0

        for _ in range(MOST_STEPS):
            await until(waited_for)
            if done():
                return
            at = self.people.at
            await self.sees(me.page)
            await me.does_something(*(brightest or (LAY, PUSH)))
            with suppress(TimeoutError):  # a bot was quicker, and the tap said nothing
                await until(something_came, 1.0)
        raise AssertionError(f"it does not come to that: {self.people.at}")

    def _waits_for(self, me: Phone) -> bool:
        """Whether nothing goes on without them."""
        if self.people.asked:
            return True
        if self.people.pushes or not self._is_clear:
            return False
        game, seat = self.match.game, self.match.order.index(me.person)
        if game.question is not None:
            return True
        return seat == (game.turn if game.demand is None else game.demand.payer)

    async def _one_step(self) -> None:
        game = self.match.game
        if self.people.asked:
            await next(iter(self.phones.values())).page.locator("#act .kind-main").first.click()
        elif self.match.dealing:
            await self._pushes(self.who(next(iter(self.match.dealing))))
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
        bursts = self.entries(BurstEnded.type)
        taken = {entry["press"]: entry["seat"] for entry in self.entries("table.press.taken")}
        too_many = {entry["press"]: entry["cards"] for entry in self.entries("table.press.done")}  # they are put back
        for burst in bursts[self._handed :]:
            came = burst["delivered"] - too_many.get(burst["press"], 0)
            self.who(taken[burst["press"]]).hand += [self._draw() for _ in range(came)]
        self._handed = len(bursts)

    async def _answers(self) -> None:
        asked = self.match.game.question
        assert asked is not None
        if asked.kind == TURN_UP:
            await next(iter(self.phones.values())).card(self.deck.pop())
        elif asked.kind == POINTS:
            assert asked.seat is not None
            await self._counts(self.who(asked.seat))
        else:
            await next(iter(self.phones.values())).page.locator("#act .choices button").first.click()

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
        game = self.match.game
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
            await self.clear()
            at, presses = self.people.at, self._presses

            async def pushed_or_owed() -> bool:
                owes = await phone.page.locator(PUSH).count() > 0
                return owes or self._presses > presses or self.match.game.demand is None

            await main.first.click()
            await until(lambda: self.people.at > at)
            await until(pushed_or_owed)  # the push comes after what was tapped
        elif self.match.game.phase in (CHOOSING_DIRECTION, NAMING):
            await phone.page.locator("#act .choices button").first.click()
        else:
            await self._pushes(phone)

    @property
    def _presses(self) -> int:
        return len(self.entries("launcher.press.accepted"))


@asynccontextmanager
async def party(*, language: str = "en", **simulated: Any) -> AsyncIterator[Party]:
    """A launcher in a house where people come in by the code.

    :param language: of all pages.
    """
    async with chromium() as browser:
        on = Party(browser, None, lan=True, language=language, settings=QUICK, **simulated)
        try:
            await on.switch_on()
            yield on
        except BaseException:
            await on.tell_all()
            raise
        finally:
            await leave(browser)
            await on.switch_off()
    assert not on.complaints, on.complaints


async def turn_up(on: Party, card: str) -> None:
    """The first card of a round, as the table asks for it."""
    at = on.people.at
    await next(iter(on.phones.values())).card(card)
    await on.changes(at)


def mine(on: Party, act: str) -> bool:
    """Whether the first who came has done that."""
    acted = [entry for entry in on.entries("table.acted") if entry.get("by") == 1]
    return any(isinstance(entry["action"][2], dict) and entry["action"][2].get("act") == act for entry in acted)
