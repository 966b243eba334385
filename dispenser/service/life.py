"""Keeps one launcher going: one session after the other, on one driver, in one asyncio loop.

Data flows one way: driver events and people's requests go into one inbox; one consumer task takes them, one at a
time, to the session, which asks the machine and carries out what it answers.

Anything unexpected ends in the machine's ``fault`` with the motor off, and says so.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any

from dispenser.drivers.base import Driver, DriverError, Edge, is_of_driver
from dispenser.drivers.standin import StandIn
from dispenser.i18n import Text
from dispenser.journal import Entry, JournalError
from dispenser.launcher import messages as m
from dispenser.service.answers import Inbox, JournalUnavailableError, Requests, ServiceError, answer
from dispenser.service.evenings import Evenings
from dispenser.service.hub import Hub
from dispenser.service.presence import Presence
from dispenser.service.session import Session
from dispenser.service.start import Beginning, first_events

if TYPE_CHECKING:
    from dispenser.service.workshop import Workshop
    from dispenser.simulator import Toy

_log = logging.getLogger(__name__)

REREAD_S = 1.0
"""How often levels are read again and whoever watches is told that all is well."""
RETRY_S = 5.0
"""How often a new session is tried after the journal has failed."""
_STOPPED = Text("the service has stopped")


class Life:
    """From claiming the pins to releasing them. All methods belong to the loop's thread, unless they say otherwise.

    :param driver: not opened yet.
    :param beginning: how its sessions begin.
    :param toy: the simulated body, when the pins are mock pins.
    :ivar evenings: what the journal tells of the evenings there were; to be asked beside the loop.
    :ivar driver: it, or the phone that stands in for it.
    :ivar session: ``None`` while there is no journal; ``why_not`` says why, then.
    :ivar workshop: that has the driver; the launcher is switched off meanwhile.
    :ivar on_alive: called about once a second while all works (systemd's watchdog).
    :ivar on_push: called at each push of the launcher's button, whatever becomes of it.
    """

    def __init__(self, driver: Driver, beginning: Beginning, toy: Toy | None = None) -> None:
        self.driver = StandIn(driver, asyncio.get_running_loop())
        self.beginning = beginning
        self.settings = beginning.settings
        self.toy = toy
        self.session: Session | None = None
        self.workshop: Workshop | None = None
        self.why_not = Text("the service has not been started")
        self.on_alive: Callable[[], object] = lambda: None
        self.on_push: Callable[[], object] = lambda: None
        self.evenings = Evenings(
            lambda commitment: self.session.evening.unrevealed(commitment) if self.session else None
        )
        self._hub = Hub()
        self.present = Presence(asyncio.get_running_loop().time)
        self._inbox: Inbox = asyncio.Queue()
        self._requests = Requests(self._inbox, self._answer_to)
        self._unheard: deque[m.Event] = deque(maxlen=8)
        """Failures that came while there was no session: the next one hears of them first."""
        self._retry_at = 0.0
        """When a new session is tried, by the loop's clock."""
        self._tick: asyncio.TimerHandle | None = None
        self._consumer: asyncio.Task[None] | None = None

    @property
    def works(self) -> bool:
        """Events are taken."""
        return self._consumer is not None and not self._consumer.done()

    @property
    def answers(self) -> bool:
        """A press would be answered: by cards, by luck, or by why not."""
        return self.works and self.session is not None and self.session.machine.state is not m.State.OFF

    def open_session(self) -> Session:
        """The session under way.

        :raises JournalUnavailableError: there is none; says why.
        """
        if self.session is None or not self.works:
            raise JournalUnavailableError(self.why_not)
        return self.session

    def _answer_to(self, request: str) -> Entry | None:
        return self.open_session().writer.journal.answer_to(request)

    # --- begin and end ---

    def start(self) -> None:
        """Claim the pins, open the journal, switch the launcher on.

        A journal that cannot be opened is no reason to fall over: the launcher stays in ``fault``, motor off, and
        tries again every ``RETRY_S``.

        :raises PinsUnavailableError: no pins; says what to do.
        """
        self._loop = asyncio.get_running_loop()
        with ExitStack() as undo:  # each of them, whatever another one raises; the last one named comes first
            undo.callback(self._requests.give_up, _STOPPED)
            undo.callback(self._hub.close)
            undo.callback(self._loop.set_exception_handler, self._loop.get_exception_handler())
            if self.toy is not None:
                undo.callback(self.toy.close)
            self.driver.open(self.hear, self._record_edge)
            undo.callback(self.driver.close)
            self._loop.set_exception_handler(self._on_loop_error)
            self._begin()
            self._last = undo.pop_all()
        self._consumer = self._loop.create_task(self._consume(), name="launcher")
        self._consumer.add_done_callback(self._on_consumer_done)
        atexit.register(self._at_exit)
        self._watch()

    def _begin(self) -> None:
        """From the journal to a launcher that is switched on; on a journal error, try again later."""
        self._retry_at = self._loop.time() + RETRY_S
        try:
            session = self._open()
        except JournalError as error:
            if str(self.why_not) != str(error):
                _log.error("%s", error)
            self.why_not = error.text
            return
        self.session = session
        self._hub.publish(session.first)
        if session.evening.stands_in or self.driver.rests:
            self._use_launcher(stands_in=session.evening.stands_in)
        for event in first_events(self.driver, self._unheard):
            self.hear(event)
        self._unheard.clear()
        cards, self.beginning.cards_inside = self.beginning.cards_inside, None  # from now on the journal remembers
        if cards is not None:
            self.hear(m.Load(cards))

    def _open(self) -> Session:
        """A session on the journal as it is now."""
        journal = self.beginning.open_journal()
        try:
            return Session(
                self.beginning,
                journal,
                self.driver,
                self._hub,
                self.hear,
                failed=self.end_session,
                present=self.present,
            )
        except BaseException:
            journal.close()
            raise

    def end_session(self, session: Session, error: JournalError) -> None:
        """Its journal cannot be used: motor off, say why, and try a new session in a while."""
        if session is not self.session:
            return
        self.motor_off()
        self.why_not = error.text
        _log.error("%s", error)
        self._abandon(session)

    def _abandon(self, session: Session) -> None:
        self.session = None
        self._retry_at = self._loop.time() + RETRY_S
        with suppress(DriverError):  # it tells that itself
            self.driver.give(m.Light(on=False))  # no press counts
        self._close_workshop()
        session.abandon()
        self._hub.close()

    async def stop(self) -> None:
        """Motor off, seed revealed, journal closed, pins released. May be called twice."""
        if self._consumer is None:
            return
        self.motor_off()
        self._close_workshop()
        atexit.unregister(self._at_exit)
        consumer, self._consumer = self._consumer, None
        consumer.cancel()
        await asyncio.wait([consumer])
        if self._tick is not None:
            self._tick.cancel()
        with self._last:
            session, self.session, self.why_not = self.session, None, _STOPPED
            if session is not None:
                session.close()

    # --- the one way in ---

    def hear(self, event: m.Event) -> None:
        """Something has happened: the driver's sink."""
        if event == m.Press():
            self.on_push()
        self._inbox.put_nowait((event, None))

    def _record_edge(self, edge: Edge) -> None:
        if self.session is not None:
            self.session.writer.journal.record_edge(edge.line, edge.active, edge.at_s)
        if self.workshop is not None:
            self.workshop.edge(edge)

    async def _consume(self) -> None:
        while True:
            event, asked = await self._inbox.get()
            if self.session is None:  # no journal yet: nothing is accepted, nothing moves
                answer(asked, [], self.why_not)
                if isinstance(event, (m.DriverFailed, m.DriverRecovered)):
                    self._unheard.append(event)
                continue
            try:
                entries = self._take(self.session, event)
            except JournalError as error:
                self.end_session(self.session, error)
                answer(asked, [], self.why_not)
            except Exception as error:  # noqa: BLE001 - whatever it is, the motor must be off and people must know
                if isinstance(event, m.DriverFailed):
                    self._fail_twice(self.session, error)
                else:
                    self._unexpected(error, asked)
            else:
                answer(asked, entries, Text(""))

    def _take(self, session: Session, event: m.Event) -> list[Entry]:
        if self.workshop is not None and is_of_driver(event):
            self.workshop.hear(event)
            self._leave_workshop(session)
            return []
        entries = session.take(event)
        if event == m.DriverRecovered():  # not of a mistake of ours: to hear of the lid may be that mistake
            session.look_again()
        return entries

    # --- the workshop ---

    def enter(self, make: Callable[[], Workshop]) -> Workshop:
        """Switch the launcher off, and give its driver to a workshop.

        :raises ServiceError: somebody is there already, or the launcher does not rest.
        :raises DriverError: the levels cannot be read.
        """
        session = self.open_session()
        if self.workshop is not None:
            raise ServiceError(Text("somebody is in the workshop already"))
        if session.busy or self.driver.stands_in or not self.driver.rests:
            raise ServiceError(Text("the launcher is in use; wait until it rests, and no phone stands in for it"))
        workshop = make()
        self.motor_off()
        session.take(m.SwitchOff())
        self.workshop = workshop
        workshop.open()
        return workshop

    def _close_workshop(self) -> None:
        if self.workshop is not None:
            self.workshop.close()
            self.workshop = None

    def leave(self) -> None:
        """Close the workshop; the launcher is switched on again when its motor is known to rest."""
        if self.workshop is not None and self.session is not None:
            self.workshop.close()
            self._leave_workshop(self.session)

    def _leave_workshop(self, session: Session) -> None:
        workshop = self.workshop
        if workshop is None or not workshop.over or not self.driver.rests:
            return
        self.workshop = None
        for event in first_events(self.driver):
            self._take(session, event)
        inside = session.machine.snapshot().cards_inside
        if inside is not None and workshop.cards:
            self.hear(m.Load(max(0, inside - workshop.cards)))

    # --- a phone stands in ---

    def change_over(self) -> None:
        """Use the phone that stands in, or the real launcher, as the table has it.

        What is under way ends here, as when the launcher is switched off. The real one is used again when its motor is
        known to rest; until then the phone goes on. Called again once a second.
        """
        session = self.session
        if session is None or not self.works or self.workshop is not None:
            return
        stands_in = session.evening.stands_in
        if stands_in == self.driver.stands_in or not (stands_in or self.driver.rests):
            return
        self.motor_off()
        try:
            if stands_in:  # first of all: it may be broken, and raise whatever it is asked
                self._use_launcher(stands_in=True)
            session.take(m.SwitchOff())
            self._use_launcher(stands_in=stands_in)
            for event in first_events(self.driver):
                self._take(session, event)
        except Exception as error:  # noqa: BLE001 - as for any event: the motor must be off, and people must know
            self._unexpected(error)

    def _use_launcher(self, *, stands_in: bool) -> None:
        """What the other one has told, and nobody has heard yet, is over."""
        if stands_in == self.driver.stands_in:
            return
        self.driver.change_over(stands_in=stands_in)
        waiting = [self._inbox.get_nowait() for _ in range(self._inbox.qsize())]
        for event, asked in waiting:
            if asked is not None or not is_of_driver(event):
                self._inbox.put_nowait((event, asked))

    # --- what goes wrong ---

    def motor_off(self) -> None:
        """Motor off now, and nothing else; from any thread. What was under way then ends as after any stop."""
        try:
            self.driver.stop()
        except Exception:  # noqa: BLE001 - whatever the driver raises, what follows must still be done
            _log.critical("the motor could not be turned off", exc_info=True)

    def thread_failed(self, error: BaseException) -> None:
        """A thread of this process has ended by an exception; it may have been one that watched the pins.

        Call it on any thread: the motor is off when this returns, and the launcher is in ``fault`` soon after.
        """
        self.motor_off()
        wrapped = error if isinstance(error, Exception) else RuntimeError(repr(error))
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._unexpected, wrapped)

    def _unexpected(self, error: Exception, asked: asyncio.Future[Entry] | None = None) -> None:
        """A mistake of ours: motor off first, then say so."""
        self.motor_off()
        _log.error("unexpected error; the motor is off", exc_info=error)
        why = Text("Unexpected error ({kind}: {error}). The motor is off. Please report it, then reset.")
        why = why.filled(kind=type(error).__name__, error=error)
        self.hear(m.DriverFailed(why, "mistake"))
        self.hear(m.DriverRecovered(cause="mistake"))
        if asked is not None and not asked.done():
            asked.set_exception(ServiceError(why))

    def _fail_twice(self, session: Session, error: Exception) -> None:
        """Not even the fault could be handled: nothing counts any more until a fresh session has begun."""
        self.motor_off()
        self.why_not = Text("the launcher failed twice ({kind}: {error}) and starts anew").filled(
            kind=type(error).__name__, error=error
        )
        _log.critical("%s", self.why_not, exc_info=error)
        self._unheard += (m.DriverFailed(self.why_not, "driver"), m.DriverRecovered())  # a person must look at it
        self._abandon(session)

    def _on_loop_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A callback on the loop raised, such as a timer of the driver: fail closed."""
        loop.default_exception_handler(context)
        error = context.get("exception")
        if "handle" in context and isinstance(error, Exception):
            self._unexpected(error)

    def _on_consumer_done(self, consumer: asyncio.Task[None]) -> None:
        """The consumer ends when we stop, and else never; should it, nobody is left to turn the motor off."""
        if self._consumer is None:
            return
        self.motor_off()
        if not consumer.cancelled():  # else the loop itself ends, and nobody has stopped us
            _log.critical(
                "the launcher's task has ended; the service must be started anew", exc_info=consumer.exception()
            )
            self._requests.give_up(Text("the launcher's task has ended; start the service anew"))

    def _at_exit(self) -> None:
        """The program ends and has not stopped us."""
        self.motor_off()
        with suppress(Exception):  # it waits for whoever has the pins just now, and may have to take that first
            self.driver.close()

    # --- once a second ---

    def _watch(self) -> None:
        self._tick = self._loop.call_later(REREAD_S, self._watch)
        self.driver.reread()
        if self.session is not None:
            self._look_after(self.session)
        elif self._loop.time() >= self._retry_at:
            self._begin()
        if self.works and not self.driver.hangs:
            self.on_alive()

    def _look_after(self, session: Session) -> None:
        if self.workshop is not None and (self.workshop.forgotten or self.workshop.over):
            self.leave()
        self.change_over()
        try:
            session.end_if_idle()
            session.tidy()
        except JournalError as error:
            self.end_session(session, error)
