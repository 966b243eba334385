"""An evening: a whole simulated launcher, people with their phones around it, and one screen that all see.

Who calls it by this machine's own name for itself is its owner, as in a house; phones call it otherwise, and come in by
the code.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from playwright.async_api import Page, ViewportSize, expect

from dispenser.i18n import Text
from dispenser.launcher.commands import Load, Reset
from dispenser.launcher.settings import MachineSettings
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

    async def starts(self, host: Phone, game: str, tracking_mode: str, *, deals: bool = False, **options: str) -> None:
        """What the host chooses before a match; options by what stands beside them, typed or selected."""
        page = host.page
        await page.locator(f"input[name=game][value='{game}']").check()
        await page.locator(f"input[name=tracking_mode][value='{tracking_mode}']").check()
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
            self.simulator.load(LOADED)
            await self.service.handle(Load(LOADED))
        elif launcher["state"] == "ready" and launcher["exit_blocked"]:
            self.simulator.take_card()

    @property
    def _is_clear(self) -> bool:
        launcher = self.service.snapshot()
        return launcher["state"] == "ready" and not launcher["exit_blocked"]

    async def tell_all(self) -> None:
        """What everybody saw when something went wrong, for whoever reads of it."""
        print(f"at {self.people.at}: {self.phase}; launcher: {self.service.snapshot()['state']}")
        for record in self.service.journal.read(types=["table.*", "launcher.burst.ended"], last=30):
            print("  ", record.type, record.data)
        for phone in self.phones.values():
            print(f"--- {phone.name} holds {phone.hand}")
            if not phone.page.is_closed():
                print(await phone.page.locator("body").inner_text())

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


@asynccontextmanager
async def party(*, language: str = "en", settings: Settings = QUICK, **simulated: Any) -> AsyncIterator[Party]:
    """A launcher in a house where people come in by the code.

    :param language: of all pages.
    """
    async with chromium() as browser:
        on = Party(browser, None, lan=True, language=language, settings=settings, **simulated)
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


def mine(on: Party, act: str) -> bool:
    """Whether the first who came has done that."""
    acted = [record for record in on.records("table.acted") if record.get("by") == 1]
    return any(isinstance(record["action"][2], dict) and record["action"][2].get("act") == act for record in acted)
