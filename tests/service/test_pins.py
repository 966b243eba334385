"""Pins that fail under a running service, and come back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from dispenser import Service
from dispenser.journal import Journal, JournalError
from dispenser.service.launcher_service import RETRY_S
from dispenser.service.requests import NoSessionError
from dispenser.service.settings import Settings
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.service.story import Story
from tests.service.test_fails_closed import Told
from tests.service.test_service import play, scripted
from tests.service.watched import KeptJournal

# --- the pins fail ------------------------------------------------------------------------------------------------


def with_trouble(mocker: MockerFixture, *cards: int, **more: Any) -> tuple[Service, TroubleFactory]:
    factory = TroubleFactory()
    mocker.patch("dispenser.simulator.ToyFactory", return_value=factory)
    return scripted(*cards, **more), factory


def all_pins() -> set[int]:
    return set(Settings().pins.lines().values())


def test_pins_that_fail_and_come_back(mocker: MockerFixture) -> None:
    async def evening() -> None:
        service, factory = with_trouble(mocker, 1)
        async with service:
            told = Told(service)
            await asyncio.sleep(0.1)
            factory.failing = all_pins()
            await asyncio.sleep(1.1)
            snapshot = service.snapshot()
            assert snapshot["state"] == "fault"
            assert "Remote I/O error" in snapshot["detail"]
            assert (await service.reset()).data["state"] == "fault", "they still fail"
            factory.failing = set()
            await asyncio.sleep(1.1)
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 1
            told.check()

    play(evening)


def test_pins_that_fail_when_the_journal_is_ready_at_last(mocker: MockerFixture, tmp_path: Path) -> None:
    async def evening() -> None:
        obstacle = tmp_path / "state"
        obstacle.write_text("")
        service, factory = with_trouble(mocker, 1, journal=obstacle / "journal.sqlite3")
        async with service:
            await asyncio.sleep(0.5)
            factory.failing = all_pins()
            obstacle.unlink()
            await asyncio.sleep(RETRY_S + 1.0)
            assert service.snapshot()["state"] == "fault"
            factory.failing = set()
            await asyncio.sleep(1.5)
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 1
            assert Story().read(service.journal.read()).problems == []

    play(evening)


def test_pins_that_fail_for_a_moment_at_the_start_do_not_fail_for_ever(mocker: MockerFixture) -> None:
    """Back before the next re-reading: the driver has seen nothing, so it has nothing to recover from."""

    async def evening() -> None:
        service, factory = with_trouble(mocker, 1)
        open_journal = service.session_config.open_journal

        tries = 0

        def fail_meanwhile() -> Journal:
            nonlocal tries
            tries += 1
            if tries <= 2:
                raise JournalError("no room yet")
            factory.failing = all_pins()
            asyncio.get_running_loop().call_soon(factory.failing.clear)
            return open_journal()

        service.session_config.open_journal = fail_meanwhile
        async with service:
            await asyncio.sleep(2 * RETRY_S + 1.0)
            assert service.snapshot()["state"] == "fault"
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 1

    play(evening)


def test_pins_that_still_fail_keep_the_fault_when_the_journal_has_recovered(mocker: MockerFixture) -> None:
    """Two things are wrong; one of them is mended."""

    async def evening() -> None:
        service, factory = with_trouble(mocker, 1)
        async with service:
            await asyncio.sleep(0.1)
            factory.failing = all_pins()
            await asyncio.sleep(1.1)
            service.journal.ask("PRAGMA query_only = ON")
            with pytest.raises(NoSessionError):
                await service.press()
            await asyncio.sleep(RETRY_S + 1.0)
            assert (await service.reset()).data["state"] == "fault", "the pins do not answer yet"

    play(evening)


def test_stopping_while_the_pins_fail_still_closes_the_journal(mocker: MockerFixture) -> None:
    async def evening() -> None:
        service, factory = with_trouble(mocker)
        journal = KeptJournal.open(":memory:")
        service.session_config.open_journal = lambda: journal
        async with service:
            told = Told(service)
            await asyncio.sleep(0.1)
            await service.press(cards=5)
            await asyncio.sleep(0.1)
            factory.failing = all_pins()
        assert told.types()[-1] == "service.stopped"
        told.check()
        journal.really_close()

    play(evening)
