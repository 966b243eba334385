"""Which pin of the Pi goes to which part of the toy, and the wires: a state, whatever level stands for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from dispenser.simulator.clockwork import Clockwork
from dispenser.simulator.pins import ToyFactory, ToyPin


@dataclass(frozen=True, slots=True)
class Line:
    """One wire.

    :param gpio: BCM number, 0 to 27.
    :param active_high: the level that means *active*: button down, lid open, exit dark; motor, buzzer or light on.
    """

    gpio: int
    active_high: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyWiring:
    """All wires of a toy; a part that is not wired is ``None``.

    The usual contacts close to ground against a pull-up: a pressed button is low (``active_high=False``); the lid
    switch is closed while the lid is shut, so an open lid, and a broken wire, is high (``active_high=True``). The same
    holds for a phototransistor to ground: a dark exit is high.

    Motor: forward and backward inputs of an H-bridge (PWM on either), or one MOSFET on ``motor_forward``.
    ``motor_enable`` scales both. External pull-downs keep every output off while no device claims its pin.
    """

    button: Line
    lid: Line
    exit: Line | None = None
    motor_forward: Line
    motor_backward: Line | None = None
    motor_enable: Line | None = None
    buzzer: Line | None = None
    light: Line | None = None


class InputLine:
    """A wire that the toy moves and the Pi reads.

    :ivar hands_off: the physics does not move this line.
    """

    def __init__(self, line: Line, factory: ToyFactory, clockwork: Clockwork) -> None:
        self._active_high = line.active_high
        self._pin: ToyPin = factory.pin(line.gpio)
        self._clockwork = clockwork
        self.hands_off = False

    def show(self, active: bool) -> None:
        """The physics says so; heeded unless ``hands_off``."""
        if not self.hands_off:
            self.drive(active)

    def drive(self, active: bool) -> None:
        """Put this state on the wire."""
        self._clockwork.show(self._pin, active == self._active_high)


class OutputLine:
    """A wire that the Pi moves and the toy heeds.

    What it says is what the physics has taken: the pin itself may be further.

    :param unwired: level of a part that is not there.
    :param changed: called at every change, as a part of what happens.
    :ivar frequency_hz: of the PWM, hertz; ``None`` without PWM.
    """

    def __init__(
        self,
        line: Line | None,
        factory: ToyFactory,
        clockwork: Clockwork,
        changed: Callable[[], None],
        *,
        unwired: float = 0.0,
    ) -> None:
        self._active_high = line is None or line.active_high
        self._clockwork = clockwork
        self._changed = changed
        self._level: float | None = unwired
        self.frequency_hz: float | None = None
        if line is not None:
            pin = factory.pin(line.gpio)
            self._level, self.frequency_hz = pin.output, pin.frequency
            pin.on_output = self._hear

    @property
    def duty(self) -> float:
        """How much of the time it is active, 0 to 1. A pin that no device drives is off: external pull-down."""
        if self._level is None:
            return 0.0
        return self._level if self._active_high else 1.0 - self._level

    def _hear(self, at_s: float, level: float | None, frequency_hz: float | None) -> None:
        self._clockwork.note(at_s, partial(self._take, level, frequency_hz))

    def _take(self, level: float | None, frequency_hz: float | None) -> None:
        self._level, self.frequency_hz = level, frequency_hz
        self._changed()
