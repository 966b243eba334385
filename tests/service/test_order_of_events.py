"""The motor, the journal and the subscribers: what comes first. And a loop that hears of things late."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from pytest_mock import MockerFixture

from dispenser.clocks.virtual import VirtualLoop
from dispenser.journal import Batch, Journal, Record
from dispenser.launcher import messages as m
from dispenser.launcher.commands import Eject
from tests.service.test_service import scripted, simulator_of

FSYNC_S = 0.2


async def test_the_motor_starts_after_the_commit_and_stops_before_it(mocker: MockerFixture) -> None:
    async with scripted() as service:
        await asyncio.sleep(0.1)
        motor_when_written: dict[str, float] = {}
        append = service.journal.append_batches

        def watched(*batches: Batch) -> list[Record]:
            for type_, _ in (each for _, notices in batches for each in notices):
                motor_when_written[type_] = simulator_of(service).view().motor_commanded
            return append(*batches)

        mocker.patch.object(service.journal, "append_batches", watched)
        accepted = await service.handle(Eject(5))
        assert simulator_of(service).view().motor_commanded == 1.0
        await asyncio.sleep(0.15)
        service.enqueue(m.DriverFailed("look at this"))
        assert (await service.outcome(accepted)).data["cause"] == "fault"
        assert motor_when_written["launcher.press.accepted"] == 0
        assert motor_when_written["launcher.burst.started"] == 0
        assert motor_when_written["launcher.card.left"] == 1.0
        assert motor_when_written["launcher.state.changed"] == 0, "the change to fault, which came last"
        mocker.stopall()


async def test_with_an_fsync_of_200_ms_the_motor_does_not_wait_and_subscribers_hear_after_it(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    loop, sync, on_disk = asyncio.get_running_loop(), Journal.sync, 0

    def synced(journal: Journal) -> None:
        nonlocal on_disk
        sync(journal)
        on_disk = journal.written

    async def slowly(work: Callable[[], None]) -> None:
        await asyncio.sleep(FSYNC_S)
        work()

    mocker.patch.object(Journal, "sync", synced)
    mocker.patch.object(loop, "run_in_executor", lambda _, work: loop.create_task(slowly(work)))
    async with scripted(journal=tmp_path / "journal.sqlite3") as service:
        heard: list[Record] = []
        early: list[Record] = []
        service.on("", lambda record: (heard if record.seq <= on_disk else early).append(record))
        await asyncio.sleep(1.0)
        accepted = await service.handle(Eject(3))
        assert next(service.journal.read(after=accepted.seq - 1)) == accepted
        assert simulator_of(service).view().motor_commanded == 1.0
        assert accepted not in heard
        await service.safe()
        assert accepted in heard
        assert (await service.outcome(accepted)).data["delivered"] == 3
    assert early == []


async def test_what_cleared_the_exit_before_a_feed_is_not_its_card() -> None:
    """The loop is late: it takes a press, feeds, and then hears of a flicker at the exit that was over before."""
    async with scripted() as service:
        await asyncio.sleep(0.5)
        loop, simulator, delays_s = asyncio.get_running_loop(), simulator_of(service), [0.05]
        assert isinstance(loop, VirtualLoop)
        loop.lateness = lambda: delays_s.pop() if delays_s else 0.0
        for after_s, dark in ((0.001, True), (0.018, False)):
            loop.world.call_at(loop.time() + after_s, partial(simulator.drive_line, "exit", dark))
        loop.world.call_at(loop.time() + 0.019, partial(simulator.release_line, "exit"))
        ended = (await service.outcome(await service.handle(Eject(2)))).data
        assert (ended["delivered"], ended["cause"]) == (2, "complete")
        left = service.journal.read(types=["launcher.card.left"])
        assert [record.data["press"] for record in left] == [None, 1, 1]
