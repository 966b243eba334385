"""Drive the motor through an H-bridge or a MOSFET."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from gpiozero import DigitalOutputDevice, PWMOutputDevice

from dispenser.drivers.gpio.wiring import MOTOR, GpioWiring


class Motor:
    """Motor with forward, backward, brake and off. Off is redundant: enable low, and both inputs low.

    gpiozero's ``Motor`` keeps its enable pin high and requires a backward pin; here enable is high only while the motor
    turns.

    :ivar last_off: a new object at every off, by which a thread that turns the motor on detects it.
    """

    def __init__(self, wiring: GpioWiring, pin_factory: Any) -> None:
        self._devices: list[Any] = []  # enable first: it needs only one write
        self.last_off = object()
        try:
            self._enable, self._forward, self._backward = [self._claim(name, wiring, pin_factory) for name in MOTOR]
        except BaseException:
            self.close()
            raise

    def _claim(self, name: str, wiring: GpioWiring, pin_factory: Any) -> Any:
        gpio, device = getattr(wiring, name), None
        if gpio is not None and wiring.motor_pwm and name != "motor_enable":
            device = PWMOutputDevice(gpio, initial_value=0, frequency=wiring.motor_pwm_hz, pin_factory=pin_factory)
        elif gpio is not None:
            device = DigitalOutputDevice(gpio, initial_value=False, pin_factory=pin_factory)
        if device is not None:
            self._devices.append(device)
        return device

    @property
    def can_brake(self) -> bool:
        """Whether there is an H-bridge; with a single MOSFET the motor can only coast."""
        return self._backward is not None

    def forward(self, duty: float, last_off: object) -> None:
        """Turn forward, unless ``off`` was called since ``last_off`` was read."""
        self._turn(self._forward, self._backward, duty, last_off)

    def backward(self, duty: float, last_off: object) -> None:
        self._turn(self._backward, self._forward, duty, last_off)

    def brake(self) -> None:
        """Short the motor through the bridge, so that it stops within milliseconds; only if ``can_brake``.

        Both inputs high is the brake of every common bridge (DRV8833, TB6612, L298). No power flows into the motor.
        """
        last_off = self.last_off
        self._forward.value = 1
        self._backward.value = 1
        if self.last_off is not last_off:
            self.off()

    def _turn(self, this: Any, other: Any, duty: float, last_off: object) -> None:
        if other is not None:
            other.off()
        this.value = duty if isinstance(this, PWMOutputDevice) else 1
        if self._enable is not None:
            self._enable.on()
        if self.last_off is not last_off:  # another thread called off meanwhile: off wins
            self.off()

    def off(self) -> None:
        """Turn the motor off. May be called from any thread, such as the pin factory's callback thread. Idempotent.

        A pin that fails does not keep the others on.
        """
        self.last_off = object()
        with ExitStack() as last_first:
            for device in reversed(self._devices):
                last_first.callback(device.off)

    def close(self) -> None:
        with ExitStack() as last_first:
            for device in reversed(self._devices):
                last_first.callback(device.close)
