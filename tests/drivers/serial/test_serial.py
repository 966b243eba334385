"""The serial driver on a board that does as it should, over a line that does, too."""

from __future__ import annotations

import re

import pytest

from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.handshake import FirmwareMismatchError
from dispenser.drivers.serial.session import BEAT_S, MAX_UNANSWERED
from dispenser.launcher.messages import DriverFailed, DriverRecovered, Feed, FeedEnd, FeedEnded, Light
from tests.drivers.serial.serial_rig import SerialRig

THREE = Feed(cards=3, timeout_s=2.0, stall_s=0.6)
MANY = Feed(cards=30, timeout_s=5.0, stall_s=5.0, blind_s=5.0)


@pytest.fixture
def rig() -> SerialRig:
    return SerialRig()


# --- opening ------------------------------------------------------------------------------------------------------


def test_a_board_that_boots_for_two_seconds_is_awaited() -> None:
    rig = SerialRig(opened=False, boot_s=2.0)
    begun = rig.scheduler.time()
    rig.open()
    assert 2.0 < rig.scheduler.time() - begun < 2.5
    assert rig.heard == []


def test_nobody_there_is_told_with_what_to_do() -> None:
    rig = SerialRig(opened=False)
    rig.link.mute = True
    with pytest.raises(PinsUnavailableError, match="dispenser firmware flash"):
        rig.open()
    rig.link.mute = False
    rig.open()
    assert rig.board.hosted


def test_another_dictionary_is_refused_with_what_to_do() -> None:
    rig = SerialRig(opened=False)
    rig.board.dictionary ^= 1
    with pytest.raises(FirmwareMismatchError, match=r"firmware 1\.2\.3 .*dispenser firmware flash"):
        rig.open()
    assert not rig.board.hosted


# --- runs ---------------------------------------------------------------------------------------------------------


def test_the_command_says_what_was_asked(rig: SerialRig) -> None:
    rig.driver.give(Feed(cards=7, timeout_s=1.2345, stall_s=0.5, duty=0.5))
    rig.run(0.01)
    assert rig.board.run == wire.Feed(run=1, cards=7, timeout_ms=1234, blind_ms=120, stall_ms=500, duty=128)


@pytest.mark.parametrize("latency_s", [0.0, 0.001, 0.02])
@pytest.mark.parametrize("after_s", [0.0, 0.001, 0.01, 0.05, 0.2])
def test_stop_ends_a_feed_wherever_it_is(latency_s: float, after_s: float) -> None:
    rig = SerialRig()
    rig.link.latency_s = latency_s
    rig.driver.give(MANY)
    rig.run(after_s)
    rig.driver.stop()
    rig.driver.stop()
    rig.run(latency_s)
    assert rig.board.motor == 0
    rig.run(1)
    (ended,) = rig.of(FeedEnded)
    assert isinstance(ended, FeedEnded)
    assert ended.cause is FeedEnd.STOPPED
    assert rig.board.motor == 0


def test_stop_overtakes_a_feed_that_was_lost(rig: SerialRig) -> None:
    rig.link.lost = 1.0
    rig.driver.give(MANY)
    rig.link.lost = 0.0
    rig.driver.stop()
    rig.run(1)
    assert rig.heard == [FeedEnded(FeedEnd.STOPPED, 0)]
    assert rig.board.starts == []


# --- heartbeats ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("latch", [wire.Latch.WATCHDOG, wire.Latch.MOTOR_GUARD])
def test_a_lock_that_is_there_at_opening_is_told_and_holds_until_a_person_has_reset(latch: wire.Latch) -> None:
    rig = SerialRig(opened=False)
    rig.board.latches = latch
    rig.open()
    rig.driver.give(Light(on=True))
    rig.live(5)
    failed, recovered = rig.heard
    assert re.search(r"motor is off.*reset", str(failed)), "for the machine that is a fault"
    assert recovered == DriverRecovered()
    assert rig.board.latches == latch
    rig.driver.give(THREE)  # the machine feeds only after a person's reset
    rig.run(1)
    assert rig.board.latches == wire.Latch(0)
    assert rig.heard[-1] == FeedEnded(FeedEnd.COUNT, 3)


def test_a_lock_that_was_set_while_the_line_was_broken_is_told_too(rig: SerialRig) -> None:
    rig.link.unplug()
    rig.run(0.1)
    rig.board.latches = wire.Latch.WATCHDOG
    rig.link.plug()
    rig.live(3)
    lost, locked = rig.of(DriverFailed)
    assert "cable" in str(lost)
    assert "hung" in str(locked)
    assert rig.heard[-1] == DriverRecovered()
    assert rig.board.latches == wire.Latch.WATCHDOG


def test_while_the_motor_runs_a_beat_goes_out_every_tenth_of_a_second(rig: SerialRig) -> None:
    rig.driver.give(MANY)
    rig.link.written.clear()
    rig.run(1.05)
    assert rig.link.sent(wire.Heartbeat) == pytest.approx(10, abs=1)
    assert (MAX_UNANSWERED + 1) * BEAT_S * 1000 < wire.HOST_SILENT_MS, "a silent board is found before it misses us"
