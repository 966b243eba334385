"""Hands every journal entry to everybody who listens: nothing missed, nothing twice, nobody waits for the slowest.

Whoever reads old entries does so beside the loop, which waits for no disk and no long search.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from dispenser.journal import Journal, JournalReader, Record

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

DEFAULT_QUEUE = 1000
"""Entries that may wait for one listener before it is dropped."""
BATCH_ENTRIES = 200
"""Entries that a listener gets, or that are read from the journal for it, at a time."""


class Reading:
    """Puts questions to a journal, one at a time, on another thread with a connection of its own.

    One at a time, because each thread that is busy takes its share of the interpreter from the loop and from whoever
    watches the pins. A connection is opened for each question (some 0.3 ms there), so there is none to be closed when
    the service stops, and a stream may read the last entries while it does.

    A journal in memory has no second connection: it is asked at once, on the loop. That is for tests and for short
    evenings in Python; ``dispenser demo`` keeps its evening in a file, too.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._turn = asyncio.Lock()

    async def ask(self, question: Callable[[JournalReader], _T]) -> _T:
        """The answer of ``question``, which gets a reader and must be done with it when it returns.

        :raises JournalError: as the reader does.
        """
        path = self._journal.path
        if path is None:
            return question(self._journal)

        def look() -> _T:
            with Journal.read_only(path) as reader:
                return question(reader)

        async with self._turn:
            return await asyncio.to_thread(look)


class SubscriberTooSlowError(RuntimeError):
    """This listener fell too far behind and was dropped; it can subscribe again after the last ``seq`` it saw."""


class Subscription:
    """Entries in order, as an async iterator: first those already in the journal, then live ones.

    Ends when closed or when the service stops; raises ``SubscriberTooSlowError`` once it was dropped.

    :param known: the newest entry when this begins; what comes later is told live.
    """

    def __init__(self, event_bus: EventBus, reading: Reading, after: int, known: int, max_queue: int) -> None:
        self._event_bus = event_bus
        self._reading = reading
        self._after = after
        self._known = known
        self._max_queue = max_queue
        self._live: deque[Record] = deque()
        self._taken: deque[Record] = deque()
        self._awake = asyncio.Event()
        self._awake.set()
        self._closed = False
        self._too_slow = False

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Record:
        if not self._taken:
            self._taken.extend(await self.batch())
        if not self._taken:
            raise StopAsyncIteration
        return self._taken.popleft()

    async def batch(self) -> list[Record]:
        """The next entries, as many as are there, up to ``BATCH_ENTRIES``; waits for the first. None at the end.

        :raises SubscriberTooSlowError: it was dropped.
        """
        while self._after < self._known:
            if step := await self._reading.ask(self._backlog):
                self._after = step[-1].seq
                return step
            self._after = self._known
        while not self._live and not self._closed:
            self._awake.clear()
            try:
                await self._awake.wait()
            finally:
                self._awake.set()
        if self._too_slow:
            raise SubscriberTooSlowError(
                f"more than {self._max_queue} entries waited for this listener; subscribe again after the last seq seen"
            )
        return [self._live.popleft() for _ in range(min(len(self._live), BATCH_ENTRIES))]

    def _backlog(self, journal: JournalReader) -> list[Record]:
        """What was written before the subscription began, in steps, so that memory stays small."""
        return list(journal.read(after=self._after, before=self._known + 1, limit=BATCH_ENTRIES))

    def offer(self, entry: Record) -> None:
        """Called by the bus: one more entry."""
        if entry.seq <= self._known:
            return  # written before this subscription began, told after: it comes from the journal, or is not asked for
        if len(self._live) + len(self._taken) >= self._max_queue:
            self._too_slow = True
            self._live.clear()
            self.close()
            return
        self._live.append(entry)
        if len(self._live) == 1 and not self._awake.is_set():
            self._awake.set()

    def close(self) -> None:
        """No more entries but those that wait. May be called twice."""
        self._closed = True
        self._event_bus.forget(self)
        self._awake.set()

    def abandon(self) -> None:
        """Nobody listens any more: what waits is not read either."""
        self._after = self._known
        self._live.clear()
        self.close()


class EventBus:
    """All listeners of one service. On the event loop's thread only.

    Callbacks live as long as the service; streams end with the session whose journal they read.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self._journal = journal
        self._reading = Reading(journal) if journal else None
        self._subscriptions: set[Subscription] = set()
        self._callbacks: list[tuple[str, Callable[[Record], object]]] = []
        self._close_callbacks: list[Callable[[], object]] = []
        self._waiting: deque[Record] = deque()
        self._publishing = False

    def __len__(self) -> int:
        return len(self._subscriptions)

    def attach(self, journal: Journal) -> None:
        """Streams read this journal from now on."""
        self._journal = journal
        self._reading = Reading(journal)

    @property
    def reading(self) -> Reading:
        """Questions to the journal, for whoever may not hold up the loop."""
        if self._reading is None:
            raise RuntimeError("there is no journal yet, so there is nothing to read")
        return self._reading

    def subscribe(self, after_seq: int | None = None, max_queue: int = DEFAULT_QUEUE) -> Subscription:
        """Entries after ``after_seq`` (``None``: from now on), first from the journal, then live."""
        if self._journal is None:
            raise RuntimeError("there is no journal yet, so there is nothing to subscribe to")
        known = self._journal.last_seq
        subscription = Subscription(self, self.reading, known if after_seq is None else after_seq, known, max_queue)
        self._subscriptions.add(subscription)
        return subscription

    def on(self, type_prefix: str, callback: Callable[[Record], object]) -> Callable[[], None]:
        """Call ``callback`` with every entry whose type begins with ``type_prefix``; return what ends that."""
        item = (type_prefix, callback)
        self._callbacks.append(item)
        return lambda: self._callbacks.remove(item) if item in self._callbacks else None

    def on_close(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` whenever a session ends, and with it the streams."""
        self._close_callbacks.append(callback)

    def publish(self, entries: Sequence[Record]) -> None:
        """Hand entries, already in the journal, to everybody.

        A callback may itself cause an entry, which is published from inside this call: it waits for its turn, so
        that everybody hears everything in the journal's order.
        """
        self._waiting.extend(entries)
        if self._publishing:
            return
        self._publishing = True
        try:
            while self._waiting:
                self._tell(self._waiting.popleft())
        finally:
            self._publishing = False

    def _tell(self, entry: Record) -> None:
        for subscription in tuple(self._subscriptions):
            subscription.offer(entry)
        for prefix, callback in tuple(self._callbacks):
            try:
                if entry.type.startswith(prefix):
                    callback(entry)
            except Exception:  # noqa: BLE001 - a listener's mistake must not stop the launcher
                _log.exception("a callback for %s (seq %d) failed", entry.type, entry.seq)

    def forget(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    def close(self) -> None:
        """End every stream."""
        for subscription in tuple(self._subscriptions):
            subscription.close()
        for callback in self._close_callbacks:
            callback()
