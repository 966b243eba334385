"""The toy's pins with a GPIO chip in front of them that can break down."""

from __future__ import annotations

import errno
from collections.abc import Callable
from functools import wraps
from typing import Any

from dispenser.toy import ToyFactory, ToyPin


def _unless_broken(use: Callable[..., Any]) -> Any:
    @wraps(use)
    def used(pin: StagePin, *values: Any) -> Any:
        if pin.broken:
            raise OSError(errno.EIO, "the GPIO chip does not answer")
        return use(pin, *values)

    return used


class StagePin(ToyPin):
    """A toy's pin; while it is ``broken`` every use of it is an error and no edge is heard."""

    broken = False
    _get_state = _unless_broken(ToyPin._get_state)
    _set_state = _unless_broken(ToyPin._set_state)
    _set_function = _unless_broken(ToyPin._set_function)
    _set_pull = _unless_broken(ToyPin._set_pull)
    _set_frequency = _unless_broken(ToyPin._set_frequency)

    @property
    def outside(self) -> bool:
        """The level that the world outside puts on the wire."""
        return bool(self._outside)

    def put(self, level: bool) -> bool:
        if self.broken:
            self._outside = level
            return False
        return super().put(level)

    def mend(self) -> None:
        """It answers again; the edges of the time between were missed."""
        self.broken = False
        if self._function == "input" and self._outside is not None:
            self._change_state(self._outside)

    def let_go(self) -> None:
        """As an output: off, as the pull-downs make it."""
        if self._function == "output" and self._state:
            self._change_state(0.0)

    def close(self) -> None:
        """Let go of it, which even a chip that is gone allows: Python closes devices that nobody holds any more."""
        if not self.broken:
            super().close()


class StageFactory(ToyFactory):
    """A pin factory of :class:`StagePin`.

    Each process has a factory of its own, for a factory knows which devices hold its pins; the pins are the same.
    """

    def __init__(self, shared: StageFactory | None = None) -> None:
        super().__init__()
        self.pin_class = StagePin
        self.pins: dict[Any, StagePin] = self.pins if shared is None else shared.pins
        self.clock = None if shared is None else shared.clock
        self.broken = False

    def break_down(self, *, hold_outputs: bool) -> None:
        """The chip answers no more."""
        self.broken = True
        for pin in self.pins.values():
            pin.broken = True
        if not hold_outputs:
            self.let_go()

    def mend(self) -> None:
        """The chip answers again."""
        self.broken = False
        for pin in self.pins.values():
            pin.mend()

    def let_go(self) -> None:
        """All outputs off."""
        for pin in self.pins.values():
            pin.let_go()

    def deafen(self) -> None:
        """No edge reaches the devices that were listening."""
        for pin in self.pins.values():
            pin.when_changed = None
