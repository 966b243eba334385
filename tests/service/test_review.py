"""What a cold reading of the service found, each as a short story, so that it stays found."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from dispenser import simulated_launcher
from dispenser.drivers.pins.driver import GpioDriver
from dispenser.launcher import messages as m
from dispenser.service.answers import JournalUnavailableError, RequestReusedError, ServiceError
from tests.service.test_service import play


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


def test_a_start_that_fails_lets_go_of_pins_journal_and_loop(tmp_path: Path) -> None:
    async def evening() -> None:
        def no_odds(_: bytes) -> None:
            raise ValueError("no such odds")

        path = tmp_path / "journal.sqlite3"
        before = asyncio.get_running_loop().get_exception_handler()
        service = simulated_launcher(seed="review", make_odds=no_odds, journal=path)
        with pytest.raises(ValueError, match="no such odds"):
            service.start()
        assert isinstance(service.driver, GpioDriver)
        assert not service.driver._opened
        assert asyncio.get_running_loop().get_exception_handler() is before
        async with simulated_launcher(seed="review", journal=path) as second:
            await asyncio.sleep(0.1)
            assert second.snapshot()["state"] == "ready"

    play(evening)


def test_a_note_from_within_a_callback_is_heard_in_its_place() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="review") as service:
            await asyncio.sleep(0.1)
            service.on("launcher.press.accepted", lambda _: service.note("table.turn", {}, "table"))
            heard: list[int] = []

            async def listen() -> None:
                async for entry in service.events():
                    heard.append(entry.seq)  # noqa: PERF401 - it is looked at while it grows

            listener = asyncio.create_task(listen())
            await asyncio.sleep(0.0)
            await service.outcome(await service.press(cards=2))
            await asyncio.sleep(0.1)
            listener.cancel()
            assert heard == list(range(heard[0], heard[0] + len(heard)))

    play(evening)


def test_two_corrections_at_once_count_once() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="review") as service:
            await service.load(50)
            burst = await service.outcome(await service.press(cards=2))
            first, second = await asyncio.gather(
                service.enter_count(burst.data["press"], 5), service.enter_count(burst.data["press"], 5)
            )
            assert (first.data["counted_before"], second.data["counted_before"]) == (2, 5)
            assert service.snapshot()["cards_inside"] == 45

    play(evening)


def test_a_request_id_is_for_one_request_only() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="review") as service:
            await service.load(10, request="load")
            with pytest.raises(RequestReusedError):
                await service.load(20, request="load")
            accepted = await service.press(request="press")
            await service.outcome(accepted)
            with pytest.raises(RequestReusedError):
                await service.press(cards=3, request="press")
            assert await service.press(request="press") == accepted

    play(evening)


def test_what_was_written_late_is_an_answer_when_it_is_asked_again() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="review") as service:
            await asyncio.sleep(0.1)
            service.journal._db.execute("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError):
                await service.press(request="once")
            service.journal._db.execute("PRAGMA query_only = OFF")
            await asyncio.sleep(2.5)
            await service.reset()
            await service.press(request="once")
            with_id = [entry for entry in service.journal.read() if entry.data.get("request") == "once"]
            assert len(with_id) == 1

    play(evening)


def test_a_retract_that_clears_the_exit_is_told() -> None:
    from dispenser.launcher.machine import LauncherMachine
    from dispenser.launcher.settings import MachineSettings
    from tests.launcher.scripted import ScriptedOdds

    machine = LauncherMachine(MachineSettings(), ScriptedOdds([1]))
    machine.step(m.SwitchOn(lid_open=False), 0.0)
    machine.step(m.Press(cards=1), 1.0)
    machine.step(m.FeedEnded(m.FeedEnd.STALL, 0, exit_blocked=True), 2.0)
    assert machine.step(m.ExitCleared(900.0), 2.1) == [m.ExitChanged(blocked=False, refusal=m.Refusal.BUSY)]


def test_the_motor_never_starts_for_a_press_that_is_not_in_the_journal(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="review") as service:
            await asyncio.sleep(0.1)
            feed = mocker.spy(service.driver, "feed")
            service.journal._db.execute("PRAGMA query_only = ON")
            with pytest.raises(JournalUnavailableError):
                await service.press(cards=2)
            await asyncio.sleep(0.5)
            feed.assert_not_called()
            service.journal._db.execute("PRAGMA query_only = OFF")

    play(evening)
