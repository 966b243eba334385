"""The service starts, runs, stops and starts again. All in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser import Service, simulated_launcher
from dispenser.journal import Journal, Record
from dispenser.launcher.commands import Eject, Load, Press, Reset
from dispenser.odds.audit import Verdict, audit
from dispenser.service.requests import ServiceError
from dispenser.simulator import ToyParameters
from tests.service.test_service import in_virtual_time, play, scripted, toy_of, types, with_settings


@in_virtual_time
async def test_the_snapshot_after_the_start_tells_what_the_journal_tells() -> None:
    async with scripted(cards=40, lid_open=True) as service:
        assert service.snapshot()["state"] == "off"
        await asyncio.sleep(0.1)
        assert service.snapshot()["state"] == "open"
        toy_of(service).close_lid()
        await asyncio.sleep(0.5)
        snapshot = service.snapshot()
        assert snapshot["seq"] == service.journal.last_seq
        expected = {"state": "ready", "detail": "", "simulated": True, "cards_inside": 40, "presses": 0}
        assert {key: snapshot[key] for key in expected} == expected
        (committed,) = service.journal.read(types=["fairness.committed"])
        assert snapshot["commitment"] == committed.data["commitment"]
        assert toy_of(service).view().light_on


async def collect(service: Service) -> list[Record]:
    return [entry async for entry in service.events(after=0)]


@in_virtual_time
async def test_stopping_in_a_burst_turns_the_motor_off_and_ends_bursts_requests_and_streams(tmp_path: Path) -> None:
    service = scripted(journal=tmp_path / "journal.sqlite3")
    async with service:
        stream = asyncio.ensure_future(collect(service))
        accepted = await service.handle(Eject(5))
        outcome = asyncio.ensure_future(service.outcome(accepted))
        await asyncio.sleep(0.15)
        assert toy_of(service).view().motor_commanded == 1.0
        late = [asyncio.ensure_future(service.handle(Press())) for _ in range(5)]
        await asyncio.sleep(0)
    assert (toy_of(service).view().motor_commanded, toy_of(service).view().light_on) == (0, False)
    assert (await outcome).data["cause"] == "off"
    answers = await asyncio.gather(*late, return_exceptions=True)
    assert all(isinstance(answer, Record | ServiceError) for answer in answers)
    told = await stream
    assert [entry.seq for entry in told] == list(range(1, told[-1].seq + 1))
    assert types(told)[-3:] == ["launcher.switched.off", "fairness.revealed", "service.stopped"]
    await service.stop()
    for use in (service.handle(Press()), service.handle(Load(3)), service.handle(Reset())):
        with pytest.raises(ServiceError, match="has stopped"):
            await use


def test_a_restart_goes_on_counting_and_every_start_is_proven_by_its_own_seed(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"

    async def evening() -> None:
        settings = with_settings(odds={"preset": "wild"})
        async with simulated_launcher(
            settings, journal=journal, seed="again", parameters=ToyParameters.flawless()
        ) as service:
            for _ in range(4):
                await service.outcome(await service.handle(Press()))
                await asyncio.sleep(0.5)

    for _ in range(3):
        play(evening)
    with Journal.read_only(journal) as reader:
        presses = [entry.data["press"] for entry in reader.read(types=["launcher.press.accepted"])]
        assert presses == list(range(1, 13))
        report = audit(reader, reader.verify_chain())
        assert (report.verdict, report.checked, len(report.rounds)) == (Verdict.PROVEN, 12, 3)
        commitments = {entry.data["commitment"] for entry in reader.read(types=["fairness.committed"])}
        assert len(commitments) == 3
