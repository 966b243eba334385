"""What the next push brings when somebody leads the game (DESIGN: The launcher's order)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dispenser.launcher import messages as m
from dispenser.launcher.machine import LauncherMachine
from dispenser.launcher.messages import FeedEnd, Refusal, State
from dispenser.launcher.settings import MachineSettings
from tests.launcher.scripted import ScriptedOdds
from tests.launcher.test_machine import SETTINGS, machine_in, only

OWED_NOTHING = m.Order(0, Refusal.NOTHING_OWED)
COUNTING = m.Order(0, Refusal.COUNT_FIRST)


def test_an_exact_order_is_fed_at_once_and_spent_by_its_push() -> None:
    machine = machine_in(State.READY, odds=[0])
    assert machine.step(m.Order(4), 1.0) == [m.OrderChanged(4, None)]
    assert machine.snapshot().order == m.Order(4)
    outputs = machine.step(m.Press(request="r1"), 2.0)
    assert only(m.PressAccepted, outputs) == m.PressAccepted(1, "button", 4, None, "r1", ordered=True)
    assert only(m.OrderChanged, outputs) == m.OrderChanged(0, Refusal.NOTHING_OWED, Refusal.BUSY)
    assert only(m.Feed, outputs).cards == 4
    outputs = machine.step(m.FeedEnded(FeedEnd.COUNT, 4), 3.0)
    assert only(m.BurstEnded, outputs).refusal is Refusal.NOTHING_OWED
    assert m.Light(on=True) not in outputs
    assert only(m.PressRefused, machine.step(m.Press(), 4.0)).reason is Refusal.NOTHING_OWED
    assert machine.odds.drawn == 0
    assert machine.snapshot().dud_streak == 0


def test_what_was_ordered_ends_no_run_of_bad_luck() -> None:
    machine = machine_in(State.READY, odds=[0])
    machine.step(m.Press(), 1.0)
    machine.step(m.Tick(), 60.0)
    assert machine.snapshot().dud_streak == 1
    machine.step(m.Order(2), 61.0)
    machine.step(m.Press(), 62.0)
    machine.step(m.FeedEnded(FeedEnd.COUNT, 2), 63.0)
    assert (machine.state, machine.snapshot().dud_streak) == (State.READY, 1)


@pytest.mark.parametrize("order", [OWED_NOTHING, COUNTING])
def test_an_order_that_refuses_says_why_by_light_and_chime(order: m.Order) -> None:
    machine = machine_in(State.READY)
    assert machine.step(order, 1.0) == [m.OrderChanged(0, order.why, order.why), m.Light(on=False)]
    assert (machine.snapshot().refusal, machine.snapshot().order) == (order.why, order)
    refused, *chime = machine.step(m.Press("web", request="r1"), 2.0)
    assert refused == m.PressRefused(1, "web", order.why, "r1")
    assert chime == [m.Play(m.Chime.REFUSED), m.ChimePlayed(m.Chime.REFUSED)]
    assert machine.step(m.Order(2), 3.0) == [m.OrderChanged(2, None), m.Light(on=True)]


def test_what_is_in_the_way_of_any_press_is_told_before_what_an_order_says() -> None:
    machine = machine_in(State.READY)
    machine.step(OWED_NOTHING, 1.0)
    machine.step(m.LidOpened(), 2.0)
    assert machine.snapshot().refusal is Refusal.LID_OPEN
    outputs = machine.step(m.LidClosed(), 3.0)
    assert only(m.StateChanged, outputs).refusal is Refusal.NOTHING_OWED
    assert m.Light(on=True) not in outputs


@pytest.mark.parametrize(
    ("cards", "why"),
    [(0, None), (-1, None), (31, None), (4, Refusal.NOTHING_OWED), (None, Refusal.COUNT_FIRST), (0, Refusal.BUSY)],
)
def test_an_order_that_says_two_things_cannot_be_built(cards: int | None, why: Refusal | None) -> None:
    with pytest.raises(m.MessageError, match="must be"):
        m.Order(cards, why)


ORDERS = st.one_of(st.just(m.Order()), st.integers(1, 12).map(m.Order), st.sampled_from([OWED_NOTHING, COUNTING]))
OTHERS = (
    *(m.Press(), m.Press("api", 2), m.Tick(), m.LidOpened(), m.LidClosed(), m.ExitBlocked(), m.ExitCleared(50.0)),
    *(m.FeedEnded(FeedEnd.COUNT, 2), m.FeedEnded(FeedEnd.STALL, 0), m.FeedEnded(FeedEnd.LID, 1)),
    *(m.RetractEnded(FeedEnd.TIMED), m.DriverFailed("gone"), m.DriverRecovered(), m.Reset(), m.Load(50)),
    *(m.SwitchOff(), m.SwitchOn(lid_open=False)),
)
EVENTS = st.one_of(ORDERS, st.just(m.Press()), st.sampled_from(OTHERS))


class Leader:
    """Whoever leads the game: holds every push to the order it has given."""

    def __init__(self, machine: LauncherMachine) -> None:
        self.machine = machine
        self.order = m.Order()
        self.lit = False
        self.lucky = 0
        self.planned: int | None = None

    def give(self, event: m.Event, now: float) -> None:
        was_on = self.machine.state is not State.OFF
        outputs = self.machine.step(event, now)
        if isinstance(event, m.SwitchOn) and not was_on:
            self.order = m.Order()
        changed = [m.Order(each.cards, each.why) for each in outputs if isinstance(each, m.OrderChanged)]
        if isinstance(event, m.Order):
            assert changed == ([event] if was_on and event != self.order else []), "told when it changes, and only then"
        for each in outputs:
            self.handle(each, event)
        self.order = changed[-1] if changed else self.order
        snapshot = self.machine.snapshot()
        assert (snapshot.order or m.Order()) == self.order
        assert self.lit == (snapshot.refusal is None), "the light says whether a push would count"
        assert self.machine.odds.drawn == self.lucky

    def handle(self, told: m.Output, event: m.Event) -> None:
        if isinstance(told, m.Light):
            self.lit = told.on
        elif isinstance(told, m.PressAccepted):
            assert isinstance(event, m.Press)
            self.planned = told.cards
            self.lucky += told.cards is None
            assert told.ordered == (event.cards is None and self.order.cards is not None)
            assert (told.draw is None) == (told.cards is not None), "luck is drawn for what is left to luck"
            if event.cards is None:
                assert told.cards == self.order.cards, "exactly what was ordered"
                assert told.cards != 0
        elif isinstance(told, m.OrderChanged) and isinstance(event, m.Press):
            assert (told.cards, told.why) == (0, Refusal.NOTHING_OWED), "spent by one push"
            assert self.order.cards
        elif isinstance(told, m.BurstStarted | m.BurstEnded) and self.planned is not None:
            assert told.planned == self.planned, "never more than was ordered"
        elif isinstance(told, m.Feed) and self.planned is not None:
            assert told.cards <= self.planned


@settings(max_examples=400)
@given(events=st.lists(EVENTS, max_size=60), suspense_s=st.sampled_from([0.0, 1.0]))
def test_whatever_happens_a_push_brings_what_is_ordered_and_once(events: list[m.Event], suspense_s: float) -> None:
    settings = MachineSettings(suspense_min_s=suspense_s, suspense_max_s=suspense_s, max_tries=SETTINGS.max_tries)
    leader = Leader(LauncherMachine(settings, ScriptedOdds([0, 3, 0, 5])))
    leader.give(m.SwitchOn(lid_open=False), 0.0)
    for number, event in enumerate(events, 1):
        leader.give(event, number * 2.0)
