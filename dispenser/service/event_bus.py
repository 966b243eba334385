"""Hand every journal record to all subscribers: in order, none missed, none twice; a slow one delays no other.

The newest records are shared in memory; a subscriber that is further behind reads the journal.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TypeVar

from dispenser.journal import Journal, JournalReader, Record

_log = logging.getLogger(__name__)
_T = TypeVar("_T")

KEPT_RECORDS = 1000  # The newest records in memory: 50 s at 20 a second
BATCH_RECORDS = 200  # Records that a subscriber gets at a time


class Subscription:
    """Async iterator over records in order, until it is closed or the session ends."""

    def __init__(self, bus: EventBus, after: int) -> None:
        self._bus = bus
        self._after = after
        self._last: int | None = None
        self._awake = asyncio.Event()

    @property
    def is_closed(self) -> bool:
        return self._last is not None

    @property
    def is_behind(self) -> bool:
        """Whether there are records that ``batch`` has not handed out yet."""
        return self._after < self._newest()

    async def __aiter__(self) -> AsyncIterator[Record]:
        while (batch := await self.batch()) or not self.is_closed:
            for record in batch:
                yield record

    async def batch(self) -> list[Record]:
        """Return the next records, up to ``BATCH_RECORDS``, when there are any; none at the end and after ``wake``."""
        if not self.is_behind and not self.is_closed:
            self._awake.clear()
            await self._awake.wait()
        while self.is_behind:
            newest = self._newest()
            records = await self._bus.read(self._after, newest)
            self._after = max(self._after, records[-1].seq if records else newest)
            if records:
                return records
        return []

    def _newest(self) -> int:
        return self._bus.published if self._last is None else self._last

    def wake(self) -> None:
        """Wake a waiting ``batch``, which returns an empty list if there is no record."""
        self._awake.set()

    def close(self) -> None:
        """End after the records already published. Idempotent."""
        self._last = self._newest()
        self._bus.forget(self)
        self.wake()

    def abandon(self) -> None:
        """Close without reading the records that are left."""
        self.close()
        self._last = self._after


class EventBus:
    """Publish/subscribe for the records of one service. On the event loop's thread only.

    Callbacks stay for the life of the service; subscriptions end with the session whose journal they read.

    :ivar published: number of the newest published record.
    """

    def __init__(self, journal: Journal | None = None) -> None:
        self.published = 0
        self._recent: deque[Record] = deque(maxlen=KEPT_RECORDS)
        self._subscriptions: set[Subscription] = set()
        self._callbacks: list[tuple[str, Callable[[Record], object]]] = []
        self._close_callbacks: list[Callable[[], object]] = []
        self._waiting: deque[Record] = deque()
        self._publishing = False
        if journal is not None:
            self.use(journal)

    def __len__(self) -> int:
        return len(self._subscriptions)

    def use(self, journal: Journal) -> None:
        """Use the journal of a new session; the records in it count as published."""
        self._journal, self.published = journal, journal.last_seq
        self._recent.clear()

    async def ask_journal(self, question: Callable[[JournalReader], _T]) -> _T:
        """Run ``question`` with a reader on another thread (journal in memory: this one); return its answer."""
        if (path := self._journal.path) is None:
            return question(self._journal)

        def answer() -> _T:
            with Journal.read_only(path) as reader:
                return question(reader)

        return await asyncio.to_thread(answer)

    async def read(self, after: int, last: int) -> list[Record]:
        """Return up to ``BATCH_RECORDS`` records with numbers above ``after``, up to ``last``."""
        recent = self._recent  # numbers have no gap, and indexing near the end of a deque is fast
        if recent and recent[0].seq <= after + 1 <= last <= recent[-1].seq:
            first = after + 1 - recent[0].seq
            return [recent[number] for number in range(first, min(first + BATCH_RECORDS, first + last - after))]
        return await self.ask_journal(
            lambda journal: list(journal.read(after=after, before=last + 1, limit=BATCH_RECORDS))
        )

    def subscribe(self, after_seq: int | None = None) -> Subscription:
        """Subscribe to the records after ``after_seq``; ``None``: to those after the newest one now."""
        newest = self._journal.last_seq
        subscription = Subscription(self, newest if after_seq is None else min(after_seq, newest))
        self._subscriptions.add(subscription)
        return subscription

    def forget(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    def on(self, type_prefix: str, callback: Callable[[Record], object]) -> Callable[[], None]:
        """Call ``callback`` with every record whose type begins with ``type_prefix``; return what ends this."""
        item = (type_prefix, callback)
        self._callbacks.append(item)
        return lambda: self._callbacks.remove(item) if item in self._callbacks else None

    def on_close(self, callback: Callable[[], object]) -> None:
        """Call ``callback`` whenever a session ends."""
        self._close_callbacks.append(callback)

    def publish(self, records: Sequence[Record]) -> None:
        """Publish records to all subscribers; a record published by a callback waits in the queue."""
        self._waiting.extend(records)
        if self._publishing:
            return
        self._publishing = True
        while self._waiting:
            self._deliver(self._waiting.popleft())
        self._publishing = False

    def _deliver(self, record: Record) -> None:
        self._recent.append(record)
        self.published = record.seq
        for subscription in self._subscriptions:
            subscription.wake()
        for prefix, callback in tuple(self._callbacks):
            try:
                if record.type.startswith(prefix):
                    callback(record)
            except Exception:  # noqa: BLE001 - an exception in a subscriber must not stop the launcher
                _log.exception("a callback for %s (seq %d) failed", record.type, record.seq)

    def close(self) -> None:
        """Close every subscription."""
        for subscription in tuple(self._subscriptions):
            subscription.close()
        for callback in self._close_callbacks:
            callback()
