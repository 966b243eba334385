"""The public API of one launcher: requests, snapshot, events, callbacks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

import msgspec

from dispenser.i18n import Text, recalled, recorded
from dispenser.journal import ERASED, Journal, JournalReader, Record
from dispenser.launcher import messages as m
from dispenser.launcher.commands import Command, Count, Eject, Load, Press, Reset
from dispenser.launcher.machine import Snapshot
from dispenser.launcher.notices import check_cards
from dispenser.service.event_bus import EventBus
from dispenser.service.launcher_service import Answer, LauncherService
from dispenser.service.requests import (
    POWER_ASKED,
    NoSessionError,
    PowerAction,
    PowerRefusedError,
    PowerSwitch,
    ServiceError,
    UnknownPressError,
    checked,
)
from dispenser.table.errors import TableRefusal

if TYPE_CHECKING:
    from pathlib import Path

    from dispenser.launcher.replay import PressState
    from dispenser.service.evening import Evening
    from dispenser.service.evenings import Evenings
    from dispenser.service.workshop import Kind, Workshop

_T = TypeVar("_T")
_NOT_SWITCHED = Text(
    "this launcher was not started by systemd, so it cannot switch the computer off: 'sudo poweroff' does, after Ctrl-C"
)
_ONLY_SIMULATED = Text("this launcher is simulated, so it does not switch the computer off")


class Service(LauncherService):
    """Public API of one launcher; an async context manager on the loop's thread. Methods that need a session raise
    ``NoSessionError`` with the reason if there is none.

    :ivar keeps_calibrations: whether a calibration stores its measurements and writes settings.
    :ivar owners_file: file with the list of owner's phones; ``None``: not stored.
    :ivar power: switches this computer off; ``None`` unless systemd has started a launcher that is not simulated.
    :ivar broker_error: why the MQTT broker cannot be used; ``None`` while it can, or without a broker.
    """

    keeps_calibrations: bool = False
    owners_file: Path | None = None
    power: PowerSwitch | None = None
    broker_error: Text | None = None

    async def __aenter__(self) -> Self:
        self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    # --- requests ---

    async def handle(self, command: Command, source: str = "api") -> Record:
        """Queue a command of the launcher and return its answer; one ``id`` is carried out once.

        :param source: the sender, for the journal: ``api``, ``web``, ``cli``, or your own word.
        :returns: the record that answers it; for ``Press`` and ``Eject`` that is ``launcher.press.accepted`` or
            ``launcher.press.refused`` (see its ``reason``).
        :raises MessageError: a number is out of range.
        :raises ServiceError: nothing was done; the text is the reason.
        """
        session = self.open_session()
        id_ = command.id
        match command:
            case Press():
                return await self._ask(m.Press(source, None, id_), "launcher.press.", cards=None)
            case Eject(cards=cards):
                check_cards(cards, 1, self.settings.max_burst_cards)
                return await self._ask(m.Press(source, cards, id_), "launcher.press.", cards=cards)
            case Load(cards=cards):
                return await self._ask(m.Load(cards, id_), m.CardsLoaded.type, cards=cards)
            case Reset():
                return await self._ask(m.Reset(id_, session.look_again()), m.WasReset.type)
            case Count(cards=cards, press=press):
                event = m.EnterCount(_ended_press(press, session.memory.ended), cards, request=id_)
                named = {} if press is None else {"press": press}
                return await self._ask(event, m.BurstCounted.type, cards=cards, **named)
        raise TypeError(command)

    async def _ask(self, event: m.Request, answer_type: str, **asked_for: object) -> Record:
        """Queue a request and return its answer; ``answer_type`` and ``asked_for``: see ``checked``."""
        asked: asyncio.Future[Answer] = self._loop.create_future()
        self._inbox.put_nowait((event, asked))
        if isinstance(answer := await asked, ServiceError):
            raise answer
        return checked(answer, event.request, answer_type, asked_for)

    def order(self, cards: int | None = None, why: m.Refusal | None = None) -> None:
        """Set what the next push delivers: a number of cards; 0: a refusal (``why``); ``None``: the odds decide.

        That push uses the order up; after a restart the odds decide. ``Eject`` has its own number and ignores orders.

        :raises MessageError: ``cards`` is out of range, or ``why`` does not go with it.
        """
        if cards:
            check_cards(cards, 1, self.settings.max_burst_cards)
        self.open_session()
        self.enqueue(m.Order(cards, why))

    def delete_evening(self, id_: str, *, by: int | None = None, request: str | None = None) -> Record:
        """Erase the table's records of an evening from the journal; return the record that documents it.

        :param by: the person at the table who asks for it, if any.
        :raises UnknownEveningError: there is no such evening.
        :raises TableRefusal: it is under way.
        """
        from dispenser.service.evenings import span_of

        with self.in_session() as session:
            if request is not None and (answered := session.journal.answer_to(request)) is not None:
                return checked(answered, request, ERASED, {"table": id_})
            span = span_of(session.journal, id_)
            if span.last is None:
                raise TableRefusal(Text("This evening is under way. End it first."), "under_way")
            erased = {"table": id_, "by": by, "request": request}
            records = session.journal.erase(span.first, span.last, "table.", "table", erased)
            session.publish(records)
        return records[0]

    def note(self, type_: str, data: dict[str, Any], source: str = "simulator") -> Record:
        """Record and publish an event from around the launcher (such as a hand on the simulator)."""
        with self.in_session() as session:
            records = session.journal.append(source, [(type_, data)])
            session.publish(records)
        return records[0]

    async def switch_computer(self, act: PowerAction, source: str = "api") -> None:
        """Turn the motor off, then this computer off or restart it.

        :raises PowerRefusedError: not from here; the text says why.
        """
        if self.power is None:
            raise PowerRefusedError(_NOT_SWITCHED if self.simulator is None else _ONLY_SIMULATED)
        self.motor_off()
        with suppress(NoSessionError):  # a journal error is no reason to leave the computer on
            self.note(f"{POWER_ASKED}.{act.value}", {}, source)
        await self.power(act)

    def open_workshop(self, kind: Kind) -> Workshop:
        """Begin a self-test, a calibration or manual control; the launcher is off for all others meanwhile."""
        from dispenser.service.workshop import Workshop

        session = self.open_session()
        if self.workshop is not None:
            raise ServiceError(Text("somebody is in the workshop already"))
        if session.busy or self.driver.stands_in or not self.driver.rests:
            raise ServiceError(Text("the launcher is in use; wait until it rests, and no phone stands in for it"))
        workshop = Workshop(kind, self)
        with self.in_session():
            session.handle(m.SwitchOff())
        self.workshop = workshop
        workshop.open()
        return workshop

    # --- events and views ---

    def snapshot(self, language: str = "en") -> dict[str, Any]:
        """Return the current view as JSON-able values; ``seq`` is the last record that it includes."""
        session = self.session
        known = msgspec.to_builtins(self.known())
        detail = recalled(known | {"said": known.pop("said", None)})[language]
        return {
            "journal": session and session.journal.id,
            "seq": session.journal.last_seq if session else 0,
            "simulated": self.simulator is not None,
            "odds": session and session.odds,
            "commitment": session and session.commitment,
            "capabilities": msgspec.to_builtins(self.driver.capabilities),
            **known,
            "workshop": self.workshop is not None,
            "detail": detail,
            "broker_error": self.broker_error[language] if self.broker_error else None,
        }

    def known(self) -> Snapshot:
        """Return the machine's snapshot; without a session a fault with its reason."""
        if self.session is None:
            return Snapshot(m.State.FAULT, refusal=m.Refusal.FAULT, **recorded(self.why_not))
        return self.session.machine.snapshot()

    @property
    def busy(self) -> bool:
        """Whether a press is under way."""
        return self.session is not None and self.session.busy

    @property
    def evening(self) -> Evening | None:
        """The table; ``None`` without a session."""
        return self.session.evening if self.session else None

    @cached_property
    def evenings(self) -> Evenings:
        """The evenings in the journal; query them off the event loop's thread."""
        from dispenser.service.evenings import Evenings

        return Evenings(lambda commitment: self.session.unrevealed(commitment) if self.session else None)

    async def events(self, *prefixes: str, after: int | None = None) -> AsyncIterator[Record]:
        """Yield records as they are published (after ``after``, if given), filtered by ``prefixes`` of their types."""
        subscription = self.event_bus.subscribe(after)
        try:
            async for record in subscription:
                if not prefixes or record.type.startswith(prefixes):
                    yield record
        finally:
            subscription.close()

    def on(self, type_prefix: str, callback: Callable[[Record], object]) -> Callable[[], None]:
        """Call ``callback(record)`` for each record whose type begins with ``type_prefix``; return what ends this."""
        return self._event_bus.on(type_prefix, callback)

    def on_session_end(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` whenever a session ends."""
        self._event_bus.on_close(callback)

    async def outcome(self, accepted: Record) -> Record:
        """Wait for the ``launcher.burst.ended`` of an accepted press: planned, delivered, cause.

        :raises UnknownPressError: the press was refused, so it has no outcome.
        """
        if accepted.type != m.PressAccepted.type:
            text = Text("press {press} was not accepted, so it has no outcome")
            raise UnknownPressError(text.filled(press=accepted.data.get("press")))
        async for record in self.events(m.BurstEnded.type, after=accepted.seq):
            if record.data["press"] == accepted.data["press"]:
                return record
        raise ServiceError(Text("the service stopped before the burst ended"))

    @property
    def event_bus(self) -> EventBus:
        """Subscriptions and callbacks for all published records."""
        self.open_session()
        return self._event_bus

    @property
    def journal(self) -> Journal:
        """The event log, for short queries."""
        return self.open_session().journal

    async def ask_journal(self, question: Callable[[JournalReader], _T]) -> _T:
        """Run ``question`` on a journal reader on another thread; return its answer."""
        return await self.event_bus.ask_journal(question)

    def disk_waiter(self) -> Callable[[], Awaitable[None]]:
        """Return a function that waits until the disk has all that this session has written, even after its end."""
        return self.session.safe if self.session is not None else partial(asyncio.sleep, 0)

    async def safe(self) -> None:
        """Wait until all records of the journal are on disk."""
        await self.disk_waiter()()


def _ended_press(press: int | None, ended: dict[int, PressState]) -> int:
    """Return the press to count, by default the last one; its burst must have ended."""
    if press is None and not ended:
        raise UnknownPressError(Text("no burst has ended yet, so there is no count to enter"))
    press = next(reversed(ended)) if press is None else press
    if press not in ended:
        text = Text("press {press}: no burst of such a press has ended, so there is no count to enter")
        raise UnknownPressError(text.filled(press=press))
    return press
