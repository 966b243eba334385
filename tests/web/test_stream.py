"""The live stream: nothing missed, nothing twice, nobody waits for the slowest."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser.service.event_bus import BATCH_RECORDS
from tests.web.rig import Launcher, Listener, launcher


async def make_entries(on: Launcher, how_many: int) -> None:
    """Things happen around the launcher, one each millisecond."""
    for number in range(how_many):
        on.service.note("toy.test.counted", {"number": number})
        await asyncio.sleep(0.001)


async def test_an_event_carries_the_whole_entry() -> None:
    async with launcher() as on:
        listener = Listener(on.app)
        await asyncio.sleep(0.01)
        entry = on.service.note("toy.test.said", {"words": "Zwölf Karten\n", "number": 1.5})
        await asyncio.sleep(0.01)
        assert listener.status == 200
        assert listener.headers["content-type"].startswith("text/event-stream")
        assert listener.text.startswith("retry: 1000\n\n")
        (event,) = listener.events
        assert event["id"] == str(entry.seq)
        assert event["event"] == "toy.test.said"
        assert listener.entries[0] == (await on.get("/journal", params={"after": entry.seq - 1}))["entries"][0]
        await listener.leave()


@pytest.mark.parametrize(("query", "last_event_id"), [("after=10", ""), ("", "10"), ("after=1", "10")])
async def test_a_start_gives_the_past_and_then_the_present(query: str, last_event_id: str) -> None:
    async with launcher() as on:
        await make_entries(on, 20)
        listener = Listener(on.app, query, {"last-event-id": last_event_id} if last_event_id else {})
        await make_entries(on, 20)
        assert listener.seqs == list(range(11, on.service.journal.last_seq + 1))
        await listener.leave()


async def test_a_long_past_does_not_keep_the_launcher_waiting() -> None:
    async with launcher() as on:
        for number in range(5 * BATCH_RECORDS):
            on.service.note("toy.test.counted", {"number": number})
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
        assert listener.entries[-1]["type"] != "launcher.press.accepted"
