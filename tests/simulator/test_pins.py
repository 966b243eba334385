"""The pins: an outside level that stays, and outputs that are heard at once."""

from __future__ import annotations

import pytest
from gpiozero import Button, DigitalInputDevice, DigitalOutputDevice, PWMOutputDevice, TonalBuzzer

from dispenser.simulator import SimulatorFactory, SimulatorPin
from dispenser.simulator.pins import HISTORY_STATES
from tests.simulator.rig import Rig


def listening(factory: SimulatorFactory, gpio: int) -> tuple[SimulatorPin, list[tuple[float | None, float | None]]]:
    pin = factory.pin(gpio)
    heard: list[tuple[float | None, float | None]] = []
    pin.on_output = lambda _, level, frequency: heard.append((level, frequency))
    return pin, heard


@pytest.mark.parametrize("pull_up", [True, False])
@pytest.mark.parametrize("level", [True, False])
def test_the_outside_level_survives_the_construction_of_a_device(level: bool, pull_up: bool) -> None:
    factory = SimulatorFactory()
    pin = factory.pin(5)
    pin.drive(level)
    device = DigitalInputDevice(5, pull_up=pull_up, pin_factory=factory)
    assert bool(pin.state) is level
    assert device.is_active is (level != pull_up)
    device.close()
    assert bool(pin.state) is level


def test_every_change_of_an_output_is_heard_at_once_and_the_wire_is_an_input_again_after_it() -> None:
    factory = SimulatorFactory()
    pin, heard = listening(factory, 12)
    with DigitalOutputDevice(12, pin_factory=factory) as device:
        device.on()
        device.on()
        pin.drive(True)
        device.off()
    assert heard == [(0.0, None), (1.0, None), (0.0, None), (None, None)]
    assert pin.state
    with TonalBuzzer(12, pin_factory=factory) as buzzer:
        buzzer.play(440.0)
        buzzer.play(523.0)
        assert heard[-1] == (0.5, pytest.approx(523.0))
        buzzer.stop()
        assert heard[-1] == (0.0, None)


def test_a_claimed_output_starts_low_even_if_its_input_was_high() -> None:
    factory = SimulatorFactory()
    pin, heard = listening(factory, 18)
    pin.pull = "up"
    assert pin.state
    device = PWMOutputDevice(18, frequency=1000, pin_factory=factory)
    assert {output for output, _ in heard} == {0.0}
    device.close()


def test_no_pin_keeps_an_endless_history() -> None:
    factory = SimulatorFactory()
    output, pin = DigitalOutputDevice(18, pin_factory=factory), factory.pin(5)
    for _ in range(1000):
        output.toggle()
        pin.drive(not pin.state)
    assert len(factory.pin(18).states) == HISTORY_STATES
    assert len(pin.states) == HISTORY_STATES


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
