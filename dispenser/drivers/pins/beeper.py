"""The beeper: melodies on a passive piezo, beeps on an active buzzer. Timers of the scheduler, no threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpiozero import DigitalOutputDevice, PWMOutputDevice

from dispenser.clocks import TimerHandle
from dispenser.drivers.base import Scheduler
from dispenser.launcher.messages import Chime

Melodies = Mapping[Chime, tuple[tuple[float, int], ...]]
"""Notes of each chime: (frequency in Hz, 0 for a rest; duration in ms)."""


class Beeper:
    """Plays one chime at a time; a new one cuts the old one short.

    :param guarded: runs each step of a melody, so that a pin error becomes a driver fault and not a lost traceback.
    """

    def __init__(
        self,
        gpio: int | None,
        *,
        active: bool,
        melodies: Melodies,
        scheduler: Scheduler,
        pin_factory: Any,
        guarded: Callable[[Callable[[], None]], None],
    ) -> None:
        self._melodies = melodies
        self._scheduler = scheduler
        self._guarded = guarded
        self._active = active
        self._timer: TimerHandle | None = None
        self._notes: tuple[tuple[float, int], ...] = ()
        self._next = 0
        self._device: Any = None
        if gpio is not None:
            kind = DigitalOutputDevice if active else PWMOutputDevice
            self._device = kind(gpio, initial_value=0, pin_factory=pin_factory)

    def play(self, chime: Chime) -> None:
        """Begin a chime now."""
        if self._device is None:
            return
        self._notes, self._next = self._melodies[chime], 0
        self._step()

    def _step(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._next >= len(self._notes):
            self._device.off()
            return
        frequency_hz, duration_ms = self._notes[self._next]
        self._next += 1
        self._sound(frequency_hz)
        when = self._scheduler.time() + duration_ms / 1000
        self._timer = self._scheduler.call_at(when, lambda: self._guarded(self._step))

    def _sound(self, frequency_hz: float) -> None:
        if frequency_hz <= 0:
            self._device.off()
        elif self._active:
            self._device.on()
        else:
            self._device.frequency = frequency_hz
            self._device.value = 0.5

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._device is not None:
            self._device.close()
