"""gpiozero's mock pins with a world on their other end; see :mod:`tests.nightly.search.second_world`."""

from __future__ import annotations

from typing import Any, Protocol

from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.pins.pi import PiPin

from dispenser.clocks import Clock


class World(Protocol):
    """What pins ask of a world. Neither may call back from inside."""

    clock: Clock

    def line_of(self, number: int) -> str | None: ...

    def level(self, line: str) -> bool: ...

    def written(self, number: int, value: float) -> None: ...


class WorldPin(MockPWMPin):
    """A mock pin with the world on its other end: an input shows what is outside, an output moves things."""

    def _set_pull(self, value: str) -> None:
        self._pull = value  # what is wired outside is stronger than any pull

    def _get_state(self) -> Any:
        if self._function == "input" and (line := self.factory.world.line_of(self._number)) is not None:
            self._state = self.factory.world.level(line)
        return self._state

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        if value == "input":
            self.factory.world.written(self._number, 0.0)

    def _change_state(self, value: float) -> bool:
        changed = bool(super()._change_state(value))
        if self._function == "output":
            self.factory.world.written(self._number, float(value))
        return changed

    def deliver(self, ticks: float, level: bool) -> None:
        """As lgpio's thread does it."""
        if self._when_changed is not None:
            PiPin._call_when_changed(self, ticks, level)


class WorldFactory(MockFactory):
    def __init__(self, world: World) -> None:
        super().__init__(pin_class=WorldPin)
        self.world = world

    def ticks(self) -> float:  # type: ignore[override]
        return self.world.clock.time()
