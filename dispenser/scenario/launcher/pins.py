"""The toy's pins with a GPIO chip in front of them that can break down."""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Any

from dispenser.toy import ToyFactory, ToyPin


class StagePin(ToyPin):
    """A toy's pin; while it is ``broken`` every use of it is an error and no edge is heard."""

    broken = False
    on_wire: Callable[[bool], None] | None = None
    """Told of every level that the world outside puts on the wire."""

    def put(self, level: bool) -> bool:
        if not self.broken:
            return super().put(level)
        changed, self._outside = level != self._outside, level
        return changed

    def tell(self, ticks: float, level: float) -> None:
        if self.on_wire is not None:
            self.on_wire(bool(level))
        if not self.broken:
            super().tell(ticks, level)

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

    def _alive(self) -> None:
        if self.broken:
            raise OSError(errno.EIO, "the GPIO chip does not answer")

    def _get_state(self) -> Any:
        self._alive()
        return super()._get_state()

    def _set_state(self, value: float) -> None:
        self._alive()
        super()._set_state(value)

    def _set_function(self, value: str) -> None:
        self._alive()
        super()._set_function(value)

    def _set_pull(self, value: str) -> None:
        self._alive()
        super()._set_pull(value)

    def _set_frequency(self, value: float | None) -> None:
        self._alive()
        super()._set_frequency(value)


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
