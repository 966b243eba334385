"""What people see of the simulator and do to it: cards, cells, beeper, light, listeners, raw lines."""

from __future__ import annotations

import pytest
from gpiozero import LED, Buzzer, TonalBuzzer

from dispenser.simulator import Happening, SimulatorParameters, SimulatorValueError
from tests.simulator.rig import Rig


def told(rig: Rig, happening: Happening) -> list[object]:
    return [event.value for event in rig.events if event.happening is happening]


def test_cards_are_put_in_and_taken_out_and_more_than_fit_are_refused_whole() -> None:
    rig = Rig.build(cards=100)
    rig.simulator.load(2)
    for wrong, remedy in ((11, "10 or fewer"), (-1, "unload")):
        with pytest.raises(SimulatorValueError, match=remedy):
            rig.simulator.load(wrong)
    assert rig.simulator.view().cards_in_stack == 102
    assert rig.simulator.unload() == 102
    assert rig.simulator.view().cards_loaded == 0
    assert told(rig, Happening.CARDS) == [102, 0]
    with pytest.raises(SimulatorValueError):
        Rig.build(cards=113)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"wear": 1.5}, "wear"),
        ({"misfeed_probability_new": -0.1}, "misfeed_probability_new"),
        ({"run_up_ms": 0.0}, "run_up_ms"),
        ({"card_period_ms": float("nan")}, "card_period_ms"),
    ],
)
def test_impossible_figures_are_refused_by_name(changes: dict[str, float], named: str) -> None:
    with pytest.raises(SimulatorValueError, match=named):
        SimulatorParameters(**changes)  # type: ignore[arg-type]


def test_cells_are_changed_within_what_cells_can_be() -> None:
    rig = Rig.build()
    rig.simulator.set_cell_voltage(3.1)
    assert rig.simulator.view().cell_voltage_v == pytest.approx(3.1)
    rig.simulator.new_cells()
    assert told(rig, Happening.CELLS) == [3.1, 4.8]
    for wrong in (-0.1, 4.9, float("nan")):
        with pytest.raises(SimulatorValueError, match="voltage_v"):
            rig.simulator.set_cell_voltage(wrong)


def test_a_beeper_sounds_its_pwm_or_by_itself_and_the_light_follows_its_pin() -> None:
    rig = Rig.build()
    with TonalBuzzer(12, octaves=3, pin_factory=rig.factory) as passive:
        passive.play(880.0)
        passive.play(440.0)
        assert rig.simulator.view().tone_hz == pytest.approx(440.0)
        passive.stop()
    with Buzzer(12, pin_factory=rig.factory) as active, LED(21, pin_factory=rig.factory) as light:
        active.on()
        light.on()
        assert (rig.simulator.view().tone_hz, rig.simulator.view().light_on) == (2300.0, True)
    assert told(rig, Happening.TONE) == [pytest.approx(880.0), pytest.approx(440.0), None, 2300.0, None]
    assert told(rig, Happening.LIGHT) == [True, False]


def test_listeners_hear_a_burst_in_order_and_the_pin_moves_first() -> None:
    rig = Rig.build(SimulatorParameters.flawless(gap_spread_mm=0.0))
    levels = []
    rig.simulator.add_listener(
        lambda event: levels.append(rig.level("exit")) if event.happening is Happening.CARD_IN_EXIT else None
    )
    assert rig.feed(2) == 2
    card = [("card_in_exit", True), ("card_in_exit", False), ("card_left", 1)]
    told_in_order = [(event.happening.value, event.value) for event in rig.events]
    assert told_in_order == [("motor", 1.0), *card, *card, ("motor", 0.0)]
    assert levels == [True, False, True, False]
    assert [event.time_s for event in rig.events] == sorted(event.time_s for event in rig.events)


def test_a_driven_line_stays_while_the_physics_goes_on_until_hands_are_on_it_again() -> None:
    rig = Rig.build()
    rig.simulator.drive_line("lid", False)
    rig.simulator.drive_line("exit", False)
    rig.motor.forward()
    rig.simulator.open_lid()
    rig.run(0.5)
    assert rig.edges == []
    assert rig.simulator.view().cards_out > 5
    rig.simulator.release_line("lid")
    assert rig.level("lid")


def test_a_line_that_is_not_there_is_refused() -> None:
    with pytest.raises(SimulatorValueError, match=r"'door'.*button, lid, exit"):
        Rig.build().simulator.drive_line("door", True)


def test_a_closed_simulator_sets_no_timers_and_heeds_no_pins() -> None:
    rig = Rig.build()
    rig.motor.forward()
    rig.simulator.push_button()
    rig.simulator.close()
    rig.simulator.close()
    assert rig.scheduler.pending == 0
    rig.motor.backward()
    assert rig.simulator.view().motor_commanded == 1.0
