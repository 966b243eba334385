"""The motor's pins, one by one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.wiring import MOTOR, GpioWiring
from tests.drivers.gpio.mock_pins import TroubleFactory
from tests.drivers.gpio.rig import WIRINGS


class Pins:
    """The motor's mock pins and what they do."""

    def __init__(self, wiring: GpioWiring) -> None:
        self.factory = TroubleFactory()
        self.lines = wiring.motor_lines()
        self.motor = Motor(wiring, self.factory)

    def level(self, name: str) -> float:
        return self.factory.pin(self.lines[name]).output or 0.0 if name in self.lines else 0.0

    @property
    def inputs(self) -> tuple[float, float]:
        return self.level("motor_forward"), self.level("motor_backward")

    @property
    def is_off(self) -> bool:
        return not any(self.level(name) for name in MOTOR)


@pytest.fixture(params=WIRINGS.values(), ids=list(WIRINGS))
def pins(request: pytest.FixtureRequest) -> Iterator[Pins]:
    pins = Pins(request.param)
    yield pins
    pins.motor.close()


def test_off_is_off_by_every_pin_from_whatever_it_did(pins: Pins) -> None:
    motor = pins.motor
    for begin in (motor.forward, motor.backward) if motor.can_brake else (motor.forward,):
        begin(0.5, motor.last_off)
        assert pins.inputs[0] != pins.inputs[1]
        motor.off()
        assert pins.is_off
    if motor.can_brake:
        motor.forward(1.0, motor.last_off)
        motor.brake()
        assert pins.inputs == (1, 1), "which shorts the motor"
        motor.off()
        assert pins.is_off


def test_the_two_inputs_are_never_both_on_when_the_sense_changes(pins: Pins) -> None:
    if not pins.motor.can_brake:
        return
    both_on: list[float] = []
    pins.factory.on_output = lambda _: both_on.append(min(pins.inputs))
    for turn in (pins.motor.forward, pins.motor.backward, pins.motor.forward):
        turn(1.0, pins.motor.last_off)
    assert max(both_on) == 0
