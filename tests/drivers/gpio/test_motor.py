"""The motor's pins, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from pytest_mock import MockerFixture

from dispenser.drivers.gpio.motor import Motor
from dispenser.drivers.gpio.wiring import GpioWiring

BRIDGE = GpioWiring(motor_forward=23, motor_backward=24, motor_enable=25)
WIRINGS = {
    "bridge": BRIDGE,
    "bridge without enable": GpioWiring(motor_enable=None),
    "bridge without PWM": GpioWiring(motor_pwm=False),
    "MOSFET": GpioWiring(motor_backward=None, motor_enable=None),
    "MOSFET without PWM": GpioWiring(motor_backward=None, motor_enable=None, motor_pwm=False),
}


class Pins:
    """The motor's mock pins and what they do."""

    def __init__(self, wiring: GpioWiring) -> None:
        self.factory = MockFactory(pin_class=MockPWMPin)
        self.motor = Motor(wiring, self.factory)
        self.wiring = wiring

    def level(self, name: str) -> float:
        gpio = getattr(self.wiring, name)
        return 0.0 if gpio is None else float(self.factory.pin(gpio).state)

    @property
    def levels(self) -> tuple[float, float, float]:
        """Forward, backward, enable (1 when there is none)."""
        enable = 1.0 if self.wiring.motor_enable is None else self.level("motor_enable")
        return self.level("motor_forward"), self.level("motor_backward"), enable

    def drives(self) -> float:
        forward, backward, enable = self.levels
        return (forward - backward) * enable


@pytest.fixture(params=WIRINGS.values(), ids=list(WIRINGS))
def pins(request: pytest.FixtureRequest) -> Iterator[Pins]:
    pins = Pins(request.param)
    yield pins
    pins.motor.close()
    pins.factory.close()


def test_off_is_off_by_every_pin_from_whatever_it_did(pins: Pins) -> None:
    for begin in (pins.motor.forward, pins.motor.backward if pins.motor.can_brake else pins.motor.forward):
        begin(0.5, pins.motor.last_off)
        assert pins.drives() != 0
        pins.motor.off()
        assert pins.level("motor_forward") == pins.level("motor_backward") == pins.level("motor_enable") == 0
        pins.motor.off()


def test_the_two_inputs_are_never_both_on_when_the_sense_changes(pins: Pins, mocker: MockerFixture) -> None:
    if not pins.motor.can_brake:
        return
    both_on = []
    for name in ("motor_forward", "motor_backward"):
        pin = pins.factory.pin(getattr(pins.wiring, name))
        change = pin._change_state
        mocker.patch.object(
            pin, "_change_state", lambda value, change=change: (change(value), both_on.append(min(pins.levels[:2])))[0]
        )
    for before, after in pairwise([pins.motor.forward, pins.motor.backward, pins.motor.forward]):
        before(1.0, pins.motor.last_off)
        after(1.0, pins.motor.last_off)
    assert max(both_on) == 0


def test_braking_shorts_a_bridge(pins: Pins) -> None:
    if not pins.motor.can_brake:
        return
    pins.motor.forward(1.0, pins.motor.last_off)
    pins.motor.brake()
    assert pins.drives() == 0
    assert pins.level("motor_forward") == pins.level("motor_backward") == 1
    pins.motor.off()
    assert pins.level("motor_forward") == pins.level("motor_backward") == pins.level("motor_enable") == 0


def failing(mocker: MockerFixture, pins: Pins, *names: str) -> None:
    for name in names:
        pin = pins.factory.pin(getattr(pins.wiring, name))
        mocker.patch.object(pin, "_set_state", side_effect=OSError(5, f"no {name}"))


@pytest.mark.parametrize("broken", ["motor_forward", "motor_backward", "motor_enable"])
def test_a_pin_that_fails_does_not_keep_the_others_on(pins: Pins, mocker: MockerFixture, broken: str) -> None:
    if getattr(pins.wiring, broken) is None:
        return
    pins.motor.forward(1.0, pins.motor.last_off)
    failing(mocker, pins, broken)
    with pytest.raises(OSError, match=broken):
        pins.motor.off()
    assert all(pins.level(name) == 0 for name in ("motor_forward", "motor_backward", "motor_enable") if name != broken)
    mocker.stopall()
    pins.motor.off()
