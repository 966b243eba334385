"""gpiozero mock pins that have a world outside: the toy sets input levels and hears what the outputs do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from gpiozero.pins.mock import MockFactory, MockPWMPin, PinState

HISTORY_STATES = 32


class ToyPin(MockPWMPin):  # type: ignore[misc]
    """A mock pin, PWM capable, wired to something.

    As an input it shows the outside level whatever its pull is, once :meth:`drive` has set one; constructing a device
    on it therefore does not shut an open lid. As an output it tells ``on_output`` of every change of state, duty,
    frequency or function, at once. Only the last ``HISTORY_STATES`` states are kept.
    """

    def __init__(self, factory: ToyFactory, info: object) -> None:
        self._outside: bool | None = None
        self.on_output: Callable[[], None] | None = None
        super().__init__(factory, info)

    @property
    def output(self) -> float | None:
        """Level or duty that a device puts on this pin, 0 to 1; ``None`` while no device drives it."""
        return float(self._state) if self._function == "output" else None

    def drive(self, level: bool) -> None:
        """Put a level on the wire from outside. An input calls its device back; an output keeps its own level."""
        self._outside = level
        if self._function == "input":
            if level:
                self.drive_high()
            else:
                self.drive_low()

    def clear_states(self) -> None:
        super().clear_states()
        self.states: deque[PinState] = deque(self.states, maxlen=HISTORY_STATES)

    def _change_state(self, value: float) -> bool:
        if self._function == "input":
            # The pull moves a floating wire only; the outside level is stronger.
            return bool(super()._change_state(value if self._outside is None else self._outside))
        changed = bool(super()._change_state(value))
        if changed and self.on_output is not None:
            self.on_output()
        return changed

    def _set_function(self, value: str) -> None:
        before = self._function
        super()._set_function(value)
        if value != before:
            if value == "output":
                # A claimed output starts low; MockPin would keep the level it had as an input.
                self._state = 0.0
            elif self._outside is not None:
                self._state = self._outside
            elif self._get_pull() == "floating":
                self._state = False
            if self.on_output is not None:
                self.on_output()

    def _set_frequency(self, value: float | None) -> None:
        before = self._get_frequency()
        super()._set_frequency(value)
        if value != before and self.on_output is not None:
            self.on_output()


class ToyFactory(MockFactory):  # type: ignore[misc]
    """A pin factory whose pins are :class:`ToyPin`. Pass it to every gpiozero device as ``pin_factory``.

    :param revision: revision code of the Pi it pretends to be; ``None`` means gpiozero's own choice (a 3B).
    """

    def __init__(self, revision: str | None = None) -> None:
        super().__init__(revision=revision, pin_class=ToyPin)
