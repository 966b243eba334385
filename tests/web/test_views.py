"""Fifty phones at a table: nothing is lost, nobody waits for one that does not read, and there is an end to it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import pytest

from dispenser.journal import Record
from dispenser.launcher.commands import Eject, Press
from dispenser.service.settings import WebSettings
from dispenser.table import messages as t
from tests.web.rig import Launcher, Listener, launcher, virtual_time

SEATS, WATCHERS = 10, 40
VIEWS = "/api/v1/table/views"
MOST_TURNS = 40
"""Of the loop until the last of fifty phones has what is new: a few of them in each."""


class Phone(Listener):
    """One phone at the table; without a secret it watches."""

    def __init__(self, page: Launcher, secret: str = "") -> None:
        self.cookie = {"cookie": f"dispenser_seat={secret}"} if secret else {}
        super().__init__(page.app, headers=self.cookie, path=VIEWS)

    def told(self, event: str) -> list[dict[str, Any]]:
        return [json.loads(each["data"]) for each in self.events if each.get("event") == event]

    @property
    def at(self) -> int:
        """The state of the table that it shows."""
        place = self.text.rfind('event: view\ndata: {"at":')
        return int(self.text[place + 24 :].partition(",")[0]) if place >= 0 else -1


@asynccontextmanager
async def evening(most: int = WebSettings().max_streams) -> AsyncIterator[tuple[Launcher, list[Phone]]]:
    """A round of ten, and forty who watch."""
    async with launcher(max_streams=most) as page:
        opened = page.service.tell(t.Open("Léa"), owner=True)
        joined = [page.service.tell(t.Join(f"Player {number}")) for number in range(2, SEATS + 1)]
        page.service.tell(t.Start("uno-extreme", {"customizable": 0}), person=1)
        page.service.tell(t.Act(["answer", None, "red 7"]), person=1)
        phones = [Phone(page, said.secret or "") for said in (opened, *joined)]
        phones += [Phone(page) for _ in range(WATCHERS)]
        await asyncio.sleep(1)
        yield page, phones
        for phone in phones:
            await phone.leave()


async def play(page: Launcher, random: Random, steps: int) -> None:
    """Cards are laid, taken back and pressed for, and now and then nothing happens for a while."""
    table = page.service.evening.table
    for _ in range(steps):
        match random.randrange(4):
            case 0:
                await page.service.handle(Press(), "button")
                await page.settle()
            case 1:
                await asyncio.sleep(random.choice((1, 20)))
            case _ if table.match.game.demand is None and not table.asked:
                lay(page)
                await asyncio.sleep(random.choice((0, 0.1)))
                page.service.tell(t.Undo(), person=1)
            case _:
                await page.settle()


def lay(page: Launcher) -> None:
    seat = page.service.evening.table.match.game.turn
    page.service.tell(t.Act(["play", seat, {"act": "lay", "card": "red 1"}]), person=seat + 1)


def accepted(page: Launcher) -> list[Record]:
    return list(page.service.journal.read(types=["launcher.press.accepted"]))


async def turns_until_all_know(phones: list[Phone], at: int) -> int:
    for turn in range(10 * MOST_TURNS):
        if all(phone.at >= at for phone in phones):
            return turn
        await asyncio.sleep(0)
    raise AssertionError([phone.at for phone in phones])


@pytest.mark.long
@virtual_time
async def test_fifty_phones_have_it_all_at_the_end_of_an_evening() -> None:
    random = Random(50)
    async with evening() as (page, phones):
        slow = random.sample(phones, 8)
        for phone in slow:
            phone.pause()
        await play(page, random, 60)
        for phone in slow:
            phone.go_on()
        await page.settle()
        for phone in phones:
            now = await page.get("/table/view", headers=phone.cookie)
            assert phone.told("view")[-1] == now
            presses = [word["press"] or 0 for word in phone.told("launcher")]
            assert presses == sorted(presses)
            assert presses[-1] == max(entry.data["press"] for entry in accepted(page)) > 5
            for older, newer in itertools.pairwise(phone.told("launcher")):
                assert older["press"] != newer["press"] or older["delivered"] <= newer["delivered"]


@virtual_time
async def test_nobody_waits_for_phones_that_do_not_read() -> None:
    async with evening() as (page, phones):
        table = page.service.evening.table
        lay(page)
        needed = await turns_until_all_know(phones, table.at)
        assert needed <= MOST_TURNS
        page.service.tell(t.Undo(), person=1)
        await turns_until_all_know(phones, table.at)
        slow, readers = phones[::3], [phone for phone in phones if phone not in phones[::3]]
        for phone in slow:
            phone.pause()
        for _ in range(3):
            lay(page)
            assert await turns_until_all_know(readers, table.at) <= needed
            page.service.tell(t.Undo(), person=1)
            await turns_until_all_know(readers, table.at)


@virtual_time
async def test_what_waits_for_a_phone_that_does_not_read_does_not_grow() -> None:
    async with evening() as (page, phones):
        slow = phones[-1]
        slow.pause()
        before = len(slow.events)
        await play(page, Random(3), 30)
        slow.go_on()
        await asyncio.sleep(1)
        events = [each["event"] for each in slow.events[before:]]
        assert events.count("view") <= 2, "the one that was on its way, and the newest"
        assert events.count("launcher") <= 2
        assert events.count("ping") <= 2


@virtual_time
async def test_a_push_that_does_not_count_is_told_and_takes_nothing_from_the_burst_before() -> None:
    async with evening() as (page, phones):
        service, lea = page.service, phones[0]
        service.tell(t.EndMatch(), person=1)
        service.tell(t.Start("uno"), person=1)
        service.tell(t.Act(["answer", None, "red 7"]), person=1)
        accepted = await service.handle(Eject(3), "test")
        await service.outcome(accepted)
        await page.settle()
        before = lea.told("launcher")[-1]
        assert (before["press"], before["delivered"], before["refused"]) == (1, 3, None)
        await service.handle(Press(), "Léa")  # who asked has an answer
        await page.settle()
        assert lea.told("launcher")[-1]["refused"] is None
        await service.handle(Press(), "button")
        await page.settle()
        assert lea.told("launcher")[-1] == before | {"refused": {"press": 3, "reason": "nothing_owed"}}
        await service.outcome(await service.handle(Eject(1), "test"))
        await page.settle()
        assert lea.told("launcher")[-1]["refused"] is None


@virtual_time
async def test_an_idle_table_wakes_up_for_all_its_phones_at_once() -> None:
    async with evening() as (_, phones):
        await asyncio.sleep(61)
        pings = [len(phone.told("ping")) for phone in phones]
        assert min(pings) >= 4
        assert max(pings) - min(pings) <= 1
