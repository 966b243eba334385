"""The service with a microcontroller that locks its motor or starts anew: what the journal and the snapshot tell."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser.drivers.serial import tables as wire
from dispenser.journal import Record
from dispenser.launcher.commands import Press, Reset
from dispenser.service.assembly import launcher_on_serial
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.service import Service
from tests.contract.serial_bench import SerialBench
from tests.firmware.host import Happening, motor_starts
from tests.service.story import Story
from tests.service.test_service import with_settings

STEP_S = 0.001


class SerialEvening(SerialBench):
    """A service, and the core at the other end of its line, whose time goes with the loop's."""

    def __init__(self, mocker: MockerFixture, tmp_path: Path) -> None:
        super().__init__(boot_s=None)
        self._motor: list[Happening] = []
        mocker.patch("dispenser.drivers.serial.kind.SerialPort", return_value=self.link)
        self.settings = with_settings(
            journal={"path": str(tmp_path / "evening.sqlite3")},
            odds={"fire": {"policy": "memoryless", "probability": 1.0}},
        )
        self.service: Service

    @property
    def records(self) -> list[Record]:
        """All that the journal tells."""
        return list(self.service.journal.read())

    @property
    def fault(self) -> bool:
        return bool(self.service.snapshot()["state"] == "fault")

    @property
    def levels(self) -> tuple[bool, bool]:
        """Whether the lid is open, and whether the exit is dark."""
        return self.service.snapshot()["lid_open"], self.service.snapshot()["exit_blocked"]

    @asynccontextmanager
    async def begun(self) -> AsyncIterator[None]:
        self.link.loop = asyncio.get_running_loop()
        self.service = launcher_on_serial(self.settings)
        async with self.service:
            await self.live(0.2)
            yield
            assert Story().read(self.records).problems == []

    async def live(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.run(STEP_S)
            await asyncio.sleep(STEP_S)

    def starts(self) -> int:
        """How often the motor was turned on so far."""
        self._motor += self.device.happenings("motor")
        return motor_starts(self._motor)

    def faults(self) -> list[str]:
        """The reason of each time that the journal tells of a fault."""
        changed = [record.data for record in self.records if record.type == "launcher.state.changed"]
        return [data["detail"] for data in changed if data["new"] == "fault"]

    async def works(self) -> None:
        """A person resets, and presses."""
        assert (await self.service.handle(Reset())).data["state"] == "ready"
        starts = self.starts()
        assert (await self.service.handle(Press())).type == "launcher.press.accepted"
        await self.live(4)
        assert self.starts() > starts
        assert self.service.snapshot()["state"] == "ready"


@pytest.fixture
def evening(mocker: MockerFixture, tmp_path: Path) -> SerialEvening:
    return SerialEvening(mocker, tmp_path)


async def test_a_watchdog_reset_in_a_burst_is_told_once_with_its_cause(evening: SerialEvening) -> None:
    async with evening.begun():
        await evening.service.handle(Press())
        while not evening.motor():
            await evening.live(STEP_S)
        evening.link.restart(wire.ResetCause.WATCHDOG, 0.38)
        await evening.live(3)
        (fault,) = evening.faults()
        assert "watchdog" in fault
        assert evening.fault
        assert (await evening.service.handle(Press())).data["reason"] == "fault"
        await evening.works()


async def test_a_board_that_is_locked_at_the_start_is_a_fault_until_a_person_resets(evening: SerialEvening) -> None:
    evening.lift_lid()
    evening.hold_exit(True)
    evening.run(1.0)
    evening.link.restart(wire.ResetCause.WATCHDOG)
    async with evening.begun():
        assert evening.levels == (True, True)
        (fault,) = evening.faults()
        assert "reset" in fault
        evening.press()
        assert (await evening.service.handle(Press())).data["reason"] == "fault"
        await evening.live(3)
        assert evening.link.sent(wire.ResetLatch) == []
        assert (evening.lit(), evening.starts()) == (False, 0)
        evening.simulator.release_line("exit")
        evening.shut_lid()
        await evening.live(1.0)
        assert evening.fault
        await evening.works()
        told = [record.type for record in evening.records if record.type.startswith("launcher.lid")]
        assert told == ["launcher.lid.closed"], "a lid that nobody touched is not told of"


async def test_a_board_that_cannot_be_asked_when_a_session_begins_counts_as_an_open_lid_until_it_can(
    evening: SerialEvening,
) -> None:
    async with evening.begun():
        evening.service.journal.ask("PRAGMA query_only = ON")  # which ends the session
        evening.link.unplug()
        await evening.live(RETRY_S + 1.5)
        assert (evening.fault, evening.levels[0]) == (True, True)
        evening.link.plug()
        await evening.live(1.5)
        assert (evening.fault, evening.levels[0]) == (True, False)
        await evening.works()
