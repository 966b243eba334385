"""A phone in place of the launcher, in the middle of a round, and back. All in virtual time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from dispenser import Service, simulated_launcher
from dispenser.drivers.kinds import DriverSettings
from dispenser.launcher import messages as m
from dispenser.launcher.commands import Eject, Press
from dispenser.odds.audit import Verdict, audit
from dispenser.service.assembly import launcher
from dispenser.service.settings import Settings
from dispenser.table import commands as c
from dispenser.table import events as e
from tests.service.test_evening import as_killed
from tests.service.test_fails_closed import Told
from tests.service.test_service import scripted, simulator_of

LEA = 1


def sit(service: Service) -> None:
    """Léa and Tom, who has no phone, play a game whose presses bring what is owed."""
    service.execute(c.Open("Léa"))
    service.execute(c.Guest("Tom"), person=LEA)
    service.execute(c.Start("uno", tracking_mode=e.TrackingMode.COUNTER), person=LEA)


def stand_in(service: Service, yes: bool = True) -> None:
    service.execute(c.StandIn(yes), person=LEA)


def owe(service: Service, cards: int) -> None:
    """Tom draws so many."""
    assert service.evening is not None
    match = service.evening.table.match
    assert match is not None
    (charge,) = [place for place, each in enumerate(match.ledger.charges) if each.number in {None, cards}][:1]
    service.execute(c.ChargeSeat(1, charge, cards), person=LEA)


def records(service: Service, type_: str) -> list[dict[str, Any]]:
    return [record.data for record in service.journal.read(types=[type_])]


def state(service: Service) -> str:
    return str(service.snapshot()["state"])


async def thrown(service: Service, command: Press | Eject | None = None) -> dict[str, Any]:
    return (await service.outcome(await service.handle(command or Press(), "phone"))).data


async def test_what_luck_decides_with_a_phone_as_launcher_is_proven_too() -> None:
    async with simulated_launcher(seed="luck") as service:
        told = Told(service)
        service.execute(c.Open("Léa"))
        for yes in (True, False, True):
            for _ in range(5):
                await thrown(service)
                await asyncio.sleep(1.0)
            stand_in(service, yes)
            await asyncio.sleep(0.5)
    assert audit(told.records).verdict is Verdict.PROVEN


async def test_a_burst_under_way_ends_and_the_table_asks_what_came() -> None:
    async with scripted(0) as service:
        sit(service)
        owe(service, 4)
        accepted = await service.handle(Press())
        await asyncio.sleep(0.15)
        assert state(service) == "feeding"
        stand_in(service)
        assert simulator_of(service).view().motor_commanded == 0
        assert (await service.outcome(accepted)).data["cause"] == "off"
        assert service.snapshot()["refusal"] == "count_first"
        service.execute(c.SetCount(accepted.data["press"], 1), person=LEA)
        await asyncio.sleep(0)
        assert service.snapshot()["order"]["cards"] == 3
        inside = simulator_of(service).view().cards_in_stack
        assert (await thrown(service))["delivered"] == 3
        assert records(service, "table.thrown")[-1] == {"press": 2, "person": LEA, "cards": 3}
        assert records(service, "table.paid")[-1] == {"press": 2, "cards": 3}
        assert simulator_of(service).view().cards_in_stack == inside, "no motor turns"


@pytest.mark.parametrize("trouble", ["lid", "fault"])
async def test_a_lid_or_a_fault_of_the_launcher_is_no_trouble_of_the_phone(trouble: str) -> None:
    async with scripted(3) as service:
        service.execute(c.Open("Léa"))
        if trouble == "lid":
            simulator_of(service).open_lid()
        else:
            service.enqueue(m.DriverFailed("on fire"))
        await asyncio.sleep(1.0)
        assert service.snapshot()["refusal"] is not None
        stand_in(service)
        assert (state(service), service.snapshot()["refusal"]) == ("ready", None)
        simulator_of(service).push_button()
        simulator_of(service).close_lid()
        simulator_of(service).open_lid()
        await asyncio.sleep(2.0)
        assert state(service) == "ready"
        assert (await thrown(service))["delivered"] == 3
        stand_in(service, False)
        assert state(service) == "open"


async def test_a_phone_is_still_the_launcher_after_a_kill_until_its_person_leaves(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite3"

    async with scripted(2, journal=file) as service:
        sit(service)
        stand_in(service)
        owe(service, 2)
        await service.handle(Press())
        killed = as_killed(file, tmp_path / "killed.sqlite3")
    async with scripted(2, journal=killed) as service:
        await asyncio.sleep(0.1)
        assert service.driver.stands_in
        assert service.snapshot()["stand_in"]
        service.execute(c.Leave(), person=LEA)
        assert not service.snapshot()["stand_in"]
        assert not service.driver.stands_in


async def test_the_launcher_is_used_again_when_its_motor_rests() -> None:
    async with scripted(0) as service:
        service.execute(c.Open("Léa"))
        await service.handle(Eject(5))
        await asyncio.sleep(0.2)
        stand_in(service)
        stand_in(service, False)
        assert service.driver.stands_in
        await asyncio.sleep(1.5)
        assert not service.driver.stands_in
        assert not service.snapshot()["stand_in"]


async def test_with_no_launcher_at_all_a_phone_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    settings = Settings(driver=DriverSettings(kind="phone"))

    async with launcher(settings) as service:
        await asyncio.sleep(0.1)
        assert state(service) == "fault"
        assert "This phone is the launcher" in service.snapshot()["detail"]
        service.execute(c.Open("Léa"))
        stand_in(service)
        assert (await thrown(service, Eject(3)))["delivered"] == 3
        stand_in(service, False)
        assert state(service) == "fault"
