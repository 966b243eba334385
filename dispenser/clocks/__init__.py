"""Clocks that call back: the loop's belongs to the service, the world's to motors, cards and fingers.

A world does not wait for a loop: what drives or plays the physics takes its time from a clock of its own, a thread in
real time (``thread``) or virtual time that goes on while a loop is late (``virtual``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class TimerHandle(Protocol):
    """A timer that can be called off; ``asyncio.TimerHandle`` is one."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Time and timers. An asyncio loop is one, for whoever lives on its thread."""

    def time(self) -> float:
        """Monotonic seconds. Safe to call from any thread."""
        ...

    def call_at(self, when: float, callback: Callable[[], None], /) -> TimerHandle:
        """Call back at ``when``, or soon after, on the clock's own thread, never from inside this call."""
        ...
