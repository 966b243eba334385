"""The toy's pins with a GPIO chip in front of them that can break down."""

from __future__ import annotations

import errno
from collections.abc import Callable
from functools import wraps
from typing import Any

from dispenser.simulator import ToyFactory, ToyPin


def _unless_broken(use: Callable[..., Any]) -> Any:
    @wraps(use)
    def used(pin: StagePin, *values: Any) -> Any:
        if pin.factory.broken:
            raise OSError(errno.EIO, "the GPIO chip does not answer")
        return use(pin, *values)

    return used


class StagePin(ToyPin):
    """A toy's pin; while its factory is ``broken`` every use of it is an error and no edge is heard."""

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
        if self.factory.broken:
            self._outside = level
            return False
        return super().put(level)

    def read_again(self) -> None:
        """As an input: the edges of some time were missed."""
        if self._function == "input" and self._outside is not None:
            self._change_state(self._outside)

    def let_go(self) -> None:
        """As an output: off, as the pull-downs make it."""
        if self._function == "output" and self._state:
            self._change_state(0.0)

    def close(self) -> None:
        """Let go of it, which even a chip that is gone allows: Python closes devices that nobody holds any more."""
        if not self.factory.broken:
            super().close()


class StageFactory(ToyFactory):
    """A pin factory of :class:`StagePin`."""

    broken = False

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = StagePin
        self.pins: dict[Any, StagePin]

    def break_down(self, *, hold_outputs: bool) -> None:
        """The chip answers no more."""
        self.broken = True
        if not hold_outputs:
            self.let_go()

    def mend(self) -> None:
        """The chip answers again."""
        self.broken = False
        for pin in self.pins.values():
            pin.read_again()

    def let_go(self) -> None:
        """All outputs off."""
        for pin in self.pins.values():
            pin.let_go()

    def forget_devices(self) -> None:
        """The process that had the pins is dead: no edge reaches its devices, and others may have the pins."""
        self._reservations.clear()
        for pin in self.pins.values():
            pin.when_changed = None
