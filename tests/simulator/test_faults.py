"""Every fault, one by one, and plans of faults."""

from __future__ import annotations

import pytest

from dispenser.simulator import Happening, LidShutError, ToyFault, ToyParameters, ToyValueError
from tests.simulator.rig import Rig


def faulty(fault: ToyFault, parameters: ToyParameters | None = None, *, cards: int = 1) -> Rig:
    rig = Rig.build(parameters)
    rig.toy.switch_fault(fault, cards=cards)
    assert rig.toy.view().faults == (fault.value,)
    return rig


def test_a_jam_keeps_the_exit_dark_until_hands_clear_it_with_the_lid_open() -> None:
    rig = faulty(ToyFault.ROLLER_JAM, ToyParameters.flawless(jam_free_probability=0.0))
    assert rig.feed(3) == 0
    view = rig.toy.view()
    assert (view.jammed, view.cards_in_path, view.cards_out, view.faults) == (True, 1, 0, ())
    assert [edge.active for edge in rig.of("exit")] == [True]
    rig.check()
    with pytest.raises(LidShutError, match="open the lid"):
        rig.toy.clear_jam()
    rig.toy.open_lid()
    assert rig.toy.clear_jam()
    assert not rig.level("exit")
    assert rig.toy.view().cards_in_stack == 112
    assert not rig.toy.clear_jam()
    assert rig.feed(3) == 3
    rig.check()


def test_a_retract_without_luck_changes_nothing_and_each_retract_tries_once() -> None:
    freed = 0
    for seed in range(60):
        rig = Rig.build(ToyParameters.flawless(), seed=seed)
        rig.toy.switch_fault(ToyFault.ROLLER_JAM)
        rig.feed(1)
        assert rig.toy.view().jammed
        rig.retract(0.5)
        freed += not rig.toy.view().jammed
        assert rig.level("exit") is rig.toy.view().jammed
        rig.check()
    assert 15 <= freed <= 45, f"seeds 0-59, {freed} of 60 freed at probability 0.5"


def test_double_feed_sends_two_cards_that_block_the_exit_longer() -> None:
    rig, plain = Rig.build(), Rig.build()
    rig.toy.switch_fault(ToyFault.DOUBLE_FEED)
    rig.toy.switch_fault(ToyFault.DOUBLE_FEED)  # the same again changes nothing
    rig.feed(1)
    assert [event.value for event in rig.events if event.happening is Happening.FAULT] == ["double_feed"] * 2
    plain.feed(1)
    assert rig.toy.view().cards_out == 2
    assert rig.toy.view().faults == ()
    assert rig.blocked_ms()[0] > plain.blocked_ms()[0] + 3.0
    rig.feed(1)
    assert rig.toy.view().cards_out == 3
    rig.check()


def test_misfeed_slips_until_the_motor_starts_anew_for_so_many_tries() -> None:
    rig = faulty(ToyFault.MISFEED, cards=3)
    for _ in range(3):
        assert rig.feed(1) == 0
        assert rig.of("exit") == []
    assert rig.feed(1) == 1
    assert rig.toy.view().faults == ()


def test_flat_cells_are_slow_and_a_stuck_button_stays_down_until_the_fault_goes() -> None:
    rig = faulty(ToyFault.FLAT_CELLS)
    assert rig.toy.view().cell_voltage_v == pytest.approx(2.7)
    assert rig.feed(4) == 4
    assert min(rig.periods_ms()) > 110.0
    rig.toy.switch_fault(ToyFault.FLAT_CELLS, on=False)
    rig.toy.switch_fault(ToyFault.BUTTON_STUCK)
    rig.edges.clear()
    rig.toy.push_button()
    assert rig.feed(4) == 4
    assert max(rig.periods_ms()) < 75.0
    assert rig.level("button")
    rig.toy.switch_fault(ToyFault.BUTTON_STUCK, on=False)
    rig.run(0.1)
    assert not rig.level("button")
    with pytest.raises(ToyValueError, match=r"bad_luck.*roller_jam"):
        rig.toy.switch_fault("bad_luck")
    with pytest.raises(ToyValueError, match="1 or more"):
        rig.toy.switch_fault("misfeed", cards=0)


@pytest.mark.parametrize("fault", [ToyFault.EMPTY_STACK, ToyFault.MOTOR_DEAD])
def test_no_card_moves_while_none_is_in_reach_or_the_motor_is_dead(fault: ToyFault) -> None:
    rig = faulty(fault)
    assert rig.feed(1) == 0
    assert (rig.edges, rig.toy.view().cards_in_stack) == ([], 112)
    rig.toy.switch_fault(fault, on=False)
    assert rig.feed(1) == 1


def test_a_motor_stops_when_its_lead_comes_off() -> None:
    rig = Rig.build()
    rig.motor.forward()
    rig.run(0.2)
    rig.toy.switch_fault(ToyFault.MOTOR_DEAD)
    rig.run(0.2)
    assert (rig.toy.view().motor, rig.toy.view().motor_commanded) == (0.0, 1.0)


@pytest.mark.parametrize(("fault", "level"), [(ToyFault.EXIT_STUCK_DARK, True), (ToyFault.EXIT_STUCK_LIGHT, False)])
def test_a_stuck_exit_sensor_shows_one_level_and_cards_leave_all_the_same(fault: ToyFault, level: bool) -> None:
    rig = faulty(fault)
    rig.motor.forward()
    rig.run(0.3)
    assert rig.level("exit") is level
    assert len(rig.of("exit")) == (1 if level else 0)
    assert rig.toy.view().cards_out > 2
    rig.motor.stop()
    rig.run(0.3)
    rig.toy.take_card()
    rig.toy.switch_fault(fault, on=False)
    assert rig.level("exit") is False


def test_a_fluttering_lid_contact_opens_for_moments_and_only_while_the_lid_is_shut() -> None:
    rig = faulty(ToyFault.LID_CONTACT_FLUTTER)
    rig.run(10.0)
    edges = rig.of("lid")
    openings_ms = [(shut.at_s - opened.at_s) * 1e3 for opened, shut in zip(edges[::2], edges[1::2], strict=False)]
    assert 25 < len(openings_ms) < 500
    assert 0.1 - 0.002 <= min(openings_ms) <= max(openings_ms) <= 5.0 + 0.002
    assert not rig.toy.view().lid_open
    rig.toy.open_lid()
    rig.run(0.1)
    assert rig.scheduler.pending == 0
    rig.edges.clear()
    rig.run(5.0)
    assert rig.edges == []
    rig.toy.close_lid()
    rig.run(5.0)
    assert len(rig.of("lid")) > 10
    rig.toy.switch_fault(ToyFault.LID_CONTACT_FLUTTER, on=False)
    assert not rig.level("lid")
    assert rig.scheduler.pending == 0
