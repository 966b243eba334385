"""The closed loop of a run, without pins: what it does to the motor, and what it reports."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dispenser.drivers.base import DriverEvent
from dispenser.drivers.gpio.inputs import DebouncedInput
from dispenser.drivers.gpio.run import LISTEN_S
from dispenser.drivers.gpio.run_supervisor import RunSupervisor
from dispenser.drivers.gpio.wiring import GpioTiming
from dispenser.launcher.messages import Feed, FeedEnd, FeedEnded, RetractEnded
from tests.conftest import FakeScheduler

TIMING = GpioTiming()


class FakeMotor:
    """Does as ``Motor`` does, and keeps what it was told, with times."""

    def __init__(self, clock: FakeScheduler, *, can_brake: bool) -> None:
        self._clock = clock
        self.can_brake = can_brake
        self.last_off = object()
        self.told: list[tuple[str, float]] = []

    def _tell(self, what: str) -> None:
        self.told.append((what, round(self._clock.time() - 100.0, 6)))

    def forward(self, duty: float, last_off: object) -> None:
        assert last_off is self.last_off
        self._tell(f"forward {duty}")

    def backward(self, duty: float, last_off: object) -> None:
        assert last_off is self.last_off
        self._tell(f"backward {duty}")

    def brake(self) -> None:
        self._tell("brake")

    def off(self) -> None:
        self.last_off = object()
        self._tell("off")

    @property
    def last(self) -> str:
        return self.told[-1][0] if self.told else "off"


class Rig:
    """A run supervisor with a motor, a clock, and what it reported."""

    def __init__(self, *, can_brake: bool = True, exit_sensor: bool = True, timing: GpioTiming = TIMING) -> None:
        self.clock = FakeScheduler()
        self.lid_is_up = False
        """What its pin reads, whether or not anybody heard an edge."""
        self.motor = FakeMotor(self.clock, can_brake=can_brake)
        self.reports: list[FeedEnded | RetractEnded] = []
        self.heard: list[DriverEvent] = []
        self.reported_at: list[float] = []
        lines = {
            "button": DebouncedInput(False, 0.025, 100.0),
            "lid": DebouncedInput(False, 0.05, 100.0, settle_active_s=0.0),
        }
        if exit_sensor:
            lines["exit"] = DebouncedInput(False, timing.exit_settle_s, 100.0)
        self.supervisor = RunSupervisor(
            self.motor, lines, lid_is_up=lambda: self.lid_is_up, timing=timing, clock=self.clock, report=self._report
        )  # type: ignore[arg-type]

    def _report(self, event: DriverEvent) -> None:
        self.heard.append(event)
        if isinstance(event, FeedEnded | RetractEnded):
            assert self.motor.last == "off", "the motor is off before the end is told"
            self.reports.append(event)
            self.reported_at.append(round(self.clock.time() - 100.0, 6))

    def exit(self, dark: bool, at_s: float | None = None) -> None:
        self.supervisor.edge("exit", dark, self.clock.time() if at_s is None else at_s)

    def card(self, blocked_s: float = 0.045, gap_s: float = 0.012) -> None:
        """A card passes the barrier."""
        self.clock.run_for(gap_s)
        self.exit(True)
        self.clock.run_for(blocked_s)
        self.exit(False)

    def lift_lid(self) -> None:
        self.supervisor.lid_rose()
        self.supervisor.edge("lid", True, self.clock.time())


FIVE = Feed(cards=5, timeout_s=1.6, stall_s=0.5)
ONE = Feed(cards=1, timeout_s=1.0, stall_s=0.5)


# --- the count ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("can_brake", [True, False], ids=["bridge", "MOSFET"])
def test_the_end_of_the_last_card_ends_a_feed_at_once_and_is_reported_after_brake_and_coast(can_brake: bool) -> None:
    rig = Rig(can_brake=can_brake)
    rig.supervisor.start(FIVE)
    for _ in range(5):
        rig.card()
    last_s = 5 * 0.057
    rig.clock.run_for(3.0)
    braked_s = TIMING.brake_s if can_brake else 0.0
    stop = [("brake", pytest.approx(last_s))] if can_brake else []
    assert rig.motor.told == [("forward 1.0", 0.0), *stop, ("off", pytest.approx(last_s + braked_s))]
    assert rig.reports == [FeedEnded(FeedEnd.COUNT, 5)]
    assert rig.reported_at == [pytest.approx(last_s + braked_s + TIMING.coast_s)]


@pytest.mark.parametrize("can_brake", [True, False], ids=["bridge", "MOSFET"])
def test_a_hole_in_the_last_card_does_not_end_the_feed(can_brake: bool) -> None:
    """Its end is believed at once, and taken back when the barrier is dark again within the settling time."""
    rig = Rig(can_brake=can_brake)
    rig.supervisor.start(ONE)
    rig.card(0.02)
    assert rig.motor.last == ("brake" if can_brake else "off")
    rig.clock.run_for(0.002)
    rig.exit(True)
    assert rig.motor.last == "forward 1.0"
    rig.clock.run_for(0.023)
    rig.exit(False)
    rig.clock.run_for(3.0)
    assert rig.reports == [FeedEnded(FeedEnd.COUNT, 1)]
    assert rig.reported_at[0] == pytest.approx(0.057 + TIMING.brake_s * can_brake + TIMING.coast_s)


@pytest.mark.parametrize("missed", [False, True])
@pytest.mark.parametrize("can_brake", [True, False], ids=["bridge", "MOSFET"])
def test_a_lid_that_rises_while_the_last_cards_end_is_only_believed_keeps_the_motor_off(
    can_brake: bool, missed: bool
) -> None:
    rig = Rig(can_brake=can_brake)
    rig.supervisor.start(ONE)
    rig.card(0.02)
    rig.lid_is_up = True
    if not missed:
        rig.lift_lid()
    rig.exit(True)
    assert rig.motor.last == "off"
    rig.clock.run_for(3.0)
    assert rig.reports == [FeedEnded(FeedEnd.LID, 0, exit_blocked=True)]


# --- nothing seen -------------------------------------------------------------------------------------------------


def test_a_sensor_that_only_flickers_is_blind() -> None:
    """Edges without a level that lasts are no card, and must not keep the motor running."""
    rig = Rig()
    rig.supervisor.start(FIVE)
    for number in range(2000):
        rig.exit(number % 2 == 0)
        rig.clock.run_for(0.0005)
    rig.clock.run_for(1.0)
    assert rig.motor.told[-1][1] <= FIVE.blind_s + LISTEN_S + 1e-6
    assert rig.reports == [FeedEnded(FeedEnd.BLIND, 0)]


def test_edges_that_come_after_the_motor_was_given_up_on_keep_a_run_from_being_blind() -> None:
    """They carry their own times: something was seen, only too late."""
    rig = Rig()
    rig.supervisor.start(FIVE)
    rig.clock.run_for(FIVE.blind_s + 0.03)
    assert rig.motor.last == "off"
    rig.exit(True, 100.05)
    rig.exit(False, 100.095)
    rig.clock.run_for(3.0)
    assert rig.reports == [FeedEnded(FeedEnd.STALL, 1)]


def test_an_alarm_that_comes_late_still_listens_before_it_gives_up() -> None:
    """When every thread was held up, the alarm may run before the one that has the edge."""
    rig = Rig()
    rig.supervisor.start(FIVE)
    rig.clock.run_for(0.01)
    rig.clock.hold_up(0.3)
    rig.clock.settle()
    for at_s, dark in ((100.05, True), (100.095, False), (100.3, True)):
        rig.exit(dark, at_s)
    rig.clock.run_for(0.01)
    assert rig.motor.last == "forward 1.0"


# --- limits -------------------------------------------------------------------------------------------------------


@given(
    cards=st.integers(1, 30),
    timeout_s=st.floats(0.01, 10.0),
    stall_s=st.floats(0.01, 10.0),
    blind_s=st.floats(0.01, 10.0),
    passing=st.lists(st.tuples(st.floats(0.0005, 0.6), st.floats(0.0005, 0.6)), max_size=40),
    brake_s=st.sampled_from([0.0, 0.04]),
    can_brake=st.booleans(),
)
def test_every_feed_ends_once_within_its_limits(
    cards: int,
    timeout_s: float,
    stall_s: float,
    blind_s: float,
    passing: list[tuple[float, float]],
    brake_s: float,
    can_brake: bool,
) -> None:
    rig = Rig(can_brake=can_brake, timing=GpioTiming(brake_s=brake_s))
    rig.supervisor.start(Feed(cards=cards, timeout_s=timeout_s, stall_s=stall_s, blind_s=blind_s))
    for blocked_s, gap_s in passing:
        rig.card(blocked_s, gap_s)
    rig.clock.run_for(30.0)
    (report,) = rig.reports
    assert isinstance(report, FeedEnded)
    assert report.cause in {FeedEnd.COUNT, FeedEnd.TIMEOUT, FeedEnd.STALL, FeedEnd.BLIND}
    assert (report.cause is FeedEnd.COUNT) <= ((report.cards_seen or 0) >= cards)
    for (what, _), (_, until_s) in zip(rig.motor.told, rig.motor.told[1:], strict=False):
        assert not what.startswith("forward") or until_s <= min(timeout_s, 10.0) + 1e-5
    assert rig.motor.last == "off"
    assert rig.clock.pending == 0, "nothing is left to come"


# --- times --------------------------------------------------------------------------------------------------------


@given(
    cards=st.lists(st.tuples(st.floats(0.004, 0.09), st.floats(0.0035, 0.11)), min_size=1, max_size=10),
    delays=st.lists(st.floats(0.0, 0.5), min_size=20, max_size=20),
)
def test_late_edges_change_nothing_about_counts_and_blocked_times(
    cards: list[tuple[float, float]], delays: list[float]
) -> None:
    """The same edges, on time and late (in order, as a thread that is held up hands them on)."""
    edges, at_s = [], 100.0
    for blocked_s, gap_s in cards:
        edges += [(at_s + gap_s, True), (at_s + gap_s + blocked_s, False)]
        at_s += gap_s + blocked_s

    def told(delays: list[float]) -> list[DriverEvent]:
        rig = Rig()
        taken_s = 100.0
        for (edge_s, dark), delay_s in zip(edges, delays, strict=False):
            taken_s = max(taken_s, edge_s + delay_s)
            rig.clock.run_for(max(0.0, taken_s - rig.clock.time()))
            rig.exit(dark, edge_s)
        rig.clock.run_for(10.0)
        return rig.heard

    assert told(delays) == told([0.0] * 20)
