"""One connection: uvicorn's HTTP by h11, patient with nobody, and its errors in the one shape.

Three kinds of clients are cut, because each holds a place: one that does not finish its request, one that has stopped
reading what it asked for, and a stranger when others come (see ``connections``). It is h11 whatever else is installed:
its limit on headers is known (httptools has none, and 100 MB of headers would be kept).
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from dispenser.language import Text
from dispenser.web.connections import Connections
from dispenser.web.errors import ProblemError
from dispenser.web.security import CONNECTION, Receive, Scope, Send

PATIENCE_S = 10.0
"""How long a client may take over its request, leave its data unread, or its host be unreachable, seconds."""
HEADER_BYTES = 16 * 1024
"""The most that the head of a request may take."""
PER_MINUTE = 5
"""Lines of each kind that go into the log in a minute."""


class PatientWithNobody(H11Protocol):
    """One connection of a server; a subclass made by ``protocol_for`` knows which."""

    doors: Connections
    _unfinished: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        inside: Any = self.app

        async def introduce(scope: Scope, receive: Receive, send: Send) -> None:
            scope[CONNECTION] = self
            await inside(scope, receive, send)

        self.app = introduce

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def idle(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle  # None until the first request is there
        return cycle is None or cycle.response_complete

    def drop(self) -> None:
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._unfinished = self.loop.call_later(PATIENCE_S, transport.abort)
        self.doors.came(self)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.idle:
            _cancel(self._unfinished)
            self._unfinished = None
        elif self._unfinished is None:
            self._unfinished = self.loop.call_later(PATIENCE_S, self.transport.abort)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(PATIENCE_S, self.transport.abort)

    def resume_writing(self) -> None:
        _cancel(self._unread)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._unfinished)
        _cancel(self._unread)
        self.doors.left(self)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 - uvicorn's own words
        """What is no HTTP, or more of it than there may be, is answered like every other mistake."""
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.abort()  # in the middle of an answer
            return
        status = getattr(sys.exc_info()[1], "error_status_hint", 400)
        problem = _TOO_LONG if status == 431 else _NO_HTTP
        body = problem.body()
        head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *_CLOSE]
        for event in (h11.Response(status_code=problem.status, headers=head), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _unsupported_upgrade_warning(self) -> None:
        """Whoever asks for a WebSocket is answered as if they had not; that is no news."""


_CLOSE = ((b"connection", b"close"),)
_NO_HTTP = ProblemError(400, "bad_http", Text("That is not HTTP."), Text("Send a request of HTTP/1.1."))
_TOO_LONG = ProblemError(
    431,
    "header_too_large",
    Text("The head of the request is longer than {bytes} bytes.").filled(bytes=HEADER_BYTES),
)


def protocol_for(connections: Connections) -> type[PatientWithNobody]:
    """The protocol of one server, which keeps count of its connections."""
    return type("Protocol", (PatientWithNobody,), {"doors": connections})


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


class Sparingly(logging.Filter):
    """Lets ``PER_MINUTE`` messages of each kind through: whoever floods us shall not flood the log, too."""

    def __init__(self) -> None:
        super().__init__()
        self._minute = 0
        self._seen: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        kind, minute = str(record.msg), int(record.created // 60)
        if minute != self._minute:
            self._minute, self._seen = minute, Counter()
        self._seen[kind] += 1
        if self._seen[kind] == PER_MINUTE:
            record.msg = f"{kind} (more of these are not shown in this minute)"
        return self._seen[kind] <= PER_MINUTE
