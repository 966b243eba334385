"""Run the launcher: open driver and journal, begin a session on them, and a new one after a recoverable error.

Driver events and requests go into one queue; one consumer task passes them to the session, one at a time. A journal
error or a lost driver ends the session: the motor is turned off, the reason is published, and a new session is tried
every ``RETRY_S``. An internal error ends the service (``crashed``); systemd restarts it.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from functools import partial
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, get_args

from dispenser.drivers.base import Driver, DriverError, DriverEvent, DriverLost, Edge, is_of_driver
from dispenser.drivers.fallback import FallbackDriver
from dispenser.i18n import Text
from dispenser.journal import Journal, JournalError, Record
from dispenser.launcher import messages as m
from dispenser.odds.odds import Odds
from dispenser.odds.presets import design_from_settings
from dispenser.service.event_bus import EventBus
from dispenser.service.presence import Presence
from dispenser.service.requests import NoSessionError, ServiceError
from dispenser.service.session import Session, first_events
from dispenser.service.settings import read_lines
from dispenser.table.errors import TableRefusal

if TYPE_CHECKING:
    from dispenser.service.evening import CommandResult
    from dispenser.service.settings import Settings
    from dispenser.service.workshop import Workshop
    from dispenser.simulator import Simulator
    from dispenser.table import commands as c

_log = logging.getLogger(__name__)

REREAD_S = 1.0  # Interval at which input levels are read again and the watchdog is notified
RETRY_S = 5.0  # Interval between attempts to begin a new session after one has ended
_ANSWERS = frozenset(kind.type for kind in get_args(m.Answer))
_BROKER_MODULES = frozenset({"asyncio", "selectors", "aiomqtt", "paho"})
_STOPPED = Text("the service has stopped")
Answer = Record | ServiceError


class LauncherService:
    """The service from claiming the pins to releasing them. Methods run on the loop's thread unless they say otherwise.

    :param driver: not opened yet.
    :param open_journal: called for each session.
    :param new_seed: returns the secret seed of a session, given the journal's last ``seq`` before it.
    :param simulator: the simulated launcher, with mock pins.
    :param cards_inside: cards in the stack at the first start, if known for sure; default: the journal's count.
    :param make_odds: makes the odds from a seed; default: the odds of the settings.
    :ivar settings: settings of the machine; ``all_settings``: those from which the service was built.
    :ivar session: ``None`` while there is none; ``why_not`` is then the reason.
    :ivar crashed: resolves to the internal error; whoever runs the service then ends it.
    :ivar workshop: the workshop that has the driver; the launcher is switched off meanwhile.
    :ivar on_alive: called about once a second while the service works (systemd's watchdog).
    :ivar on_push: called at each push of the launcher's button, accepted or not.
    """

    def __init__(
        self,
        driver: Driver,
        settings: Settings,
        open_journal: Callable[[], Journal],
        new_seed: Callable[[int], bytes],
        *,
        simulator: Simulator | None = None,
        cards_inside: int | None = None,
        make_odds: Callable[[bytes], Any] | None = None,
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self.driver, can = FallbackDriver(driver, self._loop), driver.capabilities
        self.all_settings = settings
        self.settings = replace(settings.launcher, can_retract=can.retract, has_exit_sensor=can.exit_sensor)
        self.open_journal, self.new_seed, self._cards_inside = open_journal, new_seed, cards_inside
        most = settings.launcher.max_burst_cards
        self.make_odds = make_odds or partial(
            Odds, design_from_settings(settings.odds, read_lines=read_lines, max_cards=most)
        )
        self.simulator = simulator
        self.session: Session | None = None
        self.workshop: Workshop | None = None
        self.why_not = Text("the service has not been started")
        self.on_alive: Callable[[], object] = lambda: None
        self.on_push: Callable[[], object] = lambda: None
        self._event_bus = EventBus()
        self.present = Presence(self._loop.time)
        self._inbox: asyncio.Queue[tuple[m.Event | DriverLost, asyncio.Future[Answer] | None]] = asyncio.Queue()
        self.crashed: asyncio.Future[BaseException] = self._loop.create_future()
        self._driver_is_open = False
        self._retry_at = 0.0  # in the time of the loop
        self._tick: asyncio.Handle | None = None
        self._due_s, self._lateness_s = math.inf, 0.0  # when the loop calls next, and its largest delay
        self._consumer: asyncio.Task[None] | None = None

    @property
    def works(self) -> bool:
        return self._consumer is not None and not self._consumer.done() and not self.crashed.done()

    @property
    def answers(self) -> bool:
        """Whether a press would be answered: by cards, by a dud or by a refusal."""
        return self.works and self.session is not None and self.session.machine.state is not m.State.OFF

    def open_session(self) -> Session:
        """:raises NoSessionError: there is none; the text is the reason."""
        if self.session is None or not self.works:
            raise NoSessionError(self.why_not)
        return self.session

    @contextmanager
    def in_session(self) -> Iterator[Session]:
        """Yield the session. A ``JournalError`` or ``DriverError`` in the block ends it, an internal error the service.

        :raises NoSessionError: there is none, or it has just ended; the text is the reason.
        """
        session = self.open_session()
        try:
            yield session
        except (DriverError, JournalError) as error:
            self.session_failed(session, error)
            raise NoSessionError(error.text) from error
        except (ServiceError, TableRefusal):
            raise
        except Exception as error:  # a table may have applied half of it: a new start replays the journal
            self.crash(error)
            raise

    # --- begin and end ---

    def start(self) -> None:
        """Claim the pins, open the journal, switch the launcher on.

        :raises PinsUnavailableError: no pins; the text says what to do.
        """
        with ExitStack() as undo:
            undo.callback(self._fail_waiting_requests)
            undo.callback(self._event_bus.close)
            undo.callback(self._loop.set_exception_handler, self._loop.get_exception_handler())
            if self.simulator is not None:
                undo.callback(self.simulator.close)
            undo.callback(self.driver.close)
            self._open_driver()
            self._loop.set_exception_handler(self._on_loop_error)
            self._begin()
            self._last = undo.pop_all()
        self._tick = self._loop.call_soon(self._watch)  # switches the launcher on before a request is taken
        self._consumer = self._loop.create_task(self._consume(), name="launcher")
        atexit.register(self._at_exit)

    def _open_driver(self) -> None:
        self.driver.open(self._on_driver_event, self._record_edge)
        self._driver_is_open = True

    def _begin(self) -> None:
        """Begin a session; if driver or journal fails, retry later. ``hand_over`` switches the launcher on."""
        self._retry_at = self._loop.time() + RETRY_S
        try:
            if not self._driver_is_open:
                self._open_driver()
            with ExitStack() as undo:
                journal = undo.enter_context(closing(self.open_journal()))
                session = Session(self, journal, self._event_bus)
                undo.pop_all()
        except (DriverError, JournalError) as error:
            if str(self.why_not) != str(error):
                _log.error("%s", error)
            self.why_not = error.text
            return
        self.session = session
        self._event_bus.publish(session.first)
        cards, self._cards_inside = self._cards_inside, None  # from now on the journal has the count
        if cards is not None:
            self.enqueue(m.Load(cards))

    def session_failed(self, session: Session, error: JournalError | DriverError) -> None:
        """End a session after an error: motor off, keep the reason, try a new session after ``RETRY_S``."""
        if session is not self.session:
            return
        self.motor_off()
        self.why_not = error.text
        _log.error("%s", error)
        self.session = None
        self._retry_at = self._loop.time() + RETRY_S
        with suppress(DriverError):  # the driver reports that error itself
            self.driver.give(m.Light(on=False))  # off: no press counts
        self.leave()
        session.abandon()
        self._event_bus.close()

    async def stop(self) -> None:
        """Turn the motor off, reveal the seed, close the journal, release the pins. Idempotent."""
        if self._consumer is None:
            return
        self.motor_off()
        if self.workshop is not None:
            self.workshop.close()
        atexit.unregister(self._at_exit)
        consumer, self._consumer = self._consumer, None
        consumer.cancel()
        await asyncio.wait([consumer])
        if self._tick is not None:
            self._tick.cancel()
        with self._last:
            session, self.session, self.why_not = self.session, None, _STOPPED
            if session is not None:
                session.abandon() if self.crashed.done() else session.close()

    # --- the event queue ---

    def enqueue(self, event: m.Event | DriverLost) -> None:
        self._inbox.put_nowait((event, None))

    def _on_driver_event(self, event: DriverEvent | DriverLost) -> None:
        if isinstance(event, DriverLost):
            self._driver_is_open = False
        if event == m.Press():
            self.on_push()
        self.enqueue(event)

    def _record_edge(self, edge: Edge) -> None:
        if self.session is not None:
            self.session.journal.record_edge(edge.line, edge.active, edge.at_s)
        if self.workshop is not None:
            self.workshop.edge(edge)

    async def _consume(self) -> None:
        try:
            while True:
                event, asked = await self._inbox.get()
                answer = self._take(event)
                if asked is not None and not asked.done():  # a caller awaits the answer
                    asked.set_result(answer)
        finally:
            self.motor_off()

    def _take(self, event: m.Event | DriverLost) -> Answer:
        """Handle one event; for a request, return its answer or the error that prevented one."""
        try:
            with self.in_session() as session:
                request = event.request if isinstance(event, m.Request) else None
                if request is not None and (known := session.journal.answer_to(request)) is not None:
                    return known
                records = self._handle(session, event)
                return next((record for record in records if record.type in _ANSWERS), NoSessionError(Text("")))
        except NoSessionError as error:  # nothing is accepted, nothing moves
            return error
        except Exception:  # noqa: BLE001 - it was logged, and the service ends
            return NoSessionError(self.why_not)

    def _handle(self, session: Session, event: m.Event | DriverLost) -> list[Record]:
        if isinstance(event, DriverLost):
            raise DriverError(event.why)
        if (workshop := self.workshop) is not None and is_of_driver(event):
            workshop.on_driver_event(event)
            self.hand_over()
            return []
        records = session.handle(event)
        if isinstance(event, m.DriverRecovered):
            session.look_again()
        return records

    def _fail_waiting_requests(self) -> None:
        while not self._inbox.empty():
            _, asked = self._inbox.get_nowait()
            if asked is not None and not asked.done():
                asked.set_result(ServiceError(self.why_not))

    def execute(
        self,
        command: c.Command,
        *,
        person: int | None = None,
        owner: bool = False,
        at: int | None = None,
        request: str | None = None,
    ) -> CommandResult:
        """Execute a command at the table. The same request id again changes nothing.

        :param person: the sender; ``owner``: whether the sender operates the launcher.
        :param at: the state of the table for which the command was meant.
        :raises TableRefusal: the command was refused; the text is the reason.
        :raises RequestReusedError: the id belongs to another command of this person.
        """
        with self.in_session() as session:
            result = session.evening.execute(command, person=person, owner=owner, at=at, request=request)
            session.take_result(command, result)
        self.hand_over()
        return result

    # --- who has the driver: the launcher, a workshop, or a phone instead of the launcher ---

    def leave(self) -> None:
        """Close the workshop."""
        if self.workshop is not None:
            self.workshop.close()
        self.hand_over()

    def hand_over(self) -> None:
        """Give the driver to its user: an open workshop, otherwise a phone that stands in, otherwise the launcher.

        Ends what is under way. The real launcher is switched on only when its motor is known to rest.
        """
        session, workshop = self.session, self.workshop
        if session is None or not self.works or (workshop is not None and not workshop.over):
            return
        stands_in, is_off = session.stands_in, session.machine.state is m.State.OFF
        if (stands_in == self.driver.stands_in and not is_off) or not (stands_in or self.driver.rests):
            return
        self.workshop = None
        changes = workshop is not None or stands_in != self.driver.stands_in
        with suppress(ServiceError), self.in_session():
            self.driver.change_over(stands_in=stands_in)
            for event, asked in [self._inbox.get_nowait() for _ in range(self._inbox.qsize())]:
                if asked is not None or not (changes and is_of_driver(event)):  # drop the previous user's events
                    self._inbox.put_nowait((event, asked))
            session.handle(m.SwitchOff())
            for event in first_events(self.driver):
                self._handle(session, event)
        inside = session.machine.snapshot().cards_inside
        if workshop is not None and workshop.cards and inside is not None:
            self.enqueue(m.Load(max(0, inside - workshop.cards)))

    # --- errors ---

    def motor_off(self) -> None:
        """Only turn the motor off. May be called from any thread."""
        try:
            self.driver.stop()
        except Exception:  # noqa: BLE001 - whatever the driver raises, the caller must go on
            _log.critical("the motor could not be turned off", exc_info=True)

    def thread_failed(self, error: BaseException) -> None:
        """Turn the motor off and end the service after an exception ended a thread, perhaps one that watched the pins.

        May be called from any thread; the motor is off on return.
        """
        self.motor_off()
        with suppress(RuntimeError):  # RuntimeError: the loop is closed
            self._loop.call_soon_threadsafe(self.crash, error)

    def crash(self, error: BaseException) -> None:
        """Handle an internal error: motor off, accept no more events, and resolve ``crashed``."""
        self.motor_off()
        if self.crashed.done():
            return
        _log.critical("internal error; the motor is off and the service ends. Please report it.", exc_info=error)
        why = Text("internal error ({kind}: {error}); the motor is off and the service ends")
        self.why_not = why.filled(kind=type(error).__name__, error=error)
        self.crashed.set_result(error)
        if self._consumer is not None:
            self._consumer.cancel()
        self._fail_waiting_requests()
        self._event_bus.close()

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        loop.default_exception_handler(context)
        error = context.get("exception")
        if "handle" in context and isinstance(error, Exception) and not _is_of_broker(error):
            self.crash(error)

    def _at_exit(self) -> None:
        """Turn the motor off and close the driver if the program exits without ``stop``."""
        self.motor_off()
        with suppress(Exception):  # close waits for the owner of the pins and may have to claim them first
            self.driver.close()

    # --- once a second ---

    def take_lateness_s(self) -> float:
        """Return the largest delay of the event loop since the last call, seconds."""
        worst_s, self._lateness_s = self._lateness_s, 0.0
        return worst_s

    def _watch(self) -> None:
        now_s = self._loop.time()
        self._lateness_s = max(self._lateness_s, now_s - self._due_s)
        self._due_s = now_s + REREAD_S
        self._tick = self._loop.call_at(self._due_s, self._watch)
        if self._driver_is_open:
            self.driver.reread()
        if not self.works:
            return
        if self.session is None and self._loop.time() >= self._retry_at:
            self._begin()
        if self.workshop is not None and self.workshop.forgotten:
            self.workshop.close()
        self.hand_over()
        with suppress(ServiceError), self.in_session() as session:
            session.every_second()
        self.on_alive()


def _is_of_broker(error: Exception) -> bool:
    """Whether the traceback has only asyncio and the MQTT library, which registers sockets that are closed already."""
    names = (frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__))
    return all(name.partition(".")[0] in _BROKER_MODULES for name in names)
