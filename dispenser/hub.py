"""Hands every journal entry to everybody who listens: nothing missed, nothing twice, nobody waits for the slowest."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from dispenser.journal import Entry

_log = logging.getLogger(__name__)

DEFAULT_QUEUE = 1000
"""Entries that may wait for one listener before it is dropped."""
_BACKLOG_STEP = 200


class SubscriberTooSlowError(RuntimeError):
    """This listener fell too far behind and was dropped; it can subscribe again after the last ``seq`` it saw."""


class Past(Protocol):
    """Where entries are that were told already; the journal, as far as a listener needs it."""

    @property
    def last_seq(self) -> int:
        """Number of the newest entry; 0 when there is none."""
        ...

    def read(
        self,
        after: int = 0,
        before: int | None = None,
        *,
        types: Iterable[str] | None = None,
        limit: int | None = None,
        last: int | None = None,
    ) -> Iterator[Entry]:
        """Entries in order; see ``JournalReader.read``."""
        ...


class Subscription:
    """Entries in order, as an async iterator: first those already in the journal, then live ones.

    Ends when closed or when the service stops; raises ``SubscriberTooSlowError`` once it was dropped.
    """

    def __init__(self, hub: Hub, journal: Past, after_seq: int, max_queue: int) -> None:
        self._hub = hub
        self._journal = journal
        self._after = after_seq
        self._backlog_end = journal.last_seq  # what comes later is told live
        self._max_queue = max_queue
        self._live: deque[Entry] = deque()
        self._backlog: Iterator[Entry] = iter(())
        self._wake: asyncio.Future[None] | None = None
        self._closed = False
        self._too_slow = False

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Entry:
        for entry in self._from_backlog():
            return entry
        while not self._live:
            if self._closed:
                self._end()
            self._wake = asyncio.get_running_loop().create_future()
            try:
                await self._wake
            finally:
                self._wake = None
        if self._too_slow:
            self._end()
        return self._live.popleft()

    def _end(self) -> None:
        if self._too_slow:
            raise SubscriberTooSlowError(
                f"more than {self._max_queue} entries waited for this listener; subscribe again after the last seq seen"
            )
        raise StopAsyncIteration

    def _from_backlog(self) -> Iterator[Entry]:
        """The next entry written before the subscription began, if any; read in steps, so memory stays small."""
        while self._after < self._backlog_end:
            entry = next(self._backlog, None)
            if entry is not None:
                self._after = entry.seq
                yield entry
                return
            end = self._backlog_end + 1
            step = list(self._journal.read(after=self._after, before=end, limit=_BACKLOG_STEP))
            if not step:
                self._after = self._backlog_end
            self._backlog = iter(step)

    def offer(self, entry: Entry) -> None:
        """Called by the hub: one more entry."""
        if entry.seq <= self._backlog_end:
            return  # written before this subscription began, told after: it comes from the journal, or is not asked for
        if len(self._live) >= self._max_queue:
            self._too_slow = True
            self._live.clear()
            self.close()
            return
        self._live.append(entry)
        self._rouse()

    def _rouse(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def close(self) -> None:
        """No more entries. May be called twice."""
        if not self._closed:
            self._closed = True
            self._hub.forget(self)
            self._rouse()


class Hub:
    """All listeners of one service. On the event loop's thread only.

    Callbacks live as long as the service; streams end with the session whose journal they read.
    """

    def __init__(self, journal: Past | None = None) -> None:
        self._journal = journal
        self._subscriptions: set[Subscription] = set()
        self._callbacks: list[tuple[str, Callable[[Entry], object]]] = []
        self._waiting: deque[Entry] = deque()
        self._publishing = False

    def __len__(self) -> int:
        return len(self._subscriptions)

    def attach(self, journal: Past) -> None:
        """Streams read this journal from now on."""
        self._journal = journal

    def subscribe(self, after_seq: int | None = None, max_queue: int = DEFAULT_QUEUE) -> Subscription:
        """Entries after ``after_seq`` (``None``: from now on), first from the journal, then live."""
        if self._journal is None:
            raise RuntimeError("there is no journal yet, so there is nothing to subscribe to")
        after = self._journal.last_seq if after_seq is None else after_seq
        subscription = Subscription(self, self._journal, after, max_queue)
        self._subscriptions.add(subscription)
        return subscription

    def on(self, type_prefix: str, callback: Callable[[Entry], object]) -> Callable[[], None]:
        """Call ``callback`` with every entry whose type begins with ``type_prefix``; return what ends that."""
        item = (type_prefix, callback)
        self._callbacks.append(item)
        return lambda: self._callbacks.remove(item) if item in self._callbacks else None

    def publish(self, entries: Sequence[Entry]) -> None:
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

    def _tell(self, entry: Entry) -> None:
        for subscription in tuple(self._subscriptions):
            subscription.offer(entry)
        for prefix, callback in tuple(self._callbacks):
            if entry.type.startswith(prefix):
                self._call(callback, entry)

    @staticmethod
    def _call(callback: Callable[[Entry], object], entry: Entry) -> None:
        try:
            callback(entry)
        except Exception:  # noqa: BLE001 - a listener's mistake must not stop the launcher
            _log.exception("a callback for %s (seq %d) failed", entry.type, entry.seq)

    def forget(self, subscription: Subscription) -> None:
        self._subscriptions.discard(subscription)

    def close(self) -> None:
        """End every stream."""
        for subscription in tuple(self._subscriptions):
            subscription.close()
