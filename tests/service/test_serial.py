"""The service with a microcontroller that locks its motor or starts anew: what the journal and the snapshot tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, NoReturn

import pytest
from pytest_mock import MockerFixture

from dispenser.drivers.serial import tables as wire
from dispenser.journal import Journal, Record
from dispenser.journal.errors import JournalMissingError
from dispenser.launcher import messages as m
from dispenser.service.assembly import launcher_on_serial
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.service import Service
from tests.conftest import FakeScheduler
from tests.drivers.serial.fake_board import FakeBoard, FakeLink
from tests.service.story import Story
from tests.service.test_service import play
from tests.service.watched import with_settings

STEP_S = 0.001
LOCKS = [wire.Latch.WATCHDOG, wire.Latch.MOTOR_GUARD]


class SerialEvening:
    """A service, and a board at the other end of its line whose clock goes with the loop's."""

    def __init__(self, mocker: MockerFixture, tmp_path: Path) -> None:
        self.clock = FakeScheduler()
        self.board = FakeBoard(self.clock)
        self.link = FakeLink(self.board)
        mocker.patch("dispenser.drivers.serial.kind.SerialLink", return_value=self.link)
        self.settings = with_settings(
            journal={"path": str(tmp_path / "evening.sqlite3")},
            odds={"fire": {"policy": "memoryless", "probability": 1.0}},
        )
        self.service: Service
        self.open_journal: Callable[[], Journal]

    @property
    def entries(self) -> list[Record]:
        """All that the journal tells."""
        return list(self.service.journal.read())

    def play(
        self, evening: Callable[[], Coroutine[Any, Any, None]], *, meanwhile: Callable[[], Journal] | None = None
    ) -> None:
        """Begin an evening.

        :param meanwhile: what opens the journal until the evening puts ``open_journal`` in its place.
        """

        async def whole() -> None:
            self.link.loop = asyncio.get_running_loop()
            self.service = launcher_on_serial(self.settings)
            self.open_journal = self.service.session_config.open_journal
            self.service.session_config.open_journal = meanwhile or self.open_journal
            async with self.service:
                await self.live(0.2)
                await evening()
                assert Story().read(self.entries).problems == []

        play(whole)

    async def live(self, seconds: float) -> None:
        for _ in range(round(seconds / STEP_S)):
            self.clock.run_for(STEP_S)
            await asyncio.sleep(STEP_S)

    async def until_the_motor_turns(self) -> None:
        while not self.board.motor:
            await self.live(STEP_S)

    def faults(self) -> list[str]:
        """The reason of each time that the journal tells of a fault."""
        changed = [entry.data for entry in self.entries if entry.type == "launcher.state.changed"]
        return [data["detail"] for data in changed if data["new"] == "fault"]

    async def works(self) -> None:
        """A person resets, and presses."""
        assert (await self.service.reset()).data["state"] == "ready"
        starts = len(self.board.starts)
        assert (await self.service.press()).type == "launcher.press.accepted"
        await self.live(4)
        assert len(self.board.starts) > starts
        assert self.service.snapshot()["state"] == "ready"


@pytest.fixture
def table(mocker: MockerFixture, tmp_path: Path) -> SerialEvening:
    return SerialEvening(mocker, tmp_path)


@pytest.mark.parametrize("deaf_s", [0.0, 0.26, 0.38])
def test_a_watchdog_reset_in_a_burst_is_told_once_with_its_cause(table: SerialEvening, deaf_s: float) -> None:
    async def evening() -> None:
        await table.service.press()
        await table.until_the_motor_turns()
        table.board.reboot(wire.ResetCause.WATCHDOG, deaf_s)
        starts = len(table.board.starts)
        await table.live(3)
        (fault,) = table.faults()
        assert "watchdog" in fault
        snapshot = table.service.snapshot()
        assert (snapshot["state"], snapshot["detail"]) == ("fault", fault)
        (ended,) = [entry for entry in table.entries if entry.type == "launcher.burst.ended"]
        assert ended.data["cause"] == "fault"
        assert (await table.service.press()).data["reason"] == "fault"
        assert len(table.board.starts) == starts
        await table.works()

    table.play(evening)


@pytest.mark.parametrize("lock", LOCKS)
@pytest.mark.parametrize("lid_open", [False, True], ids=["lid shut", "lid open"])
@pytest.mark.parametrize("exit_blocked", [False, True], ids=["exit clear", "exit blocked"])
def test_a_board_that_is_locked_at_the_start_tells_of_lid_and_exit_what_is_true(
    table: SerialEvening, lock: wire.Latch, lid_open: bool, exit_blocked: bool
) -> None:
    async def evening() -> None:
        snapshot = table.service.snapshot()
        assert (snapshot["lid_open"], snapshot["exit_blocked"]) == (lid_open, exit_blocked)
        assert snapshot["state"] == "fault"
        assert "reset" in snapshot["detail"]
        assert len(table.faults()) == 1
        table.board.press()
        assert (await table.service.press()).data["reason"] == "fault"
        await table.live(3)
        assert table.board.latches == lock, "only a person opens it"
        assert not table.board.light
        assert table.board.starts == []
        table.board.exit(blocked=False)
        table.board.lid(up=False)
        await table.live(0.1)
        assert table.service.snapshot()["lid_open"] is False
        assert table.service.snapshot()["state"] == "fault"
        await table.works()
        assert table.board.latches == wire.Latch(0)

    table.board.latches = lock
    table.board.lid_open, table.board.exit_blocked = lid_open, exit_blocked
    table.play(evening)


def test_the_journal_does_not_tell_of_a_lid_that_nobody_has_touched(table: SerialEvening) -> None:
    async def evening() -> None:
        await table.works()
        (switched_on,) = [entry for entry in table.entries if entry.type == m.SwitchedOn.type]
        assert switched_on.data["lid_open"] is False
        assert [entry.type for entry in table.entries if entry.type.startswith("launcher.lid")] == []

    table.board.latches = wire.Latch.WATCHDOG
    table.play(evening)


@pytest.mark.parametrize("lock", [wire.Latch(0), *LOCKS])
def test_a_line_that_was_cut_before_the_start_counts_as_an_open_lid_until_it_is_back(
    table: SerialEvening, lock: wire.Latch
) -> None:
    """What the board said of its lid may be old by now; as soon as it can be asked again, it is."""

    async def evening() -> None:
        table.link.unplug()
        await table.live(0.1)
        table.service.session_config.open_journal = table.open_journal
        await table.live(RETRY_S + 1.0)
        snapshot = table.service.snapshot()
        assert (snapshot["state"], snapshot["lid_open"]) == ("fault", True)
        table.link.plug()
        await table.live(1.5)
        snapshot = table.service.snapshot()
        assert (snapshot["state"], snapshot["lid_open"]) == ("fault", False)
        assert table.board.starts == []
        await table.works()

    def no_disk() -> NoReturn:
        raise JournalMissingError("no disk yet")

    table.board.latches = lock
    table.play(evening, meanwhile=no_disk)


def test_a_cable_that_is_pulled_as_the_journal_opens_is_a_fault(table: SerialEvening) -> None:
    """The failure is in the inbox before the new session is."""

    async def evening() -> None:
        table.service.session_config.open_journal = table.open_journal
        reread = table.service.driver.reread

        def fail_at_once() -> None:
            table.link.unplug()
            table.clock.run_for(0.1)
            reread()

        table.service.driver.reread = fail_at_once
        await table.live(RETRY_S + 1.0)
        assert (await table.service.reset()).data["state"] == "fault", "its cable is still out"
        assert "USB cable" in table.service.snapshot()["detail"]
        table.service.driver.reread = reread
        table.link.plug()
        await table.live(2.5)
        await table.works()

    def no_disk() -> NoReturn:
        raise JournalMissingError("no disk yet")

    table.play(evening, meanwhile=no_disk)
