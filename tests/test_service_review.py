"""What a cold reading of the service found, each as a short story, so that it stays found."""

from __future__ import annotations

import asyncio

import pytest
from pytest_mock import MockerFixture

from dispenser import simulated_launcher
from dispenser.requests import JournalUnavailableError, ServiceError
from tests.test_service import play


def test_a_stop_from_outside_in_a_retract_is_a_fault_and_never_a_new_start() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="review", cards=1) as service:
            await service.press(cards=3)
            while service.snapshot()["state"] != "retracting":  # noqa: ASYNC110 - virtual time; the state is what is asked for
                await asyncio.sleep(0.01)
            service.driver.stop()
            for _ in range(100):
                await asyncio.sleep(0.01)
                assert service.toy is not None
                assert service.toy.view().motor_commanded == 0
            assert service.snapshot()["state"] == "fault"

    play(evening)


def test_a_driver_that_cannot_even_stop_does_not_end_the_launchers_task(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="review") as service:
            await asyncio.sleep(0.1)
            session = service._session
            assert session is not None
            mocker.patch.object(session.machine, "step", side_effect=[ValueError("first")])
            stop = mocker.patch.object(service.driver, "stop", side_effect=RuntimeError("boom"))
            with pytest.raises(ServiceError, match="first"):
                await service.press()
            mocker.stop(stop)
            await asyncio.sleep(3.0)
            assert service._consumer is not None
            assert not service._consumer.done()
            assert (await service.press()).type.startswith("launcher.press.")

    play(evening)


def test_without_its_task_the_service_says_so_and_the_watchdog_hears_no_more(mocker: MockerFixture) -> None:
    async def evening() -> None:
        alive: list[float] = []
        async with simulated_launcher(seed="review") as service:
            service.on_alive = lambda: alive.append(asyncio.get_running_loop().time())
            await asyncio.sleep(2.5)
            told = len(alive)
            assert told == 2
            mocker.patch.object(service, "_unexpected", side_effect=RuntimeError("even this"))
            session = service._session
            assert session is not None
            mocker.patch.object(session.machine, "step", side_effect=ValueError("first"))
            with pytest.raises(ServiceError, match="start the service anew"):
                await service.press()
            mocker.stopall()
            await asyncio.sleep(3.0)
            assert len(alive) == told
            with pytest.raises(JournalUnavailableError):
                await service.press()

    play(evening)
