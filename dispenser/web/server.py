"""Run uvicorn inside the service's own asyncio loop: no wake-ups when idle, quick to stop, strict with slow clients.

uvicorn's server polls ten times a second whether to stop; ours waits for an event, so that an idle launcher sleeps. It
installs no signal handlers, because the service does.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import math
import os
import socket
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from dispenser.i18n import SpokenError, Text, verbatim, why
from dispenser.service.settings import EVERYWHERE
from dispenser.web.addresses import Address, KnownNames
from dispenser.web.app import create_app
from dispenser.web.errors import WebError
from dispenser.web.rate_limit import client_address
from dispenser.web.security import Guard, OwnWifi, Policy
from dispenser.web.stream import Streams

if TYPE_CHECKING:
    from dispenser.service.settings import WebSettings
    from dispenser.web.show import Showing

PATIENCE_S = 10.0
"""Timeout for receiving a request, for a client that does not read, and for an unreachable host, seconds."""
HEADER_BYTES = 16 * 1024
OTHER_CONNECTIONS = 64  # Maximum of connections in addition to the streams: pages, commands
SEND_BUFFER_BYTES = 128 * 1024
"""Kernel send buffer per connection; by default it grows to megabytes for a client that does not read."""
ACCEPTED_AT_ONCE = 64  # Listen backlog, and connections accepted per turn of the loop
SHUTDOWN_S = 1


class AddressUnavailableError(WebError, SpokenError, OSError):
    """The listening socket cannot be opened. The text says which address, why, and what to do."""


class StrictProtocol(H11Protocol):
    """The HTTP protocol that closes connections: slow to send a request, not reading, or above the limit.

    Always based on h11, as httptools does not limit headers.
    """

    client_address = ""
    opened_s = 0.0
    _unfinished: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    @property
    def idle(self) -> bool:
        """Return whether no request awaits its response."""
        cycle: Any = self.cycle  # None until the first request has arrived
        return cycle is None or cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.client_address, self.opened_s = client_address(self.client), self.loop.time()
        self._unfinished = self.loop.call_later(PATIENCE_S, transport.abort)
        if len(self.connections) >= (self.limit_concurrency or math.inf):
            leaver = connection_to_close(cast("set[StrictProtocol]", self.connections - {self}))
            self.connections.discard(leaver)
            leaver.transport.abort()

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
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Send a 400 for input that is not HTTP; in the middle of a response, abort the connection instead."""
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.abort()
            return
        super().send_400_response(msg)
        cycle: Any = self.cycle
        if not self.idle:  # the handler must neither wait for the body nor respond
            cycle.disconnected = True
            cycle.message_event.set()


def connection_to_close(connections: Collection[StrictProtocol]) -> StrictProtocol:
    """Return which connection of the busiest address to close: the oldest idle one, or the oldest if all are busy."""
    ((busiest, _),) = Counter(each.client_address for each in connections).most_common(1)
    theirs = (each for each in connections if each.client_address == busiest)
    return min(theirs, key=lambda each: (not each.idle, each.opened_s))


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


class QuietServer(uvicorn.Server):
    """A uvicorn server that waits for an event instead of polling ten times a second whether to stop."""

    def __init__(self, config: uvicorn.Config, streams: Streams, on_started: Callable[[], object]) -> None:
        super().__init__(config)
        self._streams = streams
        self._on_started = on_started
        self._stop = asyncio.Event()

    async def main_loop(self) -> None:
        self._on_started()
        await self._stop.wait()

    def stop(self) -> None:
        """Request the stop; ``serve`` returns soon after."""
        self.should_exit = True
        self._stop.set()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._streams.close()
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket for the page; port 0 takes any free one.

    :raises AddressUnavailableError: the address is in use, or not one of this machine.
    """
    try:
        family, *_, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        listener = socket.create_server(address, family=family, backlog=128, dualstack_ipv6=dual)
    except OSError as error:
        known = verbatim(os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror or error)
        if isinstance(error, socket.gaierror):
            known = Text("nobody knows that name")
        raise AddressUnavailableError(
            Text(
                "the page cannot be served at {host} port {port}: {why}. Set another web.host or web.port "
                "(--port for a demo), or stop the program that has this one."
            ).filled(host=host, port=port, why=why(error, known))
        ) from error
    return limited(listener)


def limited(listener: socket.socket) -> socket.socket:
    """Set the limits that accepted connections inherit: send buffer and ``TCP_USER_TIMEOUT``.

    With the latter, the kernel closes connections to a host that has disappeared.
    """
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(PATIENCE_S * 1000))
    listener.setblocking(False)  # noqa: FBT003 - the standard library's own signature
    return listener


def address_of(listener: socket.socket, *, lan: bool = False) -> str:
    """Return the page's URL as a person types it, such as ``http://127.0.0.1:8080/``."""
    host, port = listener.getsockname()[:2]
    if host in EVERYWHERE:
        host = "127.0.0.1" if lan else socket.gethostname()  # with ``lan``, a request to loopback is the owner's
    return Address(host).url(port)


async def serve(
    showing: Showing,
    settings: WebSettings,
    *,
    ready: Callable[[str], object] = lambda _: None,
    doors: Sequence[socket.socket] = (),
    own_wifi: Callable[[], OwnWifi | None] = lambda: None,
    look_up_names: Callable[[], frozenset[str]] = frozenset,
) -> None:
    """Serve the page and the API of one launcher until cancelled; then end streams and responses in progress.

    :param doors: additional listening sockets; ``ready`` gets the address of the first of them.
    :param own_wifi: see ``Policy``; ``look_up_names``: see ``KnownNames``, called on another thread.
    :param ready: called with the page's URL when it can be opened.
    :raises SettingError: other machines can reach the address, and neither a token nor ``lan`` is set.
    :raises AddressUnavailableError: the address is in use, or not one of this machine.
    """
    settings = dataclasses.replace(settings, enabled=True)  # serve() is called only when the page is wanted
    listeners = (*map(limited, doors), await asyncio.to_thread(listen, settings.listens_on, settings.port))
    front = listeners[0]
    streams = Streams(settings.max_streams)

    def make_app() -> Guard:
        names = KnownNames(look_up_names) if settings.is_open else None
        policy = Policy(settings, None, front.getsockname()[1], own_wifi, names)
        return create_app(showing, policy, streams)

    config = uvicorn.Config(
        await asyncio.to_thread(make_app),
        http=StrictProtocol,
        limit_concurrency=settings.max_streams + OTHER_CONNECTIONS + 1,
        ws="none",
        interface="asgi3",
        lifespan="off",
        log_config=None,
        access_log=False,
        date_header=False,
        server_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=HEADER_BYTES,
        backlog=ACCEPTED_AT_ONCE,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )
    server = QuietServer(config, streams, lambda: ready(address_of(front, lan=settings.lan)))
    serving = asyncio.create_task(server.serve(sockets=list(listeners)))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.stop()
        await serving
        raise
