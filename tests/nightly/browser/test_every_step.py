"""Whole evenings in Chromium, looked at after every step: five kinds of pages.

Game, tracking mode, number of people, window and language are paired: each value of one meets each of every other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, ViewportSize, expect

from dispenser.launcher.commands import Press
from dispenser.rules import GAMES
from dispenser.rules.engine.demands import POINTS
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import LAYING
from dispenser.rules.engine.phases import PLAYING
from dispenser.service import bots
from dispenser.table import commands as c
from dispenser.table import events as e
from dispenser.table.common import Around
from dispenser.table.errors import TableRefusal
from dispenser.table.views import Viewer, view
from tests.browser.party import Party, party
from tests.browser.rig import play, until
from tests.nightly.browser.steps import SHOWN, buttons, sends

WINDOWS = ((360, 640), (390, 844), (740, 360), (820, 1180), (1280, 720))
NAMES = ("Léa", "Tom", "Zoé", "Maxime", "Ana", "Mathilde", "Bob", "Noé", "Alphonse")
TAPS = 8
"""In the match, before its round is brought to an end."""
MOST_TO_END = 40


class Row(NamedTuple):
    """One evening."""

    game: str
    tracking_mode: str
    people: int
    window: tuple[int, int]
    language: str

    def __str__(self) -> str:
        width, height = self.window
        return f"{self.game}-{self.tracking_mode}-{self.people}-{width}x{height}-{self.language}"

    @property
    def pairs(self) -> set[tuple[tuple[int, object], ...]]:
        return set(combinations(enumerate(self), 2))


VALUES = (tuple(GAMES), tuple(each.value for each in e.TrackingMode), tuple(range(2, 10)), WINDOWS, ("en", "fr"))
CANDIDATES = 60


def rows() -> Iterator[Row]:
    """So many that each pair of values is in one of them: each row is the best of some drawn by lot."""
    dice = Random("evenings")
    every = [Row(*drawn) for drawn in product(*VALUES) if drawn[2] in GAMES[drawn[0]].book.seats]
    left = set().union(*(row.pairs for row in every))
    while left:
        needed = min(left, key=repr)
        able = [row for row in every if needed in row.pairs]
        best = max(dice.sample(able, min(len(able), CANDIDATES)), key=lambda row: len(row.pairs & left))
        left -= best.pairs
        yield best


class Evening:
    """People, what they tap, and what is wrong with what they see.

    :ivar pages: by whose they are.
    :ivar faults: by page and what is wrong, where and at which step it was seen first.
    """

    def __init__(self, on: Party, row: Row, folder: Path) -> None:
        self.on, self.row, self.folder = on, row, folder
        self.dice = Random(str(row))
        self.pages: dict[str, Page] = {}
        self.faults: dict[tuple[str, str], str] = {}
        self.step, self.steps = "", 0

    @property
    def window(self) -> ViewportSize:
        return {"width": self.row.window[0], "height": self.row.window[1]}

    # --- what is asserted ---

    async def done(self, step: str) -> None:
        """A step is over: look at all pages."""
        self.steps += 1
        self.step = f"{self.steps} {step}"
        await asyncio.gather(*(self._look(who, page) for who, page in self.pages.items()))

    async def _look(self, who: str, page: Page) -> None:
        found: dict[str, Any] = {}

        async def in_step() -> bool:
            nonlocal found
            found = await page.evaluate(SHOWN)
            if not self.on.people.is_open:  # all pages say how it ended
                ending = await self.pages["watcher"].locator(".ended .sentence").inner_text()
                return found["written"] == found["read"] == ending
            return found["view"] is not None and found["at"] == str(found["view"]["at"]) == str(self.on.people.at)

        try:
            await until(in_step, 15.0)
        except TimeoutError:
            shown = {name: found[name] for name in ("at", "written", "read")}
            found["faults"].append(f"does not follow: {shown}, the table is at {self.on.people.at}")
        await self._note(who, page, found["faults"])

    async def _note(self, who: str, page: Page, faults: list[str]) -> None:
        told = {(who, fault.split(" at ")[0]): f"step {self.step}: {fault}" for fault in faults}
        new = {key: fault for key, fault in told.items() if key not in self.faults}
        self.faults |= new
        if new:
            await page.screenshot(path=self.folder / f"{self.steps:02}-{who}.png")

    # --- who comes ---

    async def gathers(self) -> None:
        on = self.on
        await on.begins()
        self.pages["screen"] = on.screen
        self.pages["owner"] = await on.look("table", owner=True, viewport=self.window)
        watcher = await on.look(f"t/{await on.code()}", viewport=self.window)
        await expect(watcher.locator(".field")).to_be_visible()
        self.pages["watcher"] = watcher
        await self.done("nobody sits")
        for who, name in zip(("host", "seat"), NAMES, strict=False):
            self.pages[who] = (await on.comes(name, viewport=self.window)).page
            await self.done(f"the {who} sits down")
        for number, name in enumerate(NAMES[2 : self.row.people]):
            if number % 2:
                on.service.execute(c.Join(name))
            else:
                with_bots = self.row.tracking_mode == e.TrackingMode.CARDS
                on.service.execute(c.Bot() if with_bots else c.Guest(name), owner=True)
        await self.done("all are there")

    # --- what they do ---

    async def plays(self) -> None:
        host, *_ = self.on.phones.values()
        deals = self.row.people <= 3 and self.row.tracking_mode != e.TrackingMode.CARDS
        await self.on.starts(host, self.row.game, self.row.tracking_mode, deals=deals)
        await self.calms()
        await self.done("the match begins")
        for _ in range(TAPS):
            if self.on.phase in ("between", "over"):
                break
            await self.acts()
        for _ in range(MOST_TO_END):
            if self.on.phase in ("between", "over"):
                break
            if not await self.finishes():
                await self.acts()
        else:
            raise AssertionError("the round does not end")
        await self.done("the round is over")

    async def ends(self) -> None:
        host = self.pages["host"]
        for what, sure in (("End this match", "Yes, end this match"), ("End the evening", "Yes, end the evening")):
            await host.get_by_role("button", name=self.on.say("Menu")).click()
            dialog = host.get_by_role("dialog")
            await expect(dialog.locator(".list")).to_be_visible()
            await self.done("the menu is open")
            await dialog.get_by_role("button", name=self.on.say(what), exact=True).click()
            await self.done("it asks whether one is sure")
            await dialog.get_by_role("button", name=self.on.say(sure), exact=True).click()
            await until(lambda: self.on.people.match is None)
            await host.keyboard.press("Escape")
            await expect(dialog).to_have_count(0)
            await self.done(what)

    async def calms(self) -> None:
        """Bursts are over, the launcher waits, and so do the bots."""
        on = self.on
        await until(lambda: not on.people.pushes or bool(on.people.asked))
        await on.clear()

    @property
    def actor(self) -> int | None:
        """Whose it is to do something; nobody's in particular when it is anybody's."""
        match, table = self.on.match, self.on.people
        if table.asked or match.game.question is not None:
            return None
        if match.dealing:
            return match.order[next(iter(match.dealing))]
        if match.counter_mode:
            return match.order[match.ledger.debts[0].seat] if match.ledger.debts else None
        return match.order[match.game.demand.payer if match.game.demand else match.game.turn]

    async def acts(self) -> None:
        """One tap of whoever is to do something."""
        table, actor = self.on.people, self.actor
        before = table.at
        persons = dict(zip(("host", "seat"), table.people.order, strict=False))
        who = next((who for who, person in persons.items() if person == actor), None)
        if who is None and (actor is None or table.people.persons[actor].phoneless):
            who = self.dice.choice(list(persons))
        if actor is not None and table.people.persons[actor].bot:
            await until(lambda: table.at > before)
            what = "a bot acts"
        elif who is None:
            assert actor is not None
            what = await self.tells(actor)
        else:
            what = await self.taps(who, before)
        await self.calms()
        await self.done(what)

    async def tells(self, person: int) -> str:
        """Somebody whose phone is not looked at taps something."""
        seen = view(self.on.people, Viewer(person, False, "en"), Around(self.on.service.evening.present, by_phone=True))  # type: ignore[union-attr]
        send = self.dice.choice(list(sends(buttons({**seen, "quick": [], "recount": None}))))
        if "press" in send:
            await self.on.service.handle(Press(), "phone")
        else:
            self.on.service.execute(msgspec.convert(send, c.AnyCommand), person=person, at=self.on.people.at)
        return f"{self.on.people.people.name(person)} taps {msgspec.json.encode(send).decode()}"

    async def taps(self, who: str, at: int) -> str:
        """Somebody taps something on their page, unless a bot has moved out of turn since ``at``."""
        page = self.pages[who]
        counts = {place: await page.locator(place).count() for place in PLACES}
        place = next((place for place, number in counts.items() if number), None)
        if place is None and self.on.people.at > at:
            return "a bot is quicker"
        assert place is not None, f"{who} has nothing to tap"
        asked = self.on.match.game.question
        points = asked is not None and asked.kind == POINTS  # a number: to tap a whole hand takes too long
        button = page.locator(place).nth(0 if points else self.dice.randrange(counts[place]))
        what = f"{who} taps “{' '.join((await button.inner_text()).split())}”"
        acts, presses = page.locator("#act .step, #act .choices"), place in PUSHES

        async def now() -> tuple[object, ...]:
            pushed = len(self.on.records("launcher.press.accepted"))
            return (pushed,) if presses else (self.on.people.at, *await acts.all_inner_texts())

        before = await now()

        async def came() -> bool:
            return before != await now()

        try:
            await button.click(timeout=5000)
            await until(came, 5.0)
        except (PlaywrightError, TimeoutError):
            await self._note(who, page, [f"nothing comes of it: {what}"])
        return what

    async def finishes(self) -> bool:
        """Somebody lays a last card, or the table says that the round is over; False when it is not the time for it."""
        match, host = self.on.match, self.on.people.people.host
        game, at = match.game, self.on.people.at
        if self.on.people.asked or match.dealing or game.demand or game.question or match.ledger.debts:
            return False
        if self.row.tracking_mode == e.TrackingMode.REFEREE and game.phase is PLAYING:
            seat = game.turn
            if game.state.sizes[seat] > 1:
                self.on.service.execute(c.Act([str(Deed.HAND_SIZE), seat, 1]), person=host, at=at)
                await self.done("one card is left")
            for move in game.legal_moves(seat):
                if move.act in LAYING:
                    with suppress(TableRefusal):
                        action = match.notes.write(Action(Deed.PLAY, seat, move))
                        self.on.service.execute(c.Act(action), person=match.order[seat], owner=True)
                        await self.done("the last card is laid")
                        return True
            return False
        points = [0 if seat == 0 else 7 for seat in range(game.seats)] if game.state.values() else []
        self.on.service.execute(c.Out(0, points), person=host, at=at)
        return True


PUSHES = (".dome:not([aria-disabled])", ".kind-push")
PLACES = (
    ".step .field.number .kind-main",
    ".step .choices button:not([aria-disabled])",
    ".step > .kind-main:not([aria-disabled])",
    ".step .back",
    "#act .asks button:not([aria-disabled])",
    ".lay",
    *PUSHES,
    "#act .choices button:not([aria-disabled])",
)
"""Where a button is looked for, in this order."""


@pytest.mark.parametrize("row", list(rows()), ids=str)
def test_evening(row: Row, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "THINKS_S", 0.1)
    evening: Evening

    async def scenario() -> None:
        nonlocal evening
        async with party(seed=str(row), language=row.language) as on:
            evening = Evening(on, row, tmp_path)
            try:
                await evening.gathers()
                await evening.plays()
                await evening.ends()
            except BaseException:
                print(f"{row}, after step {evening.step}; pictures in {tmp_path}")
                raise

    play(scenario)
    told = [f"{who}, {fault}" for (who, _), fault in evening.faults.items()]
    assert not told, "\n".join([f"{row}; pictures in {tmp_path}", *told])
