"""``kind = "phone"``: a phone replaces a launcher that is missing or broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from dispenser.drivers.base import Capabilities, Driver, Edge, Levels, Scheduler, Sink
from dispenser.drivers.findings import Finding, Status
from dispenser.drivers.kinds import Parts
from dispenser.i18n import Text
from dispenser.launcher import messages as m

NO_LAUNCHER: Final = Text(
    "There is no launcher here. At the table, a phone can be it: menu, 'This phone is the launcher'."
)
"""The permanent fault of this driver."""


class NoLauncher(Driver):
    """A driver that always fails; its fault says what to do and never ends."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._sink: Sink = lambda _: None

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(exit_sensor=True, retract=False)

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:  # noqa: ARG002
        self._sink = sink
        self._fail()

    def levels(self) -> Levels:
        return Levels(lid_open=False, exit_blocked=False, button_down=False)

    def reread(self) -> None:
        """Do nothing: the levels never change."""

    def give(self, command: m.Command) -> None:
        if isinstance(command, m.Feed | m.Retract):
            self._fail()

    def close(self) -> None:
        self._sink = lambda _: None

    def _fail(self) -> None:
        self._scheduler.call_soon_threadsafe(lambda: self._sink(m.DriverFailed(NO_LAUNCHER)))


def make(parts: Parts, scheduler: Scheduler) -> NoLauncher:  # noqa: ARG001
    return NoLauncher(scheduler)


def examine(parts: Parts, *, runs: bool) -> Iterator[Finding]:  # noqa: ARG001
    """Return one note: there is nothing to check."""
    yield Finding("launcher", Status.NOTE, NO_LAUNCHER)
