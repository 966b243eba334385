"""The serial driver when the line or the board fails it: pulled, garbled, mute, restarted, another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dispenser.drivers.base import DriverError
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.frames import FrameDecoder
from dispenser.launcher.messages import (
    Chime,
    DriverFailed,
    DriverRecovered,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidOpened,
    Press,
    Retract,
)
from tests.drivers.serial.fake_board import Noise
from tests.drivers.serial.serial_rig import SerialRig

THREE = Feed(cards=3, timeout_s=2.0, stall_s=0.6)
MANY = Feed(cards=30, timeout_s=5.0, stall_s=5.0, blind_s=5.0)


@pytest.fixture
def rig() -> SerialRig:
    return SerialRig()


def details(rig: SerialRig) -> list[str]:
    return [str(event.detail) for event in rig.heard if isinstance(event, DriverFailed)]


def is_quiet(rig: SerialRig) -> bool:
    """Nothing is said as long as nobody asks: the run that failed is forgotten."""
    rig.link.written.clear()
    rig.run(0.9)
    return rig.link.written == []


def works(rig: SerialRig) -> bool:
    """Whether a feed now brings its cards."""
    rig.clear()
    rig.board.lid(up=False)
    rig.live(0.3)
    rig.clear()
    rig.driver.feed(THREE)
    rig.live(1.5)
    return rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 3)]


# --- unplugged ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("boot_s", [None, 0.0, 2.0])
def test_unplugged_and_plugged_in_again(boot_s: float | None) -> None:
    rig = SerialRig(boot_s=boot_s)
    rig.link.unplug()
    rig.live(3)
    (detail,) = details(rig)
    assert "motor is off" in detail
    assert "USB cable" in detail
    with pytest.raises(DriverError, match="does not answer"):
        rig.driver.levels()
    rig.link.plug()
    rig.live(4)
    assert rig.heard[1:] == [DriverRecovered()]
    assert works(rig)


def test_without_a_line_nothing_is_tried_until_somebody_looks(rig: SerialRig) -> None:
    rig.driver.feed(MANY)
    rig.run(0.1)
    rig.link.unplug()
    rig.run(10)
    assert len(details(rig)) == 1
    assert rig.scheduler.pending == 0


ACTS: list[tuple[str, Callable[[SerialRig], object]]] = [
    ("nothing", lambda rig: rig.run(0)),
    ("feed", lambda rig: rig.driver.feed(MANY)),
    ("retract", lambda rig: rig.driver.retract(Retract(0.5))),
    ("feed and stop", lambda rig: (rig.driver.feed(MANY), rig.driver.stop())),
    ("sound and light", lambda rig: (rig.driver.play(Chime.FIRE), rig.driver.light(on=True))),
    ("reread", lambda rig: rig.driver.reread()),
    ("press", lambda rig: rig.board.press()),
    ("lid", lambda rig: rig.board.lid(up=True)),
]
STEPS_MS = [0.0, 1.0, 2.0, 7.5, 150.0]


@pytest.mark.parametrize("act", [act for _, act in ACTS], ids=[name for name, _ in ACTS])
@pytest.mark.parametrize("after_ms", STEPS_MS)
@pytest.mark.parametrize("boot_s", [None, 1.7], ids=["same boot", "reset by the port"])
def test_unplugged_at_any_step(act: Callable[[SerialRig], Any], after_ms: float, boot_s: float | None) -> None:
    rig = SerialRig(boot_s=boot_s)
    act(rig)
    rig.run(after_ms / 1000)
    rig.link.unplug()
    rig.live(2.5)
    assert len(details(rig)) == 1
    assert rig.board.motor == 0, "it stops by itself"
    starts = len(rig.board.starts)
    rig.link.plug()
    rig.live(4.5)
    assert len(details(rig)) == 1
    assert rig.of(DriverRecovered) == [DriverRecovered()]
    assert len(rig.of(FeedEnded)) <= 1
    assert len(rig.board.starts) == starts, "what was asked before the fault moves nothing after it"
    assert rig.driver.levels().lid_open == rig.board.lid_open
    assert is_quiet(rig)
    assert works(rig)


@pytest.mark.parametrize("act", [act for _, act in ACTS], ids=[name for name, _ in ACTS])
@pytest.mark.parametrize("after_ms", STEPS_MS)
@pytest.mark.parametrize("boot_s", [0.0, 0.38, 1.7])
def test_restarted_at_any_step(act: Callable[[SerialRig], Any], after_ms: float, boot_s: float) -> None:
    """As long as a watchdog reset takes, 0.38 s, it is told once, with its cause."""
    rig = SerialRig()
    act(rig)
    rig.run(after_ms / 1000)
    rig.board.reboot(wire.ResetCause.BROWN_OUT, boot_s)
    starts = len(rig.board.starts)
    rig.live(4.5)
    assert "voltage" in details(rig)[-1]
    assert all("motor is off" in detail for detail in details(rig))
    assert len(details(rig)) <= (2 if boot_s > 1 else 1), "after a long silence first that it is mute, then why"
    assert rig.of(DriverRecovered) == [DriverRecovered()]
    assert len(rig.of(FeedEnded)) <= 1
    assert len(rig.board.starts) == starts
    assert rig.driver.levels().lid_open == rig.board.lid_open
    assert is_quiet(rig)
    assert works(rig)


@pytest.mark.parametrize("cause", wire.ResetCause)
def test_why_it_started_anew_is_told(rig: SerialRig, cause: wire.ResetCause) -> None:
    words = {"POWER_ON": "power", "EXTERNAL": "reset", "BROWN_OUT": "cells", "WATCHDOG": "watchdog", "UNKNOWN": "why"}
    rig.board.reboot(cause)
    rig.live(1)
    (detail,) = details(rig)
    assert words[cause.name] in detail
    assert rig.heard[1:] == [DriverRecovered()]


def test_levels_that_changed_meanwhile_are_told_before_the_recovery(rig: SerialRig) -> None:
    rig.board.exit(blocked=True)
    rig.run(0.1)
    rig.clear()
    rig.link.unplug()
    rig.live(1.5)
    rig.board.lid(up=True)
    rig.board.exit(blocked=False, dark_ms=900)
    rig.board.press()
    rig.link.plug()
    rig.live(1.5)
    assert rig.heard[1:] == [LidOpened(), ExitCleared(900.0), DriverRecovered()]


def test_levels_that_changed_over_a_restart_are_told(rig: SerialRig) -> None:
    rig.board.exit(blocked=True)
    rig.board.lid(up=True)
    rig.run(0.1)
    rig.clear()
    rig.board.reboot(wire.ResetCause.POWER_ON)
    rig.board.exit_blocked = rig.board.lid_open = False
    rig.live(1)
    names = [type(event).__name__ for event in rig.heard]
    assert names == ["DriverFailed", "LidClosed", "ExitCleared", "DriverRecovered"]


def test_the_light_is_as_it_should_be_after_a_fault(rig: SerialRig) -> None:
    rig.driver.light(on=True)
    rig.run(0.1)
    rig.link.unplug()
    rig.live(1.5)
    assert rig.board.light
    rig.link.plug()
    rig.live(1.5)
    assert rig.board.light
    rig.link.unplug()
    rig.live(1.5)
    rig.driver.light(on=False)
    rig.link.plug()
    rig.live(1.5)
    assert not rig.board.light


def test_while_it_is_broken_commands_do_nothing_and_a_feed_is_answered(rig: SerialRig) -> None:
    rig.link.unplug()
    rig.live(1.0)
    rig.clear()
    rig.driver.feed(THREE)
    rig.driver.play(Chime.DUD)
    rig.driver.stop()
    assert rig.heard == [FeedEnded(FeedEnd.STOPPED, 0)]
    rig.link.plug()
    rig.live(2.0)
    assert rig.board.starts == []
    assert rig.board.played == []


def test_half_a_frame_from_before_the_loss_spoils_none_after_it(rig: SerialRig) -> None:
    rig.link.arrive(b"half", rig.link.opens)
    rig.link.unplug()
    rig.run(0.1)
    rig.link.plug()
    rig.clear()
    rig.driver.reread()
    rig.run(0.1)
    assert rig.heard == [DriverRecovered()]


def test_close_while_it_is_broken(rig: SerialRig) -> None:
    rig.link.unplug()
    rig.live(1.0)
    rig.driver.close()
    rig.run(5)
    assert rig.scheduler.pending == 0


def test_close_while_hands_are_shaken(rig: SerialRig) -> None:
    rig.link.mute = True
    rig.live(1.2)
    rig.driver.close()
    rig.run(5)
    assert rig.scheduler.pending == 0
    assert not rig.board.hosted


# --- mute, and another one ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", [THREE, Retract(0.1)], ids=["feed", "retract"])
def test_a_board_that_falls_mute_is_found_within_a_second_of_a_command(rig: SerialRig, command: Feed | Retract) -> None:
    rig.link.mute = True
    rig.driver.feed(command) if isinstance(command, Feed) else rig.driver.retract(command)
    rig.run(0.9)
    assert len(details(rig)) == 1


def test_a_board_that_falls_mute_is_found_by_looking(rig: SerialRig) -> None:
    rig.link.mute = True
    rig.driver.reread()
    rig.run(1.0)
    (detail,) = details(rig)
    assert "does not answer" in detail
    rig.link.mute = False
    rig.run(0.5)
    assert rig.heard[1:] == [DriverRecovered()], "without anybody's help"
    assert works(rig)


def test_a_line_that_stays_mute_is_opened_again(rig: SerialRig) -> None:
    rig.link.mute = True
    rig.live(8)
    assert rig.link.opens == 2
    rig.link.mute = False
    rig.live(1)
    assert len(details(rig)) == 1
    assert rig.of(DriverRecovered) == [DriverRecovered()]


def test_another_program_in_its_place_is_told_and_nothing_moves(rig: SerialRig) -> None:
    rig.link.unplug()
    rig.live(1)
    rig.board.dictionary ^= 1
    rig.board.reboot(wire.ResetCause.EXTERNAL)
    rig.link.plug()
    rig.live(8)
    first, second = details(rig)
    assert "line" in first
    assert "dispenser firmware flash" in second
    assert rig.link.opens == 2, "it answers, so there is no need to open the line again and again"
    rig.driver.feed(THREE)
    rig.live(1)
    assert rig.board.starts == []
    rig.board.dictionary ^= 1
    rig.live(1)
    assert rig.of(DriverRecovered) == [DriverRecovered()]
    assert works(rig)


def test_another_program_found_when_a_session_lapsed_ends_the_feed_that_waited(rig: SerialRig) -> None:
    rig.loop.hang(5.0)
    rig.board.dictionary ^= 1
    rig.driver.feed(THREE)
    rig.live(3)
    (detail,) = details(rig)
    assert "dispenser firmware flash" in detail
    rig.board.dictionary ^= 1
    rig.live(2)
    assert rig.heard[1:] == [DriverRecovered()]
    assert rig.board.starts == []
    assert is_quiet(rig)
    assert works(rig)


def test_another_launcher_in_its_place_is_told(rig: SerialRig) -> None:
    rig.link.unplug()
    rig.live(1)
    rig.board.capabilities = wire.Capability(0)
    rig.link.plug()
    rig.live(2)
    assert "another launcher" in details(rig)[-1]
    assert rig.of(DriverRecovered) == []


def test_a_command_that_the_board_finds_wrong_is_a_failure_and_not_silence(rig: SerialRig) -> None:
    rig.driver.feed(Feed(cards=1, timeout_s=1, stall_s=1))
    rig.link.written.clear()
    rig.board.begin_run = lambda _: wire.Result.BAD_ARGUMENT  # type: ignore[method-assign]
    rig.run(0.5)
    assert "bad_argument" in details(rig)[0]


# --- a bad line ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["lost", "doubled", "garbled", "cut"])
@pytest.mark.parametrize("seed", range(3))
def test_a_bad_line_loses_no_card_and_starts_no_motor_twice(rig: SerialRig, kind: str, seed: int) -> None:
    share = {"lost": 0.2, "doubled": 1.0, "garbled": 0.2, "cut": 0.1}[kind]  # a frame cut off spoils the next one, too
    rig.link.noise = Noise(seed, **{kind: share})
    for cards in (1, 5, 3):
        rig.driver.feed(Feed(cards=cards, timeout_s=3, stall_s=1))
        rig.live(2)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, cards) for cards in (1, 5, 3)], f"seed {seed}"
    assert len(rig.of(ExitCleared)) == 9
    assert len(rig.board.starts) == 3
    assert details(rig) == []


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_nothing_is_told_twice_and_nothing_moves_unasked(seed: int) -> None:
    """Random acts on a random line; the accounts must agree at the end. The seed is the test's id."""
    rig = SerialRig(boot_s=[None, 0.0, 1.2][seed % 3])
    noise = Noise(seed, lost=0.06, doubled=0.06, garbled=0.06, cut=0.06)
    dice = noise.random
    rig.link.noise = noise
    feeds = pushes = 0
    told_before = 0  # when the last feed was asked for
    calm = True
    for _ in range(60):
        act = dice.randrange(12)
        is_over = any(isinstance(event, FeedEnded | DriverFailed) for event in rig.heard[told_before:])
        if act < 4 and (is_over or not feeds):
            feeds += 1
            told_before = len(rig.heard)
            rig.driver.feed(Feed(cards=dice.randint(1, 6), timeout_s=2, stall_s=1))
        elif act == 4:
            rig.driver.stop()
        elif act == 5:
            rig.board.lid(up=not rig.board.lid_open)
        elif act == 6:
            pushes += 1
            rig.board.press()
        elif act == 7:
            rig.driver.light(on=dice.random() < 0.5)
            rig.driver.play(dice.choice(list(Chime)))
        elif act == 8 and dice.random() < 0.3:
            calm = False
            rig.board.reboot(wire.ResetCause.WATCHDOG, dice.choice([0.0, 1.0]))
        elif act == 9 and dice.random() < 0.3:
            calm = False
            rig.link.unplug()
            rig.live(dice.random() * 2)
            rig.link.plug()
        elif act == 10 and dice.random() < 0.3:
            calm = False
            rig.loop.hang(dice.random() * 4)
        rig.live(dice.random() * 0.5)
    rig.link.noise = Noise()
    rig.live(8)
    where = f"seed {seed}"
    assert len(rig.board.starts) == len(set(rig.board.starts)), where
    assert len(rig.board.starts) <= feeds, where
    assert len(rig.of(FeedEnded)) <= feeds, where
    assert len(rig.of(Press)) <= pushes, where
    failed = 0
    for event in rig.heard:
        failed = failed + 1 if isinstance(event, DriverFailed) else 0 if isinstance(event, DriverRecovered) else failed
        assert failed <= 2, where
    assert failed == 0, where
    assert rig.driver.levels().lid_open == rig.board.lid_open, where
    if calm and not details(rig):
        assert len(rig.of(FeedEnded)) == feeds, where
        assert len(rig.of(Press)) == pushes, where
    assert works(rig), where


def test_noise_that_never_ends_is_no_command_and_no_event(rig: SerialRig) -> None:
    noise = Noise(4)
    for _ in range(2000):
        rig.link.arrive(noise.random.randbytes(50), rig.link.opens)
        rig.run(0.001)
    assert rig.heard == []
    assert works(rig)


def test_old_reports_that_come_late_change_nothing(rig: SerialRig) -> None:
    old: list[bytes] = []
    send = rig.board.send
    rig.board.send = lambda data: (old.append(data), send(data))[1]  # type: ignore[func-returns-value]
    rig.driver.feed(THREE)
    rig.run(1)
    rig.board.press()
    rig.run(0.1)
    told = list(rig.heard)
    assert len(FrameDecoder().feed(b"".join(old))) > 5
    for data in old:
        rig.link.arrive(data, rig.link.opens)
    rig.run(0.5)
    assert rig.heard == told
