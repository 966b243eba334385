"""Fifty phones at a table: nothing is lost, nobody waits for one that does not read, and there is an end to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from dispenser.launcher.commands import Eject, Press
from dispenser.table import commands as c
from dispenser.web.stream import PING_S
from tests.web.rig import Launcher, Listener, launcher

SEATS, WATCHERS = 10, 40
VIEWS = "/api/v1/table/views"
MOST_TURNS = 40
"""Of the loop until the last of fifty phones has what is new: a few of them in each."""


class Phone(Listener):
    """One phone at the table; without a secret it watches."""

    def __init__(self, page: Launcher, secret: str = "") -> None:
        self.cookie = {"cookie": f"dispenser_seat={secret}"} if secret else {}
        super().__init__(page.app, headers=self.cookie, path=VIEWS)

    @property
    def at(self) -> int:
        """The state of the table that it shows."""
        place = self.text.rfind('event: view\ndata: {"at":')
        return int(self.text[place + 24 :].partition(",")[0]) if place >= 0 else -1


@asynccontextmanager
async def evening() -> AsyncIterator[tuple[Launcher, list[Phone]]]:
    """A round of ten, and forty who watch."""
    async with launcher() as page:
        opened = page.service.tell(c.Open("Léa"), owner=True)
        joined = [page.service.tell(c.Join(f"Player {number}")) for number in range(2, SEATS + 1)]
        page.service.tell(c.Start("uno-extreme", {"customizable": 0}), person=1)
        page.service.tell(c.Act(["answer", None, "red 7"]), person=1)
        phones = [Phone(page, said.secret or "") for said in (opened, *joined)]
        phones += [Phone(page) for _ in range(WATCHERS)]
        await asyncio.sleep(1)
        yield page, phones
        for phone in phones:
            await phone.leave()


def lay(page: Launcher) -> None:
    seat = page.service.evening.table.match.game.turn
    page.service.tell(c.Act(["play", seat, {"act": "lay", "card": "red 1"}]), person=seat + 1)


async def turns_until_all_know(phones: list[Phone], at: int) -> None:
    for _ in range(MOST_TURNS):
        if all(phone.at >= at for phone in phones):
            return
        await asyncio.sleep(0)
    raise AssertionError([phone.at for phone in phones])


async def test_a_push_that_does_not_count_is_told_and_takes_nothing_from_the_burst_before() -> None:
    async with evening() as (page, phones):
        service, lea = page.service, phones[0]
        service.tell(c.EndMatch(), person=1)
        service.tell(c.Start("uno"), person=1)
        service.tell(c.Act(["answer", None, "red 7"]), person=1)
        await service.outcome(await service.handle(Eject(3), "test"))
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


async def test_nobody_waits_for_phones_that_do_not_read_and_what_waits_for_them_does_not_grow() -> None:
    async with evening() as (page, phones):
        table = page.service.evening.table
        slow, readers = phones[::3], [phone for phone in phones if phone not in phones[::3]]
        before = len(slow[-1].events)
        for phone in slow:
            phone.pause()
        for _ in range(5):
            lay(page)
            await turns_until_all_know(readers, table.at)
            page.service.tell(c.Undo(), person=1)
            await turns_until_all_know(readers, table.at)
        await page.service.handle(Press(), "button")
        await asyncio.sleep(60)
        for phone in slow:
            phone.go_on()
        await asyncio.sleep(1)
        assert slow[-1].told("view")[-1] == readers[-1].told("view")[-1]
        events = [each["event"] for each in slow[-1].events[before:]]
        for kind in ("view", "launcher", "ping"):
            assert events.count(kind) <= 2, "the one that was on its way, and the newest"


async def test_one_timer_pings_all_phones_of_an_idle_table() -> None:
    async with evening() as (page, phones):
        await asyncio.sleep(PING_S / 2)
        phones.append(Phone(page))
        await asyncio.sleep(PING_S / 2)
        assert {len(phone.told("ping")) for phone in phones} == {1}, "who came later, too"
