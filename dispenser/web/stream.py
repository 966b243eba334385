"""The live stream: journal entries as server-sent events.

Nobody waits for a slow client: the event bus drops who falls behind (a browser comes back by itself and resumes from
the journal), and the server closes the connection of who has stopped reading. A ping finds out a dead connection.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.responses import Response

from dispenser.service.event_bus import SubscriberTooSlowError, Subscription
from dispenser.web.errors import ProblemError
from dispenser.web.rate_limit import make_room

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Scope, Send

    from dispenser.journal import Record
    from dispenser.web.show import Showing

logger = logging.getLogger("dispenser.web")

PING_S = 15.0
"""Time between two comments on a stream, seconds; proxies commonly cut a silent one after 30 to 60."""
RETRY_MS = 1000
"""What a browser is told to wait before it comes back."""
QUEUE_ENTRIES = 1000
"""Entries that may wait for one client: 50 s at 20 a second."""


def frame(entry: Record) -> bytes:
    """One entry as a server-sent event: ``id`` is its seq, ``event`` its type, ``data`` the whole entry as JSON."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (entry.seq, entry.type.encode(), entry.json())


def part(body: bytes) -> Message:
    """A part of a stream."""
    return {"type": "http.response.body", "body": body, "more_body": True}


class Streams:
    """All live streams of one server: how many there may be, and the end of them all."""

    def __init__(self, showing: Showing, most: int, ping_s: float = PING_S) -> None:
        self._showing = showing
        self.most = most
        self._ping_s = ping_s
        self._open: dict[EventStream, str] = {}
        self._closed = False
        self._others: list[Callable[[], object]] = []

    def __len__(self) -> int:
        return len(self._open)

    def response(
        self, after_seq: int | None, is_admitted: Callable[[], bool] = lambda: True, address: str = ""
    ) -> EventStream:
        """A stream of the entries after ``after_seq`` (``None``: from now on).

        :param is_admitted: asked at each ping and at each change at the table whether the stream may go on.
        :param address: who has most of all streams makes way for who has fewer.
        :raises ProblemError: 503 when there are too many streams, or the service stops.
        """
        if self._closed:
            raise ProblemError("too_many_streams", number=len(self._open))
        make_room(self._open, self.most, address, EventStream.end)
        subscription = self._showing.event_bus.subscribe(after_seq, QUEUE_ENTRIES)
        stream = EventStream(subscription, self._open, self._ping_s, is_admitted)
        self._open[stream] = address
        return stream

    def with_others(self, close: Callable[[], object]) -> None:
        """Let other streams of the same server end with these."""
        self._others.append(close)

    def recheck_roles(self) -> None:
        """End the streams of those who are not let in any more."""
        for stream in list(self._open):
            stream.recheck_roles()

    def close(self) -> None:
        """End every stream; a client sees a clean end and may come back to the next service."""
        self._closed = True
        for close in self._others:
            close()
        for stream in list(self._open):
            stream.end()


class EventStream(Response):
    """One client's stream. Its own task does nothing but send; another hears that the client has gone, and pings it."""

    media_type = "text/event-stream"

    def __init__(
        self,
        subscription: Subscription,
        among: dict[EventStream, str],
        ping_s: float,
        is_admitted: Callable[[], bool] = lambda: True,
    ) -> None:
        super().__init__(headers={"x-accel-buffering": "no"})
        del self.headers["content-length"]
        self._subscription = subscription
        self._among = among
        self._ping_s = ping_s
        self._still_in = is_admitted

    def end(self) -> None:
        """Send what is under way, then end."""
        self._subscription.close()

    def recheck_roles(self) -> None:
        """End at once if the client is not let in any more."""
        if not self._still_in():
            self._subscription.abandon()

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send(part(b"retry: %d\n\n" % RETRY_MS))
            watch = asyncio.create_task(self._watch(receive, send))
            try:
                await self._send_entries(send)
            except SubscriberTooSlowError as error:
                logger.warning("a stream was ended: %s", error)
            finally:
                watch.cancel()
                await asyncio.wait([watch])
            if not watch.cancelled():
                watch.result()  # raises what has kept it from hearing or pinging the client
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._subscription.abandon()
            self._among.pop(self, None)

    async def _send_entries(self, send: Send) -> None:
        while batch := await self._subscription.batch():
            if any(entry.type.startswith("table.") for entry in batch) and not self._still_in():
                return  # an evening has ended, and with it what let them in
            await send(part(b"".join(map(frame, batch))))
            if len(batch) > 1:  # a long past may be sent without waiting, and the launcher must get its turn
                await asyncio.sleep(0)

    async def _watch(self, receive: Receive, send: Send) -> None:
        """Until the client has gone, cannot be heard or is not let in any more; then the stream ends."""
        message: Message = {"type": "http.request"}
        try:
            while message["type"] != "http.disconnect" and self._still_in():
                try:
                    async with asyncio.timeout(self._ping_s):
                        message = await receive()
                except TimeoutError:
                    await send(part(b": ping\n\n"))
        finally:
            self._subscription.abandon()
