"""The launcher machine, promise by promise (DESIGN: The launcher machine)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.messages import BurstEnd, FeedEnd, Refusal, State
from dispenser.launcher.settings import MachineSettings
from tests.launcher.scripted import ScriptedOdds

SETTINGS = MachineSettings(suspense_min_s=1.0, suspense_max_s=2.0)


def machine_in(
    state: State, odds: Iterable[int] = (3, 3, 3, 3), settings: MachineSettings = SETTINGS
) -> LauncherMachine:
    """A machine that was led to a state the way life leads it there."""
    machine = LauncherMachine(settings, ScriptedOdds(odds))
    if state is State.OFF:
        return machine
    machine.step(m.SwitchOn(lid_open=state is State.OPEN), 0.0)
    if state not in (State.OPEN, State.READY, State.FAULT):
        machine.step(m.Press(), 1.0)
    if state not in (State.OPEN, State.READY, State.FAULT, State.SUSPENSE):
        machine.step(m.Tick(), 10.0)
    if state is State.BLIND:
        machine.step(m.FeedEnded(FeedEnd.BLIND, 0), 11.0)
    if state is State.RETRACTING:
        machine.step(m.FeedEnded(FeedEnd.STALL, 0), 11.0)
    if state in (State.JAMMED, State.EMPTY):
        for _ in range(settings.max_tries):
            machine.step(m.FeedEnded(FeedEnd.STALL, 0, exit_blocked=state is State.JAMMED), 11.0)
            machine.step(m.RetractEnded(FeedEnd.TIMED, exit_blocked=state is State.JAMMED), 11.0)
    if state is State.FAULT:
        machine.step(m.DriverFailed("the pins are gone"), 1.0)
    assert machine.state is state
    return machine


def kinds(outputs: Iterable[object]) -> list[type]:
    return [type(output) for output in outputs]


def only(kind: type, outputs: Iterable[object]) -> Any:
    found = [output for output in outputs if type(output) is kind]
    assert len(found) == 1, f"{len(found)} of {kind.__name__} in {outputs}"
    return found[0]


LIT = [state for state in State if state is not State.OFF]


@pytest.mark.parametrize("state", LIT)
def test_lid_up_stops_the_motor_first_and_lid_down_starts_none(state: State) -> None:
    machine = machine_in(state)
    opened = machine.step(m.LidOpened(), 20.0)
    assert opened[0] == m.Stop()
    assert machine.state is (State.FAULT if state is State.FAULT else State.OPEN)
    closed = machine.step(m.LidClosed(), 21.0)
    assert machine.state is (State.FAULT if state is State.FAULT else State.READY)
    chimes = [] if state is State.FAULT else [m.Chime.LID_SHUT]
    assert [output.chime for output in closed if isinstance(output, m.Play)] == chimes
    late = machine.step(m.Tick(), 60.0)  # a burst that was cut short may still wait for the driver's report
    assert not {m.Feed, m.Retract} & set(kinds([*opened, *closed, *late]))
    assert machine.deadline is None


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (State.OFF, Refusal.OFF),
        (State.OPEN, Refusal.LID_OPEN),
        (State.SUSPENSE, Refusal.BUSY),
        (State.FEEDING, Refusal.BUSY),
        (State.RETRACTING, Refusal.BUSY),
        (State.JAMMED, Refusal.JAMMED),
        (State.EMPTY, Refusal.EMPTY),
        (State.BLIND, Refusal.BLIND),
        (State.FAULT, Refusal.FAULT),
    ],
)
def test_a_press_that_does_not_count_says_why_and_costs_no_draw(state: State, reason: Refusal) -> None:
    machine = machine_in(state)
    drawn = machine.odds.drawn
    outputs = machine.step(m.Press(source="button", request="r1"), 30.0)
    refused = only(m.PressRefused, outputs)
    assert (refused.reason, refused.request) == (reason, "r1")
    assert not {m.Feed, m.Retract, m.PressAccepted} & set(kinds(outputs))
    assert machine.odds.drawn == drawn
    assert machine.state is state


def refusal(machine: LauncherMachine, now: float) -> Refusal:
    """Why a press is refused; the snapshot and the light must have said the same before."""
    said = machine.snapshot().refusal
    refused = only(m.PressRefused, machine.step(m.Press(), now))
    assert refused.reason is said
    return said


def test_an_exit_that_is_dark_without_a_card_is_another_reason() -> None:
    machine = machine_in(State.READY)
    assert m.Light(on=False) in machine.step(m.ExitBlocked(), 1.0)
    assert refusal(machine, 2.0) is Refusal.EXIT_DARK
    assert m.Light(on=True) in machine.step(m.ExitCleared(400.0), 3.0)
    only(m.PressAccepted, machine.step(m.Press(), 4.0))


@pytest.mark.parametrize("dark", ["since it was switched on", "after a hand was inside"])
def test_an_exit_that_nothing_was_fed_into_holds_no_card(dark: str) -> None:
    machine = machine_in(State.JAMMED if dark == "after a hand was inside" else State.OFF)
    for event in (m.SwitchOn(lid_open=True, exit_blocked=True), m.LidOpened(), m.LidClosed()):
        machine.step(event, 20.0)
    assert refusal(machine, 22.0) is Refusal.EXIT_DARK


@pytest.mark.parametrize(("inside", "state"), [(None, State.BLIND), (112, State.BLIND), (0, State.EMPTY)])
def test_a_feed_that_saw_nothing_is_never_tried_again(inside: int | None, state: State) -> None:
    machine = machine_in(State.READY)
    if inside is not None:
        machine.step(m.Load(inside), 0.5)
    machine.step(m.Press(cards=2), 1.0)
    outputs = machine.step(m.FeedEnded(FeedEnd.BLIND, 0), 1.2)
    assert not {m.Feed, m.Retract} & set(kinds(outputs))
    ended = only(m.BurstEnded, outputs)
    assert (machine.state, ended.cause.value, ended.tries) == (state, state.value, 1)
    assert only(m.StateChanged, outputs).detail == machine.snapshot().detail != ""


def test_after_cards_that_were_seen_a_feed_that_sees_none_means_empty() -> None:
    machine = machine_in(State.FEEDING, odds=[3])
    machine.step(m.ExitBlocked(), 10.1)
    machine.step(m.ExitCleared(50.0), 10.2)
    machine.step(m.FeedEnded(FeedEnd.STALL, 1), 10.4)
    machine.step(m.RetractEnded(FeedEnd.TIMED), 10.6)
    ended = only(m.BurstEnded, machine.step(m.FeedEnded(FeedEnd.BLIND, 0), 10.8))
    assert (machine.state, ended.cause, ended.delivered) == (State.EMPTY, BurstEnd.EMPTY, 1)


@pytest.mark.parametrize(
    ("state", "in_vain", "at_last"),
    [
        (State.BLIND, m.Load(0), m.Reset()),
        (State.BLIND, m.Load(0), m.Load(50)),
        (State.EMPTY, m.Load(0), m.Load(50)),
        (State.EMPTY, m.ExitCleared(50.0), m.Reset()),
        (State.JAMMED, m.Reset(), m.Reset(exit_blocked=False)),
    ],
    ids=str,
)
def test_what_waits_for_a_person_is_ready_when_that_is_seen_to(
    state: State, in_vain: m.Event, at_last: m.Event
) -> None:
    machine = machine_in(state)
    machine.step(in_vain, 20.0)
    assert machine.state is state
    machine.step(at_last, 21.0)
    assert (machine.state, machine.snapshot().detail) == (State.READY, "")


def test_a_dud_ends_when_the_drum_roll_ends_and_nothing_moves() -> None:
    machine = machine_in(State.READY, odds=[0])
    machine.step(m.Press(), 5.0)
    assert machine.state is State.SUSPENSE
    assert machine.deadline == 6.5  # halfway between 1 and 2 seconds, as the draw said
    assert machine.step(m.Tick(), 6.4) == []
    outputs = machine.step(m.Tick(), 6.5)
    ended = only(m.BurstEnded, outputs)
    assert (ended.planned, ended.delivered, ended.cause, ended.dud_streak) == (0, 0, BurstEnd.DUD, 1)
    assert not {m.Feed, m.Retract} & set(kinds(outputs))
    assert machine.state is State.READY


def test_a_burst_feeds_what_was_planned_and_tells_every_card() -> None:
    machine = machine_in(State.FEEDING, odds=[3])
    for number in (1, 2, 3):
        machine.step(m.ExitBlocked(), 11.0 + number)
        left = only(m.CardLeft, machine.step(m.ExitCleared(50.0), 11.05 + number))
        assert (left.number, left.suspected_double) == (number, False)
    ended = only(m.BurstEnded, machine.step(m.FeedEnded(FeedEnd.COUNT, 3), 20.0))
    assert (ended.planned, ended.delivered, ended.cause, ended.tries) == (3, 3, BurstEnd.COMPLETE, 1)
    assert machine.state is State.READY


def test_a_feed_is_bounded_in_time_and_asks_for_what_is_missing_only() -> None:
    machine = machine_in(State.FEEDING, odds=[5])
    machine.step(m.ExitCleared(50.0), 11.0)
    machine.step(m.ExitCleared(50.0), 11.1)
    machine.step(m.FeedEnded(FeedEnd.STALL, 2), 12.0)
    assert machine.state is State.RETRACTING
    feed = only(m.Feed, machine.step(m.RetractEnded(FeedEnd.TIMED), 12.1))
    assert feed.cards == 3
    assert 0 < feed.timeout_s <= m.MAX_MOTOR_RUN_S


def test_a_burst_that_the_lid_cuts_short_ends_once_the_motor_has_coasted_down_and_is_busy_until_then() -> None:
    machine = machine_in(State.FEEDING, odds=[5, 1])
    machine.step(m.ExitCleared(50.0), 11.0)
    outputs = machine.step(m.LidOpened(), 11.1) + machine.step(m.LidClosed(), 11.12)
    assert m.BurstEnded not in kinds(outputs)
    assert m.Light(on=True) not in outputs
    assert refusal(machine, 11.13) is Refusal.BUSY
    machine.step(m.ExitCleared(60.0), 11.15)  # the second card was already on its way
    outputs = machine.step(m.FeedEnded(FeedEnd.LID, 2), 11.3)
    ended = only(m.BurstEnded, outputs)
    assert (ended.planned, ended.delivered, ended.cause) == (5, 2, BurstEnd.LID)
    assert m.Light(on=True) in outputs
    only(m.PressAccepted, machine.step(m.Press(), 11.4))


def test_a_lid_that_a_refused_feed_tells_of_is_written_once_and_closes_again() -> None:
    machine = machine_in(State.READY)
    machine.step(m.Press(cards=2), 1.0)
    assert m.LidWasOpened() in machine.step(m.FeedEnded(FeedEnd.LID, 0), 1.0)
    assert machine.state is State.OPEN
    assert machine.step(m.LidOpened(), 1.0) == [m.Stop()]
    machine.step(m.LidClosed(), 1.1)
    assert machine.state is State.READY


@pytest.mark.parametrize(
    ("blocked", "state", "cause"), [(True, State.JAMMED, BurstEnd.JAMMED), (False, State.EMPTY, BurstEnd.EMPTY)]
)
def test_after_the_last_try_it_is_jammed_or_empty(blocked: bool, state: State, cause: BurstEnd) -> None:
    machine = machine_in(State.FEEDING, odds=[3])
    for _ in range(SETTINGS.max_tries - 1):
        retract = machine.step(m.FeedEnded(FeedEnd.STALL, 0, blocked), 12.0)
        assert m.Retract in kinds(retract)
        machine.step(m.RetractEnded(FeedEnd.TIMED), 12.1)
    outputs = machine.step(m.FeedEnded(FeedEnd.STALL, 0, blocked), 13.0)
    ended = only(m.BurstEnded, outputs)
    assert (machine.state, ended.cause, ended.tries) == (state, cause, SETTINGS.max_tries)
    assert machine.snapshot().detail == only(m.StateChanged, outputs).detail != ""


@pytest.mark.parametrize("can_retract", [True, False])
def test_nothing_is_pushed_into_an_exit_that_stays_dark(can_retract: bool) -> None:
    """What leaves in the dark nobody counts."""
    machine = machine_in(State.FEEDING, odds=[3], settings=MachineSettings(can_retract=can_retract))
    outputs = machine.step(m.FeedEnded(FeedEnd.STALL, 0, exit_blocked=True), 12.0)
    assert (m.Retract in kinds(outputs)) is can_retract
    if can_retract:
        outputs += machine.step(m.RetractEnded(FeedEnd.TIMED, exit_blocked=True), 12.1)
    assert m.Feed not in kinds(outputs)
    assert (machine.state, only(m.BurstEnded, outputs).cause) == (State.JAMMED, BurstEnd.JAMMED)


def test_without_an_exit_sensor_the_feed_is_timed_and_the_count_unknown() -> None:
    settings = MachineSettings(has_exit_sensor=False, suspense_min_s=0, suspense_max_s=0)
    machine = machine_in(State.READY, settings=settings, odds=[4])
    feed = only(m.Feed, machine.step(m.Press(), 1.0))
    assert feed.timeout_s == pytest.approx(0.05 + 4 * 0.057)
    ended = only(m.BurstEnded, machine.step(m.FeedEnded(FeedEnd.TIMED, None), 2.0))
    assert (ended.delivered, ended.cause) == (None, BurstEnd.TIMED)
    counted = only(m.BurstCounted, machine.step(m.EnterCount(1, 4), 3.0))
    assert counted.cards == 4


def test_a_card_left_sticking_out_belongs_to_the_presser_is_counted_once_and_refuses_the_next_press() -> None:
    machine = machine_in(State.READY, odds=[1])
    machine.step(m.Load(10), 0.5)
    machine.step(m.Press(), 1.0)
    machine.step(m.Tick(), 10.0)
    machine.step(m.ExitBlocked(), 10.1)
    machine.step(m.ExitCleared(50.0), 10.2)
    machine.step(m.ExitBlocked(), 10.25)
    ended = only(m.BurstEnded, machine.step(m.FeedEnded(FeedEnd.COUNT, 1, exit_blocked=True), 10.5))
    assert (ended.planned, ended.delivered, ended.sticking_out) == (1, 2, True)
    assert machine.snapshot().cards_inside == 8
    assert refusal(machine, 11.0) is Refusal.CARD_IN_EXIT
    outputs = machine.step(m.ExitCleared(4000.0), 14.0)
    assert outputs == [m.ExitChanged(blocked=False), m.Light(on=True)]
    assert machine.snapshot().cards_inside == 8


def test_a_card_that_slides_out_late_is_told_as_nobodys() -> None:
    machine = machine_in(State.READY)
    machine.step(m.Load(10), 0.5)
    machine.step(m.ExitBlocked(), 1.0)
    left = only(m.CardLeft, machine.step(m.ExitCleared(55.0), 1.1))
    assert (left.press, left.number) == (None, 0)
    assert machine.snapshot().cards_inside == 9


def test_a_double_that_only_later_cards_give_away_is_told_at_the_end() -> None:
    machine = machine_in(State.READY, odds=[])
    machine.step(m.Press(cards=3), 1.0)
    for ms in (80.0, 44.0, 43.0):
        assert not only(m.CardLeft, machine.step(m.ExitCleared(ms), 2.0)).suspected_double
    assert only(m.BurstEnded, machine.step(m.FeedEnded(FeedEnd.COUNT, 3), 3.0)).suspected_doubles == 1


def test_a_card_that_coasts_out_when_the_motor_is_off_is_slow_and_no_suspect() -> None:
    machine = machine_in(State.READY, odds=[])
    machine.step(m.Press(cards=5), 1.0)
    for ms in (52.0, 43.0):
        machine.step(m.ExitCleared(ms), 2.0)
    machine.step(m.LidOpened(), 2.1)
    assert not only(m.CardLeft, machine.step(m.ExitCleared(70.0), 2.2)).suspected_double
    assert only(m.BurstEnded, machine.step(m.FeedEnded(FeedEnd.LID, 3), 2.3)).suspected_doubles == 0


@pytest.mark.parametrize("state", LIT)
def test_a_failing_driver_stops_everything_and_latches(state: State) -> None:
    machine = machine_in(state)
    outputs = machine.step(m.DriverFailed("unplugged"), 40.0)
    assert outputs[0] == m.Stop()
    assert machine.state is State.FAULT
    assert machine.snapshot().detail == "unplugged"
    machine.step(m.Reset(), 41.0)
    assert machine.state is State.FAULT, "the cause is still there"
    machine.step(m.DriverRecovered(), 42.0)
    assert machine.state is State.FAULT, "latched until a person has seen to it"
    machine.step(m.Reset(), 43.0)
    assert machine.state is (State.OPEN if state is State.OPEN else State.READY)


@pytest.mark.parametrize(
    ("event", "cause"), [(m.LidOpened(), BurstEnd.LID), (m.DriverFailed("gone"), BurstEnd.FAULT)], ids=str
)
def test_a_burst_that_was_cut_short_ends_when_the_driver_never_reports(event: m.Event, cause: BurstEnd) -> None:
    machine = machine_in(State.FEEDING)
    machine.step(event, 12.0)
    machine.step(m.ExitCleared(50.0), 12.1)  # the motor coasts
    assert machine.deadline is not None
    ended = only(m.BurstEnded, machine.step(m.Tick(), machine.deadline))
    assert (ended.cause, ended.delivered) == (cause, 1)


def test_a_driver_that_forgets_to_report_is_a_fault() -> None:
    machine = machine_in(State.FEEDING)
    assert machine.deadline is not None
    outputs = machine.step(m.Tick(), machine.deadline)
    assert outputs[0] == m.Stop()
    assert machine.state is State.FAULT


@pytest.mark.parametrize("state", [State.SUSPENSE, State.FEEDING])
def test_switching_off_stops_and_ends_the_press(state: State) -> None:
    machine = machine_in(state)
    outputs = machine.step(m.SwitchOff(), 12.0)
    assert outputs[0] == m.Stop()
    assert only(m.BurstEnded, outputs).cause is BurstEnd.OFF
    assert (machine.state, machine.deadline) == (State.OFF, None)


def test_power_and_lid_restart_the_odds() -> None:
    machine = machine_in(State.READY)
    assert machine.odds.resets == 1
    machine.step(m.LidOpened(), 1.0)
    assert machine.odds.resets == 1
    machine.step(m.LidClosed(), 2.0)
    assert machine.odds.resets == 2


@pytest.mark.parametrize(
    "make",
    [
        lambda: m.Feed(3, timeout_s=0, stall_s=1),
        lambda: m.Feed(3, timeout_s=float("nan"), stall_s=1),
        lambda: m.Feed(3, timeout_s=11, stall_s=1),
        lambda: m.Feed(0, timeout_s=1, stall_s=1),
        lambda: m.Feed(31, timeout_s=1, stall_s=1),
        lambda: m.Feed(3, timeout_s=1, stall_s=1, duty=1.1),
        lambda: m.Retract(2),
        lambda: m.Press(cards=31),
        lambda: m.Load(-1),
        lambda: m.EnterCount(1, -1),
        lambda: MachineSettings(max_tries=0),
        lambda: MachineSettings(suspense_min_s=3, suspense_max_s=1),
        lambda: MachineSettings(feed_base_s=float("nan")),
    ],
)
def test_what_may_not_exist_cannot_be_built(make: object) -> None:
    with pytest.raises(m.MessageError, match="must be"):
        make()
    with pytest.raises(TypeError):
        m.Feed(3)


def test_a_retract_that_clears_the_exit_is_told_and_the_card_has_not_left() -> None:
    machine = machine_in(State.RETRACTING)
    machine.step(m.ExitBlocked(), 11.0)
    assert machine.step(m.ExitCleared(900.0), 11.1) == [m.ExitChanged(blocked=False, refusal=m.Refusal.BUSY)]
