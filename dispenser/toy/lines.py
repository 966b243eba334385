"""Wires between the toy and the pins: a state, whatever level stands for it."""

from __future__ import annotations

from collections.abc import Callable

from dispenser.toy.errors import ToyValueError
from dispenser.toy.pins import ToyFactory, ToyPin
from dispenser.toy.wiring import Line


class InputLine:
    """A wire that the toy moves and the Pi reads."""

    def __init__(self, line: Line, factory: ToyFactory) -> None:
        self._active_high = line.active_high
        self._pin = _claim(line, factory)
        self.hands_off = False
        """The physics does not move this line."""

    def show(self, active: bool) -> None:
        """The physics says so; heeded unless ``hands_off``."""
        if not self.hands_off:
            self.drive(active)

    def drive(self, active: bool) -> None:
        """Put this state on the wire."""
        self._pin.drive(active == self._active_high)


class OutputLine:
    """A wire that the Pi moves and the toy heeds.

    :param unwired: level of a part that is not there.
    :param changed: called at every change.
    """

    def __init__(
        self, line: Line | None, factory: ToyFactory, changed: Callable[[], None], *, unwired: float = 0.0
    ) -> None:
        self._active_high = line is None or line.active_high
        self._unwired = unwired
        self._pin: ToyPin | None = None
        if line is not None:
            self._pin = _claim(line, factory)
            self._pin.on_output = changed

    @property
    def duty(self) -> float:
        """How much of the time it is active, 0 to 1. A pin that no device drives is off: external pull-down."""
        if self._pin is None:
            return self._unwired
        level = self._pin.output
        if level is None:
            return 0.0
        return level if self._active_high else 1.0 - level

    @property
    def frequency_hz(self) -> float | None:
        """Of the PWM, hertz; ``None`` without PWM."""
        return None if self._pin is None else self._pin.frequency

    def close(self) -> None:
        """No more heed to the pin."""
        if self._pin is not None:
            self._pin.on_output = None


def _claim(line: Line, factory: ToyFactory) -> ToyPin:
    pin = factory.pin(line.gpio)
    if not isinstance(pin, ToyPin):
        raise ToyValueError(f"GPIO{line.gpio} is a {type(pin).__name__}, not a ToyPin: give the toy its own ToyFactory")
    return pin
