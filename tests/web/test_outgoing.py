"""Nobody is told what a power cut could take back: who waits for the disk, who does not, and what if it refuses."""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from pathlib import Path
from typing import Any

import pytest

from dispenser.journal import Record
from dispenser.service.launcher_service import RETRY_S
from dispenser.simulator import ToyParameters
from tests.launcher.scripted import ScriptedOdds
from tests.service.test_fails_closed import motor_of
from tests.service.test_service import toy_of
from tests.web.rig import Listener, launcher, virtual_time

PATIENCE_S = 30.0


class Gate:
    """A disk that takes what it is given when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.syncs = 0
        self.open = threading.Event()
        self.open.set()
        self.refuses = False
        self._fdatasync = os.fdatasync
        monkeypatch.setattr(os, "fdatasync", self._sync)

    def _sync(self, fd: int) -> None:
        self.syncs += 1
        self.open.wait(PATIENCE_S)
        if self.refuses:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self._fdatasync(fd)


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


@pytest.mark.parametrize("listeners", [1, 40])
@virtual_time
async def test_a_press_costs_as_many_flushes_as_it_has_moments_however_many_listen(
    tmp_path: Path, gate: Gate, listeners: int
) -> None:
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
            heard: list[Record] = []
            on.service.on("", heard.append)
            gate.open.clear()
            answer = asyncio.create_task(on.post("/press"))
            while toy_of(on.service).view().cards_out < 8:  # noqa: ASYNC110 - nobody is told of it
                await asyncio.sleep(0.01)
            snapshot = asyncio.create_task(on.get("/snapshot"))
            await asyncio.sleep(0.01)
            assert not answer.done()
            assert not snapshot.done()
            assert not [seq for seq in phone.seqs if seq > before], "eight cards came, and nobody outside knew"
            assert heard == [], "nor did a subscriber inside"
            gate.open.set()
            assert (await answer).status_code == 202
            assert (await snapshot)["seq"] > before
            await phone.has(before + 5)
            assert phone.seqs == list(range(phone.seqs[0], phone.seqs[-1] + 1))
            await phone.leave()

    asyncio.run(asyncio.wait_for(scenario(), PATIENCE_S))


# --- the disk refuses -------------------------------------------------------------------------------------------------


@virtual_time
async def test_what_the_disk_refuses_nobody_is_told_and_the_launcher_begins_anew(tmp_path: Path, gate: Gate) -> None:
    async with launcher(journal=tmp_path / "journal.sqlite3") as on:
        phone, seen = Listener(on.app), Listener(on.app, path="/api/v1/table/views")
        before = (await on.get("/snapshot"))["seq"]
        gate.refuses = True
        answer = await on.post("/press", id="refused-by-the-disk")
        assert (answer.status_code, answer.json()["error"]) == (503, "no_session")
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
        await asyncio.sleep(RETRY_S)
        assert (await on.get("/snapshot"))["state"] == "ready"
        again = Listener(on.app, f"after={before}")
        await on.settle()
        assert again.seqs == list(range(before + 1, on.service.journal.last_seq + 1))
        assert "launcher.press.accepted" in [entry["type"] for entry in again.entries]
        assert (await on.post("/press")).status_code == 202
        await again.leave()
