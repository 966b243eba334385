"""Listeners that raise and mistakes of ours: the motor is off, nothing is lost, and it says so."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from dispenser import Service, simulated_launcher
from dispenser.drivers.base import SignsOfLife
from dispenser.drivers.gpio.reflex import Reflex
from dispenser.journal import Entry
from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.service.answers import JournalUnavailableError, ServiceError
from dispenser.service.life import RETRY_S
from tests.service.story import Story
from tests.service.test_service import play, scripted, toy_of, types


def motor_of(service: Service) -> float:
    return toy_of(service).view().motor_commanded


class Told:
    """Every entry that a service told, from its first one on."""

    def __init__(self, service: Service) -> None:
        self.entries: list[Entry] = []
        service.on("", self.entries.append)
        self.entries[:0] = service.journal.read()

    def types(self) -> list[str]:
        return types(self.entries)

    def check(self) -> None:
        """Gapless, and a story that makes sense."""
        assert [entry.seq for entry in self.entries] == list(range(1, len(self.entries) + 1))
        assert Story().read(self.entries).problems == []


# --- listeners ----------------------------------------------------------------------------------------------------


def test_a_callback_that_raises_is_logged_and_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    async def evening() -> None:
        async with scripted(2) as service:
            told = Told(service)

            def broken(entry: Entry) -> None:
                raise ValueError(f"I do not like {entry.type}")

            service.on("launcher.burst", broken)
            heard = []
            service.on("launcher.burst", lambda entry: heard.append(entry.type))
            ended = await service.outcome(await service.press())
            assert (ended.data["delivered"], ended.data["cause"]) == (2, "complete")
            assert heard == ["launcher.burst.started", "launcher.burst.ended"]
            assert service.snapshot()["state"] == "ready"
            told.check()

    play(evening)
    assert "I do not like launcher.burst.started" in caplog.text


# --- mistakes of ours ---------------------------------------------------------------------------------------------


def break_step(mocker: MockerFixture, kind: type, times: int = 1) -> None:
    """The machine raises at the next ``times`` events of a kind."""
    step = LauncherMachine.step
    left = times

    def broken(self: LauncherMachine, event: m.Event, now: float) -> list[m.Output]:
        nonlocal left
        if isinstance(event, kind) and left:
            left -= 1
            raise ArithmeticError(f"cannot think about {kind.__name__}")
        return step(self, event, now)

    mocker.patch.object(LauncherMachine, "step", broken)


def test_a_mistake_in_the_machine_turns_the_motor_off_and_says_so(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted(4, 1) as service:
            told = Told(service)
            await asyncio.sleep(0.1)
            accepted = await service.press(cards=5)
            await asyncio.sleep(0.1)
            assert motor_of(service) == 1.0
            break_step(mocker, m.ExitBlocked)
            ended = await service.outcome(accepted)
            assert ended.data["cause"] == "fault"
            assert motor_of(service) == 0
            snapshot = service.snapshot()
            assert snapshot["state"] == "fault"
            assert "ArithmeticError: cannot think about ExitBlocked" in snapshot["detail"]
            assert (await service.press()).data["reason"] == "fault"
            await asyncio.sleep(1.0)
            toy_of(service).take_card()
            await asyncio.sleep(0.1)
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.outcome(await service.press())).data["delivered"] == 4
            told.check()

    play(evening)


@pytest.mark.parametrize("lost", [m.ExitCleared, m.LidClosed])
def test_what_the_machine_did_not_hear_for_a_mistake_it_learns_with_the_reset(
    mocker: MockerFixture, lost: type
) -> None:
    """Else it would believe in a blocked exit or an open lid for ever, and refuse every press."""

    async def evening() -> None:
        async with scripted(1) as service:
            toy = toy_of(service)
            await asyncio.sleep(0.1)
            toy.hands_off("exit")
            toy.drive_line("exit", True)
            toy.open_lid()
            await asyncio.sleep(0.5)
            break_step(mocker, lost)
            toy.drive_line("exit", False)
            toy.hands_on("exit")
            toy.close_lid()
            await asyncio.sleep(3.0)
            assert service.snapshot()["state"] == "fault"
            assert (await service.reset()).data["state"] == "ready"
            snapshot = service.snapshot()
            assert (snapshot["lid_open"], snapshot["exit_blocked"]) == (False, False)
            assert (await service.press()).type == "launcher.press.accepted"

    play(evening)


def test_a_request_that_meets_a_mistake_is_answered_with_it(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            await asyncio.sleep(0.1)
            break_step(mocker, m.Press)
            with pytest.raises(ServiceError, match="ArithmeticError: cannot think about Press"):
                await service.press()
            assert service.snapshot()["state"] == "fault"
            assert (await service.reset()).data["state"] == "ready"
            assert (await service.press()).type == "launcher.press.accepted"

    play(evening)


def break_everything(mocker: MockerFixture) -> Any:
    return mocker.patch.object(LauncherMachine, "step", side_effect=ArithmeticError("cannot think at all"))


def test_a_machine_that_cannot_even_take_the_fault_is_replaced(mocker: MockerFixture, tmp_path: Path) -> None:
    async def evening() -> None:
        async with scripted(1, journal=tmp_path / "journal.sqlite3") as service:
            await asyncio.sleep(0.1)
            accepted = await service.press(cards=5)
            await asyncio.sleep(0.15)
            assert motor_of(service) == 1.0
            broken = break_everything(mocker)
            while motor_of(service):  # noqa: ASYNC110 - virtual time, and no event tells of a pin
                await asyncio.sleep(0.001)
            assert service.snapshot()["state"] == "fault"
            assert "cannot think at all" in service.snapshot()["detail"]
            with pytest.raises(JournalUnavailableError, match="cannot think at all"):
                await service.press()
            mocker.stop(broken)
            await asyncio.sleep(RETRY_S + 1.0)
            assert service.snapshot()["state"] == "fault"  # a fresh machine, and still somebody must look at it
            assert "failed twice" in service.snapshot()["detail"]
            await service.reset()
            assert service.snapshot()["state"] == "ready"
            entries = list(service.journal.read())
            (lost,) = [entry for entry in entries if entry.type == "launcher.burst.lost"]
            assert lost.data["press"] == accepted.data["press"]
            assert Story().read(entries).problems == []
            assert (await service.press()).data["press"] == accepted.data["press"] + 1

    play(evening)


def test_presses_that_wait_while_the_machine_breaks_are_all_answered(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            broken = break_everything(mocker)
            asked = [asyncio.ensure_future(service.press()) for _ in range(10)]
            await asyncio.sleep(0.5)
            assert all(task.done() for task in asked), "nobody waits for ever"
            assert all(isinstance(task.exception(), ServiceError) for task in asked)
            mocker.stop(broken)

    play(evening)


def test_a_request_behind_the_failure_that_broke_the_machine_is_answered(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            broken = break_everything(mocker)
            asyncio.get_running_loop().call_soon(service.hear, m.DriverFailed("the driver says so itself"))
            asked = asyncio.ensure_future(service.press())
            await asyncio.sleep(0.5)
            assert asked.done(), "nobody waits for ever"
            assert isinstance(asked.exception(), ServiceError)
            mocker.stop(broken)

    play(evening)


def test_callbacks_hear_what_the_fresh_start_found(mocker: MockerFixture, tmp_path: Path) -> None:
    """Who heard that a press was accepted must hear what became of it."""

    async def evening() -> None:
        async with scripted(5, journal=tmp_path / "journal.sqlite3") as service:
            await asyncio.sleep(0.1)
            told = Told(service)
            await service.press()
            broken = break_everything(mocker)
            toy_of(service).push_button()
            await asyncio.sleep(0.5)
            mocker.stop(broken)
            await asyncio.sleep(RETRY_S + 1.0)
            assert "launcher.burst.lost" in told.types()
            assert told.entries == list(service.journal.read())
            told.check()

    play(evening)


def test_callbacks_outlive_the_machine_that_broke(mocker: MockerFixture) -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            heard: list[Entry] = []
            service.on("launcher.press", heard.append)
            await asyncio.sleep(0.1)
            broken = break_everything(mocker)
            toy_of(service).push_button()
            await asyncio.sleep(0.5)
            mocker.stop(broken)
            await asyncio.sleep(RETRY_S + 1.0)
            answer = await service.press()
            assert answer in heard, "who asked to be told is told"

    play(evening)


def test_after_such_a_restart_the_cards_are_those_that_are_left(mocker: MockerFixture, tmp_path: Path) -> None:
    async def evening() -> None:
        async with scripted(3, cards=20, journal=tmp_path / "journal.sqlite3") as service:
            await service.outcome(await service.press())
            broken = break_everything(mocker)
            toy_of(service).push_button()
            await asyncio.sleep(0.5)
            mocker.stop(broken)
            await asyncio.sleep(RETRY_S + 1.0)
            assert service.snapshot()["cards_inside"] == 17

    play(evening)


def test_an_error_in_the_driver_loses_no_entry(mocker: MockerFixture) -> None:
    """What is in the journal is told, whatever the driver does when it comes to the commands."""

    async def evening() -> None:
        async with scripted(2) as service:
            told = Told(service)
            await asyncio.sleep(0.1)
            results = [KeyError("no such melody"), *[None] * 100]
            mocker.patch.object(service.driver, "give", side_effect=results)
            with pytest.raises(ServiceError, match="no such melody"):
                await service.press()
            await asyncio.sleep(3.0)
            assert told.entries == list(service.journal.read())
            assert service.snapshot()["state"] == "fault"
            assert motor_of(service) == 0
            told.check()

    play(evening)


def test_an_error_in_any_callback_of_the_loop_fails_closed() -> None:
    async def evening() -> None:
        async with scripted() as service:
            await asyncio.sleep(0.1)
            await service.press(cards=5)
            await asyncio.sleep(0.1)
            assert motor_of(service) == 1.0
            asyncio.get_running_loop().call_soon(lambda: 1 / 0)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert motor_of(service) == 0
            await asyncio.sleep(1.0)
            assert service.snapshot()["state"] == "fault"
            assert "ZeroDivisionError" in service.snapshot()["detail"]

    play(evening)


def test_a_stop_from_outside_in_a_retract_is_a_fault_and_never_a_new_start() -> None:
    async def evening() -> None:
        async with simulated_launcher(seed="life", cards=1) as service:
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
        async with simulated_launcher(seed="life") as service:
            await asyncio.sleep(0.1)
            step = mocker.patch.object(LauncherMachine, "step", side_effect=[ValueError("first")])
            stop = mocker.patch.object(service.driver, "stop", side_effect=RuntimeError("boom"))
            with pytest.raises(ServiceError, match="first"):
                await service.press()
            mocker.stop(step)
            mocker.stop(stop)
            await asyncio.sleep(RETRY_S + 1.0)
            assert service.works
            assert (await service.press()).type.startswith("launcher.press.")

    play(evening)


def test_while_the_reflex_hangs_the_watchdog_hears_no_more(mocker: MockerFixture) -> None:
    async def evening() -> None:
        alive: list[float] = []
        async with simulated_launcher(seed="life") as service:
            service.on_alive = lambda: alive.append(asyncio.get_running_loop().time())
            await asyncio.sleep(2.5)
            ring = mocker.patch.object(Reflex, "beat")
            await asyncio.sleep(SignsOfLife.EVERY + SignsOfLife.MOST_SILENT)
            told = len(alive)
            await asyncio.sleep(3.0)
            assert len(alive) == told
            mocker.stop(ring)
            await asyncio.sleep(SignsOfLife.EVERY + 1.5)
            assert len(alive) > told

    play(evening)


def test_without_its_task_the_service_says_so_and_the_watchdog_hears_no_more(mocker: MockerFixture) -> None:
    async def evening() -> None:
        alive: list[float] = []
        async with simulated_launcher(seed="life") as service:
            service.on_alive = lambda: alive.append(asyncio.get_running_loop().time())
            await asyncio.sleep(2.5)
            told = len(alive)
            assert told == 2
            mocker.patch.object(service, "hear", side_effect=RuntimeError("even this"))
            break_everything(mocker)
            with pytest.raises(ServiceError, match="start the service anew"):
                await service.press()
            mocker.stopall()
            await asyncio.sleep(3.0)
            assert len(alive) == told
            with pytest.raises(JournalUnavailableError):
                await service.press()

    play(evening)
