"""The service starts, runs, stops and starts again. All in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser import Service
from dispenser.journal import Record
from dispenser.launcher.commands import Eject, Load, Press, Reset
from dispenser.service.requests import ServiceError
from tests.service.test_service import scripted, simulator_of, types


async def test_the_snapshot_after_the_start_tells_what_the_journal_tells() -> None:
    async with scripted(cards=40, lid_open=True) as service:
        assert service.snapshot()["state"] == "off"
        await asyncio.sleep(0.1)
        assert service.snapshot()["state"] == "open"
        simulator_of(service).close_lid()
        await asyncio.sleep(0.5)
        snapshot = service.snapshot()
        assert snapshot["seq"] == service.journal.last_seq
        expected = {"state": "ready", "detail": "", "simulated": True, "cards_inside": 40, "presses": 0}
        assert {key: snapshot[key] for key in expected} == expected
        (committed,) = service.journal.read(types=["fairness.committed"])
        assert snapshot["commitment"] == committed.data["commitment"]
        assert simulator_of(service).view().light_on


async def collect(service: Service) -> list[Record]:
    return [record async for record in service.events(after=0)]


async def test_stopping_in_a_burst_turns_the_motor_off_and_ends_bursts_requests_and_streams(tmp_path: Path) -> None:
    service = scripted(journal=tmp_path / "journal.sqlite3")
    async with service:
        stream = asyncio.ensure_future(collect(service))
        accepted = await service.handle(Eject(5))
        outcome = asyncio.ensure_future(service.outcome(accepted))
        await asyncio.sleep(0.15)
        assert simulator_of(service).view().motor_commanded == 1.0
        late = [asyncio.ensure_future(service.handle(Press())) for _ in range(5)]
        await asyncio.sleep(0)
    assert (simulator_of(service).view().motor_commanded, simulator_of(service).view().light_on) == (0, False)
    assert (await outcome).data["cause"] == "off"
    answers = await asyncio.gather(*late, return_exceptions=True)
    assert all(isinstance(answer, Record | ServiceError) for answer in answers)
    told = await stream
    assert [record.seq for record in told] == list(range(1, told[-1].seq + 1))
    assert types(told)[-3:] == ["launcher.switched.off", "fairness.revealed", "service.stopped"]
    await service.stop()
    for use in (service.handle(Press()), service.handle(Load(3)), service.handle(Reset())):
        with pytest.raises(ServiceError, match="has stopped"):
            await use
