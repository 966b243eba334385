"""Mock pins that can fail, can go deaf, and let a test act at the very moment of a read or a write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dispenser.simulator import SimulatorFactory, SimulatorPin


class TroublePin(SimulatorPin):
    """A simulator pin of a ``TroubleFactory``: every use of it by the driver passes the factory first.

    Giving it back always works: gpiozero does that again when the garbage is collected, where nothing can be caught.
    """

    def _get_state(self) -> Any:
        self.factory.used(self._number)
        state = super()._get_state()
        self.factory.after(self._number, "read")
        return state

    def _set_state(self, value: float) -> None:
        self.factory.used(self._number)
        super()._set_state(value)
        self.factory.after(self._number, "write")

    def _set_frequency(self, value: float | None) -> None:
        if value is not None:
            self.factory.used(self._number)
        super()._set_frequency(value)

    def _change_state(self, value: float) -> bool:
        changed = super()._change_state(value)
        if changed and self._function == "output":
            self.factory.on_output(self._number)
        return changed

    def _set_function(self, value: str) -> None:
        before = self._function
        super()._set_function(value)
        if value != before:
            self.factory.on_output(self._number)

    def notify(self, ticks: float, level: bool) -> None:
        if self._number not in self.factory.deaf:  # else the level has changed and nobody is called back: a missed edge
            super().notify(ticks, level)
        self.factory.on_input(self._number, level)


class TroubleFactory(SimulatorFactory):
    """The simulator's pins with trouble to order.

    ``failing``: GPIOs whose every use raises ``error``. ``deaf``: GPIOs whose edges go unheard. ``meanwhile``: called
    after every use by the driver with (GPIO, ``read`` or ``write``); it may do what another thread would do just then.
    ``on_output`` hears of every change that the driver makes, ``on_input`` of every level put on a wire from outside.
    """

    def __init__(self) -> None:
        super().__init__()
        self.pin_class = TroublePin
        self.failing: set[int] = set()
        self.deaf: set[int] = set()
        self.error: Callable[[], Exception] = lambda: OSError(121, "Remote I/O error")
        self.meanwhile: Callable[[int, str], None] | None = None
        self.on_output: Callable[[int], None] = lambda _: None
        self.on_input: Callable[[int, bool], None] = lambda _, __: None

    def used(self, gpio: int) -> None:
        if gpio in self.failing:
            raise self.error()

    def after(self, gpio: int, use: str) -> None:
        if self.meanwhile is not None:
            self.meanwhile(gpio, use)
