"""Nobody is told what a power cut could take back: who waits for the disk, who does not, and what if it refuses."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from dispenser.journal import Entry, Journal, descriptors, keeper
from dispenser.service.durability import Durability
from dispenser.service.hub import AT_ONCE
from dispenser.simulator import ToyParameters
from tests.launcher.scripted import ScriptedOdds
from tests.service.test_fails_closed import motor_of
from tests.web.rig import Listener, in_virtual_time, launcher

PATIENCE_S = 30.0


class Gate:
    """A disk that takes what it is given when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.syncs = 0
        self.open = threading.Event()
        self.open.set()
        self.refuses = False
        monkeypatch.setattr(keeper, "sync", self._sync)

    def _sync(self, fd: int) -> None:
        self.syncs += 1
        self.open.wait(PATIENCE_S)
        if self.refuses:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        descriptors.sync(fd)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(monkeypatch)


def simulated(*cards: int, journal: Path) -> dict[str, Any]:
    """A launcher whose luck is written down and whose cards never fail."""
    return {
        "journal": journal,
        "make_odds": lambda _: ScriptedOdds(cards),
        "parameters": ToyParameters.flawless(),
        "max_streams": 64,
    }


# --- one flush for all ------------------------------------------------------------------------------------------------


def test_who_comes_while_the_disk_is_busy_waits_for_the_next_flush_and_all_of_them_for_one(
    tmp_path: Path, gate: Gate
) -> None:
    async def scenario() -> None:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            durability = Durability(journal, lambda _: None)
            gate.open.clear()
            waiting = []
            for number in range(100):
                journal.append("launcher", [("a", {"number": number})])
                waiting += [asyncio.create_task(durability.wait()) for _ in range(3)]
                await asyncio.sleep(0)
            gate.open.set()
            await asyncio.gather(*waiting)
            assert gate.syncs == 2
            await durability.wait()
            assert gate.syncs == 2, "nothing is new"

    asyncio.run(scenario())


def test_who_tells_of_an_older_entry_waits_for_nothing_that_was_written_since(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            durability = Durability(journal, lambda _: None)
            gate.open.clear()
            journal.append("launcher", [("a", {})])
            waiting = [asyncio.create_task(durability.wait())]
            await asyncio.sleep(0)  # it begins to wait
            await asyncio.sleep(0)  # the flush begins
            journal.append("launcher", [("b", {})])
            waiting.append(asyncio.create_task(durability.wait(upto=1)))
            await asyncio.sleep(0)
            gate.open.set()
            await asyncio.gather(*waiting)
            assert gate.syncs == 1
            await durability.wait(upto=1000)
            assert gate.syncs == 2, "of what is not there nobody can tell"

    asyncio.run(scenario())


def test_those_who_waited_are_woken_a_few_in_each_turn_of_the_loop(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        with Journal.open(tmp_path / "journal.sqlite3") as journal:
            durability = Durability(journal, lambda _: None)
            woken = 0

            async def wait() -> None:
                nonlocal woken
                await durability.wait()
                woken += 1

            journal.append("launcher", [("a", {})])
            waiting = [asyncio.create_task(wait()) for _ in range(5 * AT_ONCE)]
            seen = [0]
            while woken < len(waiting):
                await asyncio.sleep(0)
                seen.append(woken)
            assert max(after - before for before, after in pairwise(seen)) <= AT_ONCE
            assert gate.syncs == 1

    asyncio.run(scenario())


@pytest.mark.parametrize("listeners", [1, 40])
def test_a_press_costs_as_many_flushes_as_it_has_moments_however_many_listen(
    tmp_path: Path, gate: Gate, listeners: int
) -> None:
    async def scenario() -> None:
        async with launcher(**simulated(4, journal=tmp_path / "journal.sqlite3")) as on:
            phones = [Listener(on.app, client=("127.0.0.1", number)) for number in range(listeners)]
            await on.get("/snapshot")
            await on.settle()
            before, begin, moments = gate.syncs, on.service.journal.last_seq, set()
            on.service.on("", lambda _: moments.add(asyncio.get_running_loop().time()))
            await on.post("/press")
            await on.until("launcher.burst.ended")
            flushes = gate.syncs - before
            assert 0 < flushes <= len(moments) <= 10
            await on.settle()
            for phone in phones:
                assert phone.seqs[-1] == on.service.journal.last_seq
                assert begin < phone.seqs[-1]
                await phone.leave()
            print(f"a press that brings four cards: {flushes} flushes at {len(moments)} moments, {listeners} listen")

    in_virtual_time(scenario)


# --- who waits, and who does not --------------------------------------------------------------------------------------


def test_the_motor_turns_while_the_disk_is_busy_and_nobody_is_told_before_it_is_through(
    tmp_path: Path, gate: Gate
) -> None:
    """In real time: nothing is waited for but what must come."""

    async def scenario() -> None:
        async with launcher(**simulated(8, journal=tmp_path / "journal.sqlite3")) as on:
            phone = Listener(on.app)
            await on.get("/snapshot")
            before = on.service.journal.last_seq
            told: list[object] = []

            def burst_ended(_: Entry) -> None:
                told.extend((answer.done(), snapshot.done(), [seq for seq in phone.seqs if seq > before]))
                gate.open.set()

            on.service.on("launcher.burst.ended", burst_ended)
            gate.open.clear()
            answer = asyncio.create_task(on.post("/press"))
            await on.until("launcher.card.left")
            snapshot = asyncio.create_task(on.get("/snapshot"))
            ended = asyncio.create_task(on.until("launcher.burst.ended"))
            assert (await answer).status_code == 202
            assert (await snapshot)["seq"] > before
            assert (await ended)["delivered"] == 8
            assert told == [False, False, []], "eight cards came, and nobody outside knew"
            await phone.has(before + 5)
            assert phone.seqs == list(range(phone.seqs[0], phone.seqs[-1] + 1))
            await phone.leave()

    asyncio.run(asyncio.wait_for(scenario(), PATIENCE_S))


# --- the disk refuses -------------------------------------------------------------------------------------------------


def test_what_the_disk_refuses_nobody_is_told_and_the_launcher_begins_anew(tmp_path: Path, gate: Gate) -> None:
    async def scenario() -> None:
        async with launcher(journal=tmp_path / "journal.sqlite3") as on:
            phone, seen = Listener(on.app), Listener(on.app, path="/api/v1/table/views")
            before = (await on.get("/snapshot"))["seq"]
            gate.refuses = True
            answer = await on.post("/press", id="refused-by-the-disk")
            assert (answer.status_code, answer.json()["error"]) == (503, "journal_unavailable")
            assert "the disk refuses" in answer.json()["message"]
            assert answer.headers["x-content-type-options"] == "nosniff"
            await phone.end()
            await seen.end()
            assert phone.seqs == [], "the stream has ended, and told nothing"
            for _ in range(20):
                await asyncio.sleep(0.1)
                assert motor_of(on.service) == 0
            snapshot = await on.get("/snapshot")
            assert snapshot["state"] == "fault"
            assert "the disk refuses" in snapshot["detail"]
            assert (await on.post("/press")).status_code == 503
            gate.refuses = False
            await on.settle()
            assert (await on.get("/snapshot"))["state"] == "ready"
            again = Listener(on.app, f"after={before}")
            await on.settle()
            assert again.seqs == list(range(before + 1, on.service.journal.last_seq + 1))
            assert "launcher.press.accepted" in [entry["type"] for entry in again.entries]
            assert (await on.post("/press")).status_code == 202
            await again.leave()

    in_virtual_time(scenario)
