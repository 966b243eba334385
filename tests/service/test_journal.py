"""A journal that fails, in the middle or from the start: the motor is off, it says so, and it goes on by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser import Service
from dispenser.journal import DAMAGED, Journal, JournalError
from dispenser.journal.errors import FULL
from dispenser.launcher.commands import Count, Eject, Press
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.requests import NoSessionError
from tests.journal.tools import change, overwrite
from tests.service.test_fails_closed import Told, motor_of
from tests.service.test_service import scripted, simulator_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def no_room(*_: object) -> Journal:
    raise JournalError(FULL.filled(name="journal"))


def break_journal(service: Service) -> None:
    """Its next write fails; one that is opened anew works."""
    service.journal.ask("PRAGMA query_only = ON")


async def until(service: Service, state: str, *, limit_s: float = 60.0) -> None:
    for _ in range(int(limit_s / 0.01)):
        if service.snapshot()["state"] == state:
            return
        await asyncio.sleep(0.01)
    raise AssertionError(f"not {state} after {limit_s} s but {service.snapshot()}")


async def test_a_full_disk_stops_a_burst_and_the_launcher_goes_on_when_there_is_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scripted(journal=path) as service:
        told = Told(service)
        await asyncio.sleep(0.5)
        press = (await service.handle(Eject(12))).data["press"]
        await asyncio.sleep(0.3)
        assert motor_of(service) == 1.0
        monkeypatch.setattr(service.journal, "append_batches", no_room)
        monkeypatch.setattr(service, "open_journal", no_room)
        while motor_of(service):  # noqa: ASYNC110 - virtual time, and no event tells of a pin
            await asyncio.sleep(0.001)
        out = simulator_of(service).view().cards_out
        assert 0 < out < 12
        assert service.snapshot()["state"] == "fault"
        assert "full" in service.snapshot()["detail"]
        assert "plein" in service.snapshot("fr")["detail"]
        for _ in range(3):
            with pytest.raises(NoSessionError, match="full"):
                await service.handle(Press())
            await asyncio.sleep(RETRY_S)
        assert (simulator_of(service).view().cards_out, motor_of(service)) == (out, 0)
        monkeypatch.undo()
        await until(service, "ready", limit_s=RETRY_S + 1.1)
        (lost,) = service.journal.read(types=["launcher.burst.lost"])
        assert lost.data["press"] == press
        assert (await service.handle(Count(out, press))).data["cards"] == out
        simulator_of(service).take_card()
        await asyncio.sleep(0.5)
        assert (await service.handle(Eject(2))).data["press"] == press + 1
        await asyncio.sleep(5.0)
        told.check()


async def test_a_journal_that_fails_at_rest_is_told_in_two_seconds_and_keeps_no_service_from_ending(
    path: Path,
) -> None:
    async with scripted(journal=path) as service:
        await asyncio.sleep(0.1)
        break_journal(service)
        simulator_of(service).drive_line("exit", True)  # an edge to write down, and nothing else
        simulator_of(service).drive_line("exit", False)
        await until(service, "fault", limit_s=2.1)
        await until(service, "ready", limit_s=RETRY_S + 1.1)
        break_journal(service)
    assert motor_of(service) == 0


async def test_a_disk_that_refuses_at_the_fsync_ends_the_session_and_nobody_hears_of_what_it_lacks(
    path: Path, mocker: MockerFixture
) -> None:
    async with scripted(journal=path) as service:
        told = Told(service)
        await asyncio.sleep(0.1)
        refuses = mocker.patch.object(Journal, "sync", side_effect=JournalError(FULL.filled(name="journal")))
        await service.handle(Eject(5))
        await until(service, "fault")
        assert motor_of(service) == 0
        assert "full" in service.snapshot()["detail"]
        assert "launcher.press.accepted" not in told.types()
        mocker.stop(refuses)
        await until(service, "ready", limit_s=RETRY_S + 1.1)


def damage_told(service: Service) -> list[str]:
    return [record.data["what"] for record in service.journal.read(types=[DAMAGED])]


@pytest.mark.parametrize("what", ["records", "put aside", "gone"])
async def test_with_a_damaged_journal_the_launcher_is_ready_and_says_so_once(path: Path, what: str) -> None:
    harms: dict[str, Callable[[], object]] = {
        "records": lambda: change(path, "UPDATE records SET data = '{}' WHERE seq = 2"),
        "put aside": lambda: overwrite(path, 0, b"no database"),
        "gone": path.unlink,
    }

    async with scripted(2, journal=path) as service:
        await asyncio.sleep(0.1)
        await service.outcome(await service.handle(Press()))
    harms[what]()
    for _ in range(2):
        async with scripted(2, journal=path) as service:
            await asyncio.sleep(0.1)
            assert service.snapshot()["state"] == "ready"
            assert damage_told(service) == [what]
            assert (await service.outcome(await service.handle(Press()))).data["delivered"] == 2
            await asyncio.sleep(2.0)
