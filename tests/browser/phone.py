"""Somebody with a phone at an evening: what they read, and what they tap."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator, Page, expect

from dispenser.i18n import Text
from dispenser.table.card_picker import capital, faces_in

if TYPE_CHECKING:
    from tests.browser.party import Party

STEP = ".step .choices button:not([aria-disabled])"
CHOICE = "#act .choices button:not([aria-disabled])"
LAY = ".lay"
PUSH = ".dome:not([aria-disabled]), .kind-push"


class Phone:
    """Somebody with a phone.

    :ivar hand: the real cards that they hold, by their English names.
    """

    def __init__(self, party: Party, page: Page, name: str, language: str = "en") -> None:
        self.party, self.page, self.name, self.language = party, page, name, language
        self.hand: list[str] = []

    def say(self, english: str) -> str:
        """What this phone calls that."""
        return Text(english)[self.language]

    def called(self, card: str) -> tuple[str, str, str]:
        """What stands on the buttons of a card: all of it, its colour, its symbol."""
        game = self.party.match.game
        faces, cards = faces_in(game, self.language), game.state.cards
        kind = next(kind for kind, name in enumerate(cards.names) if name.en == card)
        return faces.names[kind], capital(faces.colours[cards.colour[kind]]["name"]), faces.symbols[kind]

    @property
    def person(self) -> int:
        """At the table."""
        people = self.party.people.people
        return next(number for number in people.order if people.persons[number].name == self.name)

    async def says(self, text: str | re.Pattern[str]) -> None:
        await expect(self.page.locator(".sentence")).to_have_text(text)

    async def news(self, text: str | re.Pattern[str]) -> None:
        await expect(self.page.locator(".news p")).to_have_text(text)

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """One that can be tapped now."""
        return self.page.get_by_role("button", name=name, exact=True, disabled=False)

    async def tap(self, *names: str | re.Pattern[str]) -> None:
        for name in names:
            await self.button(name).first.click()

    async def chooses(self, *names: str | re.Pattern[str]) -> None:
        """From the menu; words are given in English."""
        await self.page.get_by_role("button", name=self.say("Menu")).click()
        sheet = self.page.get_by_role("dialog")
        for name in names:
            exact = isinstance(name, str)
            button = self.say(name) if isinstance(name, str) else name
            await sheet.get_by_role("button", name=button, exact=exact).first.click()

    async def sets_hand(self, name: str, cards: int) -> None:
        """Say how many cards somebody holds."""
        await self.chooses("Cards in a hand", name)
        dialog = self.page.get_by_role("dialog")
        await dialog.locator("input[type=number]").fill(str(cards))
        await dialog.get_by_role("button", name="OK").click()

    async def card(self, name: str) -> None:
        """Tap a card: its colour, then its symbol; or at once, where few are shown."""
        act = self.page.locator("#act")
        words, colour, symbol = self.called(name)
        whole = act.get_by_role("button", name=words, exact=True)
        first = act.get_by_role("button", name=colour, exact=True)
        await expect(whole.or_(first).first).to_be_visible()
        if await whole.count():
            await whole.click()
            return
        await first.click()
        await act.get_by_role("button", name=re.compile(f"^({re.escape(symbol)}|{re.escape(words)})$")).click()

    async def answers_rest(self) -> None:
        """Whatever a card asks for, the first of it."""
        step = self.page.locator(".step")
        while await step.count():
            await step.locator(".choices button:not([aria-disabled])").first.click()

    async def presses(self) -> None:
        """The big button, or the small one; whoever wants to take what sticks out has done it."""
        await self.party.clear()
        await self.page.locator(PUSH).first.click()

    async def does_something(self, *brightest: str) -> None:
        """The first of these that the page has; bots are quick, and may take it away again."""
        for found in map(self.page.locator, (STEP, *brightest, CHOICE)):
            if await found.count():
                with suppress(PlaywrightError):
                    await found.first.click(timeout=1000)
                return
