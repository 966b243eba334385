"""What people see of the toy and do to it: cards, cells, beeper, light, listeners, raw lines."""

from __future__ import annotations

import pytest
from gpiozero import Buzzer, TonalBuzzer

from dispenser.simulator import Happening, StackFullError, ToyParameters, ToyValueError
from tests.simulator.rig import Rig


def told(rig: Rig, happening: Happening) -> list[object]:
    return [event.value for event in rig.events if event.happening is happening]


def test_cards_are_put_in_and_taken_out() -> None:
    rig = Rig.build(cards=10)
    rig.toy.load(5)
    assert rig.toy.view().cards_in_stack == 15
    assert rig.toy.unload() == 15
    assert rig.toy.view().cards_loaded == 0
    assert told(rig, Happening.CARDS) == [15, 0]


def test_more_cards_than_fit_are_refused_whole() -> None:
    rig = Rig.build(cards=100)
    with pytest.raises(StackFullError, match="12 or fewer"):
        rig.toy.load(13)
    assert rig.toy.view().cards_in_stack == 100
    rig.toy.load(12)
    with pytest.raises(ToyValueError, match="unload"):
        rig.toy.load(-1)
    with pytest.raises(StackFullError):
        Rig.build(cards=113)


def test_cells_are_changed_within_what_cells_can_be() -> None:
    rig = Rig.build()
    rig.toy.set_cell_voltage(3.1)
    assert rig.toy.view().cell_voltage_v == pytest.approx(3.1)
    rig.toy.new_cells()
    assert told(rig, Happening.CELLS) == [3.1, 4.8]
    for wrong in (-0.1, 4.9, float("nan")):
        with pytest.raises(ToyValueError, match="voltage_v"):
            rig.toy.set_cell_voltage(wrong)


def test_a_passive_beeper_sounds_the_frequency_of_its_pwm() -> None:
    rig = Rig.build()
    buzzer = TonalBuzzer(12, octaves=3, pin_factory=rig.factory)
    buzzer.play(880.0)
    assert rig.toy.view().tone_hz == pytest.approx(880.0)
    buzzer.play(440.0)
    buzzer.stop()
    assert rig.toy.view().tone_hz is None
    assert told(rig, Happening.TONE) == [pytest.approx(880.0), pytest.approx(440.0), None]
    buzzer.close()


def test_an_active_beeper_sounds_by_itself() -> None:
    rig = Rig.build()
    buzzer = Buzzer(12, pin_factory=rig.factory)
    buzzer.on()
    assert rig.toy.view().tone_hz == 2300.0
    buzzer.off()
    assert rig.toy.view().tone_hz is None


def test_the_light_follows_its_pin() -> None:
    rig = Rig.build()
    light = Buzzer(21, pin_factory=rig.factory)
    light.on()
    assert rig.toy.view().light_on
    light.close()
    assert not rig.toy.view().light_on
    assert told(rig, Happening.LIGHT) == [True, False]


def test_listeners_hear_a_burst_in_order_and_the_pin_moves_first() -> None:
    rig = Rig.build(ToyParameters.flawless(gap_spread_mm=0.0))
    levels = []
    rig.toy.add_listener(
        lambda event: levels.append(rig.level("exit")) if event.happening is Happening.CARD_IN_EXIT else None
    )
    assert rig.feed(2) == 2
    told_in_order = [(event.happening.value, event.value) for event in rig.events]
    assert told_in_order == [
        ("motor", 1.0),
        ("card_in_exit", True),
        ("card_in_exit", False),
        ("card_left", 1),
        ("card_in_exit", True),
        ("card_in_exit", False),
        ("card_left", 1),
        ("motor", 0.0),
    ]
    assert levels == [True, False, True, False]
    times = [event.time_s for event in rig.events]
    assert times == sorted(times)


def test_hands_off_lets_the_physics_go_on_without_moving_the_line() -> None:
    rig = Rig.build()
    rig.toy.hands_off("exit")
    rig.toy.hands_off("lid")
    rig.motor.forward()
    rig.toy.open_lid()
    rig.run(0.5)
    assert rig.edges == []
    assert rig.toy.view().cards_out > 5
    rig.toy.hands_on("lid")
    assert rig.level("lid")
    rig.motor.stop()
    rig.run(0.5)
    rig.toy.hands_on("exit")
    assert rig.level("exit") is rig.toy.view().card_in_exit


def test_a_line_that_is_not_there_is_refused() -> None:
    with pytest.raises(ToyValueError, match=r"'door'.*button, lid, exit"):
        Rig.build().toy.drive_line("door", True)


def test_a_closed_toy_sets_no_timers_and_heeds_no_pins() -> None:
    rig = Rig.build()
    rig.motor.forward()
    rig.toy.push_button()
    rig.toy.close()
    rig.toy.close()
    assert rig.scheduler.pending == 0
    rig.motor.backward()
    assert rig.toy.view().motor_commanded == 1.0
