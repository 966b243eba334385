"""The computer is switched off from the page's API, and by the launcher's own button when the lid is open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from dispenser import Service
from dispenser.launcher.commands import Press
from dispenser.launcher.messages import Chime, Command, Play, State
from dispenser.service.held_button import CONFIRMATION, HOLD_S, HeldButton
from dispenser.service.requests import POWER_ASKED, PowerAction, ServiceError
from tests.service.test_service import scripted, simulator_of


class Computer:
    """What is asked of the computer of a simulated launcher that believes it is a real one."""

    def __init__(self, service: Service) -> None:
        self.asked: list[PowerAction] = []
        self.heard: list[Chime] = []
        self.takes_s = 0.0
        self.simulator = simulator_of(service)
        service.power = self._switch
        give = service.driver.give

        def on_command(command: Command) -> None:
            if command == Play(CONFIRMATION):
                self.heard.append(CONFIRMATION)
            give(command)

        service.driver.give = on_command  # type: ignore[method-assign]
        HeldButton(service)

    async def _switch(self, act: PowerAction) -> None:
        await asyncio.sleep(self.takes_s)
        self.asked.append(act)


@asynccontextmanager
async def with_computer(**more: Path | str | bool) -> AsyncIterator[tuple[Service, Computer]]:
    async with scripted(5, **more) as service:
        computer = Computer(service)
        await asyncio.sleep(1)
        yield service, computer


@pytest.mark.parametrize("has_journal", [True, False])
async def test_a_button_that_is_held_for_ten_seconds_with_the_lid_open_switches_the_computer_off_once(
    tmp_path: Path, has_journal: bool
) -> None:
    path = tmp_path / "journal.sqlite3" if has_journal else tmp_path  # a folder
    async with with_computer(lid_open=True, journal=path) as (service, computer):
        assert service.known().state is (State.OPEN if has_journal else State.FAULT)
        computer.takes_s = 3.0
        computer.simulator.hold_button()
        await asyncio.sleep(HOLD_S - 0.5)
        assert computer.heard == []
        await asyncio.sleep(1.0)
        assert computer.heard == [CONFIRMATION]
        computer.simulator.release_button()
        await asyncio.sleep(0.5)
        computer.simulator.push_button()  # takes nothing back
        await asyncio.sleep(HOLD_S * 2)
        assert computer.asked == [PowerAction.OFF]
        if has_journal:
            (record,) = service.journal.read(types=[POWER_ASKED])
            assert (record.type, record.source) == ("service.computer.off", "button")


async def test_a_button_that_is_let_go_or_held_with_the_lid_shut_switches_nothing_off() -> None:
    async with with_computer(lid_open=True) as (_, computer):
        computer.simulator.hold_button()
        await asyncio.sleep(HOLD_S - 1.5)
        computer.simulator.release_button()
        await asyncio.sleep(0.3)
        computer.simulator.hold_button()
        await asyncio.sleep(HOLD_S - 1.5)
        computer.simulator.close_lid()
        await asyncio.sleep(HOLD_S * 2)
        computer.simulator.release_button()
        await asyncio.sleep(1.0)
        computer.simulator.hold_button()
        await asyncio.sleep(HOLD_S * 2)
        assert computer.asked == []


async def test_the_motor_is_off_before_the_computer_and_stays_off() -> None:
    async with with_computer() as (service, computer):
        await service.handle(Press())
        await anext(service.events("launcher.card.left"))
        assert computer.simulator.view().motor_commanded
        asked = asyncio.ensure_future(service.switch_computer(PowerAction.OFF))
        computer.takes_s = 3.0
        while not asked.done():
            await asyncio.sleep(0)
            assert not computer.simulator.view().motor_commanded
            await asyncio.sleep(0.1)
        assert computer.asked == [PowerAction.OFF]


async def test_a_simulated_launcher_or_one_that_systemd_did_not_start_refuses_and_says_why() -> None:
    async with scripted(5) as service:
        with pytest.raises(ServiceError, match="simulated"):
            await service.switch_computer(PowerAction.RESTART)
        simulator, service.simulator = service.simulator, None
        with pytest.raises(ServiceError, match="sudo poweroff"):
            await service.switch_computer(PowerAction.OFF)
        service.simulator = simulator  # it is closed with the service
        assert not list(service.journal.read(types=[POWER_ASKED]))
