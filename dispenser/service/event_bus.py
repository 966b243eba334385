"""Hand every journal record to all subscribers: in order, none missed, none twice, and nobody waits for the slowest."""

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
"""Records that may wait for one subscriber before it is dropped."""
BATCH_RECORDS = 200
"""Records that a subscriber gets, or that are read from the journal for it, at a time."""


class SubscriberTooSlowError(RuntimeError):
    """This subscriber fell too far behind and was dropped."""


class Subscription:
    """Records in order, as an async iterator: first those already in the journal, then live ones.

    Ends when closed or when the session ends.

    :param known: the newest record when this begins; what comes later is told live.
    """

    def __init__(self, bus: EventBus, after: int, known: int, max_queue: int) -> None:
        self._bus = bus
        self._after = after
        self._known = known
        self._max_queue = max_queue
        self._live: deque[Record] = deque()
        self._taken: deque[Record] = deque()
        self._awake = asyncio.Event()
        self.is_closed = self._too_slow = False

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Record:
        if not self._taken:
            self._taken.extend(await self.batch())
        if not self._taken:
            raise StopAsyncIteration
        return self._taken.popleft()

    async def batch(self) -> list[Record]:
        """The next records, as many as are there, up to ``BATCH_RECORDS``; waits for the first.

        None at the end, and after ``wake``.

        :raises SubscriberTooSlowError: it was dropped.
        """
        while self._after < self._known:
            if backlog := await self._bus.ask_journal(self._backlog):
                self._after = backlog[-1].seq
                return backlog
            self._after = self._known
        if not self._live and not self.is_closed:
            self._awake.clear()
            await self._awake.wait()
        if self._too_slow:
            raise SubscriberTooSlowError(
                f"more than {self._max_queue} records waited for this subscriber; subscribe again after the last seq"
            )
        return [self._live.popleft() for _ in range(min(len(self._live), BATCH_RECORDS))]

    def _backlog(self, journal: JournalReader) -> list[Record]:
        return list(journal.read(after=self._after, before=self._known + 1, limit=BATCH_RECORDS))

    def offer(self, record: Record) -> None:
        """Called by the bus: one more record."""
        if record.seq <= self._known:
            return  # written before this subscription began, told after: it comes from the journal, or is not asked for
        if len(self._live) + len(self._taken) >= self._max_queue:
            self._too_slow = True
            self._live.clear()
            self.close()
        else:
            self._live.append(record)
            self._awake.set()

    def wake(self) -> None:
        """Let whoever waits for a batch have an empty one."""
        self._awake.set()

    def close(self) -> None:
        """No more records but those that wait. May be called twice."""
        self.is_closed = True
        self._bus.forget(self)
        self._awake.set()

    def abandon(self) -> None:
        """Nobody listens any more: what waits is not read either."""
        self._after = self._known
        self._live.clear()
        self.close()


class EventBus:
    """All subscribers of one service. On the event loop's thread only.

    Callbacks live as long as the service; streams end with the session whose journal they read.

    :ivar journal: what streams read; each session sets its own.
    """

    journal: Journal

    def __init__(self, journal: Journal | None = None) -> None:
        if journal is not None:
            self.journal = journal
        self._subscriptions: set[Subscription] = set()
        self._callbacks: list[tuple[str, Callable[[Record], object]]] = []
        self._close_callbacks: list[Callable[[], object]] = []
        self._waiting: deque[Record] = deque()
        self._publishing = False

    def __len__(self) -> int:
        return len(self._subscriptions)

    async def ask_journal(self, question: Callable[[JournalReader], _T]) -> _T:
        """The answer of ``question``, which gets a reader on another thread and must be done with it when it returns.

        A journal in memory has no second connection: it is asked on the loop's thread.
        """
        journal = self.journal
        if (path := journal.path) is None:
            return question(journal)

        def answer() -> _T:
            with Journal.read_only(path) as reader:
                return question(reader)

        return await asyncio.to_thread(answer)

    def subscribe(self, after_seq: int | None = None, max_queue: int = DEFAULT_QUEUE) -> Subscription:
        """Records after ``after_seq`` (``None``: from now on), first from the journal, then live."""
        known = self.journal.last_seq
        subscription = Subscription(self, known if after_seq is None else after_seq, known, max_queue)
        self._subscriptions.add(subscription)
        return subscription

    def forget(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    def on(self, type_prefix: str, callback: Callable[[Record], object]) -> Callable[[], None]:
        """Call ``callback`` with every record whose type begins with ``type_prefix``; return what ends that."""
        item = (type_prefix, callback)
        self._callbacks.append(item)
        return lambda: self._callbacks.remove(item) if item in self._callbacks else None

    def on_close(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` whenever a session ends, and with it the streams."""
        self._close_callbacks.append(callback)

    def publish(self, records: Sequence[Record]) -> None:
        """Hand records to everybody.

        A callback may itself cause a record, which is published from inside this call: it waits for its turn, so
        that everybody gets everything in the journal's order.
        """
        self._waiting.extend(records)
        if self._publishing:
            return
        self._publishing = True
        while self._waiting:
            self._deliver(self._waiting.popleft())
        self._publishing = False

    def _deliver(self, record: Record) -> None:
        for subscription in tuple(self._subscriptions):
            subscription.offer(record)
        for prefix, callback in tuple(self._callbacks):
            try:
                if record.type.startswith(prefix):
                    callback(record)
            except Exception:  # noqa: BLE001 - a subscriber's mistake must not stop the launcher
                _log.exception("a callback for %s (seq %d) failed", record.type, record.seq)

    def close(self) -> None:
        """End every stream."""
        for subscription in tuple(self._subscriptions):
            subscription.close()
        for callback in self._close_callbacks:
            callback()
