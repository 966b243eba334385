"""Who is connected, by uvicorn's HTTP on h11, patient with nobody; who has shown no token keeps out nobody who has.

Three kinds of clients are cut, because each holds a place: one that does not finish its request, one that has stopped
reading what it asked for, and a stranger when others come. It is h11 whatever else is installed: its limit on headers
is known (httptools has none, and 100 MB of headers would be kept).
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any, TypeVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from dispenser.web.errors import ProblemError

PATIENCE_S = 10.0
"""How long a client may take over its request, leave its data unread, or its host be unreachable, seconds."""
LINGER_S = 2.0
"""How long we go on reading, and forgetting, what a refused client still sends, seconds: if the kernel closed over
unread data, it would take our answer back (RFC 9112, 9.6)."""
HEADER_BYTES = 16 * 1024
"""The most that the head of a request may take."""
STRANGERS = 64
"""Places of those who have not passed the guard: a few browsers that load the login form."""
SPARE = 64
"""Places beside the streams for those who have: pages, commands."""

_T = TypeVar("_T")
Client = tuple[str, int]
"""Address and port of the other side."""


class PatientWithNobody(H11Protocol):
    """One connection of a server; a subclass made by ``protocol_for`` knows which."""

    doors: Connections
    _unfinished: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None
    _refused = False

    @property
    def idle(self) -> bool:
        """No request of it waits for its answer."""
        cycle: Any = self.cycle  # None until the first request is there
        return cycle is None or cycle.response_complete

    def drop(self) -> None:
        """Close it at once; ``Connections.left`` will be told."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._unfinished = self.loop.call_later(PATIENCE_S, transport.abort)
        self.doors.came(self)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
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
        error = sys.exception()
        too_long = isinstance(error, h11.RemoteProtocolError) and error.error_status_hint == 431
        problem = ProblemError("header_too_large", most=HEADER_BYTES) if too_long else ProblemError("bad_http")
        body = problem.body()
        head = {"content-type": "application/json", "content-length": str(len(body)), **problem.headers}
        answer = (h11.Response(status_code=problem.status, headers=list(head.items())), h11.Data(data=body))
        self.transport.write(b"".join(self.conn.send(event) or b"" for event in (*answer, h11.EndOfMessage())))
        cycle: Any = self.cycle
        if not self.idle:  # its body was no HTTP; whoever has the request in hand shall neither wait nor answer, too
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.write_eof()
        self._refused = True
        _cancel(self._unfinished)
        self._unfinished = self.loop.call_later(LINGER_S, self.transport.abort)

    def _unsupported_upgrade_warning(self) -> None:
        """Whoever asks for a WebSocket is answered as if they had not; that is no news."""


def protocol_for(connections: Connections) -> type[PatientWithNobody]:
    """The protocol of one server, which keeps count of its connections."""
    return type("Protocol", (PatientWithNobody,), {"doors": connections})


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


class Connections:
    """All connections of one server, in the order in which they came.

    A connection is a stranger's until one of its requests has passed the guard. Strangers have a few places among
    themselves; when one more comes, the one that has been idle for longest must go, of the address with the most of
    them. Those who have passed have places of their own, as many as there may be streams and some more; of these,
    too, idle ones are closed first; when none is idle, one of the address that has the most of them, but for the sake
    of an address with fewer only: else the newest is told to come back later.
    """

    def __init__(self, streams: int) -> None:
        self._most_known = streams + SPARE
        self._strangers: dict[Client | None, PatientWithNobody] = {}
        self._known: dict[Client | None, PatientWithNobody] = {}

    def came(self, stranger: PatientWithNobody) -> None:
        """Somebody has connected."""
        self._strangers[stranger.client] = stranger
        if len(self._strangers) > STRANGERS:
            self._drop(_oldest(self._strangers.values()) or next(iter(self._strangers.values())))

    def passed(self, client: Client | None) -> bool:
        """A request of that connection has passed the guard; return whether there is a place for it."""
        if client not in self._strangers:  # it has a place already, or has just left
            return True
        if len(self._known) >= self._most_known:
            busy = self._known.values()
            leaver = _oldest(busy) or one_of_the_crowd(busy, _address, _address(self._strangers[client]))
            if leaver is None:
                return False
            self._drop(leaver)
        self._known[client] = self._strangers.pop(client)
        return True

    def left(self, connection: PatientWithNobody) -> None:
        """It is closed. May be told twice."""
        self._strangers.pop(connection.client, None)
        self._known.pop(connection.client, None)

    def _drop(self, connection: PatientWithNobody) -> None:
        self.left(connection)
        connection.drop()


def _oldest(connections: Collection[PatientWithNobody]) -> PatientWithNobody | None:
    """Of the idle ones the oldest of the address that has the most of them."""
    idle = [connection for connection in connections if connection.idle]
    if not idle:
        return None
    ((crowd, _),) = Counter(_address(connection) for connection in idle).most_common(1)
    return next(connection for connection in idle if _address(connection) == crowd)


def one_of_the_crowd(among: Iterable[_T], address_of: Callable[[_T], str], newcomer: str) -> _T | None:
    """The oldest of the address that has the most, if it has so many that one should make way for a newcomer."""
    those = [(each, address_of(each)) for each in among]
    counted = Counter(address for _, address in those)
    crowd, number = max(counted.items(), key=lambda each: each[1], default=("", 0))
    if number <= counted[newcomer] + 1:
        return None
    return next(each for each, address in those if address == crowd)


def _address(connection: PatientWithNobody) -> str:
    return connection.client[0] if connection.client else ""
