"""The beeper: melodies on a passive piezo, beeps on an active buzzer. Timers of the scheduler, no threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gpiozero import DigitalOutputDevice, PWMOutputDevice

from dispenser.clocks import TimerHandle
from dispenser.drivers.base import Scheduler
from dispenser.drivers.pins.wiring import GpioWiring
from dispenser.launcher.messages import Chime

Melodies = Mapping[Chime, tuple[tuple[float, int], ...]]
"""Notes of each chime: (frequency in Hz, 0 for a rest; duration in ms)."""


class Beeper:
    """Plays one chime at a time; a new one cuts the old one short. A silent launcher has none, and plays nothing.

    :param guarded: runs each step of a melody, so that a pin error becomes a driver fault and not a lost traceback.
    """

    def __init__(
        self,
        wiring: GpioWiring,
        pin_factory: Any,
        melodies: Melodies,
        scheduler: Scheduler,
        guarded: Callable[[Callable[[], None]], Any],
    ) -> None:
        self._melodies = melodies
        self._scheduler = scheduler
        self._guarded = guarded
        self._active = wiring.buzzer_active
        self._timer: TimerHandle | None = None
        self._notes: Iterator[tuple[float, int]] = iter(())
        self._device: Any = None
        if wiring.buzzer is not None:
            kind = DigitalOutputDevice if wiring.buzzer_active else PWMOutputDevice
            self._device = kind(wiring.buzzer, initial_value=0, pin_factory=pin_factory)

    def play(self, chime: Chime) -> None:
        """Begin a chime now."""
        if self._device is not None:
            self._notes = iter(self._melodies[chime])
            self._step()

    def _step(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        frequency_hz, duration_ms = next(self._notes, (0, 0))
        if frequency_hz <= 0:
            self._device.off()
        elif self._active:
            self._device.on()
        else:
            self._device.frequency = frequency_hz
            self._device.value = 0.5
        if duration_ms:
            when = self._scheduler.time() + duration_ms / 1000
            self._timer = self._scheduler.call_at(when, lambda: self._guarded(self._step))

    def close(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        if self._device is not None:
            self._device.close()
