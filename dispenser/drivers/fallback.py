"""Wrap the real driver so that a phone can replace the launcher, and switch back.

While the real launcher is used, commands and events are passed through. While a phone replaces it, the real launcher
gets only ``Stop``, and its events are dropped, except ``DriverLost``. Cards are then taken by hand from a pile on the
table, so the lid counts as shut, the exit as clear, and every feed delivers the number requested.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from dispenser.drivers.base import Capabilities, Driver, DriverEvent, DriverLost, Edge, Levels, Scheduler, Sink
from dispenser.i18n import Text
from dispenser.launcher import messages as m

_AT_REST: Final = Levels(lid_open=False, exit_blocked=False, button_down=False)


class FallbackDriver(Driver):
    """Driver of a launcher that a phone may replace.

    :param real: not opened yet.
    :ivar rests: the real launcher has finished all motor runs, so that a new one can begin.
    """

    def __init__(self, real: Driver, scheduler: Scheduler) -> None:
        self.real = real
        self.stands_in = False
        self.rests = True
        self._scheduler = scheduler
        self._sink: Sink = lambda _: None
        self._failed: m.DriverFailed | None = None
        self._end: m.FeedEnded | m.RetractEnded | None = None  # of the phone's run, not reported yet

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
        """Switch to the phone or to the real launcher; the real motor is off after either.

        Before the real launcher is used again, the caller ends what is under way, and then reads the levels.
        """
        self._end = None
        if stands_in != self.stands_in:
            self.real.stop()
            self.stands_in = stands_in
            if stands_in:
                self.real.give(m.Light(on=False))

    # --- Driver interface ---

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
            if isinstance(self._end, m.FeedEnded):
                self._end = m.FeedEnded(m.FeedEnd.STOPPED, 0)
            self.real.stop()
        elif not self.stands_in:
            self.rests = self.rests and not isinstance(command, m.Feed | m.Retract)
            self.real.give(command)
        elif isinstance(command, m.Feed):
            self._carry_out(m.FeedEnded(m.FeedEnd.COUNT, command.cards))
        elif isinstance(command, m.Retract):
            self._carry_out(m.RetractEnded(m.FeedEnd.TIMED))

    def close(self) -> None:
        self._end = None
        self.real.close()

    def _on_event(self, event: DriverEvent | DriverLost) -> None:
        """Handle an event of the real driver."""
        if isinstance(event, m.DriverFailed):
            self._failed = event
        elif isinstance(event, m.DriverRecovered):
            self._failed = None
        if isinstance(event, m.FeedEnded | m.RetractEnded | m.DriverFailed):
            self.rests = True
        if not self.stands_in or isinstance(event, DriverLost):
            self._sink(event)

    def _carry_out(self, end: m.FeedEnded | m.RetractEnded) -> None:
        self._end = end
        self._scheduler.call_soon_threadsafe(self._tell_end)

    def _tell_end(self) -> None:
        end, self._end = self._end, None
        if end is not None:
            self._sink(end)
