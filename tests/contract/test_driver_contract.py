"""Every promise of ``dispenser.drivers.base``, put to every driver that there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from dispenser.drivers.base import PinsUnavailableError
from dispenser.launcher.messages import (
    MAX_MOTOR_RUN_S,
    Chime,
    DriverFailed,
    DriverRecovered,
    ExitBlocked,
    ExitCleared,
    Feed,
    FeedEnd,
    FeedEnded,
    LidClosed,
    LidOpened,
    Light,
    Play,
    Press,
    Retract,
    RetractEnded,
    Stop,
)
from tests.contract.bench import BENCHES, Bench, Ears

THREE = Feed(cards=3, timeout_s=2.0, stall_s=0.6)
MANY = Feed(cards=25, timeout_s=5.0, stall_s=5.0, blind_s=5.0)
BRIEFLY = Retract(duration_s=0.1)
REPORT_S = 0.5
"""A report follows its run within this time (coast-down included)."""


@pytest.fixture(params=BENCHES.values(), ids=list(BENCHES))
def bench(request: pytest.FixtureRequest) -> Bench:
    return request.param()


@pytest.fixture
def ears(bench: Bench) -> Iterator[Ears]:
    ears = Ears(bench)
    bench.driver.open(ears, ears.edges.append)
    bench.run(0.1)
    ears.clear()
    yield ears
    bench.break_link(False)
    bench.driver.close()
    bench.run(1.0)  # a device that could not be told so stops by itself in this time
    assert bench.motor() == 0


def counted(bench: Bench, cards: int) -> int | None:
    """What a driver says it has seen, by what its launcher can see."""
    return cards if bench.driver.capabilities.exit_sensor else None


def cause_of(ears: Ears) -> FeedEnd:
    (ended,) = ears.of(FeedEnded)
    assert isinstance(ended, FeedEnded)
    return ended.cause


def benches_with(*, exit_sensor: bool = False, retract: bool = False) -> pytest.MarkDecorator:
    """Only the launchers that have what a promise is about, by their names."""
    lacks = ["no exit sensor"] * exit_sensor + ["one MOSFET"] * retract
    names = [name for name in BENCHES if not any(each in name for each in lacks)]
    return pytest.mark.parametrize("bench", [BENCHES[name] for name in names], ids=names, indirect=True)


COUNTING = benches_with(exit_sensor=True)
RETRACTING = benches_with(retract=True)
COUNTING_AND_RETRACTING = benches_with(exit_sensor=True, retract=True)


def test_its_capabilities_are_those_of_its_parts(bench: Bench, ears: Ears, request: pytest.FixtureRequest) -> None:
    can, name = bench.driver.capabilities, request.node.name
    assert (can.exit_sensor, can.retract) == ("no exit sensor" not in name, "one MOSFET" not in name)


# --- a feed ends by itself and always answers once ----------------------------------------------------------------


def test_a_feed_ends_when_the_cards_are_out_or_its_time_is_over(bench: Bench, ears: Ears) -> None:
    bench.driver.give(THREE)
    assert bench.motor() == 1.0
    bench.run(THREE.timeout_s + REPORT_S)
    if bench.driver.capabilities.exit_sensor:
        (ended,) = ears.of(FeedEnded)
        assert isinstance(ended, FeedEnded)
        assert (ended.cause, ended.cards_seen) == (FeedEnd.COUNT, 3)
        assert len(ears.of(ExitCleared)) == 3
    else:
        assert ears.of(FeedEnded) == [FeedEnded(FeedEnd.TIMED, None)]
    assert bench.motor() == 0


@COUNTING
@pytest.mark.parametrize(
    ("blocked", "limit_s", "end"), [(False, THREE.blind_s, FeedEnd.BLIND), (True, THREE.stall_s, FeedEnd.STALL)]
)
def test_a_feed_that_sees_no_change_at_the_exit_gives_up_in_time(
    bench: Bench, ears: Ears, blocked: bool, limit_s: float, end: FeedEnd
) -> None:
    """Clear, or dark from the start, as after a retract that has not freed the card."""
    bench.hold_exit(blocked)
    bench.run(0.1)
    bench.driver.give(THREE)
    bench.run(limit_s - 0.001)
    assert bench.motor() == 1.0
    bench.run(0.002)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert ears.of(FeedEnded) == [FeedEnded(end, 0, exit_blocked=blocked)]


@COUNTING
def test_a_feed_after_whose_card_no_other_comes_has_stalled_and_is_not_blind(bench: Bench, ears: Ears) -> None:
    bench.hold_exit(False)
    bench.driver.give(THREE)
    for blocked in (True, False):
        bench.run(0.05)
        bench.hold_exit(blocked)
    bench.run(THREE.blind_s - 0.001)
    assert bench.motor() == 1.0
    bench.run(0.002)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert ears.of(FeedEnded) == [FeedEnded(FeedEnd.STALL, 1)]


@pytest.mark.parametrize("timeout_s", [0.03, 0.5, MAX_MOTOR_RUN_S])
def test_the_motor_never_runs_longer_than_the_limit(bench: Bench, ears: Ears, timeout_s: float) -> None:
    bench.hold_exit(False)
    bench.driver.give(Feed(cards=30, timeout_s=timeout_s, stall_s=timeout_s, blind_s=timeout_s))
    bench.run(timeout_s - 0.001)
    assert bench.motor() == 1.0
    bench.run(0.002)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    (ended,) = ears.of(FeedEnded)
    assert ended == FeedEnded(
        FeedEnd.TIMEOUT if bench.driver.capabilities.exit_sensor else FeedEnd.TIMED, counted(bench, 0)
    )


@COUNTING
def test_a_card_left_in_the_exit_is_told_with_the_end(bench: Bench, ears: Ears) -> None:
    bench.hold_exit(False)
    bench.driver.give(Feed(cards=1, timeout_s=1.0, stall_s=1.0))
    for blocked in (True, False, True):
        bench.run(0.04)
        bench.hold_exit(blocked)
    bench.run(REPORT_S)
    assert ears.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 1, exit_blocked=True)]


@pytest.mark.parametrize("after_s", [0.0, 0.02, 0.1, 0.25])
def test_stop_ends_a_feed_at_once_and_it_answers(bench: Bench, ears: Ears, after_s: float) -> None:
    bench.driver.give(MANY)
    bench.run(after_s)
    bench.driver.stop()
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert cause_of(ears) is FeedEnd.STOPPED


# --- retract ------------------------------------------------------------------------------------------------------


@RETRACTING
def test_a_retract_runs_backward_for_its_time_and_answers(bench: Bench, ears: Ears) -> None:
    bench.driver.give(BRIEFLY)
    assert bench.motor() == -1.0
    bench.run(BRIEFLY.duration_s - 0.001)
    assert bench.motor() == -1.0
    bench.run(0.002)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert ears.of(RetractEnded) == [RetractEnded(FeedEnd.TIMED)]


@RETRACTING
@pytest.mark.parametrize(
    ("cut", "cause"),
    [(lambda bench: bench.lift_lid(), FeedEnd.LID), (lambda bench: bench.driver.stop(), FeedEnd.STOPPED)],
)
def test_a_retract_that_is_cut_short_says_why(
    bench: Bench, ears: Ears, cut: Callable[[Bench], None], cause: FeedEnd
) -> None:
    bench.driver.give(BRIEFLY)
    bench.run(0.05)
    cut(bench)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert ears.of(RetractEnded) == [RetractEnded(cause)]


@COUNTING_AND_RETRACTING
def test_a_card_pulled_back_in_is_not_counted_by_the_next_feed(bench: Bench, ears: Ears) -> None:
    bench.hold_exit(True)
    bench.run(0.05)
    bench.driver.give(BRIEFLY)
    bench.run(0.05)
    bench.hold_exit(False)
    bench.run(REPORT_S)
    bench.driver.give(Feed(cards=1, timeout_s=0.5, stall_s=0.5))
    bench.run(0.5 + REPORT_S)
    assert ears.of(FeedEnded) == [FeedEnded(FeedEnd.BLIND, 0)]


# --- the lid ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after_s", [0.0, 0.001, 0.02, 0.06, 0.1, 0.2])
def test_lid_up_stops_the_motor_by_the_drivers_own_reflex(bench: Bench, ears: Ears, after_s: float) -> None:
    bench.driver.give(MANY)
    bench.run(after_s)
    assert bench.motor() == 1.0
    ears.clear()
    bench.lift_lid()
    assert bench.motor() == 0, "at the same instant"
    assert LidOpened() not in ears.events, "before anybody has heard of it"
    bench.run(REPORT_S)
    assert bench.motor() == 0
    assert ears.of(LidOpened) == [LidOpened()]
    assert cause_of(ears) is FeedEnd.LID
    assert set(ears.motor_then) == {0}


@pytest.mark.parametrize("command", [THREE, BRIEFLY], ids=["feed", "retract"])
def test_the_motor_never_starts_with_the_lid_up(bench: Bench, ears: Ears, command: Feed | Retract) -> None:
    if isinstance(command, Retract) and not bench.driver.capabilities.retract:
        return
    bench.lift_lid()
    bench.run(0.3)
    bench.driver.give(command)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    if isinstance(command, Feed):
        assert ears.of(FeedEnded) == [FeedEnded(FeedEnd.LID, counted(bench, 0))]
    else:
        assert ears.of(RetractEnded) == [RetractEnded(FeedEnd.LID)]


def test_levels_are_read_again_before_the_motor_starts(bench: Bench, ears: Ears) -> None:
    bench.miss_edges(True)
    bench.lift_lid()
    bench.run(0.3)
    assert ears.events == []
    bench.driver.give(THREE)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert ears.of(LidOpened, FeedEnded) == [LidOpened(), FeedEnded(FeedEnd.LID, counted(bench, 0))]


def test_a_missed_lid_up_is_found_by_reading_again_and_stops_the_motor(bench: Bench, ears: Ears) -> None:
    bench.driver.give(MANY)
    bench.run(0.1)
    bench.miss_edges(True)
    bench.lift_lid()
    bench.run(0.1)
    bench.driver.reread()
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert ears.of(LidOpened) == [LidOpened()]
    assert cause_of(ears) is FeedEnd.LID


def test_lid_down_counts_only_when_it_has_lasted_and_starts_no_motor(bench: Bench, ears: Ears) -> None:
    bench.driver.give(MANY)
    bench.run(0.1)
    bench.lift_lid()
    bench.run(0.02)
    bench.shut_lid()
    assert bench.motor() == 0
    bench.run(0.02)
    assert bench.driver.levels().lid_open, "a reset must not get ahead of the event"
    assert ears.of(LidClosed) == []
    bench.run(REPORT_S)
    assert ears.of(LidOpened, LidClosed) == [LidOpened(), LidClosed()]
    assert not bench.driver.levels().lid_open
    assert bench.motor() == 0


def test_a_launcher_may_be_opened_with_its_lid_up(bench: Bench) -> None:
    bench.lift_lid()
    bench.run(0.3)
    ears = Ears(bench)
    bench.driver.open(ears)
    assert bench.driver.levels().lid_open
    bench.driver.give(THREE)
    assert bench.motor() == 0
    bench.run(REPORT_S)
    assert ears.events == [FeedEnded(FeedEnd.LID, counted(bench, 0))]
    bench.shut_lid()
    bench.run(REPORT_S)
    assert ears.of(LidClosed) == [LidClosed()]
    bench.driver.close()


# --- button, exit, levels -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bouncing", [False, True])
def test_one_push_is_one_press(bench: Bench, ears: Ears, bouncing: bool) -> None:
    for pushes in range(1, 6):
        bench.press(0.15, bouncing=bouncing)
        bench.run(0.4)
        assert ears.events == [Press()] * pushes


def test_a_button_held_down_presses_once(bench: Bench, ears: Ears) -> None:
    bench.press(30.0)
    bench.run(29.0)
    for _ in range(3):
        bench.driver.reread()
        bench.run(0.1)
    assert ears.events == [Press()]
    assert bench.driver.levels().button_down
    bench.run(2.0)
    assert ears.events == [Press()]
    assert not bench.driver.levels().button_down


def test_what_happens_at_the_exit_is_told_with_how_long_it_was_dark(bench: Bench, ears: Ears) -> None:
    if not bench.driver.capabilities.exit_sensor:
        assert not bench.driver.levels().exit_blocked
        return
    bench.hold_exit(True)
    bench.run(0.05)
    assert bench.driver.levels().exit_blocked
    bench.hold_exit(False)
    bench.run(REPORT_S)
    blocked, cleared = ears.events
    assert blocked == ExitBlocked()
    assert isinstance(cleared, ExitCleared)
    assert cleared.blocked_ms == pytest.approx(50, abs=1)


def test_raw_edges_are_recorded_before_any_filter(bench: Bench, ears: Ears) -> None:
    ears.edges.clear()
    bench.press(0.15, bouncing=True)
    bench.run(0.4)
    if not bench.raw_edges:
        assert ears.edges == []
        return
    button = [edge for edge in ears.edges if edge.line == "button"]
    assert len(button) > 2
    assert [edge.active for edge in button] == [number % 2 == 0 for number in range(len(button))]
    assert [edge.at_s for edge in button] == sorted(edge.at_s for edge in button)


@pytest.mark.parametrize("line", ["button", "lid", "exit"])
def test_missed_edges_are_found_by_reading_the_levels_again(bench: Bench, ears: Ears, line: str) -> None:
    if line == "exit" and not bench.driver.capabilities.exit_sensor:
        return
    bench.miss_edges(True)
    if line == "button":
        bench.press(5.0)
    elif line == "lid":
        bench.lift_lid()
    else:
        bench.hold_exit(True)
    bench.run(0.5)
    assert ears.events == []
    bench.driver.reread()
    bench.run(REPORT_S)
    assert ears.events == [{"button": Press(), "lid": LidOpened(), "exit": ExitBlocked()}[line]]


def test_events_come_only_while_time_passes_on_the_scheduler_and_in_order(bench: Bench, ears: Ears) -> None:
    bench.press(0.15)
    bench.lift_lid()
    bench.hold_exit(True)
    assert ears.events == []
    bench.run(0.3)
    bench.shut_lid()
    bench.run(0.3)
    wanted = [LidOpened(), ExitBlocked(), Press(), LidClosed()]
    if not bench.driver.capabilities.exit_sensor:
        wanted.remove(ExitBlocked())
    assert ears.events == wanted


# --- sound and light ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chime", Chime)
def test_every_chime_sounds_and_is_over_by_itself(bench: Bench, ears: Ears, chime: Chime) -> None:
    bench.driver.give(Play(chime))
    assert bench.tone_hz()
    bench.run(2.0)
    assert bench.tone_hz() is None


def test_the_light_does_as_it_is_told(bench: Bench, ears: Ears) -> None:
    for on in (True, True, False, False, True):
        bench.driver.give(Light(on))
        assert bench.lit() is on


# --- the end, and a link that breaks ------------------------------------------------------------------------------


def test_close_turns_everything_off_and_may_come_twice(bench: Bench) -> None:
    ears = Ears(bench)
    bench.driver.open(ears)
    bench.driver.give(Light(True))
    bench.driver.give(Play(Chime.FAULT))
    bench.driver.give(MANY)
    bench.run(0.05)
    assert (bench.motor(), bench.lit(), bool(bench.tone_hz())) == (1.0, True, True)
    bench.driver.close()
    assert (bench.motor(), bench.lit(), bench.tone_hz()) == (0, False, None)
    ears.clear()
    bench.driver.close()
    bench.lift_lid()
    bench.press()
    bench.run(5.0)
    assert ears.events == []
    assert (bench.motor(), bench.tone_hz()) == (0, None)


def test_a_device_that_cannot_be_reached_at_the_start_says_what_to_do(bench: Bench) -> None:
    bench.break_link(True)
    with pytest.raises(PinsUnavailableError, match="dispenser doctor"):
        bench.driver.open(Ears(bench))
    assert bench.motor() == 0


def test_a_broken_link_is_told_once_and_so_is_its_return(bench: Bench, ears: Ears) -> None:
    bench.break_link(True)
    for _ in range(3):
        bench.driver.reread()
        bench.run(1.0)
    (failed,) = ears.events
    assert isinstance(failed, DriverFailed)
    assert "motor is off" in str(failed.detail)
    bench.break_link(False)
    for _ in range(3):
        bench.driver.reread()
        bench.run(1.0)
    assert ears.events[1:] == [DriverRecovered()]


@pytest.mark.parametrize("command", [THREE, Stop(), Play(Chime.DUD), Light(True)], ids=lambda c: type(c).__name__)
def test_a_command_over_a_broken_link_is_a_failure_and_no_crash(
    bench: Bench, ears: Ears, command: Feed | Stop | Play | Light
) -> None:
    bench.break_link(True)
    bench.driver.give(command)
    bench.run(REPORT_S)
    assert len(ears.of(DriverFailed)) == 1
    bench.break_link(False)
    bench.driver.reread()
    bench.run(1.0)
    assert bench.motor() == 0
    assert ears.of(DriverRecovered) == [DriverRecovered()]


@pytest.mark.parametrize("outage_s", [0.05, 1.5, 4.0])
def test_a_link_that_breaks_in_a_run_leaves_the_motor_off_once_it_is_back(
    bench: Bench, ears: Ears, outage_s: float
) -> None:
    bench.hold_exit(False)
    bench.driver.give(Feed(cards=3, timeout_s=1.0, stall_s=1.0))
    bench.run(0.5)
    bench.break_link(True)
    bench.run(outage_s)
    bench.driver.reread()
    bench.break_link(False)
    bench.driver.reread()
    bench.run(1.0)
    bench.driver.reread()
    assert bench.motor() == 0
    assert len(ears.of(DriverFailed)) == 1
    assert ears.of(DriverRecovered) == [DriverRecovered()]
    bench.driver.give(THREE)
    assert bench.motor() == 1.0, "and it works again"


@COUNTING
def test_cards_that_come_while_the_motor_coasts_are_counted_with_the_feed(bench: Bench, ears: Ears) -> None:
    bench.hold_exit(False)
    bench.driver.give(Feed(cards=1, timeout_s=1.0, stall_s=1.0))
    for blocked in (True, False, True, False):
        bench.run(0.04)
        bench.hold_exit(blocked)
    bench.run(REPORT_S)
    assert ears.of(FeedEnded) == [FeedEnded(FeedEnd.COUNT, 2)]


def test_a_lid_that_was_shut_unheard_still_stops_the_motor_when_it_rises(bench: Bench, ears: Ears) -> None:
    bench.lift_lid()
    bench.run(0.3)
    bench.miss_edges(True)
    bench.shut_lid()
    bench.run(0.3)
    bench.miss_edges(False)
    bench.driver.reread()
    bench.run(0.3)
    assert ears.of(LidOpened, LidClosed) == [LidOpened(), LidClosed()]
    bench.driver.give(MANY)
    assert bench.motor() == 1.0
    bench.run(0.1)
    bench.lift_lid()
    assert bench.motor() == 0, "at the same instant, though the edge before was missed"
    bench.run(REPORT_S)
