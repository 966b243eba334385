"""Pins in a process of their own: what the service is told when that is hung, dies, or cannot have its pins."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from dispenser.drivers.base import DriverError, DriverEvent, DriverLost, Edge, PinsUnavailableError
from dispenser.drivers.gpio.client import IDLE_QUESTION_S, MAX_UNANSWERED, GpioProcessDriver
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.drivers.gpio.ipc import Setup, pack, unpack
from dispenser.drivers.gpio.wiring import GpioTiming, GpioWiring
from dispenser.i18n import Text
from dispenser.launcher import messages as m
from tests.conftest import FakeScheduler
from tests.drivers.gpio.memory_process import MemoryProcess
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.drivers.gpio.true_process import TrueProcess

SETUP = Setup(GpioWiring(), GpioTiming())
FEED = m.Feed(cards=4, timeout_s=3.0, stall_s=1.0, blind_s=1.0)


class Rig:
    """The driver in the service, and each process that it starts."""

    def __init__(self) -> None:
        self.clock = FakeScheduler()
        self.factory = TroubleFactory()
        self.factory.clock = self.clock
        self.factory.pin(27).drive(False)  # the lid is shut
        self.links: list[MemoryProcess] = []
        self.events: list[DriverEvent | DriverLost] = []
        self.edges: list[Edge] = []
        self.dies_at_once = False
        self.driver = GpioProcessDriver(SETUP, self._launch, self.clock)

    def _launch(self) -> MemoryProcess:
        link = MemoryProcess(
            lambda setup: GpioDriver(setup.wiring, self.factory, self.clock, clock=self.clock),
            self.clock,
        )
        link.dies_at_once = self.dies_at_once
        self.links.append(link)
        return link

    def open(self) -> None:
        self.driver.open(self.events.append, self.edges.append)

    def lost(self) -> list[str]:
        return [str(event.why) for event in self.events if isinstance(event, DriverLost)]

    def seconds(self, number: int) -> None:
        for _ in range(number):
            self.driver.reread()
            self.clock.run_for(1.0)


@pytest.fixture
def rig() -> Iterator[Rig]:
    rig = Rig()
    rig.open()
    yield rig
    rig.driver.close()
    rig.driver.close()


def test_a_failure_arrives_in_each_language() -> None:
    told = Text("use 0 to {highest} seconds").filled(highest=0.5)
    failed = unpack(pack(m.DriverFailed(told)))
    assert isinstance(failed, m.DriverFailed)
    assert failed.detail == told, "so it can be said in any language, and recorded"


def test_a_process_that_dies_before_it_has_its_pins_is_told() -> None:
    rig = Rig()
    rig.dies_at_once = True
    with pytest.raises(PinsUnavailableError, match="ends as soon as it begins"):
        rig.open()
    assert rig.links[0].closed


def test_a_process_that_dies_is_lost_and_another_can_be_opened(rig: Rig) -> None:
    rig.driver.give(FEED)
    rig.links[0].die()
    rig.clock.run_for(0.1)
    (why,) = rig.lost()
    assert "has ended" in why
    assert rig.links[0].closed
    rig.driver.give(FEED)
    rig.driver.stop()
    with pytest.raises(DriverError):
        rig.driver.levels()
    rig.seconds(2)
    assert len(rig.lost()) == len(rig.links) == 1, "told once, and nothing is started by itself"
    rig.open()
    assert len(rig.links) == 2
    assert not rig.driver.levels().lid_open


@pytest.mark.parametrize("running", [True, False])
def test_a_process_that_hangs_is_ended_and_lost(rig: Rig, running: bool) -> None:
    if running:
        rig.driver.give(FEED)
    rig.links[0].hung = True
    with pytest.raises(DriverError, match="does not tell"):
        rig.driver.levels()
    rig.seconds(MAX_UNANSWERED + (1 if running else IDLE_QUESTION_S))
    (why,) = rig.lost()
    assert "hung" in why
    assert rig.links[0].killed


def test_what_happens_while_the_levels_are_asked_for_is_told_in_order(rig: Rig) -> None:
    rig.factory.pin(27).drive(True)
    assert rig.driver.levels().lid_open
    assert rig.events == [m.LidOpened()]
    assert [edge.line for edge in rig.edges] == ["lid"]


# --- a true process -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("is_off", "told"),
    [(True, "The motor is off."), (False, "could not be turned off"), (None, "not known whether the motor is off")],
)
def test_a_killed_process_is_seen_to_from_outside_and_replaced(tmp_path: Path, is_off: bool | None, told: str) -> None:
    """What is known of the motor is told, and no more."""
    outside: list[str] = []

    async def play() -> None:
        world = TrueProcess(tmp_path / "out", 6, lambda: (outside.append("off"), is_off)[1])
        world.driver.give(FEED)
        os.kill(world.links[0].pid, signal.SIGKILL)
        failed = await world.until(DriverLost)
        assert "has ended" in str(failed.why)  # type: ignore[union-attr]
        assert told in str(failed.why)  # type: ignore[union-attr]
        world.open()
        world.driver.give(FEED)
        ended = await world.until(m.FeedEnded)
        assert ended.cards_seen >= FEED.cards  # type: ignore[union-attr,operator]
        world.driver.close()
        assert outside == ["off"]

    asyncio.run(play())


def test_signals_for_the_service_do_not_end_the_process_and_its_end_does(tmp_path: Path) -> None:
    """Ctrl-C reaches both; the motor must be turned off in order, so the service ends it."""

    async def play() -> None:
        world = TrueProcess(tmp_path / "out", 7)
        pid = world.links[0].pid
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP):
            os.kill(pid, number)
        world.driver.give(FEED)
        ended = await world.until(m.FeedEnded)
        assert ended.cards_seen >= FEED.cards  # type: ignore[union-attr,operator]
        world.driver.close()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    asyncio.run(play())
