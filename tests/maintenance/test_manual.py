"""By hand: the motor turns while somebody says so, with the lid shut, and never longer than in a game."""

from __future__ import annotations

import pytest

from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.notices import Chime
from dispenser.maintenance.bench import Bench
from dispenser.maintenance.manual import LIGHT_S, MOST_IN_A_ROW, PAUSE_S, Act, Manual
from tests.maintenance.rig import Workbench

REPEAT_S = 0.033
FIRST_REPEAT_S = 0.5
ONE_RUN_S = 0.5
"""By then a run of one card is over."""


@pytest.fixture
def at() -> Workbench:
    return Workbench()


def by_hand(at: Workbench) -> Bench:
    return at.join(Manual(at.driver.capabilities, at.settings, at.levels()))


def hold(at: Workbench, bench: Bench, act: Act, seconds: float) -> None:
    """A key as terminals tell of it."""
    bench.handle(act)
    at.run(min(FIRST_REPEAT_S, seconds))
    for _ in range(int((seconds - FIRST_REPEAT_S) / REPEAT_S)):
        bench.handle(act)
        at.run(REPEAT_S)


def test_each_chime_is_said_in_words_that_people_read(at: Workbench) -> None:
    manual = Manual(at.driver.capabilities, at.settings, at.levels())
    bench = at.join(manual)
    said = []
    for _ in Chime:
        bench.handle(Act.CHIME)
        said.append(manual.shown().said)
        at.run(PAUSE_S)
    for language, begin in ("en", "Chime: "), ("fr", "Mélodie\N{NO-BREAK SPACE}: "):
        words = [text[language] for text in said]
        assert [text for text in words if not text.startswith(begin) or "_" in text] == []
        assert len(set(words)) == len(Chime)


def test_a_key_that_is_held_goes_on_and_one_that_is_let_go_begins_nothing_more(at: Workbench) -> None:
    bench = by_hand(at)
    hold(at, bench, Act.FEED, 2.5)
    at.run(ONE_RUN_S)
    came = at.simulator.view().cards_out
    assert came > 4
    at.run(5)
    assert at.simulator.view().cards_out == came
    assert at.simulator.view().motor_commanded == 0


@pytest.mark.parametrize("act", [Act.FEED, Act.RETRACT])
def test_the_lid_stops_it_at_once_and_nothing_begins_under_an_open_one(at: Workbench, act: Act) -> None:
    bench = by_hand(at)
    bench.handle(act)
    at.run(0.03)
    assert at.simulator.view().motor_commanded != 0
    at.simulator.open_lid()
    assert at.simulator.view().motor_commanded == 0
    at.motor.clear()
    hold(at, bench, act, 2)
    assert at.motor == []


def test_the_driver_itself_refuses_whatever_this_machine_believes_of_the_lid(at: Workbench) -> None:
    shut = at.levels()
    at.simulator.open_lid()
    at.run(1)
    bench = at.join(Manual(at.driver.capabilities, at.settings, shut))
    hold(at, bench, Act.FEED, 2)
    assert at.motor == []


def test_something_that_lies_on_the_key_throws_no_whole_stack(at: Workbench) -> None:
    bench = by_hand(at)
    hold(at, bench, Act.FEED, 20)
    assert at.simulator.view().cards_out <= MOST_IN_A_ROW
    at.simulator.load(20)
    at.run(2)
    before = at.simulator.view().cards_out
    bench.handle(Act.FEED)
    at.run(ONE_RUN_S)
    assert at.simulator.view().cards_out == before + 1


def test_a_motor_that_turns_one_way_is_not_asked_to_pull_back() -> None:
    at = Workbench(wiring=GpioWiring(motor_backward=None, motor_enable=None))
    hold(at, by_hand(at), Act.RETRACT, 1)
    assert at.motor == []


def test_the_light_is_on_while_its_key_is_held(at: Workbench) -> None:
    bench = by_hand(at)
    hold(at, bench, Act.LIGHT, 2)
    assert at.simulator.view().light_on
    at.run(LIGHT_S + 0.1)
    assert not at.simulator.view().light_on


@pytest.mark.parametrize("act", [Act.FEED, Act.RETRACT])
def test_a_key_that_was_held_while_the_lid_was_lifted_must_be_let_go_first(at: Workbench, act: Act) -> None:
    bench = by_hand(at)
    hold(at, bench, act, 1)
    at.simulator.open_lid()
    hold(at, bench, act, 1)
    at.simulator.close_lid()
    at.motor.clear()
    hold(at, bench, act, 3)
    assert at.motor == []
    at.run(PAUSE_S + 0.1)
    bench.handle(act)
    at.run(0.03)
    assert at.motor != []


def test_no_single_run_is_longer_than_a_retract_of_the_settings(at: Workbench) -> None:
    bench = by_hand(at)
    bench.handle(Act.RETRACT)
    at.run(at.settings.retract_s + 0.01)
    assert at.motor == [-1.0, 0.0]


def test_stop_stops(at: Workbench) -> None:
    bench = by_hand(at)
    bench.handle(Act.FEED)
    at.run(0.03)
    bench.handle(Act.STOP)
    assert at.simulator.view().motor_commanded == 0
