"""Puts one launcher and one journal together in one asyncio loop.

Data flows one way: driver events and people's requests go into one inbox; one consumer task takes them, one at a
time, to the session, which asks the machine and carries out what it answers.

Anything unexpected ends in the machine's ``fault`` with the motor off, and says so.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, suppress
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import msgspec

from dispenser.drivers.base import Driver, DriverError, Edge
from dispenser.journal import Damage, Entry, Journal
from dispenser.journal.errors import JournalError
from dispenser.launcher import messages as m
from dispenser.service.answers import JournalUnavailableError, Requests, ServiceError
from dispenser.service.hub import Hub, Subscription
from dispenser.service.reading import Reading
from dispenser.service.session import Session
from dispenser.service.start import Beginning, first_events, new_session
from dispenser.version import __version__

if TYPE_CHECKING:
    from dispenser.launcher.settings import MachineSettings
    from dispenser.luck.odds import Odds
    from dispenser.toy import Toy

_log = logging.getLogger(__name__)

REREAD_S = 1.0
"""How often levels are read again and whoever watches is told that all is well."""


class Service:
    """One launcher: what the rules engine, the web and any hobbyist hold in their hands.

    Use it as an async context manager. All methods belong to the loop's thread.

    :param driver: not opened yet.
    :param open_journal: opens the journal; tried again once a second while it fails.
    :param make_odds: odds for a seed.
    :param new_seed: the secret seed of a start, given the journal's last ``seq`` before it.
    :param toy: the simulated body, when the pins are mock pins.
    :param cards_inside: cards in the stack at the start, when that is known for sure; else the journal remembers.
    :param told_settings: the settings in force, for the journal: a bug report needs them.
    :param on_alive: called about once a second while the service works (systemd's watchdog); may be set later, too.
    """

    def __init__(
        self,
        settings: MachineSettings,
        driver: Driver,
        open_journal: Callable[[], Journal],
        make_odds: Callable[[bytes], Odds],
        new_seed: Callable[[int], bytes],
        *,
        toy: Toy | None = None,
        cards_inside: int | None = None,
        told_settings: dict[str, Any] | None = None,
        on_alive: Callable[[], object] = lambda: None,
    ) -> None:
        self.settings = settings
        self.driver = driver
        self.toy = toy
        self._open_journal = open_journal
        self.on_alive = on_alive
        self._inbox: asyncio.Queue[tuple[m.Event, asyncio.Future[Entry] | None]] = asyncio.Queue()
        self._requests = Requests(self._answer_to)
        self._session: Session | None = None
        self._hub = Hub()
        self._beginning = Beginning(
            partial(
                new_session,
                hub=self._hub,
                driver=driver,
                settings=settings,
                make_odds=make_odds,
                new_seed=new_seed,
                about={"version": __version__, "simulated": toy is not None, "settings": told_settings},
                tick=partial(self._hear, m.Tick()),
            ),
            cards_inside,
        )
        self._why_not = "the service has not been started"
        self._unheard: deque[m.Event] = deque(maxlen=8)
        """Failures that came while there was no session: the next one hears of them first."""
        self._lasting: m.DriverFailed | None = None
        """The driver's failure that has not ended."""
        self._tick: asyncio.TimerHandle | None = None
        self._consumer: asyncio.Task[None] | None = None

    # --- life ---

    async def __aenter__(self) -> Self:
        self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def start(self) -> None:
        """Claim the pins, open the journal, switch the launcher on.

        A journal that cannot be opened is no reason to fall over: the launcher stays in ``fault``, motor off, and
        tries again once a second.

        :raises PinsUnavailableError: no pins; says what to do.
        """
        self._loop = asyncio.get_running_loop()
        self._handler_before = self._loop.get_exception_handler()
        with ExitStack() as undo:
            if self.toy is not None:
                undo.callback(self.toy.close)
            self.driver.open(self._hear, self._record_edge)
            undo.callback(self.driver.close)
            self._loop.set_exception_handler(self._on_loop_error)
            undo.callback(self._loop.set_exception_handler, self._handler_before)
            self._begin()
            undo.pop_all()
        self._consumer = self._loop.create_task(self._consume(), name="launcher")
        self._consumer.add_done_callback(self._on_consumer_done)
        atexit.register(self._at_exit)
        self._watch()

    def _begin(self) -> None:
        """From the journal to a launcher that is switched on; on a journal error, try again later."""
        try:
            session, first = self._beginning.session(self._open_journal, self._resting, self._hear_of_damage)
        except JournalError as error:
            if self._why_not != str(error):
                _log.error("%s", error)
            self._why_not = str(error)
            return
        self._session = session
        session.record.publish(first)
        self._why_not = ""
        for event in first_events(self.driver, self._unheard, lambda: self._lasting):
            self._hear(event)
        self._unheard.clear()
        if (cards := self._beginning.cards_to_tell(session)) is not None:
            self._hear(m.Load(cards))

    def _resting(self) -> bool:
        return self._session is None or not self._session.motor_may_turn

    def _hear_of_damage(self, journal: Journal, damage: list[Damage]) -> None:
        """On the journal's own thread: something was found that could not be looked at before the start."""

        def tell() -> None:
            if self._session is not None and self._session.record.journal is journal:
                self._session.record.tell(damage)

        self._loop.call_soon_threadsafe(tell)

    def _reopen(self, session: Session) -> None:
        """The journal is gone or broken: begin anew with what is there, as after a restart, but knowing the cards."""
        record = session.record
        if not record.journal.broken and record.recover():  # it is back where it was
            self._hear(m.DriverRecovered(cause="journal"))
            return
        self._why_not = record.trouble or "the journal is damaged and is opened again"
        _log.error("the launcher begins anew: %s", self._why_not)
        self._beginning.go_on_after(session)
        self._session = None
        self._hub.close()
        session.abandon()
        self._begin()

    async def stop(self) -> None:
        """Motor off, seed revealed, journal closed, pins released. May be called twice."""
        if self._consumer is None:
            return
        self.motor_off()
        atexit.unregister(self._at_exit)
        consumer, self._consumer = self._consumer, None
        consumer.cancel()
        await asyncio.wait([consumer])
        if self._tick is not None:
            self._tick.cancel()
        with ExitStack() as last:  # each of them, whatever another one raises; the last one named comes first
            last.callback(self._requests.give_up, "the service has stopped")
            last.callback(self._hub.close)
            last.callback(self._loop.set_exception_handler, self._handler_before)
            if self.toy is not None:
                last.callback(self.toy.close)
            last.callback(self.driver.close)
            session, self._session, self._why_not = self._session, None, "the service has stopped"
            if session is not None:
                session.close()

    # --- the one way in ---

    def _hear(self, event: m.Event) -> None:
        """The driver's sink."""
        if isinstance(event, (m.DriverFailed, m.DriverRecovered)) and event.cause == "driver":
            self._lasting = event if isinstance(event, m.DriverFailed) else None
        self._inbox.put_nowait((event, None))

    def _record_edge(self, edge: Edge) -> None:
        if self._session is not None:
            self._session.record.edge(edge.line, edge.active, edge.at_s)

    async def _consume(self) -> None:
        while True:
            event, answer = await self._inbox.get()
            if self._session is None:  # no journal yet: nothing is accepted, nothing moves
                if answer is not None and not answer.done():
                    answer.set_exception(JournalUnavailableError(self._why_not))
                if isinstance(event, (m.DriverFailed, m.DriverRecovered)):
                    self._unheard.append(event)
                continue
            try:
                entries = self._session.take(event)
                if event == m.DriverRecovered():  # not of a mistake of ours: to hear of the lid may be that mistake
                    self._look_again()
            except Exception as error:  # noqa: BLE001 - whatever it is, the motor must be off and people must know
                if isinstance(event, m.DriverFailed):
                    self._abandon(self._session, error)
                else:
                    self._unexpected(error, answer)
            else:
                if answer is not None:
                    self._requests.answer(answer, entries, self._session.record.trouble)

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
            self._requests.give_up("the launcher's task has ended; start the service anew")

    def _at_exit(self) -> None:
        """The program ends and has not stopped us."""
        self.motor_off()
        with suppress(Exception):  # it waits for whoever has the pins just now, and may have to take that first
            self.driver.close()

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

    def _unexpected(self, error: Exception, answer: asyncio.Future[Entry] | None = None) -> None:
        """A mistake of ours: motor off first, then say so."""
        self.motor_off()
        _log.error("unexpected error; the motor is off", exc_info=error)
        detail = f"Unexpected error ({type(error).__name__}: {error}). The motor is off. Please report it, then reset."
        self._hear(m.DriverFailed(detail, cause="mistake"))
        self._hear(m.DriverRecovered(cause="mistake"))
        if answer is not None and not answer.done():
            answer.set_exception(ServiceError(detail))

    def _abandon(self, session: Session, error: Exception) -> None:
        """Not even the fault could be handled: nothing counts any more until a fresh session has begun."""
        self.motor_off()
        self._why_not = f"the launcher failed twice ({type(error).__name__}: {error}) and starts anew"
        _log.critical(self._why_not, exc_info=error)
        self._session = None
        self._unheard += (m.DriverFailed(self._why_not), m.DriverRecovered())  # a person must look at it
        self._hub.close()
        session.abandon()

    # --- once a second ---

    def _watch(self) -> None:
        self._tick = self._loop.call_later(REREAD_S, self._watch)
        self.driver.reread()
        if self._session is None:
            self._begin()
        elif self._session.record.needs_reopening and not self._session.busy:
            self._reopen(self._session)
        elif not self._session.record.trouble:
            if trouble := self._session.record.tidy(resting=not self.motor_may_turn):
                self._hear(m.DriverFailed(trouble, cause="journal"))
        elif self._session.record.recover():
            self._hear(m.DriverRecovered(cause="journal"))
        if self._consumer is not None and not self._consumer.done():
            self.on_alive()

    # --- what people use ---

    @property
    def journal(self) -> Journal:
        """The event log, for reading what is short; see ``reading``.

        :raises JournalUnavailableError: it could not be opened yet.
        """
        return self._open_session().record.journal

    @property
    def reading(self) -> Reading:
        """The same for questions that may take long: the loop does not wait for them.

        :raises JournalUnavailableError: it could not be opened yet.
        """
        return self.hub.reading

    @property
    def motor_may_turn(self) -> bool:
        """Whether the launcher may be feeding or retracting now. Safe to ask from any thread."""
        return self._session is not None and self._session.motor_may_turn

    async def rest(self) -> None:
        """Wait until the motor cannot turn: for work that would keep its end waiting."""
        while (session := self._session) is not None and session.motor_may_turn:
            await session.rested.wait()

    @property
    def hub(self) -> Hub:
        """Everything that happens, as subscriptions and callbacks.

        :raises JournalUnavailableError: there is no journal yet, so nothing happens.
        """
        self._open_session()
        return self._hub

    def snapshot(self) -> dict[str, Any]:
        """What is known now, as JSON-able values; ``seq`` is the last journal entry it includes."""
        session = self._session
        known = m.Snapshot.nothing_known(self._why_not) if session is None else session.machine.snapshot()
        return {
            "seq": session.record.journal.last_seq if session else 0,
            "simulated": self.toy is not None,
            "odds": session.record.odds if session else None,
            "commitment": session.record.commitment if session else None,
            "capabilities": msgspec.to_builtins(self.driver.capabilities),
            **msgspec.to_builtins(known),
        }

    async def press(self, source: str = "api", cards: int | None = None, request: str | None = None) -> Entry:
        """Press the button once; or, with ``cards``, ask for exactly that many.

        :param request: an id of yours; the same id again gives the same answer and moves nothing twice.
        :returns: the entry ``launcher.press.accepted`` or ``launcher.press.refused`` (see its ``reason``).
        :raises MessageError: ``cards`` is out of range.
        :raises ServiceError: nothing was done; says why.
        """
        if cards is not None and cards > self.settings.max_burst_cards:
            raise m.MessageError(
                f"cards must be 1 to {self.settings.max_burst_cards}, not {cards}: ask for fewer at a time"
            )
        return await self._ask(m.Press(source, cards, request), request, "launcher.press.", {"cards": cards})

    async def outcome(self, accepted: Entry) -> Entry:
        """Wait for the ``launcher.burst.ended`` of an accepted press: planned, delivered, cause.

        :raises ValueError: the press was refused, so nothing will come of it.
        """
        if accepted.type != m.PressAccepted.type:
            raise ValueError(f"press {accepted.data.get('press')} was not accepted, so it has no outcome")
        async for entry in self.events(m.BurstEnded.type, after=accepted.seq):
            if entry.data["press"] == accepted.data["press"]:
                return entry
        raise ServiceError("the service stopped before the burst ended")

    async def load(self, cards: int, request: str | None = None) -> Entry:
        """Say how many cards are inside now."""
        return await self._ask(m.Load(cards, request), request, m.CardsLoaded.type, {"cards": cards})

    async def reset(self, request: str | None = None) -> Entry:
        """Say that a jam, an empty stack or a fault has been seen to; the entry's ``state`` says what is now."""
        return await self._ask(m.Reset(request, self._look_again()), request, m.WasReset.type, {})

    def _look_again(self) -> bool | None:
        """Whether the exit is blocked now; and should the lid not be what the machine believes, it hears of that.

        After a mistake of ours the machine may have missed what the driver told; a person who resets has looked. And a
        driver that has recovered may never have been able to tell.
        """
        known = self._open_session().machine.snapshot()
        try:
            levels = self.driver.levels()
        except DriverError:
            return None  # the driver itself says so, and when it has recovered
        if levels.lid_open != known.lid_open:
            self._hear(m.LidOpened() if levels.lid_open else m.LidClosed())
        return levels.exit_blocked

    async def enter_count(self, press: int, cards: int, request: str | None = None) -> Entry:
        """Say how many cards really came out at a press.

        :raises ValueError: no burst of that press has ended.
        """
        if not self._open_session().record.has_ended(press):
            raise ValueError(f"press {press}: no burst of such a press has ended, so there is no count to enter")
        event = m.EnterCount(press, cards, request=request)
        return await self._ask(event, request, m.BurstCounted.type, {"press": press, "cards": cards})

    def note(self, type_: str, data: dict[str, Any], source: str = "toy") -> Entry:
        """Write down something that happened around the launcher (a hand on the simulated toy, say) and tell all.

        :raises JournalUnavailableError: it could not be written down.
        """
        record = self._open_session().record
        entries = record.write([(type_, data)], source, keep=False)
        if not entries:
            raise JournalUnavailableError(record.trouble)
        record.publish(entries)
        return entries[0]

    async def events(self, *prefixes: str, after: int | None = None) -> AsyncIterator[Entry]:
        """Entries as they happen (from ``after`` on, if given), those whose type begins with one of ``prefixes``."""
        subscription: Subscription = self.hub.subscribe(after)
        try:
            async for entry in subscription:
                if not prefixes or entry.type.startswith(prefixes):
                    yield entry
        finally:
            subscription.close()

    def on(self, type_prefix: str, callback: Callable[[Entry], object]) -> Callable[[], None]:
        """Call ``callback(entry)`` for every entry whose type begins with ``type_prefix``; return what ends that."""
        return self._hub.on(type_prefix, callback)

    async def _ask(self, event: m.Event, request: str | None, answer_type: str, asked: Mapping[str, object]) -> Entry:
        self._open_session()
        return await self._requests.ask(
            request, answer_type, asked, self._inbox.qsize(), lambda future: self._inbox.put_nowait((event, future))
        )

    def _answer_to(self, request: str) -> Entry | None:
        return self.journal.answer_to(request)

    def _open_session(self) -> Session:
        if self._session is None or self._consumer is None or self._consumer.done():
            raise JournalUnavailableError(self._why_not)
        return self._session
