"""The computer is switched off from the page's API, and by the launcher's own button when the lid is open."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from dispenser import Service
from dispenser.launcher.messages import Chime, DriverFailed, State
from dispenser.service.held_button import HOLD_S, UNDERSTOOD, HeldButton
from dispenser.service.power import ASKED, Act
from dispenser.service.requests import ServiceError
from tests.service.test_service import play, scripted, toy_of


class Told:
    """A simulated launcher that believes it is a real one, and what is asked of its computer."""

    def __init__(self, service: Service) -> None:
        self.asked: list[Act] = []
        self.heard: list[Chime] = []
        self._service = service
        service.power = self._switch
        plays = service.driver.play

        def heard(chime: Chime) -> None:
            self.heard.append(chime)
            plays(chime)

        service.driver.play = heard  # type: ignore[method-assign]

    async def _switch(self, act: Act) -> None:
        self.asked.append(act)

    def entries(self) -> list[tuple[str, str]]:
        return [(entry.type, entry.source) for entry in self._service.journal.read(types=[ASKED])]


def test_a_button_that_is_held_for_ten_seconds_with_the_lid_open_switches_the_computer_off() -> None:
    async def evening() -> None:
        async with scripted(lid_open=True) as service:
            toy, service.toy = toy_of(service), None
            told = Told(service)
            HeldButton(service)
            await asyncio.sleep(1)
            toy.hold_button()
            await asyncio.sleep(HOLD_S - 0.5)
            assert (told.asked, told.heard) == ([], [])
            await asyncio.sleep(1.0)
            assert (told.asked, told.heard) == ([Act.OFF], [UNDERSTOOD])
            assert told.entries() == [("service.computer.off", "button")]
            await asyncio.sleep(HOLD_S * 2)
            assert told.asked == [Act.OFF], "once"
            service.toy = toy

    play(evening)


def test_a_launcher_that_is_at_fault_can_be_switched_off_too() -> None:
    async def evening() -> None:
        async with scripted(lid_open=True) as service:
            toy, service.toy = toy_of(service), None
            told = Told(service)
            HeldButton(service)
            service.hear(DriverFailed("on purpose"))
            await asyncio.sleep(1)
            assert service.known().state is State.FAULT
            toy.hold_button()
            await asyncio.sleep(HOLD_S + 0.5)
            assert told.asked == [Act.OFF]
            service.toy = toy

    play(evening)


def test_one_that_is_let_go_or_pushed_anew_or_over_which_the_lid_is_shut_does_not() -> None:
    async def evening() -> None:
        async with scripted(lid_open=True) as service:
            toy = toy_of(service)
            told = Told(service)
            HeldButton(service)
            toy.hold_button()
            await asyncio.sleep(HOLD_S - 1.5)
            toy.release_button()
            await asyncio.sleep(0.3)
            toy.hold_button()
            await asyncio.sleep(HOLD_S - 1.5)
            assert told.entries() == []
            toy.close_lid()
            await asyncio.sleep(HOLD_S * 2)
            assert told.entries() == []

    play(evening)


def test_a_hand_that_holds_the_button_with_the_lid_shut_only_plays() -> None:
    async def evening() -> None:
        async with scripted(1) as service:
            told = Told(service)
            HeldButton(service)
            toy_of(service).hold_button()
            await asyncio.sleep(HOLD_S * 2)
            assert told.entries() == []

    play(evening)


def test_a_simulated_launcher_only_says_so() -> None:
    async def evening() -> None:
        async with scripted() as service:
            told = Told(service)
            assert not await service.switch_computer(Act.RESTART)
            assert told.asked == []
            (entry,) = service.journal.read(types=[ASKED])
            assert (entry.type, entry.data) == ("service.computer.restart", {"simulated": True})

    play(evening)


def test_the_motor_is_off_first() -> None:
    async def evening() -> None:
        async with scripted(5) as service:
            await service.press()
            async for _ in service.events("launcher.card.left"):
                break
            assert toy_of(service).view().motor_commanded
            await service.switch_computer(Act.OFF)
            assert not toy_of(service).view().motor_commanded

    play(evening)


def test_whoever_has_started_the_service_must_have_let_it() -> None:
    async def evening() -> None:
        async with scripted() as service:
            toy, service.toy = service.toy, None
            with pytest.raises(ServiceError, match="does not let it"):
                await service.switch_computer(Act.OFF)
            service.toy = toy

    play(evening)


def test_a_journal_that_cannot_be_written_leaves_no_computer_on(tmp_path: Path) -> None:
    async def evening() -> None:
        async with scripted(journal=tmp_path) as service:
            toy, service.toy = service.toy, None
            told = Told(service)
            assert await service.switch_computer(Act.OFF)
            assert told.asked == [Act.OFF]
            service.toy = toy

    play(evening)


def test_the_button_does_it_without_a_journal_too(tmp_path: Path) -> None:
    async def evening() -> None:
        async with scripted(journal=tmp_path, lid_open=True) as service:
            toy, service.toy = toy_of(service), None
            told = Told(service)
            HeldButton(service)
            assert service.session is None
            toy.hold_button()
            await asyncio.sleep(HOLD_S + 0.5)
            assert (told.asked, told.heard) == ([Act.OFF], [UNDERSTOOD])
            service.toy = toy

    play(evening)


def test_a_push_after_it_was_understood_takes_nothing_back() -> None:
    async def evening() -> None:
        async with scripted(lid_open=True) as service:
            toy, service.toy = toy_of(service), None
            told = Told(service)

            async def slowly(act: Act) -> None:
                await asyncio.sleep(3)
                told.asked.append(act)

            service.power = slowly
            HeldButton(service)
            toy.hold_button()
            await asyncio.sleep(HOLD_S + 0.5)
            toy.release_button()
            await asyncio.sleep(0.5)
            toy.push_button()
            await asyncio.sleep(5)
            assert told.asked == [Act.OFF]
            service.toy = toy

    play(evening)
