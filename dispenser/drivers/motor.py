"""The motor behind its bridge or MOSFET, and the guard that outlives a hung event loop."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from gpiozero import DigitalOutputDevice, PWMOutputDevice

from dispenser.drivers.wiring import GpioWiring

_log = logging.getLogger(__name__)

RETRY_S = 0.05
"""How soon the guard tries again when the pins did not take its stop."""


class Motor:
    """Forward, backward, off. Off is two ways off: enable low and both inputs low.

    gpiozero's own ``Motor`` holds its enable pin high for ever and cannot do without a backward pin; here enable is
    high only while the motor turns.
    """

    def __init__(self, wiring: GpioWiring, pin_factory: Any) -> None:
        self._devices: list[Any] = []  # enable first: it is one plain write
        self._last_off = object()  # a new one at every off, for whoever is turning it on meanwhile
        try:
            self._enable = self._plain(wiring.motor_enable, pin_factory)
            self._forward = self._input(wiring, wiring.motor_forward, pin_factory)
            self._backward = self._input(wiring, wiring.motor_backward, pin_factory)
        except BaseException:
            self.close()
            raise

    def _plain(self, gpio: int | None, pin_factory: Any) -> Any:
        if gpio is None:
            return None
        device = DigitalOutputDevice(gpio, initial_value=False, pin_factory=pin_factory)
        self._devices.append(device)
        return device

    def _input(self, wiring: GpioWiring, gpio: int | None, pin_factory: Any) -> Any:
        if gpio is None or not wiring.motor_pwm:
            return self._plain(gpio, pin_factory)
        device = PWMOutputDevice(gpio, initial_value=0, frequency=wiring.motor_pwm_hz, pin_factory=pin_factory)
        self._devices.append(device)
        return device

    @property
    def can_brake(self) -> bool:
        """A bridge can; a single MOSFET only lets the motor coast."""
        return self._backward is not None

    def forward(self, duty: float) -> None:
        self._turn(self._forward, self._backward, duty)

    def backward(self, duty: float) -> None:
        self._turn(self._backward, self._forward, duty)

    def brake(self) -> None:
        """Short the motor through the bridge, so that it stands within milliseconds; only where ``can_brake``.

        Both inputs high is the brake of every common bridge (DRV8833, TB6612, L298). No power flows into the motor.
        """
        last_off = self._last_off
        self._forward.value = 1
        self._backward.value = 1
        if self._last_off is not last_off:
            self.off()

    def _turn(self, this: Any, other: Any, duty: float) -> None:
        last_off = self._last_off
        if other is not None:
            other.off()
        this.value = duty if isinstance(this, PWMOutputDevice) else 1
        if self._enable is not None:
            self._enable.on()
        if self._last_off is not last_off:  # another thread said off in between: off wins
            self.off()

    def off(self) -> None:
        """Motor off. Called from any thread, the pin factory's callback thread first of all; safe to repeat.

        A pin that fails does not keep the others on.
        """
        self._last_off = object()
        _all_of([device.off for device in self._devices])

    def close(self) -> None:
        _all_of([device.close for device in self._devices])


def _all_of(acts: list[Callable[[], None]]) -> None:
    """Do them all, whatever each one raises; then raise the first error."""
    first: Exception | None = None
    for act in acts:
        try:
            act()
        except Exception as error:  # noqa: BLE001 - raised again below; the other pins must be turned off first
            first = first or error
    if first is not None:
        raise first


class MotorGuard:
    """A thread of its own that turns the motor off when a run outlives its limit.

    The event loop ends every run in time; the guard is for the day when the loop hangs. It sleeps while the motor
    rests and costs one wake-up a run.

    :param stop: turns the motor off; called on the guard's thread.
    """

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._condition = threading.Condition()
        self._limit_s: float | None = None
        self._run = 0
        self._closed = False
        self.tripped = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="motor-guard", daemon=True)
        self._thread.start()

    def arm(self, limit_s: float) -> None:
        """A run begins that must be over within ``limit_s`` seconds."""
        with self._condition:
            self._run += 1
            self._limit_s = limit_s
            self._condition.notify()

    def disarm(self) -> None:
        """The run is over."""
        with self._condition:
            if self._limit_s is not None:
                self._limit_s = None
                self._condition.notify()

    def close(self) -> None:
        with self._condition:
            self._closed = True
            self._condition.notify()
        self._thread.join()

    def _watch(self) -> None:
        with self._condition:
            while not self._closed:
                if self._limit_s is None:
                    self._condition.wait()
                elif not self._over(self._run):
                    self._trip()

    def _trip(self) -> None:
        self.tripped.set()
        try:
            self._stop()
        except Exception:  # noqa: BLE001 - whatever it is, the guard must live to try again
            _log.exception("the motor could not be turned off; trying again in %s s", RETRY_S)
            self._limit_s = RETRY_S
        else:
            self._limit_s = None

    def _over(self, run: int) -> bool:
        """Wait for the end of this run; ``False`` when it has outlived its limit."""
        return self._condition.wait_for(
            lambda: self._closed or self._limit_s is None or self._run != run, timeout=self._limit_s
        )
