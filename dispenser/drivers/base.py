"""The interface of a driver. ``tests/contract`` runs the same tests against all drivers.

* The edge of an opening lid stops the motor where it is received, before it is reported.
* A feed ends by itself (count, stall, time limit, lid, ``stop``) with one ``FeedEnded``, or with a ``DriverFailed``.
* The motor never starts with the lid open (its level is read again first) and never runs longer than the limit.
* Events reach ``sink`` on the scheduler's thread, in order.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from dispenser.clocks import Clock, TimerHandle
from dispenser.i18n import SpokenError, Text
from dispenser.launcher import messages as m


@dataclass(frozen=True, slots=True)
class DriverLost:
    """The driver has failed for good and is closed; ``open`` may be retried.

    :param why: what happened, and what is known of the motor.
    """

    why: Text


DriverEvent = (
    m.Press
    | m.LidOpened
    | m.LidClosed
    | m.ExitBlocked
    | m.ExitCleared
    | m.FeedEnded
    | m.RetractEnded
    | m.DriverFailed
    | m.DriverRecovered
)
Sink = Callable[[DriverEvent | DriverLost], None]


def is_of_driver(event: m.Event | DriverLost) -> bool:
    """Return whether the event comes from a driver: a phone can also press."""
    if isinstance(event, m.Press):
        return event == m.Press()
    return isinstance(event, DriverEvent)


class DriverError(SpokenError):
    """A failure between the service and the pins. The text says what, where, and what to do."""


class PinsUnavailableError(DriverError, OSError):
    """There are no pins here, or this user may not use them."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """Features of this launcher; the machine does not use missing ones."""

    exit_sensor: bool
    retract: bool


@dataclass(frozen=True, slots=True)
class Levels:
    """Debounced levels. ``exit_blocked`` is ``False`` without an exit sensor."""

    lid_open: bool
    exit_blocked: bool
    button_down: bool


@dataclass(frozen=True, slots=True)
class Edge:
    """One raw edge of an input, before debouncing: stored for bug reports.

    :param line: ``button``, ``lid`` or ``exit``.
    :param active: button down, lid open, exit blocked.
    :param at_s: the driver's monotonic clock, seconds.
    """

    line: str
    active: bool
    at_s: float


class Scheduler(Clock, Protocol):
    """A loop's time and timers, for a driver; an asyncio loop is one (real or virtual time)."""

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> object: ...


class Driver(ABC):
    """A launcher at device level. Lifecycle: create, ``open``, give commands, ``close`` (motor off)."""

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities: ...

    @property
    def about(self) -> Text | str:
        """Description of the connected device, for the person who starts it; empty if there is nothing to show."""
        return ""

    @abstractmethod
    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        """Claim the pins with every output off and begin to send events to ``sink``.

        :raises PinsUnavailableError: the text says what to do.
        """

    @abstractmethod
    def levels(self) -> Levels:
        """Read the inputs and return the debounced levels.

        :raises DriverError: they cannot be read.
        """

    @abstractmethod
    def reread(self) -> None:
        """Read the levels again and send the events of missed edges. Called about once a second."""

    @abstractmethod
    def give(self, command: m.Command) -> None:
        """Carry out a command of the machine: ``Feed``, ``Retract``, ``Stop``, ``Play`` or ``Light``."""

    def stop(self) -> None:
        """Turn the motor off at once. May be called from any thread."""
        self.give(m.Stop())

    @abstractmethod
    def close(self) -> None:
        """Turn motor, beeper and light off and release the pins. Idempotent."""


class Alarm:
    """A timer that can be set again; only the last time counts."""

    def __init__(self, clock: Clock, ring: Callable[[], None]) -> None:
        self._clock = clock
        self._ring = ring
        self._timer: TimerHandle | None = None

    @property
    def is_set(self) -> bool:
        return self._timer is not None

    def set(self, seconds: float) -> None:
        self.off()
        self._timer = self._clock.call_at(self._clock.time() + seconds, self._call)

    def off(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _call(self) -> None:
        self._timer = None
        self._ring()
