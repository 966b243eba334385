"""Input pins as active or inactive, debounced.

Contacts bounce and barriers flicker, so only a level that has lasted counts. It is judged by the times of its own
edges, never by when they are handled: edges that are handled late, all at once, give the same levels at the same times.
Not gpiozero's ``bounce_time``: what that does differs from one pin factory to the next (after stability, after the
first edge, not at all on mock pins), and it drops edges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpiozero import InputDevice

from dispenser.drivers.gpio.wiring import GpioWiring


class InputPin:
    """A pin, claimed with the pull that its wiring needs. Active: button down, lid open, exit blocked.

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
        """The level now."""
        return bool(self._pin.state) == self._high

    def listen(self, on_edge: Callable[[bool, float], None]) -> None:
        """Call ``on_edge`` with each new level and the ticks of the pin factory, on its thread.

        By the pin itself: a ``DigitalInputDevice`` ignores an edge in the same direction as the last one it saw, so
        that after one missed edge the lid could rise unnoticed.
        """

        def changed(ticks: float, state: int) -> None:
            on_edge(bool(state) == self._high, ticks)

        self._changed = changed  # the pin holds it weakly
        self._pin.edges = "both"
        self._pin.when_changed = changed

    def close(self) -> None:
        self._device.close()


class DebouncedInput:
    """A debounced level; the caller has the clock.

    It calls ``settle`` when ``due_s`` has come, and before and after each ``edge``.

    :param level: the debounced level at the start.
    :param settle_s: how long a new level must last without an edge before it counts, seconds; 0: at once.
    :param settle_active_s: the same for becoming active; ``None``: no difference.
    :param now_s: the time now, seconds.
    :ivar raw: the level before debouncing.
    :ivar since_s: when the debounced level began.
    :ivar before_s: when the one before it began.
    :ivar due_s: when the raw level will count, if no edge comes; ``None`` while it is the debounced one.
    """

    __slots__ = ("_leaving_s", "_settle_s", "before_s", "due_s", "level", "raw", "since_s")

    def __init__(self, level: bool, settle_s: float, now_s: float, *, settle_active_s: float | None = None) -> None:
        self._settle_s = (settle_s, settle_s if settle_active_s is None else settle_active_s)
        self.level = self.raw = level
        self.since_s = self.before_s = now_s
        self._leaving_s = now_s  # when the raw level first left the one that counts: a new level begins there
        self.due_s: float | None = None

    def edge(self, raw: bool, at_s: float) -> bool:
        """Note a raw edge, or a level that was read; return whether the raw level has changed."""
        if raw == self.raw:
            if self.due_s is not None:  # the edge between was missed: it has not lasted
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
        """Return whether a new level has lasted long enough by ``now_s``; from then on it is ``level``."""
        if self.due_s is None or now_s < self.due_s:
            return False
        self.due_s = None
        self.level = self.raw
        self.before_s, self.since_s = self.since_s, self._leaving_s
        return True
