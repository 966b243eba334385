"""Wires between the toy and the pins: a state, whatever level stands for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from dispenser.language import Text
from dispenser.toy.clockwork import Clockwork
from dispenser.toy.errors import ToyValueError
from dispenser.toy.pins import ToyFactory, ToyPin
from dispenser.toy.wiring import Line


class InputLine:
    """A wire that the toy moves and the Pi reads."""

    def __init__(self, line: Line, factory: ToyFactory, clockwork: Clockwork) -> None:
        self._active_high = line.active_high
        self._pin = _claim(line, factory)
        self._clockwork = clockwork
        self.hands_off = False
        """The physics does not move this line."""

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
        self._pin: ToyPin | None = None
        self.frequency_hz: float | None = None
        """Of the PWM, hertz; ``None`` without PWM."""
        if line is not None:
            self._pin = pin = _claim(line, factory)
            self._level, self.frequency_hz = pin.output, pin.frequency
            pin.on_output = self._hear

    @property
    def duty(self) -> float:
        """How much of the time it is active, 0 to 1. A pin that no device drives is off: external pull-down."""
        if self._level is None:
            return 0.0
        return self._level if self._active_high else 1.0 - self._level

    def close(self) -> None:
        """No more heed to the pin."""
        if self._pin is not None:
            self._pin.on_output = None

    def _hear(self, at_s: float, level: float | None, frequency_hz: float | None) -> None:
        self._clockwork.note(at_s, partial(self._take, level, frequency_hz))

    def _take(self, level: float | None, frequency_hz: float | None) -> None:
        self._level, self.frequency_hz = level, frequency_hz
        self._changed()


def _claim(line: Line, factory: ToyFactory) -> ToyPin:
    pin = factory.pin(line.gpio)
    if not isinstance(pin, ToyPin):
        raise ToyValueError(
            Text("GPIO{gpio} is a {kind}, not a ToyPin: give the toy its own ToyFactory").filled(
                gpio=line.gpio, kind=type(pin).__name__
            )
        )
    return pin
