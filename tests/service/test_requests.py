"""People's requests: one answer each, and the same id always gets the same one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser import Service
from dispenser.journal import JournalError, Record
from dispenser.launcher.commands import Eject, Load, Press
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.requests import NoSessionError, RequestReusedError
from tests.service.test_service import scripted, simulator_of


def presses(service: Service) -> list[Record]:
    return [record for record in service.journal.read(types=["launcher."]) if record.type.startswith("launcher.press.")]


async def test_the_same_id_moves_once_and_is_answered_alike_even_for_who_hung_up_and_asks_again() -> None:
    async with scripted(1, 1) as service:
        hasty = asyncio.ensure_future(service.handle(Press(id="r1")))
        await asyncio.sleep(0)
        hasty.cancel()
        answers = await asyncio.gather(*[service.handle(Press(id="r1")) for _ in range(3)])
        answers.append(await service.handle(Press(id="r1")))
        assert answers == presses(service) * 4


@pytest.mark.parametrize(
    "ask",
    [lambda service: service.handle(Load(1, id="r1")), lambda service: service.handle(Eject(2, id="r1"))],
    ids=["another kind", "another number"],
)
async def test_an_id_of_another_request_is_refused_before_and_after_its_answer(
    ask: Callable[[Service], Awaitable[Record]],
) -> None:
    async with scripted(1) as service:
        first, other = asyncio.ensure_future(service.handle(Eject(1, id="r1"))), asyncio.ensure_future(ask(service))
        for late in (other, ask(service)):
            with pytest.raises(RequestReusedError, match='"r1" was used before'):
                await late
        assert [await first] == presses(service)


async def test_what_could_not_be_written_down_is_an_error_and_may_be_asked_again(
    mocker: MockerFixture, tmp_path: Path
) -> None:
    async with scripted(1, journal=tmp_path / "journal.sqlite3") as service:
        await asyncio.sleep(0.5)
        mocker.patch.object(service.journal, "append_batches", side_effect=JournalError("the disk is full"))
        with pytest.raises(NoSessionError, match="the disk is full"):
            await service.handle(Press(id="r1"))
        await asyncio.sleep(2 * RETRY_S)
        assert [await service.handle(Press(id="r1"))] == presses(service)


async def test_a_request_that_is_repeated_after_a_restart_moves_nothing_again(tmp_path: Path) -> None:
    async with scripted(1, journal=tmp_path / "journal.sqlite3") as service:
        first = await service.handle(Press(id="r1"))
        await service.outcome(first)
    async with scripted(1, journal=tmp_path / "journal.sqlite3") as service:
        assert await service.handle(Press(id="r1")) == first
        with pytest.raises(RequestReusedError, match="used before"):
            await service.handle(Load(5, id="r1"))
        await asyncio.sleep(3.0)
        assert simulator_of(service).view().cards_out == 0


async def test_a_push_is_answered_once_whatever_was_ordered_meanwhile() -> None:
    async with scripted(0) as service:
        service.order(4)
        first = await service.handle(Press(id="r1"))
        assert (first.data["cards"], first.data["draw"], first.data["ordered"]) == (4, None, True)
        assert (await service.outcome(first)).data["delivered"] == 4
        service.order(2)
        await asyncio.sleep(0.1)
        assert await service.handle(Press(id="r1")) == first, "nothing moves twice"
        with pytest.raises(RequestReusedError, match='"r1" was used before'):
            await service.handle(Eject(4, id="r1"))
        assert service.snapshot()["order"] == {"cards": 2, "why": None}
