"""The serial driver when line, board or loop fail it: pulled, garbled, mute, restarted, another one, late."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from dispenser.clocks import TimerHandle
from dispenser.drivers.base import DriverError, DriverEvent
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.driver import SerialDriver
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
    RetractEnded,
)
from dispenser.simulator import ToyParameters
from tests.conftest import FakeScheduler
from tests.contract.serial_bench import WorldLink
from tests.drivers.serial.fake_board import Noise
from tests.drivers.serial.serial_rig import SerialRig
from tests.firmware.world import HostDevice, World
from tests.sampled import sampled

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
    """Told last is why; first, that it is mute or lost its session, if that was found before it was back."""
    rig = SerialRig()
    act(rig)
    rig.run(after_ms / 1000)
    rig.board.reboot(wire.ResetCause.BROWN_OUT, boot_s)
    starts = len(rig.board.starts)
    rig.live(4.5)
    assert "voltage" in details(rig)[-1]
    assert all("motor is off" in detail for detail in details(rig))
    assert len(details(rig)) <= 2
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


# --- mute, and another one ----------------------------------------------------------------------------------------


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


# --- restarted in a run ----------------------------------------------------------------------------------------------


def story(rig: SerialRig) -> list[DriverEvent]:
    """What was told of the run and of trouble."""
    return rig.of(FeedEnded, RetractEnded, DriverFailed, DriverRecovered)


@pytest.mark.parametrize("command", [MANY, Retract(1.0)], ids=["feed", "retract"])
@pytest.mark.parametrize("after_ms", [100, 160, 220, 300])
@pytest.mark.parametrize("deaf_ms", [0, 200, 380])
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


def test_a_feed_that_is_never_acknowledged_moves_nothing_after_the_silence(rig: SerialRig) -> None:
    """It may have been heard: to say it again would be to feed twice."""
    rig.link.mute = True
    rig.driver.feed(MANY)
    rig.run(0.6)
    assert len(rig.board.starts) == 1, "it was heard"
    rig.link.mute = False
    rig.live(1.5)
    assert len(details(rig)) == 1
    assert story(rig)[1:] == [DriverRecovered()]
    assert len(rig.board.starts) == 1
    assert works(rig)


# --- late ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("late_s", [0.1, 0.35, 0.5])
def test_a_loop_that_is_late_cuts_no_run_short(rig: SerialRig, late_s: float) -> None:
    rig.driver.feed(Feed(cards=25, timeout_s=5, stall_s=1))
    while not rig.of(FeedEnded):
        rig.run(0.07)
        rig.loop.hang(late_s)
    rig.run(1)
    assert rig.of(DriverFailed, FeedEnded) == [FeedEnded(FeedEnd.COUNT, 25)]
    assert len(rig.of(ExitCleared)) == 25


class LateLoop:
    """A loop that is busy elsewhere now and then, by seed; then it does what was due meanwhile, in order.

    :param latest_s: how late it is at most.
    """

    def __init__(self, clock: FakeScheduler, random: Random, latest_s: float) -> None:
        self._clock = clock
        self._random = random
        self._latest_s = latest_s
        self._busy_until = 0.0
        self._waiting: deque[Callable[[], object]] = deque()

    def time(self) -> float:
        return self._clock.time()

    def call_at(self, when: float, callback: Callable[[], object]) -> TimerHandle:
        timer = self._clock.call_at(when, lambda: self._later(lambda: None if timer.cancelled else callback()))
        return timer

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> TimerHandle:
        return self.call_at(self._clock.time(), callback)

    def _later(self, callback: Callable[[], object]) -> None:
        self._waiting.append(callback)
        if len(self._waiting) == 1:
            self._clock.call_at(max(self._busy_until, self._clock.time()), self._go_on)

    def _go_on(self) -> None:
        for _ in range(len(self._waiting)):
            self._waiting.popleft()()
        self._busy_until = self._clock.time() + self._random.uniform(-self._latest_s, self._latest_s)
        if self._waiting:
            self._clock.call_at(max(self._busy_until, self._clock.time()), self._go_on)


def evening(seed: int, latest_s: float) -> tuple[list[object], int]:
    """Bursts of a worn toy: what was told of cards and ends, and how many cards left."""
    random = Random(f"late {seed}")
    world = World(device := HostDevice(byte_us=87), parameters=ToyParameters(wear=0.5), seed=seed, cards=112)
    world.start()
    told: list[object] = []
    loop = LateLoop(world.scheduler, Random(f"loop {seed}"), latest_s)
    link = WorldLink(world, device)
    link.loop = loop
    driver = SerialDriver(link, loop)
    driver.open(told.append)
    for _ in range(8):
        driver.feed(Feed(cards=random.randint(1, 8), timeout_s=2.5, stall_s=0.5))
        world.run(3.5)
        driver.reread()
        world.run(0.6)
    driver.close()
    return [e for e in told if isinstance(e, (ExitCleared, FeedEnded, DriverFailed))], world.toy.view().cards_out


@pytest.mark.parametrize("latest_s", [0.06, 0.25, 0.5])
@pytest.mark.parametrize("seed", sampled(range(4), 4))
def test_lateness_changes_no_count_no_time_and_no_end(seed: int, latest_s: float) -> None:
    """Blocked times are the board's, so a suspected double is one however late it is heard of."""
    told, cards_out = evening(seed, latest_s)
    assert (told, cards_out) == evening(seed, 0.0)
    counted = [event for event in told if isinstance(event, ExitCleared)]
    assert len(counted) > 8
    assert not any(isinstance(event, DriverFailed) for event in told)


# --- so late that the session has lapsed ---------------------------------------------------------------------------


def test_a_loop_that_hangs_while_nothing_runs_is_no_failure(rig: SerialRig) -> None:
    rig.driver.light(on=True)
    rig.run(0.1)
    rig.loop.hang(5.0)
    assert not rig.board.hosted
    rig.board.press()
    rig.driver.reread()
    rig.run(0.3)
    assert rig.board.hosted
    assert rig.board.light
    assert rig.heard == [], "it has answered that press by itself"
    rig.board.press()
    rig.run(0.1)
    assert rig.heard == [Press()]


@pytest.mark.parametrize("stopped", [False, True])
def test_a_feed_right_after_a_hang_is_carried_out_once(rig: SerialRig, stopped: bool) -> None:
    rig.loop.hang(5.0)
    rig.driver.feed(Feed(cards=20, timeout_s=5, stall_s=1))
    if stopped:
        rig.run(0.003)
        rig.driver.stop()
    rig.run(2)
    assert rig.heard[-1] == (FeedEnded(FeedEnd.STOPPED, 0) if stopped else FeedEnded(FeedEnd.COUNT, 20))
    assert len(rig.of(FeedEnded)) == 1
    assert len(rig.board.starts) == (0 if stopped else 1)
    assert rig.link.sent(wire.Feed) == (1 if stopped else 2), "once in vain, and once in the new session"
