"""A board that starts anew or forgets us while the motor runs: one failure that says why, and one recovery."""

from __future__ import annotations

import pytest

from dispenser.drivers.base import DriverEvent
from dispenser.drivers.serial import tables as wire
from dispenser.launcher.messages import DriverFailed, DriverRecovered, Feed, FeedEnded, Retract, RetractEnded
from tests.drivers.serial.serial_rig import SerialRig
from tests.drivers.serial.test_serial_broken_line import MANY, details, is_quiet, works


@pytest.fixture
def rig() -> SerialRig:
    return SerialRig()


def story(rig: SerialRig) -> list[DriverEvent]:
    """What was told of the run and of trouble."""
    return rig.of(FeedEnded, RetractEnded, DriverFailed, DriverRecovered)


def test_a_restart_in_a_run_is_found_by_the_next_heartbeat_and_told_once_with_its_cause(rig: SerialRig) -> None:
    rig.driver.feed(MANY)
    rig.run(0.15)
    rig.board.reboot(wire.ResetCause.WATCHDOG)
    rig.run(0.12)
    (detail,) = details(rig)
    assert "watchdog" in detail
    assert story(rig)[1:] == [DriverRecovered()]


@pytest.mark.parametrize("command", [MANY, Retract(1.0)], ids=["feed", "retract"])
@pytest.mark.parametrize("after_ms", range(100, 301, 20))
@pytest.mark.parametrize("deaf_ms", [0, 100, 200, 300, 380, 480])
def test_a_program_that_hangs_in_a_run_is_one_failure_and_one_recovery(
    rig: SerialRig, command: Feed | Retract, after_ms: int, deaf_ms: int
) -> None:
    """120 ms until the watchdog has had enough, 260 ms of noise for the luck; the heartbeats meanwhile are lost."""
    rig.driver.feed(command) if isinstance(command, Feed) else rig.driver.retract(command)
    rig.run(after_ms / 1000)
    rig.board.reboot(wire.ResetCause.WATCHDOG, deaf_ms / 1000)
    rig.live(2.5)
    (detail,) = details(rig)
    assert "watchdog" in detail
    assert story(rig)[1:] == [DriverRecovered()]
    assert is_quiet(rig)
    assert works(rig)


def test_a_session_lost_in_a_run_by_a_program_that_did_not_restart_is_told_once(rig: SerialRig) -> None:
    rig.driver.feed(MANY)
    rig.run(0.15)
    rig.board.hosted = False
    rig.run(0.2)
    (detail,) = details(rig)
    assert "lost its session" in detail
    assert story(rig)[1:] == [DriverRecovered()]
    assert len(rig.board.starts) == 1, "the run is over, not begun again"
    assert works(rig)


def test_a_run_whose_board_was_silent_for_a_moment_is_not_begun_again(rig: SerialRig) -> None:
    rig.driver.feed(MANY)
    rig.run(0.15)
    rig.link.mute = True
    rig.run(0.55)
    rig.link.mute = False
    rig.live(1.5)
    (detail,) = details(rig)
    assert "does not answer" in detail
    assert story(rig)[1:] == [DriverRecovered()]
    assert len(rig.board.starts) == 1
    assert works(rig)


def test_a_feed_that_is_never_acknowledged_moves_nothing_after_the_silence(rig: SerialRig) -> None:
    """It may have been heard: to say it again would be to feed twice."""
    rig.link.mute = True
    rig.driver.feed(MANY)
    rig.run(0.35)
    assert len(rig.board.starts) == 1, "it was heard"
    rig.link.mute = False
    rig.live(1.5)
    assert len(details(rig)) == 1
    assert story(rig)[1:] == [DriverRecovered()]
    assert len(rig.board.starts) == 1
    assert works(rig)


@pytest.mark.parametrize("event", ["unplug", "another program", "close"])
def test_what_else_happens_while_a_restart_is_awaited_is_told_once(rig: SerialRig, event: str) -> None:
    rig.driver.feed(MANY)
    rig.run(0.15)
    rig.board.reboot(wire.ResetCause.WATCHDOG, 5.0)
    rig.run(0.5)
    assert story(rig) == [], "it may be starting anew"
    if event == "unplug":
        rig.link.unplug()
    elif event == "another program":
        rig.board.dictionary ^= 1
        rig.board.wake()
    else:
        rig.driver.close()
    rig.run(0.4)
    told = {"unplug": ["line"], "another program": ["dispenser firmware flash"], "close": []}[event]
    assert [word in detail for word, detail in zip(told, details(rig), strict=True)] == [True] * len(told)
    if event == "close":
        return
    rig.board.dictionary = wire.DICTIONARY
    rig.link.plug()
    rig.live(6)
    assert rig.of(FeedEnded) == [], "that run is over: its failure was its end"
    assert works(rig)
