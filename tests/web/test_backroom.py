"""What takes long is made once, on another thread, and not while the motor may turn."""

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
from dispenser.web.pages import Backroom
from tests.web.rig import Launcher, in_virtual_time, launcher

MADE_ONCE = ("/", "/api/v1/docs", "/api/v1/openapi.json")
READ = ("/api/v1/odds", "/api/v1/journal?type=toy&type=launcher", "/api/v1/journal?last=500")


def test_it_is_made_once_however_many_ask() -> None:
    made: list[str] = []

    def make(name: str, *, loud: bool) -> str:
        made.append(name)
        return name.upper() if loud else name

    async def scenario() -> None:
        async with launcher() as on:
            backroom = Backroom(on.service)
            asked = [backroom.make(make, "a", loud=True) for _ in range(5)]
            assert await asyncio.gather(*asked, backroom.make(make, "a", loud=False)) == ["A"] * 5 + ["a"]
            assert await backroom.make(make, "a", loud=True) == "A"

    in_virtual_time(scenario)
    assert made == ["a", "a"]


def test_what_failed_is_tried_again() -> None:
    tries: list[int] = []

    def make() -> int:
        tries.append(len(tries))
        if len(tries) == 1:
            raise OSError("disk")
        return 7

    async def scenario() -> None:
        async with launcher() as on:
            backroom = Backroom(on.service)
            with pytest.raises(OSError, match="disk"):
                await backroom.make(make)
            assert await backroom.make(make) == 7

    in_virtual_time(scenario)


async def turning(on: Launcher) -> None:
    """Cards are on their way."""
    accepted = await on.post("/eject", cards=5)
    async for _ in on.service.events("launcher.burst.started", after=accepted.json()["seq"]):
        assert on.service.motor_may_turn
        return


def test_nothing_is_made_while_the_motor_may_turn() -> None:
    turned: list[bool] = []

    async def scenario() -> None:
        async with launcher() as on:
            backroom = Backroom(on.service)

            def look() -> None:
                turned.append(on.service.motor_may_turn)

            await turning(on)
            await backroom.make(look)

    in_virtual_time(scenario)
    assert turned == [False]


def test_nothing_slow_runs_on_the_loops_thread_while_the_motor_may_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By who does it, not by the clock: entries are read, and pages and descriptions made, on other threads."""
    slow: list[tuple[str, bool, bool]] = []
    services: list[Any] = []

    def watched(owner: Any, name: str) -> None:
        real = getattr(owner, name)

        def note() -> None:
            on_loop = threading.current_thread() is threading.main_thread()
            slow.append((name, on_loop, bool(services) and services[0].motor_may_turn))

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
            services.append(on.service)
            slow.clear()
            for _ in range(2):
                seq = (await on.get("/snapshot"))["seq"]
                await turning(on)
                asked = [on.client.get(path) for path in (*MADE_ONCE, *READ)]
                press = on.service.snapshot()["presses"] - 1
                if press:
                    asked.append(on.client.post("/api/v1/count", json={"press": press, "cards": 4}))
                past = asyncio.ensure_future(_read_past(on, seq))
                assert {answer.status_code for answer in await asyncio.gather(*asked)} == {200}
                await past
                await on.settle()

    in_virtual_time(scenario)
    assert {name for name, _, _ in slow} == {
        "read",
        "render",
        "description_for_people",
        "description_for_programs",
    }
    assert [what for what in slow if what[1]] == [], "on the loop"
    assert any(name == "read" and moving for name, _, moving in slow), "reading need not wait for the motor"
    assert [what for what in slow if what[0] != "read" and what[2]] == [], "while the motor may turn"


async def _read_past(on: Launcher, until: int) -> None:
    async for entry in on.service.events(after=0):
        if entry.seq >= until:
            return
