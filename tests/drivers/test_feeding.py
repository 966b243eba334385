"""The closed loop of a feed, without pins: what it does to the motor, and what it reports."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dispenser.drivers.feeding import GUARD_MARGIN_S, CardFeeder
from dispenser.drivers.timing import GpioTiming
from dispenser.launcher.messages import Feed, FeedEnd, FeedEnded, Retract, RetractEnded
from tests.conftest import FakeScheduler

TIMING = GpioTiming()


class FakeMotor:
    """Does as ``Motor`` does, and keeps what it was told, with times."""

    def __init__(self, clock: FakeScheduler, *, can_brake: bool) -> None:
        self._clock = clock
        self.can_brake = self.can_retract = can_brake
        self.running = False
        self.told: list[tuple[str, float]] = []

    def _tell(self, what: str) -> None:
        self.running = what != "off"
        self.told.append((what, round(self._clock.time() - 100.0, 6)))

    def forward(self, duty: float) -> None:
        self._tell(f"forward {duty}")

    def backward(self, duty: float) -> None:
        self._tell(f"backward {duty}")

    def brake(self) -> None:
        self._tell("brake" if self.can_brake else "off")

    def off(self) -> None:
        self._tell("off")

    @property
    def last(self) -> str:
        return self.told[-1][0] if self.told else "off"


class FakeGuard:
    def __init__(self) -> None:
        self.limit_s: float | None = None

    def arm(self, limit_s: float) -> None:
        self.limit_s = limit_s

    def disarm(self) -> None:
        self.limit_s = None


class Rig:
    """A feeder with a motor, a clock, and what it reported."""

    def __init__(self, *, can_brake: bool = True, exit_sensor: bool = True, timing: GpioTiming = TIMING) -> None:
        self.clock = FakeScheduler()
        self.motor = FakeMotor(self.clock, can_brake=can_brake)
        self.reports: list[FeedEnded | RetractEnded] = []
        self.reported_at: list[float] = []
        self.guard = FakeGuard()
        self.feeder = CardFeeder(self.motor, self.clock, timing, self._guarded, self._report)  # type: ignore[arg-type]
        self.feeder.has_exit_sensor = exit_sensor
        self.feeder.guard = self.guard  # type: ignore[assignment]

    def _guarded(self, action: Callable[[], None]) -> None:
        action()

    def _report(self, event: FeedEnded | RetractEnded) -> None:
        assert self.motor.last == "off", "the motor is off before the end is told"
        self.reports.append(event)
        self.reported_at.append(round(self.clock.time() - 100.0, 6))

    def card(self, blocked_s: float = 0.045, gap_s: float = 0.012) -> None:
        """A card passes the barrier; events come when its filter has settled."""
        self.clock.run_for(gap_s)
        self.feeder.exit_blocked(self.clock.time())
        self.clock.run_for(blocked_s)
        self.feeder.exit_cleared(self.clock.time())
        self.feeder.count_reached()


FIVE = Feed(cards=5, timeout_s=1.6, stall_s=0.5)


@pytest.mark.parametrize("can_brake", [True, False], ids=["bridge", "MOSFET"])
def test_the_count_ends_a_feed_which_is_reported_after_brake_and_coast(can_brake: bool) -> None:
    rig = Rig(can_brake=can_brake)
    rig.feeder.start(FIVE)
    for _ in range(5):
        rig.card()
    last_s = 5 * 0.057
    rig.clock.run_for(3.0)
    braked_s = TIMING.brake_s if can_brake else 0.0
    stop = [("brake", pytest.approx(last_s))] if can_brake else []
    assert rig.motor.told == [
        ("forward 1.0", 0.0),
        *stop,
        ("off", pytest.approx(last_s + braked_s)),
    ]
    assert rig.reports == [FeedEnded(FeedEnd.COUNT, 5)]
    assert rig.reported_at == [pytest.approx(last_s + braked_s + TIMING.coast_s)]
    assert rig.guard.limit_s is None


@pytest.mark.parametrize("can_brake", [True, False], ids=["bridge", "MOSFET"])
def test_cards_that_come_until_the_coast_is_over_belong_to_the_feed(can_brake: bool) -> None:
    rig = Rig(can_brake=can_brake)
    rig.feeder.start(Feed(cards=1, timeout_s=1.0, stall_s=0.5))
    rig.card()
    rig.card()
    rig.clock.run_for(3.0)
    assert rig.reports == [FeedEnded(FeedEnd.COUNT, 2)]


@pytest.mark.parametrize("cut", [CardFeeder.lid_opened, CardFeeder.stop])
def test_what_comes_while_the_brake_is_on_does_not_shorten_the_coast(cut: Callable[[CardFeeder], None]) -> None:
    rig = Rig()
    rig.feeder.start(Feed(cards=1, timeout_s=1.0, stall_s=0.5))
    rig.card()
    rig.clock.run_for(0.01)
    rig.motor.off()  # the lid's own callback
    cut(rig.feeder)
    rig.clock.run_for(3.0)
    assert rig.reports == [FeedEnded(FeedEnd.COUNT, 1)]
    assert rig.reported_at[0] >= 0.057 + TIMING.coast_s


@settings(deadline=None)
@given(
    cards=st.integers(1, 30),
    timeout_s=st.floats(0.01, 10.0),
    stall_s=st.floats(0.01, 10.0),
    passing=st.lists(st.tuples(st.floats(0.004, 0.6), st.floats(0.004, 0.6)), max_size=40),
    brake_s=st.sampled_from([0.0, 0.04]),
    can_brake=st.booleans(),
)
def test_every_feed_ends_once_within_its_limits(
    cards: int,
    timeout_s: float,
    stall_s: float,
    passing: list[tuple[float, float]],
    brake_s: float,
    can_brake: bool,
) -> None:
    rig = Rig(can_brake=can_brake, timing=GpioTiming(brake_s=brake_s))
    rig.feeder.start(Feed(cards=cards, timeout_s=timeout_s, stall_s=stall_s))
    for blocked_s, gap_s in passing:
        rig.card(blocked_s, gap_s)
    rig.clock.run_for(30.0)
    (report,) = rig.reports
    assert isinstance(report, FeedEnded)
    assert report.cause in {FeedEnd.COUNT, FeedEnd.TIMEOUT, FeedEnd.STALL, FeedEnd.BLIND}
    assert (report.cause is FeedEnd.COUNT) <= ((report.cards_seen or 0) >= cards)
    driven_until = next(at_s for what, at_s in rig.motor.told if what in {"brake", "off"})
    assert driven_until <= min(timeout_s, 10.0) + 1e-5
    assert rig.motor.last == "off"
    assert rig.guard.limit_s is None
    assert rig.clock.pending == 0, "nothing is left to come"


def test_the_guard_waits_a_little_longer_than_the_run() -> None:
    rig = Rig()
    rig.feeder.start(FIVE)
    assert rig.guard.limit_s == FIVE.timeout_s + GUARD_MARGIN_S
    rig.feeder.stop()
    assert rig.guard.limit_s is None


def test_a_retract_counts_nothing_and_ends_by_time() -> None:
    rig = Rig()
    rig.feeder.exit_blocked(rig.clock.time())
    rig.feeder.start(Retract(duration_s=0.15))
    rig.clock.run_for(0.05)
    assert rig.feeder.exit_cleared(rig.clock.time()) == pytest.approx(50)
    rig.feeder.count_reached()
    rig.clock.run_for(3.0)
    assert rig.motor.told == [("backward 1.0", 0.0), ("off", 0.15)]
    assert rig.reports == [RetractEnded(FeedEnd.TIMED)]


def test_without_an_exit_sensor_a_feed_is_timed_and_counts_nothing() -> None:
    rig = Rig(exit_sensor=False)
    rig.feeder.start(Feed(cards=3, timeout_s=0.22, stall_s=0.22))
    rig.clock.run_for(3.0)
    assert rig.motor.told == [("forward 1.0", 0.0), ("off", 0.22)]
    assert rig.reports == [FeedEnded(FeedEnd.TIMED, None)]


def test_a_refused_run_is_reported_and_touches_no_pin_when_none_was_under_way() -> None:
    rig = Rig()
    rig.feeder.refuse(FIVE, FeedEnd.LID)
    rig.feeder.refuse(Retract(duration_s=0.1), FeedEnd.STOPPED)
    assert rig.reports == [FeedEnded(FeedEnd.LID, 0), RetractEnded(FeedEnd.STOPPED)]
    assert rig.motor.told == []


def test_a_card_that_was_never_seen_coming_counts_and_has_no_length() -> None:
    rig = Rig()
    rig.feeder.start(FIVE)
    assert rig.feeder.exit_cleared(rig.clock.time()) == 0.0
    rig.feeder.stop()
    rig.clock.run_for(1.0)
    assert rig.reports == [FeedEnded(FeedEnd.STOPPED, 1)]


def test_cancelling_tells_nothing_and_leaves_nothing_to_come() -> None:
    rig = Rig()
    rig.feeder.start(FIVE)
    rig.clock.run_for(0.1)
    rig.feeder.cancel()
    rig.clock.run_for(5.0)
    assert rig.motor.last == "off"
    assert rig.reports == []
    assert rig.clock.pending == 0


def test_cancelling_forgets_the_run_though_the_pins_fail() -> None:
    rig = Rig()
    rig.feeder.start(FIVE)
    rig.motor.off = lambda: (_ for _ in ()).throw(OSError(121, "Remote I/O error"))  # type: ignore[method-assign]
    with pytest.raises(OSError, match="Remote"):
        rig.feeder.cancel()
    del rig.motor.off
    assert rig.guard.limit_s is not None, "the guard still watches a motor that may turn"
    rig.clock.run_for(5.0)
    assert rig.reports == []
