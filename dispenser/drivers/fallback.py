"""A driver around the real one that lets a phone be the launcher, and switches back.

While the real launcher is used, everything passes through. While a phone is the launcher, the real motor stays off, no
command gets to it and none of its events passes. Cards are taken by hand from a pile on the table then, so the lid is
shut, the exit free, and as many come as were asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dispenser.drivers.base import Capabilities, Driver, DriverEvent, DriverLost, Edge, Levels, Scheduler, Sink
from dispenser.i18n import Text
from dispenser.launcher import messages as m

_AT_REST: Final = Levels(lid_open=False, exit_blocked=False, button_down=False)
Run = m.Feed | m.Retract


class FallbackDriver(Driver):
    """The driver of a launcher that a phone may stand in for.

    :param real: not opened yet.
    :ivar rests: the real launcher has ended all that it was asked for, so that something new can be asked.
    """

    def __init__(self, real: Driver, scheduler: Scheduler) -> None:
        self.real = real
        self.stands_in = False
        self.rests = True
        self._scheduler = scheduler
        self._sink: Sink = lambda _: None
        self._failed: m.DriverFailed | None = None
        self._asked: Run | None = None  # of the phone
        self._stopped: Run | None = None

    @property
    def capabilities(self) -> Capabilities:
        return self.real.capabilities

    @property
    def about(self) -> Text | str:
        return self.real.about

    @property
    def lasting(self) -> m.DriverFailed | None:
        """The failure of the driver in use that has not ended."""
        return None if self.stands_in else self._failed

    def change_over(self, *, stands_in: bool) -> None:
        """From now on a phone stands in, or the real launcher is used. Its motor is off either way.

        The caller ends what was under way before the real one is used again, and asks for its levels.
        """
        self._asked = None
        if stands_in != self.stands_in:
            self.real.stop()
            self.stands_in = stands_in
            if stands_in:
                self.real.give(m.Light(on=False))

    # --- the contract ---

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        self._sink = sink
        self._failed, self.rests = None, True
        self.real.open(self._on_event, record_edge)

    def levels(self) -> Levels:
        return _AT_REST if self.stands_in else self.real.levels()

    def reread(self) -> None:
        self.real.reread()

    def give(self, command: m.Command) -> None:
        if isinstance(command, m.Stop):
            self._stopped = self._asked
            self.real.stop()
        elif not self.stands_in:
            self.rests = self.rests and not isinstance(command, Run)
            self.real.give(command)
        elif isinstance(command, Run):
            self._asked = command
            self._scheduler.call_soon_threadsafe(lambda: self._carried_out(command))

    def close(self) -> None:
        self._asked = None
        self.real.close()

    def _on_event(self, event: DriverEvent | DriverLost) -> None:
        """From the real one."""
        if isinstance(event, m.DriverFailed):
            self._failed = event
        elif isinstance(event, m.DriverRecovered):
            self._failed = None
        if isinstance(event, m.FeedEnded | m.RetractEnded | m.DriverFailed):
            self.rests = True
        if not self.stands_in or isinstance(event, DriverLost):
            self._sink(event)

    def _carried_out(self, command: Run) -> None:
        """The phone's cards were taken, unless something else was asked for meanwhile."""
        if command is not self._asked:
            return
        self._asked = None
        stopped = command is self._stopped
        if isinstance(command, m.Feed):
            ended = m.FeedEnded(m.FeedEnd.STOPPED, 0) if stopped else m.FeedEnded(m.FeedEnd.COUNT, command.cards)
            self._sink(ended)
        else:
            self._sink(m.RetractEnded(m.FeedEnd.STOPPED if stopped else m.FeedEnd.TIMED))
