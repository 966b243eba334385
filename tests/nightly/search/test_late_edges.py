"""Edges count by their own times, however late the pins' thread takes them: on the second world."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.clocks.virtual import VirtualWorld
from dispenser.drivers.base import DriverEvent
from dispenser.drivers.gpio.driver import GpioDriver
from dispenser.launcher.messages import (
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidClosed,
    LidOpened,
    Press,
)
from tests.nightly.search.second_clocks import LateLoop
from tests.nightly.search.second_world import Physics, SecondWorld

START_S = 1000.0


class Bench:
    """A driver on the second world; edges of ``from, to`` are called back in one go at ``to``."""

    def __init__(self, stall: tuple[float, float] = (0.0, 0.0), *, first_mm: float = 40.0) -> None:
        self.clock = VirtualWorld(START_S)
        from_s, to_s = START_S + stall[0], START_S + stall[1]
        self.world = SecondWorld(
            self.clock,
            Random(1),
            Physics(bounces=0, first_mm=first_mm),
            late=lambda _, at_s: to_s if from_s <= at_s < to_s else at_s,
        )
        self.events: list[DriverEvent] = []
        self.driver = GpioDriver(
            self.world.wiring,
            self.world.factory,
            LateLoop(self.clock, lambda: 0.0),
            clock=self.clock,
        )
        self.driver.open(self.events.append)

    def run_until(self, seconds: float) -> None:
        self.clock.run_until(START_S + seconds)

    def told(self, *kinds: type) -> list[DriverEvent]:
        return [event for event in self.events if isinstance(event, kinds)]

    def level(self, what: str, *at_s: float) -> None:
        """The line of ``lid`` or ``button`` changes at each of these times, on first."""
        act = self.world.move_lid if what == "lid" else self.world.move_button
        for number, when_s in enumerate(at_s):
            self.world.at(START_S + when_s, lambda on=number % 2 == 0: act(on, True))  # type: ignore[misc]


LATE = pytest.mark.parametrize("late_s", [0.0, 0.006, 0.05, 0.3])
"""The stall of the pins' thread; a busy thread keeps the interpreter's lock for 5 ms at a time."""


@LATE
def test_a_hole_in_a_card_is_no_second_card(late_s: float) -> None:
    bench = Bench((0.215, 0.2205 + late_s))
    bench.run_until(0.15)
    bench.driver.feed(Feed(2, timeout_s=1.0, stall_s=0.5))
    bench.world.hole(START_S + 0.22, START_S + 0.2205)  # 25 ms after the first card came, for half a millisecond
    bench.run_until(1.5)
    told = bench.told(ExitCleared)
    assert len(told) == len(bench.world.truth.left_s)
    assert all(event.blocked_ms > 45 for event in told)


@LATE
def test_a_push_that_bounces_is_one_press(late_s: float) -> None:
    bench = Bench((0.09, 0.101 + late_s))
    bench.level("button", 0.1, 0.1004, 0.1010, 0.5)  # one bounce
    bench.run_until(1.5)
    assert len(bench.told(Press)) == 1


@LATE
def test_a_lid_that_bounces_as_it_shuts_is_shut_once(late_s: float) -> None:
    bench = Bench((0.49, 0.503 + late_s))
    bench.level("lid", 0.1, 0.5, 0.5010, 0.5020)
    bench.run_until(1.5)
    assert [type(event) for event in bench.told(LidOpened, LidClosed)] == [LidOpened, LidClosed]


@LATE
def test_what_was_over_before_a_feed_belongs_to_no_feed(late_s: float) -> None:
    """Somebody takes what was in the exit, 2 ms before the feed; it counts as the one card of that feed."""
    bench = Bench((0.2, 0.2 + late_s), first_mm=400)
    bench.world.finger(START_S + 0.1, START_S + 0.2005)
    bench.run_until(0.2025)
    bench.driver.feed(Feed(1, timeout_s=1.0, stall_s=0.5, blind_s=0.4))
    bench.run_until(2.0)
    end = bench.told(FeedEnded)[0]
    assert isinstance(end, FeedEnded)
    assert not any(event.fed for event in bench.told(ExitCleared)[:1] if isinstance(event, ExitCleared))
    assert end.cards_seen == len(bench.world.truth.left_s)


def test_the_motor_does_not_start_again_after_its_limit() -> None:
    """A hole in the last card brakes; the limit is reached meanwhile; the hole's end must not drive again."""
    bench = Bench()
    bench.run_until(0.15)
    bench.driver.feed(Feed(1, timeout_s=0.0705, stall_s=0.5))
    bench.world.hole(START_S + 0.22, START_S + 0.221)  # the limit is at 0.2205
    bench.run_until(1.0)
    end = bench.told(FeedEnded)[0]
    assert isinstance(end, FeedEnded)
    assert end.cause is FeedEnd.TIMEOUT
    assert [begin_s for begin_s, _, _ in bench.world.truth.drives if begin_s > START_S + 0.2205] == []
