"""A kind of driver as a newcomer would write one: cards that somebody else pushes out, at once and never wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dispenser.drivers.base import Capabilities, Driver, Edge, Levels, Scheduler, Sink
from dispenser.drivers.findings import Finding, Status
from dispenser.drivers.kinds import Parts
from dispenser.launcher import messages as m


class PaperDriver(Driver):
    """Needs no pins, and no cable."""

    capabilities = Capabilities(exit_sensor=False, retract=False)
    about = "Cards on paper"

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:  # noqa: ARG002
        self._sink = sink

    def levels(self) -> Levels:
        return Levels(lid_open=False, exit_blocked=False, button_down=False)

    def reread(self) -> None: ...

    def give(self, command: m.Command) -> None:
        if isinstance(command, m.Feed):
            self._scheduler.call_soon_threadsafe(lambda: self._sink(m.FeedEnded(m.FeedEnd.TIMED, None)))

    def close(self) -> None: ...


def make(parts: Parts, scheduler: Scheduler) -> PaperDriver:
    return PaperDriver(scheduler)


def examine(parts: Parts, *, runs: bool) -> Iterator[Finding]:
    yield Finding("paper", Status.GOOD, "enough of it")
