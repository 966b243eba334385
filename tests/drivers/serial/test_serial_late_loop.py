"""The serial driver on a loop that is late, or hangs: the board goes on, and so does what is true."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

import pytest

from dispenser.clocks import TimerHandle
from dispenser.drivers.serial import tables as wire
from dispenser.drivers.serial.driver import SerialDriver
from dispenser.launcher.messages import (
    DriverFailed,
    DriverRecovered,
    ExitBlocked,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidOpened,
    Press,
)
from dispenser.simulator import ToyParameters
from tests.conftest import FakeScheduler
from tests.contract.serial_bench import WorldLink
from tests.drivers.serial.serial_rig import SerialRig
from tests.firmware.world import HostDevice, World
from tests.sampled import sampled

PATIENCE_S = 30.0
THREE = Feed(cards=3, timeout_s=2.0, stall_s=0.6)
LONGEST = Feed(cards=30, timeout_s=10.0, stall_s=10.0, blind_s=10.0)


@pytest.fixture
def rig() -> SerialRig:
    return SerialRig()


# --- late ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("late_s", [0.1, 0.35, 0.5, 1.0, 1.9])
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
    driver = SerialDriver(link, loop, clock=world.scheduler)
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


@pytest.mark.parametrize("hang_s", [3.1, 3.7])
def test_a_loop_that_hangs_stops_the_motor_and_that_is_told(rig: SerialRig, hang_s: float) -> None:
    rig.board.card_s = None
    rig.driver.feed(LONGEST)
    rig.run(0.3)
    rig.loop.hang(2.9)
    rig.run(0.01)
    assert rig.board.motor == 1, "so long is allowed"
    rig.run(0.1)
    rig.loop.hang(hang_s)
    assert rig.board.motor == 0
    rig.run(1)
    failed, *rest = rig.heard
    assert isinstance(failed, DriverFailed)
    assert "a second" in str(failed.detail)
    assert "motor is off" in str(failed.detail)
    assert rest == [FeedEnded(FeedEnd.STOPPED, 0), DriverRecovered()]
    rig.driver.feed(THREE)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.STOPPED, 0)]
    rig.run(0.1)
    assert rig.board.motor == 1


def test_a_line_that_goes_while_the_loop_hangs_is_told_once_and_by_the_loop(rig: SerialRig) -> None:
    """The clock's thread finds it first, has nothing to say of it, and does not die of it."""
    rig.board.card_s = None
    rig.driver.feed(LONGEST)
    rig.run(0.3)
    rig.link.unplug()
    back = rig.scheduler.time() + 1.5
    rig.loop.hang(1.5)
    rig.run(1)
    assert len(rig.of(DriverFailed)) == 1
    assert min(rig.times) == back


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


def test_what_left_while_our_loop_hung_is_told(rig: SerialRig) -> None:
    rig.loop.hang(5.0)
    rig.board.exit(blocked=True)
    rig.board.exit(blocked=False, dark_ms=44)
    rig.board.lid(up=True)
    rig.driver.reread()
    rig.run(0.3)
    assert rig.heard == [LidOpened(), ExitBlocked(), ExitCleared(44.0)]


def test_a_stop_that_found_no_session_does_not_end_the_feed_after_it(rig: SerialRig) -> None:
    """The session lapsed while nothing ran; the commands that find out keep their order."""
    rig.loop.hang(5.0)
    assert not rig.board.hosted
    rig.driver.stop()
    rig.driver.feed(THREE)
    rig.run(2)
    assert rig.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 3)]


def test_a_lamp_that_was_switched_on_and_off_in_a_lapsed_session_is_off(rig: SerialRig) -> None:
    rig.loop.hang(5.0)
    rig.driver.light(on=True)
    rig.driver.light(on=False)
    rig.run(1)
    assert not rig.board.light
