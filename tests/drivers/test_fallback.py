"""While a phone stands in, the real motor is off, whatever happens; going back tells how the launcher really is."""

from __future__ import annotations

import pytest

from dispenser.drivers.fallback import FallbackDriver
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.drivers.phone.kind import NoLauncher
from dispenser.launcher import messages as m
from tests.conftest import FakeScheduler
from tests.contract.bench import Ears, GpioBench

THREE = m.Feed(cards=3, timeout_s=2.0, stall_s=0.6)


class Rig(GpioBench):
    """A launcher that a phone can stand in for."""

    def __init__(self, wiring: GpioWiring | None = None) -> None:
        super().__init__(wiring or GpioWiring())
        self.standin = FallbackDriver(self.driver, self.scheduler)
        self.driver = self.standin
        self.ears = Ears(self)
        self.driver.open(self.ears)
        self.run(0.1)
        self.ears.clear()

    def stand_in(self, yes: bool) -> None:
        self.standin.change_over(stands_in=yes)


@pytest.fixture
def rig() -> Rig:
    return Rig()


@pytest.mark.parametrize("wiring", [GpioWiring(), GpioWiring(exit=None)])
def test_as_many_come_as_were_asked_for_and_no_motor_turns(wiring: GpioWiring) -> None:
    rig = Rig(wiring)
    rig.stand_in(True)
    rig.driver.give(THREE)
    assert rig.ears.events == [], "only while time passes"
    rig.run(1.0)
    assert rig.ears.events == [m.FeedEnded(m.FeedEnd.COUNT, 3)]
    rig.driver.give(m.Retract(0.1))
    rig.run(1.0)
    assert rig.ears.events[1:] == [m.RetractEnded(m.FeedEnd.TIMED)]
    assert set(rig.ears.motor_then) == {0}


def test_a_motor_that_turns_is_stopped_at_once_and_what_it_says_goes_to_nobody(rig: Rig) -> None:
    rig.driver.give(THREE)
    rig.run(0.1)
    rig.driver.give(m.Light(on=True))
    rig.ears.clear()
    rig.stand_in(True)
    assert (rig.motor(), rig.lit()) == (0, False)
    assert not rig.standin.rests
    rig.run(1.0)
    assert rig.ears.events == []
    assert rig.standin.rests


def test_a_stop_ends_what_the_phone_was_asked_for_and_nothing_that_is_asked_after_it(rig: Rig) -> None:
    rig.stand_in(True)
    rig.driver.give(THREE)
    rig.driver.stop()
    rig.driver.give(m.Feed(cards=1, timeout_s=1.0, stall_s=1.0))
    rig.run(1.0)
    assert rig.ears.events == [m.FeedEnded(m.FeedEnd.COUNT, 1)]


def test_nothing_of_the_launcher_is_told_until_it_is_used_again(rig: Rig) -> None:
    rig.stand_in(True)
    rig.lift_lid()
    rig.press()
    rig.hold_exit(True)
    rig.run(1.0)
    assert rig.ears.events == []
    assert not rig.driver.levels().lid_open
    rig.stand_in(False)
    assert rig.driver.levels().lid_open
    assert rig.driver.levels().exit_blocked
    rig.driver.give(THREE)
    assert rig.motor() == 0
    rig.run(1.0)
    assert rig.ears.of(m.FeedEnded) == [m.FeedEnded(m.FeedEnd.LID, 0, exit_blocked=True)]


def test_a_failure_is_remembered_and_its_end_too(rig: Rig) -> None:
    rig.stand_in(True)
    rig.break_link(True)
    rig.driver.reread()
    rig.run(1.0)
    assert (rig.ears.events, rig.standin.lasting) == ([], None)
    rig.stand_in(False)
    assert isinstance(rig.standin.lasting, m.DriverFailed)
    rig.stand_in(True)
    rig.break_link(False)
    rig.driver.reread()
    rig.run(1.0)
    rig.stand_in(False)
    assert rig.standin.lasting is None
    assert rig.ears.events == []


def test_no_launcher_never_works_and_says_what_to_do() -> None:
    scheduler = FakeScheduler()
    told: list[object] = []
    driver = NoLauncher(scheduler)
    driver.open(told.append)
    driver.give(THREE)
    driver.give(m.Light(on=True))
    driver.reread()
    assert not driver.levels().lid_open
    scheduler.settle()
    assert [type(event) for event in told] == [m.DriverFailed, m.DriverFailed]
    driver.close()
    driver.stop()
    assert "This phone is the launcher" in str(told[0])
