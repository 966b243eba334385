"""The pins: an outside level that stays, and outputs that are heard at once."""

from __future__ import annotations

import pytest
from gpiozero import Button, DigitalInputDevice, DigitalOutputDevice, PWMOutputDevice, TonalBuzzer

from dispenser.simulator import ToyFactory, ToyPin
from dispenser.simulator.pins import HISTORY_STATES
from tests.simulator.rig import Rig


def listening(factory: ToyFactory, gpio: int) -> tuple[ToyPin, list[tuple[float | None, float | None]]]:
    pin = factory.pin(gpio)
    heard: list[tuple[float | None, float | None]] = []
    pin.on_output = lambda _, level, frequency: heard.append((level, frequency))
    return pin, heard


@pytest.mark.parametrize("pull_up", [True, False])
@pytest.mark.parametrize("level", [True, False])
def test_the_outside_level_survives_the_construction_of_a_device(level: bool, pull_up: bool) -> None:
    factory = ToyFactory()
    pin = factory.pin(5)
    pin.drive(level)
    device = DigitalInputDevice(5, pull_up=pull_up, pin_factory=factory)
    assert bool(pin.state) is level
    assert device.is_active is (level != pull_up)
    device.close()
    assert bool(pin.state) is level


def test_every_change_of_an_output_is_heard_at_once() -> None:
    factory = ToyFactory()
    pin, heard = listening(factory, 18)
    device = DigitalOutputDevice(18, pin_factory=factory)
    device.on()
    device.on()
    device.off()
    assert [output for output, _ in heard] == [0.0, 1.0, 0.0]
    device.on()
    device.close()
    assert heard[-1] == (None, None)
    assert pin.output is None


def test_a_claimed_output_starts_low_even_if_its_input_was_high() -> None:
    factory = ToyFactory()
    pin, heard = listening(factory, 18)
    pin.pull = "up"
    assert pin.state
    device = PWMOutputDevice(18, frequency=1000, pin_factory=factory)
    assert {output for output, _ in heard} == {0.0}
    device.close()


def test_duty_and_frequency_of_a_pwm_are_heard() -> None:
    factory = ToyFactory()
    _, heard = listening(factory, 12)
    buzzer = TonalBuzzer(12, pin_factory=factory)
    buzzer.play(440.0)
    assert heard[-1][1] == pytest.approx(440.0)
    buzzer.play(523.0)
    assert heard[-1][0] == 0.5
    assert heard[-1][1] == pytest.approx(523.0)
    buzzer.stop()
    assert heard[-1] == (0.0, None)


def test_no_pin_keeps_an_endless_history() -> None:
    factory = ToyFactory()
    output, pin = DigitalOutputDevice(18, pin_factory=factory), factory.pin(5)
    for _ in range(1000):
        output.toggle()
        pin.drive(not pin.state)
    assert len(factory.pin(18).states) == HISTORY_STATES
    assert len(pin.states) == HISTORY_STATES


def test_driving_a_wire_that_is_an_output_waits_until_it_is_an_input() -> None:
    factory = ToyFactory()
    device = DigitalOutputDevice(5, pin_factory=factory)
    pin = factory.pin(5)
    pin.drive(True)
    assert pin.output == 0.0
    device.close()
    assert pin.state


def test_a_device_with_a_bounce_time_hears_of_a_level_that_stands_still() -> None:
    rig = Rig.build()
    heard: list[tuple[str, float]] = []
    button = Button(27, bounce_time=0.05, pin_factory=rig.factory)
    pin = rig.factory.pin(27)
    button.when_pressed = lambda: heard.append(("pressed", round(rig.scheduler.time(), 3)))
    button.when_released = lambda: heard.append(("released", round(rig.scheduler.time(), 3)))
    for level, pause_s in [(False, 0.01), (True, 0.01), (False, 0.2), (True, 0.04), (False, 0.2), (True, 0.2)]:
        pin.drive(level)
        assert button.is_pressed is not level, "the level itself can be read at once"
        rig.run(pause_s)
    assert heard == [("pressed", 100.07), ("released", 100.51)]
