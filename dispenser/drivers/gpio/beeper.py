"""The beeper: melodies on a passive piezo, beeps on an active buzzer, timed by the scheduler."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gpiozero import DigitalOutputDevice, PWMOutputDevice

from dispenser.drivers.base import Alarm, Scheduler
from dispenser.drivers.gpio.wiring import GpioWiring
from dispenser.launcher.chimes import MELODIES
from dispenser.launcher.messages import Chime


class Beeper:
    """Plays one chime at a time; a new one replaces the old one. Without a buzzer it does nothing.

    :param guarded: runs each step of a melody and turns a pin error into a driver fault.
    """

    def __init__(
        self, wiring: GpioWiring, pin_factory: Any, scheduler: Scheduler, guarded: Callable[[Callable[[], None]], Any]
    ) -> None:
        self._alarm = Alarm(scheduler, lambda: guarded(self._step))
        self._active = wiring.buzzer_active
        self._notes: Iterator[tuple[float, int]] = iter(())
        self._device: Any = None
        if wiring.buzzer is not None:
            kind = DigitalOutputDevice if wiring.buzzer_active else PWMOutputDevice
            self._device = kind(wiring.buzzer, initial_value=0, pin_factory=pin_factory)

    def play(self, chime: Chime) -> None:
        """Start a chime."""
        if self._device is not None:
            self._notes = iter(MELODIES[chime])
            self._step()

    def _step(self) -> None:
        frequency_hz, duration_ms = next(self._notes, (0, 0))
        if frequency_hz <= 0:
            self._device.off()
        elif self._active:
            self._device.on()
        else:
            self._device.frequency = frequency_hz
            self._device.value = 0.5
        if duration_ms:
            self._alarm.set(duration_ms / 1000)

    def close(self) -> None:
        self._alarm.off()
        if self._device is not None:
            self._device.close()
