"""The live stream: journal entries as server-sent events, the same bytes to everybody who listens.

An entry is put into its frame once, however many listen. A client's own task does nothing but take the next entry
and send it; a second one per client hears that the client has gone and pings it now and then, so that a dead
connection is found out. Nobody waits for a slow client: the hub drops who falls behind (a browser comes back by
itself and resumes from the journal), and the server cuts who has stopped reading (see ``server.py``).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from dispenser.language import Text
from dispenser.service.hub import SubscriberTooSlowError, Subscription
from dispenser.web.errors import ProblemError

if TYPE_CHECKING:
    from dispenser.journal import Entry
    from dispenser.web.showing import Showing

logger = logging.getLogger("dispenser.web")

PING_S = 15.0
"""Time between two comments on a stream, seconds; proxies commonly cut a silent one after 30 to 60."""
RETRY_MS = 1000
"""What a browser is told to wait before it comes back."""
QUEUE_ENTRIES = 1000
"""Entries that may wait for one client: 50 s at 20 a second."""
KEPT_FRAMES = 256

_HELLO = f"retry: {RETRY_MS}\n\n".encode()
_PING = b": ping\n\n"


def frame(entry: Entry) -> bytes:
    """One entry as a server-sent event: ``id`` is its seq, ``event`` its type, ``data`` the whole entry as JSON."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (entry.seq, entry.type.encode(), entry.json())


class Streams:
    """All live streams of one server: how many there may be, their shared frames, and the end of them all."""

    def __init__(self, showing: Showing, most: int, ping_s: float = PING_S) -> None:
        self._showing = showing
        self.most = most
        self._ping_s = ping_s
        self._open: set[Subscription] = set()
        self._frames: dict[tuple[int, str], bytes] = {}
        self._closed = False

    def __len__(self) -> int:
        return len(self._open)

    def response(self, after_seq: int | None) -> EventStream:
        """A stream of the entries after ``after_seq`` (``None``: from now on).

        :raises ProblemError: 503 when there are too many streams, or the service stops.
        """
        if self._closed or len(self._open) >= self.most:
            raise ProblemError(
                503,
                "too_many_streams",
                Text("{number} streams are open, which is as many as there may be.").filled(number=len(self._open)),
                Text("Close a page, or raise web.max_streams in the settings."),
                headers=((b"retry-after", b"5"),),
            )
        subscription = self._showing.hub.subscribe(after_seq, QUEUE_ENTRIES)
        self._open.add(subscription)
        return EventStream(subscription, self._frame, self._open.discard, self._ping_s)

    def close(self) -> None:
        """End every stream; a client sees a clean end and may come back to the next service."""
        self._closed = True
        for subscription in list(self._open):
            subscription.close()

    def _frame(self, entry: Entry) -> bytes:
        frames = self._frames
        key = (entry.seq, entry.time)  # a new journal begins again at 1
        made = frames.get(key)
        if made is None:
            if len(frames) >= KEPT_FRAMES:
                del frames[next(iter(frames))]
            made = frames[key] = frame(entry)
        return made


class EventStream(Response):
    """One client's stream."""

    def __init__(
        self,
        subscription: Subscription,
        make_frame: Callable[[Entry], bytes],
        on_end: Callable[[Subscription], None],
        ping_s: float,
    ) -> None:
        self._subscription = subscription
        self._make_frame = make_frame
        self._on_end = on_end
        self._ping_s = ping_s
        self.status_code = 200
        self.background = None
        self.init_headers({"content-type": "text/event-stream", "x-accel-buffering": "no"})

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await send({"type": "http.response.body", "body": _HELLO, "more_body": True})
            watch = asyncio.create_task(self._watch(receive, send))
            try:
                await self._send_entries(send)
            except SubscriberTooSlowError as error:
                logger.warning("a stream was ended: %s", error)
            finally:
                watch.cancel()
                await asyncio.wait([watch])
            await send({"type": "http.response.body", "body": b""})
        finally:
            self._subscription.close()
            self._on_end(self._subscription)

    async def _send_entries(self, send: Send) -> None:
        while batch := await self._subscription.batch():
            body = b"".join(map(self._make_frame, batch))
            await send({"type": "http.response.body", "body": body, "more_body": True})
            if len(batch) > 1:  # a long past may be sent without waiting, and the launcher must get its turn
                await asyncio.sleep(0)

    async def _watch(self, receive: Receive, send: Send) -> None:
        """Wait until the client has gone, with a ping now and then; then end the stream."""
        while True:
            try:
                async with asyncio.timeout(self._ping_s):
                    message = await receive()
            except TimeoutError:
                await send({"type": "http.response.body", "body": _PING, "more_body": True})
                continue
            if message["type"] == "http.disconnect":
                self._subscription.abandon()
                return
