"""Internal errors, a driver that is lost, pins that fail: the motor is off, and no record is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser import Service, simulated_launcher
from dispenser.drivers.base import DriverLost, Edge, PinsUnavailableError, Sink
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.i18n import Text
from dispenser.journal import Record
from dispenser.launcher import messages as m
from dispenser.launcher.commands import Eject, Press
from dispenser.launcher.machine import LauncherMachine
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.requests import NoSessionError, ServiceError
from dispenser.table import commands as c
from tests.service.story import Story
from tests.service.test_service import scripted, simulator_of, types


def motor_of(service: Service) -> float:
    return simulator_of(service).view().motor_commanded


class Told:
    """Every record that a service told, from its first one on."""

    def __init__(self, service: Service) -> None:
        self.records: list[Record] = []
        service.on("", self.records.append)
        self.records[:0] = service.journal.read()

    def types(self) -> list[str]:
        return types(self.records)

    def check(self) -> None:
        """Gapless, and a story that makes sense."""
        assert [record.seq for record in self.records] == list(range(1, len(self.records) + 1))
        assert Story().read(self.records).problems == []


async def test_an_internal_error_ends_the_service_and_a_new_one_goes_on(mocker: MockerFixture, tmp_path: Path) -> None:
    async with scripted(4, cards=20, journal=tmp_path / "journal.sqlite3") as service:
        told = Told(service)
        await asyncio.sleep(0.1)
        commitment = service.snapshot()["commitment"]
        accepted = await service.handle(Eject(5))
        await asyncio.sleep(0.1)
        assert motor_of(service) == 1.0
        mocker.patch.object(LauncherMachine, "step", side_effect=ArithmeticError("cannot think"))
        with pytest.raises(ServiceError):
            await service.outcome(accepted)
        assert motor_of(service) == 0
        assert isinstance(service.crashed.result(), ArithmeticError)
        with pytest.raises(NoSessionError, match="ArithmeticError: cannot think"):
            await service.handle(Press())
    mocker.stopall()
    async with scripted(1, cards=20, journal=tmp_path / "journal.sqlite3") as service:
        records = list(service.journal.read())
        assert records[: len(told.records)] == told.records
        (lost,) = [record for record in records if record.type == "launcher.burst.lost"]
        (revealed,) = [record for record in records if record.type == "fairness.revealed"]
        assert revealed.data["commitment"] == commitment
        assert lost.data["press"] == accepted.data["press"]
        assert Story().read(records).problems == []
        assert (await service.handle(Press())).data["press"] == accepted.data["press"] + 1


@pytest.mark.parametrize("where", ["callback", "thread"])
async def test_an_error_outside_of_the_queue_ends_the_service(where: str) -> None:
    def fail() -> None:
        raise ZeroDivisionError(where)

    async with scripted() as service:
        await asyncio.sleep(0.1)
        await service.handle(Eject(5))
        await asyncio.sleep(0.1)
        assert motor_of(service) == 1.0
        if where == "callback":
            asyncio.get_running_loop().call_soon(fail)
        else:
            service.thread_failed(ZeroDivisionError(where))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert motor_of(service) == 0
        assert isinstance(service.crashed.result(), ZeroDivisionError)


async def test_a_closed_socket_that_the_mqtt_library_registers_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    async with scripted() as service:
        asyncio.get_running_loop().call_soon(asyncio.get_running_loop().add_writer, -1, print)
        await asyncio.sleep(0.1)
        assert "Exception in callback" in caplog.text
        assert not service.crashed.done()


async def test_an_error_at_the_table_ends_the_service_and_the_next_start_has_nothing_of_it(
    mocker: MockerFixture, tmp_path: Path
) -> None:
    async with scripted(journal=tmp_path / "journal.sqlite3") as service:
        mocker.patch("dispenser.service.evening.execute", side_effect=ArithmeticError("cannot play"))
        with pytest.raises(ArithmeticError):
            service.execute(c.Open("Zoé"))
        assert isinstance(service.crashed.result(), ArithmeticError)
        mocker.stopall()
    async with scripted(journal=tmp_path / "journal.sqlite3") as service:
        assert service.evening is not None
        assert not service.evening.is_open
        assert service.execute(c.Open("Zoé")).seated is not None


class LosableDriver(GpioDriver):
    """A driver whose process may go."""

    lost = False

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        self.sink, self.lost = sink, False
        super().open(sink, record_edge)

    def give(self, command: m.Command) -> None:
        if not self.lost:
            super().give(command)

    def lose(self) -> None:
        self.lost = True
        self.close()
        self.sink(DriverLost(Text("The process that holds the pins has ended")))


async def test_a_lost_driver_ends_the_session_and_a_new_one_begins(mocker: MockerFixture, tmp_path: Path) -> None:
    mocker.patch("dispenser.drivers.gpio.driver.GpioDriver", LosableDriver)

    async with scripted(1, cards=20, journal=tmp_path / "journal.sqlite3") as service:
        told = Told(service)
        await service.outcome(await service.handle(Press()))
        accepted = await service.handle(Eject(5))
        await asyncio.sleep(0.15)
        assert motor_of(service) == 1.0
        driver = service.driver.real
        assert isinstance(driver, LosableDriver)
        cannot = mocker.patch.object(GpioDriver, "open", side_effect=PinsUnavailableError(Text("no pins yet")))
        driver.lose()
        await asyncio.sleep(0.01)
        assert motor_of(service) == 0
        assert "has ended" in str(service.snapshot()["detail"])
        with pytest.raises(NoSessionError, match="has ended"):
            await service.handle(Press())
        await asyncio.sleep(RETRY_S + 1.0)
        assert "no pins yet" in service.snapshot()["detail"]
        mocker.stop(cannot)
        await asyncio.sleep(RETRY_S + 1.0)
        assert service.snapshot()["state"] in {"ready", "open"}
        assert "launcher.burst.lost" in told.types(), "who heard of the press hears what became of it"
        assert told.records == list(service.journal.read())
        assert Story().read(told.records).problems == []
        assert (await service.handle(Press())).data["press"] == accepted.data["press"] + 1


async def test_the_watchdog_hears_once_a_second_that_it_lives_unless_it_has_crashed() -> None:
    alive: list[float] = []
    service = simulated_launcher(seed="life")
    service.on_alive = lambda: alive.append(asyncio.get_running_loop().time())
    async with service:
        await asyncio.sleep(5.0)
        assert alive == pytest.approx(list(range(len(alive))), abs=0.01)
        service.crash(RuntimeError("on purpose"))
        told = len(alive)
        await asyncio.sleep(3.0)
        assert len(alive) == told
