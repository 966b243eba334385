"""Server-sent events: the cap on streams, heartbeat and end; the stream of journal records.

A slow client delays nobody: what it has missed is read from the journal, and the server closes the connection of one
that does not read. A ping detects a dead connection.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import AsyncIterator, Callable
from operator import methodcaller
from typing import TYPE_CHECKING, TypeVar

from starlette.responses import Response

from dispenser.service.event_bus import EventBus
from dispenser.web.errors import ProblemError
from dispenser.web.rate_limit import make_room

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from dispenser.journal import Record

PING_S = 15.0
"""Interval of pings, seconds; proxies close a silent stream after 30 to 60 s, the page reconnects after 40 s."""
RETRY_MS = 1000  # Reconnection delay sent to browsers


class Streams:
    """All open streams of one server. One timer pings them all, so that an idle launcher wakes the processor once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: dict[Stream, str] = {}  # oldest first, with the client's address
        self._closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._on_ping: list[Callable[[], object]] = []

    def __len__(self) -> int:
        return len(self._open)

    def add(self, address: str, make: Callable[[], _S]) -> _S:
        """Create a stream; if there are too many, end one of the address that has the most.

        :raises ProblemError: 503 if ``make_room`` cannot end another stream, or the service is stopping.
        """
        if self._closed:
            raise ProblemError("too_many_streams", number=len(self._open))
        make_room(self._open, self._most, address, methodcaller("end"))
        stream = make()
        self._open[stream] = address
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PING_S, self._ping)
        return stream

    def on_ping(self, callback: Callable[[], object]) -> None:
        self._on_ping.append(callback)

    def _ping(self) -> None:
        self._timer = asyncio.get_running_loop().call_later(PING_S, self._ping) if self._open else None
        for callback in self._on_ping:
            callback()
        for stream in tuple(self._open):
            stream.ping()

    def remove(self, stream: Stream) -> None:
        self._open.pop(stream, None)
        if not self._open and self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def recheck_roles(self) -> None:
        """Make every stream determine its role again: seats, cookies or phones may have changed."""
        for stream in tuple(self._open):
            stream.recheck_role()

    def close(self) -> None:
        """End all streams and accept no more; clients see a clean end and reconnect to the next service."""
        self._closed = True
        for stream in tuple(self._open):
            stream.end()


class Stream(Response):
    """One client's stream. One task sends, a second one watches for the disconnection.

    Subclasses implement: ``parts`` yields what is sent until the end; ``ping`` requests a heartbeat; ``end`` lets
    pending output finish; ``closed`` is called after a disconnection; ``recheck_role`` after roles may have changed.
    """

    @abstractmethod
    def parts(self) -> AsyncIterator[bytes]: ...
    @abstractmethod
    def ping(self) -> None: ...
    @abstractmethod
    def end(self) -> None: ...
    @abstractmethod
    def closed(self) -> None: ...
    @abstractmethod
    def recheck_role(self) -> None: ...

    media_type = "text/event-stream"

    def __init__(self, streams: Streams) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._streams = streams

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send(_part(b"retry: %d\n\n" % RETRY_MS))
            watch = asyncio.create_task(self._watch(receive))
            try:
                async for part in self.parts():
                    await send(_part(part))
            finally:
                watch.cancel()
                await asyncio.wait([watch])
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._streams.remove(self)
            self.closed()

    async def _watch(self, receive: Receive) -> None:
        try:
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.closed()


_S = TypeVar("_S", bound=Stream)


class EventStream(Stream):
    """Journal records after a seq, or from now on: each exactly once.

    :param is_admitted: called at each ping and table event: whether the client may still read.
    """

    def __init__(
        self, streams: Streams, bus: EventBus, after_seq: int | None, is_admitted: Callable[[], bool] = lambda: True
    ) -> None:
        super().__init__(streams)
        self._subscription = bus.subscribe(after_seq)
        self._is_admitted = is_admitted
        self._pinged = False

    def end(self) -> None:
        self._subscription.close()

    def closed(self) -> None:
        self._subscription.abandon()

    def recheck_role(self) -> None:
        if not self._is_admitted():
            self._subscription.abandon()

    def ping(self) -> None:
        self.recheck_role()
        self._pinged = True
        self._subscription.wake()

    async def parts(self) -> AsyncIterator[bytes]:
        while (batch := await self._subscription.batch()) or not self._subscription.is_closed:
            if self._pinged:
                self._pinged = False
                yield b": ping\n\n"
            if any(record.type.startswith("table.") for record in batch) and not self._is_admitted():
                return  # the evening that admitted the client is over
            if batch:
                yield b"".join(map(frame, batch))
            if len(batch) > 1:  # a long replay may never block on sending; let other tasks run
                await asyncio.sleep(0)


def frame(record: Record) -> bytes:
    """Return one record as a server-sent event: ``id`` is its seq, ``event`` its type, ``data`` the record as JSON."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (record.seq, record.type.encode(), record.json())


def _part(body: bytes) -> Message:
    return {"type": "http.response.body", "body": body, "more_body": True}
