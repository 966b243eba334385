"""A driver around the real one that lets a phone be the launcher, and switches back.

While the real launcher is used, everything passes through. While a phone is the launcher, the real motor stays off, no
command gets to it and none of its events passes; its state is remembered for the way back. Cards are taken by hand from
a pile on the table then, so the lid is shut, the exit free, and as many come as were asked for.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from dispenser.clocks import TimerHandle
from dispenser.drivers.base import Capabilities, Driver, DriverEvent, DriverLost, Edge, Levels, Scheduler, Sink
from dispenser.i18n import Text
from dispenser.launcher import messages as m

_log = logging.getLogger(__name__)

_AT_LAST_S: Final = 2 * m.MAX_MOTOR_RUN_S
"""After so long a motor run is over, seconds, whether or not anybody has said so."""
_AT_REST: Final = Levels(lid_open=False, exit_blocked=False, button_down=False)


class FallbackDriver(Driver):
    """The driver of a launcher that a phone may stand in for.

    :param real: not opened yet.
    :ivar lasting: the driver's failure that has not ended, as far as it is in the way.
    """

    def __init__(self, real: Driver, scheduler: Scheduler) -> None:
        self.real = real
        self.stands_in = False
        self._scheduler = scheduler
        self._sink: Sink = lambda _: None
        self._failed: m.DriverFailed | None = None
        self._run_until_s: float | None = None  # by then a run of the real motor that has not been answered is over
        self._answer: TimerHandle | None = None
        self._asked: m.Feed | m.Retract | None = None

    @property
    def capabilities(self) -> Capabilities:
        """Those of the real one."""
        return self.real.capabilities

    @property
    def about(self) -> Text | str:
        return self.real.about

    @property
    def lasting(self) -> m.DriverFailed | None:
        return None if self.stands_in else self._failed

    @property
    def rests(self) -> bool:
        """Whether the real launcher has answered all that it was asked for, so that something new can be asked."""
        return self._run_until_s is None or self._scheduler.time() >= self._run_until_s

    def change_over(self, *, stands_in: bool) -> None:
        """From now on a phone stands in, or the real launcher is used. Its motor is off either way.

        Whoever leads must have ended what was under way before the real one is used again, and asks for its levels.
        """
        self._forget()
        if stands_in and not self.stands_in:
            self.stands_in = True
            self._quietly(self.real.stop)
            self._quietly(lambda: self.real.light(on=False))
        elif self.stands_in and not stands_in:
            self._quietly(self.real.stop)
            self.stands_in = False

    # --- the contract ---

    @property
    def hangs(self) -> bool:
        return self.real.hangs

    def open(self, sink: Sink, record_edge: Callable[[Edge], None] | None = None) -> None:
        self._sink = sink
        self._failed = self._run_until_s = None
        self.real.open(self._hear, record_edge)

    def levels(self) -> Levels:
        return _AT_REST if self.stands_in else self.real.levels()

    def reread(self) -> None:
        """While a phone stands in: should the motor not have answered yet, stop it once more."""
        if not self.stands_in:
            self.real.reread()
            return
        if not self.rests:
            self._quietly(self.real.stop)
        self._quietly(self.real.reread)

    def give(self, command: m.Command) -> None:
        if isinstance(command, m.Stop):
            self.stop()
        elif not self.stands_in:
            if isinstance(command, m.Feed | m.Retract):
                self._run_until_s = self._scheduler.time() + _AT_LAST_S
            self.real.give(command)
        elif isinstance(command, m.Feed | m.Retract):
            self._asked = command
            self._answer_soon(self._carried_out)

    def stop(self) -> None:
        if self.stands_in:
            self._quietly(self.real.stop)
            if (asked := self._asked) is not None:  # and not what may be asked for after this
                self._scheduler.call_soon_threadsafe(lambda: self._cut(asked))
        else:
            self.real.stop()

    def close(self) -> None:
        self._forget()
        self.real.close()

    # --- the real one ---

    def _hear(self, event: DriverEvent | DriverLost) -> None:
        if isinstance(event, DriverLost):
            self._sink(event)
            return
        if isinstance(event, m.DriverFailed):
            self._failed = event
        elif isinstance(event, m.DriverRecovered):
            self._failed = None
        if isinstance(event, m.FeedEnded | m.RetractEnded | m.DriverFailed):
            self._run_until_s = None
        if not self.stands_in:
            self._sink(event)

    def _quietly(self, command: Callable[[], None]) -> None:
        """What the real one cannot do now stops no phone: it may be broken, which is what the phone is for."""
        try:
            command()
        except Exception:  # noqa: BLE001 - whatever it raises
            _log.warning("the launcher that a phone stands in for does not do as it is told", exc_info=True)

    # --- the phone ---

    def _answer_soon(self, answer: Callable[[], None]) -> None:
        if self._answer is not None:
            self._answer.cancel()
        self._answer = self._scheduler.call_at(self._scheduler.time(), answer)

    def _forget(self) -> None:
        if self._answer is not None:
            self._answer.cancel()
        self._answer = self._asked = None

    def _carried_out(self) -> None:
        self._end(m.FeedEnd.COUNT, m.FeedEnd.TIMED)

    def _cut(self, asked: m.Feed | m.Retract) -> None:
        if asked is self._asked:
            self._end(m.FeedEnd.STOPPED, m.FeedEnd.STOPPED)

    def _end(self, feed: m.FeedEnd, retract: m.FeedEnd) -> None:
        """Answer what was asked for, if it has not been answered."""
        asked = self._asked
        self._forget()
        if isinstance(asked, m.Feed):
            self._sink(m.FeedEnded(feed, asked.cards if feed is m.FeedEnd.COUNT else 0))
        elif asked is not None:
            self._sink(m.RetractEnded(retract))
