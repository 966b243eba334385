"""The serial driver and the real program in simavr, in virtual time: bits at their baud rate, cards by the toy.

Every promise of the driver is put to the core in ``tests/contract``; here is what the program's own buffers,
interrupts and start-up add. Here it runs at 8 MHz, with the fewest cycles for each byte; ``tests/nightly/firmware`` has
all at 16 MHz, too.
"""

from __future__ import annotations

import pytest

from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    DriverRecovered,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidClosed,
    LidOpened,
    Light,
    Play,
    Press,
    Retract,
    RetractEnded,
)
from tests.firmware.driver_rig import MANY, Rig, a_hang_in_a_run_is_one_failure


@pytest.fixture
def rig() -> Rig:
    return Rig(8)


def test_five_cards_are_five_cards(rig: Rig) -> None:
    rig.driver.give(Feed(cards=5, timeout_s=2.0, stall_s=0.6))
    rig.run(1.5)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 5)]
    cleared = rig.of(ExitCleared)
    assert len(cleared) == 5
    assert all(20 < card.blocked_ms < 80 for card in cleared if isinstance(card, ExitCleared))
    assert rig.toy.view().cards_out == 5
    assert rig.motor() == 0


def test_a_retract_and_a_stop(rig: Rig) -> None:
    rig.driver.give(Retract(0.15))
    rig.run(0.05)
    assert rig.motor() == -1.0
    rig.run(0.5)
    assert rig.of(RetractEnded) == [RetractEnded(FeedEnd.TIMED)]
    rig.driver.give(MANY)
    rig.run(0.1)
    rig.driver.stop()
    rig.run(0.01)
    assert rig.motor() == 0
    rig.run(0.5)
    (ended,) = rig.of(FeedEnded)
    assert isinstance(ended, FeedEnded)
    assert ended.cause is FeedEnd.STOPPED


def test_lid_up_ends_a_feed_before_the_driver_has_heard(rig: Rig) -> None:
    rig.driver.give(MANY)
    rig.run(0.2)
    assert rig.motor() == 1.0
    rig.toy.open_lid()
    rig.run(0.00001)
    assert rig.motor() == 0
    assert rig.of(LidOpened) == []
    rig.run(0.5)
    assert rig.of(LidOpened) == [LidOpened()]
    (ended,) = rig.of(FeedEnded)
    assert isinstance(ended, FeedEnded)
    assert ended.cause is FeedEnd.LID
    rig.toy.close_lid()
    rig.run(0.3)
    assert rig.of(LidClosed) == [LidClosed()]
    assert rig.motor() == 0


def test_presses_count_once_each_with_a_worn_button(rig: Rig) -> None:
    rig.toy.switch_fault("bouncing_button")
    for pushes in range(1, 4):
        rig.toy.push_button(0.1)
        rig.run(0.35)
        rig.driver.reread()  # as the service does about once a second: the sign of life
        assert rig.of(Press) == [Press()] * pushes


def test_chimes_and_light_at_once_go_out_one_after_the_other(rig: Rig) -> None:
    for chime in (Chime.DUD, Chime.FIRE, Chime.FAULT):
        rig.driver.give(Play(chime))
    rig.driver.give(Light(True))
    rig.run(0.1)
    assert rig.toy.view().light_on
    assert rig.toy.view().tone_hz == pytest.approx(440, rel=0.005)


def test_a_cable_pulled_in_a_feed_stops_the_motor_and_it_works_again_afterwards(rig: Rig) -> None:
    rig.toy.hands_off("exit")
    rig.driver.give(MANY)
    rig.run(0.2)
    rig.link.snap(True)
    rig.run(1.1)
    assert rig.motor() == 0, "the program has noticed by itself"
    assert len(rig.of(DriverFailed)) == 1
    rig.link.snap(False)
    for _ in range(4):
        rig.driver.reread()
        rig.run(1.0)
    assert rig.of(DriverRecovered) == [DriverRecovered()]
    rig.driver.give(MANY)
    rig.run(0.1)
    assert rig.motor() == 1.0


@pytest.mark.parametrize("after_ms", [200, 260])
def test_a_program_that_hangs_in_a_run_is_told_as_one_failure_and_comes_back(rig: Rig, after_ms: int) -> None:
    a_hang_in_a_run_is_one_failure(rig, after_ms)
