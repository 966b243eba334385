"""The interface of a driver. ``tests/contract`` runs the same tests against all drivers.

* Lid up stops the motor where the edge arrives, before anybody else hears of it.
* A feed ends by itself (count, stall, time limit, lid, ``stop``) with one ``FeedEnded``, or with a ``DriverFailed``.
* The motor never starts with the lid up (it is read again first) and never runs longer than the limit.
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
    """The driver has failed for good and is closed; to ``open`` it again is worth a try.

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
    """Whether it comes from a driver: a press may also be made by a phone."""
    if isinstance(event, m.Press):
        return event == m.Press()
    return isinstance(event, DriverEvent)


class DriverError(SpokenError):
    """Something between us and the pins. The text says what, where, and what to do."""


class PinsUnavailableError(DriverError, OSError):
    """There are no pins here, or they may not be used."""


@dataclass(frozen=True, slots=True)
class Capabilities:
    """What this launcher can do; the machine leaves out what it cannot."""

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
    """One raw edge of an input, before debouncing: kept for bug reports.

    :param line: ``button``, ``lid`` or ``exit``.
    :param active: button down, lid open, exit blocked.
    :param at_s: the driver's monotonic clock, seconds.
    """

    line: str
    active: bool
    at_s: float


class Scheduler(Clock, Protocol):
    """A loop's time and timers, for a driver; an asyncio loop serves (real or virtual time)."""

    def call_soon_threadsafe(self, callback: Callable[[], None], /) -> object: ...


class Driver(ABC):
    """A launcher at device level. Create it, ``open`` it, give it commands, ``close`` it (motor off)."""

    @property
    @abstractmethod
    def capabilities(self) -> Capabilities: ...

    @property
    def about(self) -> Text | str:
        """Who is at the other end, for the person who starts it; empty where there is nothing to tell."""
        return ""

    @abstractmethod
    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        """Claim the pins with every output off; from now on events go to ``sink``.

        :raises PinsUnavailableError: with what to do about it.
        """

    @abstractmethod
    def levels(self) -> Levels:
        """The debounced levels, after reading the inputs.

        :raises DriverError: they cannot be read.
        """

    @abstractmethod
    def reread(self) -> None:
        """Read the levels again and send the events of edges that were missed. Called about once a second."""

    @abstractmethod
    def give(self, command: m.Command) -> None:
        """Carry out a command of the machine: ``Feed``, ``Retract``, ``Stop``, ``Play`` or ``Light``."""

    def stop(self) -> None:
        """Motor off, now. From any thread."""
        self.give(m.Stop())

    @abstractmethod
    def close(self) -> None:
        """Motor off, beeper and light off, pins released. May be called twice."""


class Alarm:
    """A timer that may be set again and again; only the last time counts."""

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
