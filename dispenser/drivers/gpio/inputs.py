"""Input pins as active or inactive, debounced.

Contacts bounce and barriers flicker, so a level counts only after it has been stable. Only the times of its edges
count, not when they are handled: edges that are handled late, all at once, give the same levels at the same times.
gpiozero's ``bounce_time`` is not used: it differs between pin factories (after stability, after the first edge, not at
all on mock pins), and it drops edges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero import InputDevice

from dispenser.drivers.gpio.wiring import GpioWiring


class InputPin:
    """A pin claimed with the pull of its wiring. Active: button down, lid open, exit blocked.

    :param name: ``button``, ``lid`` or ``exit``; one that is wired.
    """

    def __init__(self, name: str, wiring: GpioWiring, pin_factory: Any) -> None:
        self._high, pull_up = {
            "button": (wiring.button_active_high, not wiring.button_active_high),
            "lid": (not wiring.lid_active_high, not wiring.lid_active_high),
            "exit": (wiring.exit_blocked_high, None),
        }[name]
        active_state = self._high if pull_up is None else None
        gpio = wiring.lines()[name]
        self._device = InputDevice(gpio, pull_up=pull_up, active_state=active_state, pin_factory=pin_factory)
        self._pin = self._device.pin

    @property
    def active(self) -> bool:
        """The present level."""
        return bool(self._pin.state) == self._high

    def listen(self, on_edge: Callable[[bool, float], None]) -> None:
        """Call ``on_edge`` with each new level and the ticks of the pin factory, on its thread.

        Uses the pin itself: ``DigitalInputDevice`` ignores an edge in the same direction as the last one, so after one
        missed edge it could miss the opening of the lid.
        """

        def changed(ticks: float, state: int) -> None:
            on_edge(bool(state) == self._high, ticks)

        self._changed = changed  # the pin holds only a weak reference
        self._pin.edges = "both"
        self._pin.when_changed = changed

    def close(self) -> None:
        self._device.close()


class DebouncedInput:
    """Debouncer of one input; the caller supplies the time.

    The caller calls ``settle`` at ``due_s``, and before and after each ``edge``.

    :param level: the debounced level at the start.
    :param settle_s: how long a new level must last without an edge before it counts, seconds; 0: at once.
    :param settle_active_s: the same for becoming active; ``None``: no difference.
    :param now_s: the time now, seconds.
    :ivar raw: the level before debouncing.
    :ivar since_s: when the debounced level began.
    :ivar before_s: when the one before it began.
    :ivar due_s: when the raw level will count, if no edge follows; ``None`` while it is the debounced one.
    """

    __slots__ = ("_leaving_s", "_settle_s", "before_s", "due_s", "level", "raw", "since_s")

    def __init__(self, level: bool, settle_s: float, now_s: float, *, settle_active_s: float | None = None) -> None:
        self._settle_s = (settle_s, settle_s if settle_active_s is None else settle_active_s)
        self.level = self.raw = level
        self.since_s = self.before_s = now_s
        self._leaving_s = now_s  # when the raw level first left the debounced one: start of a new level
        self.due_s: float | None = None

    def edge(self, raw: bool, at_s: float) -> bool:
        """Store a raw edge, or a level that was read; return whether the raw level has changed."""
        if raw == self.raw:
            if self.due_s is not None:  # an edge was missed, so the level was not stable
                self.due_s = at_s + self._settle_s[raw]
            return False
        self.raw = raw
        if raw == self.level:
            self.due_s = None
        else:
            self._leaving_s = at_s
            self.due_s = at_s + self._settle_s[raw]
        return True

    def settle(self, now_s: float) -> bool:
        """Return whether a new level has lasted long enough by ``now_s``; it is then the new ``level``."""
        if self.due_s is None or now_s < self.due_s:
            return False
        self.due_s = None
        self.level = self.raw
        self.before_s, self.since_s = self.since_s, self._leaving_s
        return True
