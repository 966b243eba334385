"""What takes long is made once, and on another thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from dispenser.journal import Journal, Record
from dispenser.journal.reader import JournalReader
from dispenser.web import pages
from dispenser.web.pages import PageCache
from tests.web.rig import Launcher, in_virtual_time, launcher

MADE_ONCE = ("/", "/api/v1/docs", "/api/v1/openapi.json")
READ = ("/api/v1/odds", "/api/v1/journal?type=toy&type=launcher", "/api/v1/journal?last=500")


def test_it_is_made_once_however_many_ask() -> None:
    made: list[str] = []

    def make(name: str, *, loud: bool) -> str:
        made.append(name)
        return name.upper() if loud else name

    async def scenario() -> None:
        cache = PageCache()
        asked = [cache.make(make, "a", loud=True) for _ in range(5)]
        assert await asyncio.gather(*asked, cache.make(make, "a", loud=False)) == ["A"] * 5 + ["a"]
        assert await cache.make(make, "a", loud=True) == "A"

    asyncio.run(scenario())
    assert made == ["a", "a"]


def test_what_failed_is_tried_again() -> None:
    tries: list[int] = []

    def make() -> int:
        tries.append(len(tries))
        if len(tries) == 1:
            raise OSError("disk")
        return 7

    async def scenario() -> None:
        cache = PageCache()
        with pytest.raises(OSError, match="disk"):
            await cache.make(make)
        assert await cache.make(make) == 7

    asyncio.run(scenario())


def test_nothing_slow_runs_on_the_loops_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By who does it, not by the clock: entries are read, and pages and descriptions made, on other threads."""
    slow: list[tuple[str, bool]] = []

    def watched(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def note() -> None:
            on_loop = threading.current_thread() is threading.main_thread()
            slow.append((name, on_loop))

        def noted(entries: Iterator[Record]) -> Iterator[Record]:
            for entry in entries:
                note()
                yield entry

        def watch(*given: Any, **named: Any) -> Any:
            note()
            made = real(*given, **named)
            return noted(made) if isinstance(made, Iterator) else made

        monkeypatch.setattr(owner, name, watch)

    watched(JournalReader, "read")
    for name in ("render", "description_for_people", "description_for_programs"):
        watched(pages, name)

    async def scenario() -> None:
        path = tmp_path / "journal.sqlite3"
        with Journal.open(path) as journal:
            journal.append("test", [("toy.test.past", {"number": number}) for number in range(1000)])
        async with launcher(journal=path) as on:
            slow.clear()
            for _ in range(2):
                seq = (await on.get("/snapshot"))["seq"]
                await on.post("/eject", cards=5)
                asked = [on.client.get(path) for path in (*MADE_ONCE, *READ)]
                press = on.service.snapshot()["presses"] - 1
                if press:
                    asked.append(on.client.post("/api/v1/count", json={"press": press, "cards": 4}))
                past = asyncio.ensure_future(_read_past(on, seq))
                assert {answer.status_code for answer in await asyncio.gather(*asked)} == {200}
                await past
                await on.settle()

    in_virtual_time(scenario)
    assert {name for name, _ in slow} == {
        "read",
        "render",
        "description_for_people",
        "description_for_programs",
    }
    assert [what for what in slow if what[1]] == [], "on the loop"


async def _read_past(on: Launcher, until: int) -> None:
    async for entry in on.service.events(after=0):
        if entry.seq >= until:
            return
