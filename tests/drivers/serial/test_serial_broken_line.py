"""The serial driver when line, board or loop fail it: pulled, garbled, mute, restarted, another one, late."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import Frame
from dispenser.drivers.serial.handshake import on_line
from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    DriverRecovered,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidOpened,
    Light,
    Play,
    Press,
    Retract,
    RetractEnded,
)
from tests.drivers.serial.bad_line import an_evening_on_a_bad_line
from tests.drivers.serial.serial_rig import SerialRig
from tests.drivers.serial.world_link import mute, undisturbed

THREE = Feed(cards=3, timeout_s=2.0, stall_s=0.6)
MANY = Feed(cards=30, timeout_s=5.0, stall_s=5.0, blind_s=5.0)


@pytest.fixture
def rig() -> SerialRig:
    return SerialRig()


def is_quiet(rig: SerialRig) -> bool:
    """Nothing is said as long as nobody asks: the run that failed is forgotten."""
    rig.link.written.clear()
    rig.run(0.9)
    return not rig.link.written


def works(rig: SerialRig) -> bool:
    """Whether a feed now brings its cards."""
    rig.shut_lid()
    rig.live(0.6)
    rig.heard.clear()
    rig.driver.give(THREE)
    rig.live(1.5)
    return rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 3)]


def has_recovered(rig: SerialRig, starts: int) -> None:
    """All is well, and the motor has not begun to turn again since it had begun so often."""
    assert rig.of(DriverRecovered) == [DriverRecovered()]
    assert len(rig.of(FeedEnded)) <= 1
    assert rig.starts() == starts
    assert rig.driver.levels().lid_open == rig.simulator.view().lid_open
    assert is_quiet(rig)
    assert works(rig)


# --- unplugged ----------------------------------------------------------------------------------------------------


ACTS: dict[str, Callable[[SerialRig], object]] = {
    "nothing": lambda rig: rig.run(0),
    "feed": lambda rig: rig.driver.give(MANY),
    "retract": lambda rig: rig.driver.give(Retract(0.5)),
    "feed and stop": lambda rig: (rig.driver.give(MANY), rig.driver.stop()),
    "sound and light": lambda rig: (rig.driver.give(Play(Chime.FIRE)), rig.driver.give(Light(on=True))),
    "reread": lambda rig: rig.driver.reread(),
    "lid": lambda rig: rig.lift_lid(),
}
STEPS_MS = [0.0, 1.0, 2.0, 7.5, 150.0]
at_any_step = pytest.mark.parametrize("after_ms", STEPS_MS)
of_any_act = pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)


@of_any_act
@at_any_step
@pytest.mark.parametrize("boot_s", [None, 1.7], ids=["same boot", "reset by the port"])
def test_unplugged_at_any_step(act: Callable[[SerialRig], object], after_ms: float, boot_s: float | None) -> None:
    rig = SerialRig(boot_s=boot_s)
    act(rig)
    rig.run(after_ms / 1000)
    rig.link.unplug()
    rig.live(2.5)
    assert len(rig.details()) == 1
    assert rig.motor() == 0, "it stops by itself"
    starts = rig.starts()
    rig.link.plug()
    rig.live(4.5)
    assert len(rig.details()) == 1
    has_recovered(rig, starts)


@of_any_act
@at_any_step
@pytest.mark.parametrize("boot_s", [0.0, 0.38, 1.7])
def test_restarted_at_any_step(act: Callable[[SerialRig], object], after_ms: float, boot_s: float) -> None:
    """Told last is why; first, that it is mute or lost its session, if that was found before it was back."""
    rig = SerialRig()
    act(rig)
    rig.run(after_ms / 1000)
    rig.link.restart(wire.ResetCause.BROWN_OUT, boot_s)
    starts = rig.starts()
    rig.live(4.5)
    assert "voltage" in rig.details()[-1]
    assert all("motor is off" in detail for detail in rig.details())
    assert len(rig.details()) <= 2
    has_recovered(rig, starts)


@pytest.mark.parametrize("cause", wire.ResetCause)
def test_why_it_started_anew_is_told(rig: SerialRig, cause: wire.ResetCause) -> None:
    words = {
        "POWER_ON": "power",
        "EXTERNAL": "reset",
        "BROWN_OUT": "batteries",
        "WATCHDOG": "watchdog",
        "UNKNOWN": "why",
    }
    rig.link.restart(cause)
    rig.live(1)
    (detail,) = rig.details()
    assert words[cause.name] in detail
    assert rig.heard[1:] == [DriverRecovered()]


def test_levels_that_changed_meanwhile_are_told_before_the_recovery(rig: SerialRig) -> None:
    rig.hold_exit(True)
    rig.run(0.1)
    rig.heard.clear()
    rig.link.unplug()
    rig.live(1.4)
    rig.hold_exit(False)
    rig.lift_lid()
    rig.press()
    rig.run(0.1)
    rig.link.plug()
    rig.live(1.5)
    assert rig.heard[1:] == [LidOpened(), ExitCleared(1500.0), DriverRecovered()]


def test_the_light_is_as_it_should_be_after_a_fault(rig: SerialRig) -> None:
    for on in (True, False):
        rig.link.unplug()
        rig.driver.give(Light(on=on))
        rig.live(2.5)
        rig.link.plug()
        rig.live(1.5)
        assert rig.lit() is on


# --- mute, and another one ----------------------------------------------------------------------------------------


def test_another_program_in_its_place_is_told_and_nothing_moves(
    rig: SerialRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.link.unplug()
    rig.live(1)
    monkeypatch.setattr(wire, "DICTIONARY", wire.DICTIONARY ^ 1)
    rig.link.restart(wire.ResetCause.EXTERNAL)
    rig.link.plug()
    rig.live(8)
    first, second = rig.details()
    assert "line" in first
    assert "dispenser firmware flash" in second
    assert rig.link.opened == 2, "it answers, so there is no need to open the line again and again"
    rig.driver.give(THREE)
    rig.live(1)
    assert rig.starts() == 0


def test_a_command_that_the_board_finds_wrong_is_a_failure_and_not_silence(rig: SerialRig) -> None:
    rig.driver.give(Light(on=2))  # type: ignore[arg-type]
    rig.run(0.5)
    assert "bad_argument" in rig.details()[0]


def test_a_line_that_stays_mute_is_opened_again(rig: SerialRig) -> None:
    rig.link.disturb = mute
    rig.live(8)
    assert rig.link.opened == 2
    rig.link.disturb = undisturbed
    rig.live(1)
    assert len(rig.details()) == 1
    assert rig.of(DriverRecovered) == [DriverRecovered()]


@pytest.mark.parametrize("seed", range(10))
def test_a_bad_line_loses_no_card_and_starts_no_motor_twice(seed: int) -> None:
    an_evening_on_a_bad_line(seed)


# --- restarted in a run ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [MANY, Retract(1.0)], ids=["feed", "retract"])
@pytest.mark.parametrize("after_ms", [100, 160, 220, 300])
@pytest.mark.parametrize("deaf_ms", [0, 200, 380])
def test_a_program_that_hangs_in_a_run_is_one_failure_and_one_recovery(
    rig: SerialRig, command: Feed | Retract, after_ms: int, deaf_ms: int
) -> None:
    """120 ms until the watchdog has had enough, 260 ms of noise for the luck; the heartbeats meanwhile are lost."""
    rig.driver.give(command)
    rig.run(after_ms / 1000)
    rig.link.restart(wire.ResetCause.WATCHDOG, deaf_ms / 1000)
    rig.live(2.5)
    (detail,) = rig.details()
    assert "watchdog" in detail
    assert rig.of(FeedEnded, RetractEnded, DriverFailed, DriverRecovered)[1:] == [DriverRecovered()]
    assert is_quiet(rig)
    assert works(rig)


def test_a_session_lost_in_a_run_by_a_program_that_did_not_restart_is_told_once(rig: SerialRig) -> None:
    rig.driver.give(MANY)
    rig.run(0.15)
    rig.device.send(on_line(Frame(0, wire.Bye())))
    rig.run(0.2)
    (detail,) = rig.details()
    assert "lost its session" in detail
    assert rig.of(FeedEnded, DriverFailed, DriverRecovered)[1:] == [DriverRecovered()]
    assert rig.starts() == 1, "the run is over, not begun again"
    assert works(rig)


# --- late ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("late_s", [0.1, 0.35, 0.5])
def test_a_loop_that_is_late_cuts_no_run_short(rig: SerialRig, late_s: float) -> None:
    rig.driver.give(Feed(cards=25, timeout_s=5, stall_s=1))
    while not rig.of(FeedEnded):
        rig.run(0.07)
        rig.loop.hang(late_s)
    rig.run(1)
    assert rig.of(DriverFailed, FeedEnded) == [FeedEnded(FeedEnd.COUNT, 25)]
    assert len(rig.of(ExitCleared)) == 25


# --- so late that the session has lapsed ---------------------------------------------------------------------------


def test_a_loop_that_hangs_while_nothing_runs_is_no_failure(rig: SerialRig) -> None:
    rig.driver.give(Light(on=True))
    rig.run(0.1)
    rig.loop.hang(5.0)
    assert not rig.device.hosted
    rig.press()
    rig.run(0.1)
    rig.driver.reread()
    rig.run(0.3)
    assert rig.device.hosted
    assert rig.lit()
    assert rig.heard == [], "it has answered that press by itself"
    rig.press()
    rig.run(0.1)
    assert rig.heard == [Press()]


@pytest.mark.parametrize("stopped", [False, True])
def test_a_feed_right_after_a_hang_is_carried_out_once(rig: SerialRig, stopped: bool) -> None:
    rig.loop.hang(5.0)
    rig.driver.give(Feed(cards=20, timeout_s=5, stall_s=1))
    if stopped:
        rig.run(0.003)
        rig.driver.stop()
    rig.run(2)
    assert rig.heard[-1] == (FeedEnded(FeedEnd.STOPPED, 0) if stopped else FeedEnded(FeedEnd.COUNT, 20))
    assert len(rig.of(FeedEnded)) == 1
    assert rig.starts() == (0 if stopped else 1)
    assert len(rig.link.sent(wire.Feed)) == (1 if stopped else 2), "once in vain, and once in the new session"
