"""The live stream: nothing missed, nothing twice, nobody waits for the slowest."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser.launcher.commands import Eject, Press
from dispenser.service.event_bus import BATCH_RECORDS
from dispenser.table import commands as c
from dispenser.web.stream import PING_S
from tests.web.rig import Launcher, Listener, launcher


async def make_records(on: Launcher, how_many: int) -> None:
    """Things happen around the launcher, one each millisecond."""
    for number in range(how_many):
        on.service.note("simulator.test.counted", {"number": number})
        await asyncio.sleep(0.001)


async def test_an_event_carries_the_whole_record() -> None:
    async with launcher() as on:
        listener = Listener(on.app)
        await asyncio.sleep(0.01)
        record = on.service.note("simulator.test.said", {"words": "Zwölf Karten\n", "number": 1.5})
        await asyncio.sleep(0.01)
        assert listener.status == 200
        assert listener.headers["content-type"].startswith("text/event-stream")
        assert listener.text.startswith("retry: 1000\n\n")
        (event,) = listener.events
        assert event["id"] == str(record.seq)
        assert event["event"] == "simulator.test.said"
        assert listener.records[0] == (await on.get("/journal", params={"after": record.seq - 1}))["records"][0]
        await listener.leave()


@pytest.mark.parametrize(("query", "last_event_id"), [("after=10", ""), ("", "10"), ("after=1", "10")])
async def test_a_start_gives_the_past_and_then_the_present(query: str, last_event_id: str) -> None:
    async with launcher() as on:
        await make_records(on, 20)
        listener = Listener(on.app, query, {"last-event-id": last_event_id} if last_event_id else {})
        await make_records(on, 20)
        assert listener.seqs == list(range(11, on.service.journal.last_seq + 1))
        await listener.leave()


async def test_a_long_past_does_not_keep_the_launcher_waiting() -> None:
    async with launcher() as on:
        for number in range(5 * BATCH_RECORDS):
            on.service.note("simulator.test.counted", {"number": number})
        listener, turns = Listener(on.app, "after=0"), 0
        while f"id: {on.service.journal.last_seq}\n" not in listener.text:
            turns += 1
            await asyncio.sleep(0)
        assert turns >= 5
        await listener.leave()


async def test_a_start_beyond_the_end_belongs_to_another_journal() -> None:
    async with launcher() as on:
        beyond = on.service.journal.last_seq + 1
        answer = await on.client.get("/api/v1/events", params={"after": beyond})
        assert (answer.status_code, answer.json()["error"]) == (409, "ahead_of_journal")


async def test_nobody_is_told_what_is_not_on_the_disk(tmp_path: Path, mocker: MockerFixture) -> None:
    loop = asyncio.get_running_loop()

    async def slowly(work: Callable[[], None]) -> None:
        await asyncio.sleep(0.2)
        work()

    async with launcher(journal=tmp_path / "journal.sqlite3") as on:
        listener, seen = Listener(on.app), Listener(on.app, path="/api/v1/table/views")
        await on.settle()
        mocker.patch.object(loop, "run_in_executor", lambda _, work: loop.create_task(slowly(work)))
        waiting = [asyncio.create_task(on.post("/press"))]
        await asyncio.sleep(0.1)
        waiting.append(asyncio.create_task(on.get("/snapshot")))
        await asyncio.sleep(0.09)
        assert ([each.done() for each in waiting], listener.seqs) == ([False, False], [])
        await asyncio.gather(*waiting)
        await on.settle()
        assert listener.seqs[-1] == on.service.journal.last_seq
        mocker.patch("os.fdatasync", side_effect=OSError(errno.EIO, "the disk is gone"))
        refused = await on.post("/press")
        assert (refused.status_code, refused.json()["error"]) == (503, "no_session")
        await asyncio.gather(listener.end(), seen.end())
        assert listener.records[-1]["type"] != "launcher.press.accepted"


# --- fifty phones at a table ---


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
        opened = page.service.execute(c.Open("Léa"), owner=True)
        joined = [page.service.execute(c.Join(f"Player {number}")) for number in range(2, SEATS + 1)]
        page.service.execute(c.Start("uno-extreme", {"customizable": 0}), person=1)
        page.service.execute(c.Act(["answer", None, "red 7"]), person=1)
        phones = [Phone(page, said.secret or "") for said in (opened, *joined)]
        phones += [Phone(page) for _ in range(WATCHERS)]
        await asyncio.sleep(1)
        yield page, phones
        for phone in phones:
            await phone.leave()


def lay(page: Launcher) -> None:
    seat = page.service.evening.table.match.game.turn
    page.service.execute(c.Act(["play", seat, {"act": "lay", "card": "red 1"}]), person=seat + 1)


async def turns_until_all_know(phones: list[Phone], at: int) -> None:
    for _ in range(MOST_TURNS):
        if all(phone.at >= at for phone in phones):
            return
        await asyncio.sleep(0)
    raise AssertionError([phone.at for phone in phones])


async def test_a_push_that_does_not_count_is_told_and_takes_nothing_from_the_burst_before() -> None:
    async with evening() as (page, phones):
        service, lea = page.service, phones[0]
        service.execute(c.EndMatch(), person=1)
        service.execute(c.Start("uno"), person=1)
        service.execute(c.Act(["answer", None, "red 7"]), person=1)
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
            page.service.execute(c.Undo(), person=1)
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
