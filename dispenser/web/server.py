"""uvicorn inside the service's own asyncio loop: quiet when nothing happens, quick to stop, patient with nobody.

uvicorn's server looks ten times a second whether it should stop; ours waits to be told, so that an idle launcher
sleeps. It installs no signal handlers: the service owns them. Two kinds of clients are cut, because each holds a
place: one that does not finish its request, and one that has stopped reading what it asked for.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import uvicorn

from dispenser.web.app import create_app
from dispenser.web.errors import WebError
from dispenser.web.security import Policy
from dispenser.web.stream import Streams

if TYPE_CHECKING:
    from uvicorn.protocols.http.h11_impl import H11Protocol as HttpProtocol
    from uvicorn.protocols.http.h11_impl import RequestResponseCycle

    from dispenser.config import WebSettings
    from dispenser.service import Service
    from dispenser.web.script_show import ScriptShow

    UvicornProtocol = HttpProtocol  # what Impatience stands in front of
else:
    from uvicorn.protocols.http.auto import AutoHTTPProtocol as HttpProtocol

    UvicornProtocol = object

logger = logging.getLogger("dispenser.web")

PATIENCE_S = 10.0
"""How long a client may take over its request, leave its data unread, or its host be unreachable, seconds."""
SEND_BUFFER_BYTES = 128 * 1024
"""What the kernel may keep for one client; without a limit it grows to megabytes for one that does not read."""
SPARE_CONNECTIONS = 64
"""Connections beside the streams: pages, commands, the odd scanner."""
SHUTDOWN_S = 1
"""How long a stop waits for answers under way, seconds."""

Ready = Callable[[str], None]


class AddressUnavailableError(WebError, OSError):
    """The address of the page cannot be had. The text says which, why, and what to do."""


class Impatience(UvicornProtocol):
    """Stands in front of uvicorn's HTTP protocol; gives up on a client which does not finish its request or read."""

    _unfinished: asyncio.TimerHandle | None = None
    _unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._unfinished = self.loop.call_later(PATIENCE_S, transport.abort)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        cycle: RequestResponseCycle | None = self.cycle  # None until the first request is there
        if cycle is not None and not cycle.response_complete:
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


class ImpatientProtocol(Impatience, HttpProtocol):
    """uvicorn's HTTP protocol (httptools where it is installed, else h11) that gives up on such clients."""


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


class QuietServer(uvicorn.Server):
    """uvicorn's server that waits to be told to stop instead of looking ten times a second."""

    def __init__(self, config: uvicorn.Config, streams: Streams, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._streams = streams
        self._on_started = on_started
        self._stop = asyncio.Event()

    async def main_loop(self) -> None:
        self._on_started()
        await self._stop.wait()

    def stop(self) -> None:
        """Stop soon; ``serve`` then returns."""
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
    """A listening socket for the page; port 0 takes any free one.

    Accepted connections inherit its limits: a small send buffer, and ``TCP_USER_TIMEOUT``, by which the kernel
    gives up a client whose host has gone without a word.

    :raises AddressUnavailableError: with what to do about it.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
            if hasattr(socket, "TCP_USER_TIMEOUT"):
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(PATIENCE_S * 1000))
            listener.bind(address)
            listener.listen(128)
            listener.setblocking(False)  # noqa: FBT003 - the standard library's own signature
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise AddressUnavailableError(
            f"the page cannot be served at {host} port {port}: {error.strerror or error}. "
            "Set another web.host or web.port, or stop the program that has this one."
        ) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """The page's address as a person types it, such as ``http://127.0.0.1:8080/``."""
    host, port = listener.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104  (compared, not bound)
        host = socket.gethostname()
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


async def serve(
    showing: Service | ScriptShow,
    settings: WebSettings,
    *,
    sockets: Sequence[socket.socket] | None = None,
    ready: Ready | None = None,
) -> None:
    """Serve the page and the API of one launcher until cancelled; then end the streams and answers under way.

    :param sockets: listening sockets that somebody opened already; by default one is opened from the settings.
    :param ready: called with the page's address once it can be opened.
    :raises InsecureSettingsError: for an address others can reach, without a token.
    :raises AddressUnavailableError: when the address is taken or not ours.
    """
    policy = Policy(settings.host, settings.token, settings.allowed_hosts)
    listeners = list(sockets) if sockets else [listen(settings.host, settings.port)]
    streams = Streams(showing, settings.max_streams)
    config = uvicorn.Config(
        create_app(showing, policy, streams),
        http=ImpatientProtocol,
        ws="none",
        interface="asgi3",
        lifespan="off",
        log_config=None,
        access_log=False,
        date_header=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=settings.max_streams + SPARE_CONNECTIONS,
        timeout_graceful_shutdown=SHUTDOWN_S,
    )

    def started() -> None:
        if ready is not None:
            ready(address_of(listeners[0]))

    server = QuietServer(config, streams, started)
    serving = asyncio.create_task(server.serve(sockets=listeners))
    try:
        await asyncio.shield(serving)
    except asyncio.CancelledError:
        server.stop()
        await serving
        raise
