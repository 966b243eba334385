"""uvicorn inside the service's own asyncio loop: quiet when nothing happens, quick to stop.

uvicorn's server looks ten times a second whether it should stop; ours waits to be told, so that an idle launcher
sleeps. It installs no signal handlers: the service owns them. Its connections are in ``protocol`` and ``connections``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import uvicorn

from dispenser.language import SpokenError, Text
from dispenser.web.app import create_app, warm_up
from dispenser.web.connections import Connections
from dispenser.web.errors import WebError
from dispenser.web.protocol import HEADER_BYTES, PATIENCE_S, Sparingly, protocol_for
from dispenser.web.security import App, Policy
from dispenser.web.stream import Streams

if TYPE_CHECKING:
    from dispenser.service.service import Service
    from dispenser.service.settings import WebSettings
    from dispenser.web.script_show import ScriptShow

SEND_BUFFER_BYTES = 128 * 1024
"""What the kernel may keep for one client; without a limit it grows to megabytes for one that does not read."""
ACCEPTED_AT_ONCE = 64
"""Connections that wait to be taken, and that are taken in one turn of the loop."""
SHUTDOWN_S = 1
"""How long a stop waits for answers under way, seconds."""

Ready = Callable[[str], None]


class AddressUnavailableError(WebError, SpokenError, OSError):
    """The address of the page cannot be had. The text says which, why, and what to do."""


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
            Text(
                "the page cannot be served at {host} port {port}: {why}. Set another web.host or web.port, or "
                "stop the program that has this one."
            ).filled(host=host, port=port, why=error.strerror or error)
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
    listeners = list(sockets) if sockets else [await asyncio.to_thread(listen, settings.host, settings.port)]
    streams = Streams(showing, settings.max_streams)
    connections = Connections(settings.max_streams)

    def make_app() -> App:
        app = create_app(showing, policy, streams, connections)
        asyncio.run(warm_up(app))
        return app

    await showing.rest()
    config = uvicorn.Config(
        await asyncio.to_thread(make_app),
        http=protocol_for(connections),
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

    def started() -> None:
        if ready is not None:
            ready(address_of(listeners[0]))

    server = QuietServer(config, streams, started)
    with _spared_log():
        serving = asyncio.create_task(server.serve(sockets=listeners))
        try:
            await asyncio.shield(serving)
        except asyncio.CancelledError:
            server.stop()
            await serving
            raise


@contextlib.contextmanager
def _spared_log() -> Iterator[None]:
    """Whatever clients do, it fills no log."""
    loggers = [logging.getLogger(name) for name in ("uvicorn.error", "dispenser.web", "asyncio")]
    sparingly = Sparingly()
    for logger in loggers:
        logger.addFilter(sparingly)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(sparingly)
