"""The serial driver and the core: opening, what is asked, locks, heartbeats. ``tests/contract`` has all that every
driver promises."""

from __future__ import annotations

import re

import pytest

from dispenser.drivers.base import PinsUnavailableError
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.handshake import FirmwareMismatchError
from dispenser.drivers.serial.reliable_sender import ACK_TIMEOUT_S
from dispenser.drivers.serial.session import BEAT_S, MAX_UNANSWERED
from dispenser.launcher.messages import DriverFailed, DriverRecovered, Feed, FeedEnd, FeedEnded, Light
from tests.drivers.serial.serial_rig import SerialRig
from tests.drivers.serial.world_link import all_lost, mute, undisturbed

THREE = Feed(cards=3, timeout_s=2.0, stall_s=0.6)
MANY = Feed(cards=30, timeout_s=5.0, stall_s=5.0, blind_s=5.0)


@pytest.fixture
def rig() -> SerialRig:
    return SerialRig()


# --- opening ------------------------------------------------------------------------------------------------------


def test_a_board_that_boots_for_two_seconds_is_awaited() -> None:
    rig = SerialRig(opened=False, boot_s=2.0)
    begun_s = rig.now()
    rig.open()
    assert 2.0 < rig.now() - begun_s < 2.5
    assert rig.heard == []


def test_nobody_there_is_told_with_what_to_do() -> None:
    rig = SerialRig(opened=False)
    rig.link.disturb = mute
    with pytest.raises(PinsUnavailableError, match="dispenser firmware flash"):
        rig.open()
    rig.link.disturb = undisturbed
    rig.open()
    assert rig.device.hosted


def test_another_dictionary_is_refused_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = SerialRig(opened=False)
    monkeypatch.setattr(wire, "DICTIONARY", wire.DICTIONARY ^ 1)
    with pytest.raises(FirmwareMismatchError, match=r"firmware \d\.\d\.\d .*dispenser firmware flash"):
        rig.open()
    assert not rig.device.hosted


# --- runs ---------------------------------------------------------------------------------------------------------


def test_the_command_says_what_was_asked(rig: SerialRig) -> None:
    rig.driver.give(Feed(cards=7, timeout_s=1.2345, stall_s=0.5, duty=0.5))
    assert rig.link.sent(wire.Feed) == [
        wire.Feed(run=1, cards=7, timeout_ms=1234, blind_ms=120, stall_ms=500, duty=128)
    ]


def test_stop_overtakes_a_feed_that_was_lost_and_nothing_else_is_given_up(rig: SerialRig) -> None:
    rig.link.disturb = all_lost
    rig.driver.give(MANY)
    rig.driver.give(Light(on=True))
    rig.link.disturb = undisturbed
    rig.driver.stop()
    rig.run(1)
    assert rig.heard == [FeedEnded(FeedEnd.STOPPED, 0)]
    assert rig.starts() == 0
    assert rig.lit()


def test_one_command_is_under_way_and_of_each_kind_only_the_newest_waits(rig: SerialRig) -> None:
    rig.link.disturb = all_lost
    rig.driver.give(MANY)
    for on in (False, True):
        rig.driver.give(Light(on))
    rig.run(0.2)
    assert rig.link.sent(wire.Light) == []
    rig.link.disturb = undisturbed
    rig.run(0.2)
    assert rig.link.sent(wire.Light) == [wire.Light(1)]


def test_a_command_after_noise_arrives_at_the_first_try(rig: SerialRig) -> None:
    rig.device.send(b"\x05\x02noise")
    rig.driver.give(Light(on=True))
    rig.run(ACK_TIMEOUT_S / 2)
    assert rig.lit()


# --- locks --------------------------------------------------------------------------------------------------------


def test_a_lock_that_is_there_at_opening_is_told_and_holds_until_a_person_has_reset() -> None:
    rig = SerialRig(opened=False)
    rig.link.restart(wire.ResetCause.WATCHDOG)
    rig.open()
    rig.driver.give(Light(on=True))
    rig.live(5)
    failed, recovered = rig.heard
    assert re.search(r"motor is off.*reset", str(failed)), "for the machine that is a fault"
    assert recovered == DriverRecovered()
    assert rig.link.sent(wire.ResetLatch) == []
    rig.driver.give(THREE)  # the machine feeds only after a person's reset
    rig.run(1)
    assert rig.heard[-1] == FeedEnded(FeedEnd.COUNT, 3)


def test_a_lock_that_was_set_while_the_line_was_broken_is_told_too(rig: SerialRig) -> None:
    rig.driver.give(MANY)
    rig.run(0.1)
    rig.link.unplug()
    rig.live(1.5)
    rig.link.restart(wire.ResetCause.WATCHDOG)
    rig.link.plug()
    rig.live(3)
    assert "cable" in rig.details()[0]
    assert "hung" in rig.details()[-1]
    assert len(rig.of(DriverFailed)) == 2
    assert rig.heard[-1] == DriverRecovered()


# --- heartbeats ---------------------------------------------------------------------------------------------------


def test_while_the_motor_runs_a_beat_goes_out_every_tenth_of_a_second(rig: SerialRig) -> None:
    rig.driver.give(MANY)
    rig.link.written.clear()
    rig.run(1.05)
    assert len(rig.link.sent(wire.Heartbeat)) == pytest.approx(10, abs=1)
    assert (MAX_UNANSWERED + 1) * BEAT_S * 1000 < wire.HOST_SILENT_MS, "a silent board is found before it misses us"
