"""Every fault, one by one, and plans of faults."""

from __future__ import annotations

import pytest

from dispenser.simulator import Happening, LidShutError, SimulatorFault, SimulatorParameters, SimulatorValueError
from tests.simulator.rig import Rig


def faulty(fault: SimulatorFault, parameters: SimulatorParameters | None = None, *, cards: int = 1) -> Rig:
    rig = Rig.build(parameters)
    rig.simulator.switch_fault(fault, cards=cards)
    assert rig.simulator.view().faults == (fault.value,)
    return rig


def test_a_jam_keeps_the_exit_dark_until_hands_clear_it_with_the_lid_open() -> None:
    rig = faulty(SimulatorFault.ROLLER_JAM, SimulatorParameters.flawless(jam_free_probability=0.0))
    assert rig.feed(3) == 0
    view = rig.simulator.view()
    assert (view.jammed, view.cards_in_path, view.cards_out, view.faults) == (True, 1, 0, ())
    assert [edge.active for edge in rig.of("exit")] == [True]
    rig.check()
    with pytest.raises(LidShutError, match="open the lid"):
        rig.simulator.clear_jam()
    rig.simulator.open_lid()
    assert rig.simulator.clear_jam()
    assert not rig.level("exit")
    assert rig.simulator.view().cards_in_stack == 112
    assert not rig.simulator.clear_jam()
    assert rig.feed(3) == 3
    rig.check()


def test_a_retract_without_luck_changes_nothing_and_each_retract_tries_once() -> None:
    freed = 0
    for seed in range(60):
        rig = Rig.build(SimulatorParameters.flawless(), seed=seed)
        rig.simulator.switch_fault(SimulatorFault.ROLLER_JAM)
        rig.feed(1)
        assert rig.simulator.view().jammed
        rig.retract(0.5)
        freed += not rig.simulator.view().jammed
        assert rig.level("exit") is rig.simulator.view().jammed
        rig.check()
    assert 15 <= freed <= 45, f"seeds 0-59, {freed} of 60 freed at probability 0.5"


def test_double_feed_sends_two_cards_that_block_the_exit_longer() -> None:
    rig, plain = Rig.build(), Rig.build()
    rig.simulator.switch_fault(SimulatorFault.DOUBLE_FEED)
    rig.simulator.switch_fault(SimulatorFault.DOUBLE_FEED)  # the same again changes nothing
    rig.feed(1)
    assert [event.value for event in rig.events if event.happening is Happening.FAULT] == ["double_feed"] * 2
    plain.feed(1)
    assert rig.simulator.view().cards_out == 2
    assert rig.simulator.view().faults == ()
    assert rig.blocked_ms()[0] > plain.blocked_ms()[0] + 3.0
    rig.feed(1)
    assert rig.simulator.view().cards_out == 3
    rig.check()


def test_misfeed_slips_until_the_motor_starts_anew_for_so_many_tries() -> None:
    rig = faulty(SimulatorFault.MISFEED, cards=3)
    for _ in range(3):
        assert rig.feed(1) == 0
        assert rig.of("exit") == []
    assert rig.feed(1) == 1
    assert rig.simulator.view().faults == ()


def test_flat_cells_are_slow_and_a_stuck_button_stays_down_until_the_fault_goes() -> None:
    rig = faulty(SimulatorFault.FLAT_CELLS)
    assert rig.simulator.view().cell_voltage_v == pytest.approx(2.7)
    assert rig.feed(4) == 4
    assert min(rig.periods_ms()) > 110.0
    rig.simulator.switch_fault(SimulatorFault.FLAT_CELLS, on=False)
    rig.simulator.switch_fault(SimulatorFault.BUTTON_STUCK)
    rig.edges.clear()
    rig.simulator.push_button()
    assert rig.feed(4) == 4
    assert max(rig.periods_ms()) < 75.0
    assert rig.level("button")
    rig.simulator.switch_fault(SimulatorFault.BUTTON_STUCK, on=False)
    rig.run(0.1)
    assert not rig.level("button")
    with pytest.raises(SimulatorValueError, match=r"bad_luck.*roller_jam"):
        rig.simulator.switch_fault("bad_luck")
    with pytest.raises(SimulatorValueError, match="1 or more"):
        rig.simulator.switch_fault("misfeed", cards=0)


@pytest.mark.parametrize("fault", [SimulatorFault.EMPTY_STACK, SimulatorFault.MOTOR_DEAD])
def test_no_card_moves_while_none_is_in_reach_or_the_motor_is_dead(fault: SimulatorFault) -> None:
    rig = faulty(fault)
    assert rig.feed(1) == 0
    assert (rig.edges, rig.simulator.view().cards_in_stack) == ([], 112)
    rig.simulator.switch_fault(fault, on=False)
    assert rig.feed(1) == 1


def test_a_motor_stops_when_its_lead_comes_off() -> None:
    rig = Rig.build()
    rig.motor.forward()
    rig.run(0.2)
    rig.simulator.switch_fault(SimulatorFault.MOTOR_DEAD)
    rig.run(0.2)
    assert (rig.simulator.view().motor, rig.simulator.view().motor_commanded) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("fault", "level"), [(SimulatorFault.EXIT_STUCK_DARK, True), (SimulatorFault.EXIT_STUCK_LIGHT, False)]
)
def test_a_stuck_exit_sensor_shows_one_level_and_cards_leave_all_the_same(fault: SimulatorFault, level: bool) -> None:
    rig = faulty(fault)
    rig.motor.forward()
    rig.run(0.3)
    assert rig.level("exit") is level
    assert len(rig.of("exit")) == (1 if level else 0)
    assert rig.simulator.view().cards_out > 2
    rig.motor.stop()
    rig.run(0.3)
    rig.simulator.take_card()
    rig.simulator.switch_fault(fault, on=False)
    assert rig.level("exit") is False


def test_a_fluttering_lid_contact_opens_for_moments_and_only_while_the_lid_is_shut() -> None:
    rig = faulty(SimulatorFault.LID_CONTACT_FLUTTER)
    rig.run(10.0)
    edges = rig.of("lid")
    openings_ms = [(shut.at_s - opened.at_s) * 1e3 for opened, shut in zip(edges[::2], edges[1::2], strict=False)]
    assert 25 < len(openings_ms) < 500
    assert 0.1 - 0.002 <= min(openings_ms) <= max(openings_ms) <= 5.0 + 0.002
    assert not rig.simulator.view().lid_open
    rig.simulator.open_lid()
    rig.run(0.1)
    assert rig.scheduler.pending == 0
    rig.edges.clear()
    rig.run(5.0)
    assert rig.edges == []
    rig.simulator.close_lid()
    rig.run(5.0)
    assert len(rig.of("lid")) > 10
    rig.simulator.switch_fault(SimulatorFault.LID_CONTACT_FLUTTER, on=False)
    assert not rig.level("lid")
    assert rig.scheduler.pending == 0
