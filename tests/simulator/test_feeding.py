"""The way of the cards: known figures, coast-down, cards left sticking out, retract, wiring of the motor."""

from __future__ import annotations

import dataclasses
from statistics import mean

import pytest

from dispenser.simulator import Line, SimulatorParameters
from tests.simulator.rig import WIRING, Rig


def full_run(*, volts: float | None = None, duty: float = 1.0, parameters: SimulatorParameters | None = None) -> Rig:
    """The whole stack, without a stop."""
    rig = Rig.build(parameters)
    if volts is not None:
        rig.simulator.set_cell_voltage(volts)
    rig.motor.forward(duty)
    rig.run(60.0)
    return rig


def test_one_card_takes_57_ms_at_full_duty_with_fresh_cells_and_blocks_the_exit_for_its_length() -> None:
    rig = full_run()
    assert rig.simulator.view().cards_out == 112
    assert mean(rig.periods_ms()) == pytest.approx(57.0, rel=0.03)
    assert 45.0 < min(rig.periods_ms()) < max(rig.periods_ms()) < 70.0
    steady = rig.blocked_ms()[1:]
    assert mean(steady) == pytest.approx(87.0 / 2000.0 * 1e3, rel=0.01)
    assert max(steady) / min(steady) < 1.1


def test_weaker_cells_are_slower_until_the_motor_stalls() -> None:
    periods = [mean(full_run(volts=volts).periods_ms()) for volts in (4.8, 4.0, 3.3, 2.7, 2.2)]
    assert periods == sorted(periods)
    assert periods[3] == pytest.approx(140.0, rel=0.05), "flat cells"
    stalled = full_run(volts=1.8)
    assert stalled.of("exit") == []
    assert stalled.simulator.view().motor == 0.0
    assert stalled.scheduler.pending == 0


def test_the_voltage_sags_under_load_and_running_drains_the_cells() -> None:
    rig = Rig.build(SimulatorParameters.flawless(cell_capacity_mah=5.0), cards=0)
    rig.motor.forward()
    assert rig.simulator.view().cell_voltage_v == pytest.approx(4.8 - 0.45 * 0.8)
    rig.run(10.0)
    rig.motor.stop()
    drained_mah = 0.8 * 1000 * 10 / 3600
    assert rig.simulator.view().cell_voltage_v == pytest.approx(4.8 - 2.1 * drained_mah / 5.0)
    rig.simulator.new_cells()
    assert rig.simulator.view().cell_voltage_v == pytest.approx(4.8)


def test_exactly_the_cards_that_were_counted_leave() -> None:
    rig = Rig.build(SimulatorParameters.flawless(gap_spread_mm=0.0))
    for number, cards in enumerate((1, 5, 3, 8), start=1):
        before = rig.simulator.view().cards_out
        assert rig.feed(cards) == cards
        assert rig.simulator.view().cards_out == before + cards, f"burst {number}"
        assert rig.scheduler.pending == 0
    rig.check()


@pytest.mark.parametrize(("brake", "turning_s"), [(True, 0.005), (False, 0.020)])
def test_the_roller_coasts_for_about_27_ms_and_stops_sooner_with_the_brake(brake: bool, turning_s: float) -> None:
    rig = Rig.build(cards=0)
    rig.motor.forward()
    rig.run(1.0)
    if brake:
        rig.motor.backward_device.value = 1
    else:
        rig.motor.stop()
    assert rig.simulator.view().motor_commanded == 0.0
    rig.run(turning_s)
    assert rig.simulator.view().motor > 0.0
    rig.run(0.011 - turning_s if brake else 0.010)
    assert rig.simulator.view().motor == 0.0
    assert rig.scheduler.wakeups == 0, "an empty roller needs no timer"


def test_the_coast_down_may_leave_a_card_sticking_out_and_a_retract_pulls_it_back() -> None:
    rig = Rig.build(SimulatorParameters.flawless(coast_ms=40.0))
    assert rig.feed(2) == 2
    view = rig.simulator.view()
    assert (view.cards_out, view.cards_in_path, view.card_in_exit, rig.level("exit")) == (2, 1, True, True)
    assert rig.scheduler.pending == 0
    rig.check()
    rig.retract()
    view = rig.simulator.view()
    assert (view.card_in_exit, view.cards_in_path, view.cards_in_stack, rig.level("exit")) == (False, 0, 110, False)
    assert rig.feed(1) == 1
    rig.check()


def test_a_bridge_needs_its_enable_pin_and_a_single_mosfet_only_feeds_forward() -> None:
    enabled = Rig.build(wiring=dataclasses.replace(WIRING, motor_enable=Line(22)))
    single = Rig.build(wiring=dataclasses.replace(WIRING, motor_backward=None))
    speeds = []
    for rig, stop in ((enabled, enabled.motor.enable_device.off), (single, single.motor.backward)):
        rig.motor.forward()
        rig.run(0.2)
        speeds.append(rig.simulator.view().motor)
        stop()
        rig.run(0.2)
        assert (rig.simulator.view().motor, rig.simulator.view().motor_commanded) == (0.0, 0.0)
    assert min(speeds) > 0.9


def test_the_hardware_interlock_does() -> None:
    rig = Rig.build(SimulatorParameters.flawless(hardware_interlock=True))
    rig.motor.forward()
    rig.run(0.2)
    rig.simulator.open_lid()
    rig.run(0.1)
    view = rig.simulator.view()
    assert (view.motor, view.motor_commanded) == (0.0, 1.0)
    rig.simulator.close_lid()
    rig.run(0.2)
    assert rig.simulator.view().motor > 0.9


def test_an_empty_stack_turns_freely_and_cards_put_in_go_at_once() -> None:
    rig = Rig.build(cards=1)
    rig.motor.forward()
    rig.run(1.0)
    assert rig.simulator.view().cards_out == 1
    assert rig.scheduler.pending == 0
    rig.simulator.load(2)
    rig.run(1.0)
    assert rig.simulator.view().cards_out == 3
    rig.check()
