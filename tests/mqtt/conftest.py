"""A real Mosquitto for a test: on a free port of this machine, with what settings it wants."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiomqtt import Client, Message, ProtocolVersion

from tests.waiting import LIMIT_S, wait_until

MOSQUITTO = "/usr/sbin/mosquitto"
PATIENCE_S = LIMIT_S


MakeBroker = Callable[..., "Broker"]


def find_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@pytest.fixture
def free_port() -> int:
    return find_free_port()


class Broker:
    """One Mosquitto, which listens; on another port at each start, for somebody may have taken the one before."""

    def __init__(self, folder: Path, *settings: str) -> None:
        self._file, self._settings = folder / "mosquitto.conf", settings or ("allow_anonymous true",)
        self.start()

    def start(self) -> None:
        log = self._file.with_suffix(".log")
        for _ in range(5):
            self.port = find_free_port()
            lines = [f"listener {self.port} 127.0.0.1", *self._settings, "user root", ""]
            self._file.write_text("\n".join(lines), encoding="utf-8")
            with log.open("wb") as stderr:
                self._process = subprocess.Popen([MOSQUITTO, "-c", str(self._file)], stderr=stderr)
            # that somebody listens there is not enough: it may be the broker of another test, on the port we wanted
            wait_until(lambda: not self.runs or b" running" in log.read_bytes(), "Mosquitto")
            if self.runs:
                return
        raise RuntimeError("Mosquitto does not start")

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def make_broker(tmp_path: Path) -> Iterator[MakeBroker]:
    """Starts a broker with these lines of settings; without any, everybody may do everything."""
    brokers: list[Broker] = []

    def make(*settings: str) -> Broker:
        brokers.append(Broker(tmp_path, *settings))
        return brokers[-1]

    yield make
    for broker in brokers:
        broker.kill()


class Link:
    """What stands between a launcher and its broker, and can be cut or stalled.

    :ivar port: where the launcher finds it.
    """

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._writers = set[asyncio.StreamWriter]()
        self._stalled = set[asyncio.StreamWriter]()
        self._is_cut = self._stalls = False

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._joined, "127.0.0.1")
        self.port: int = self._server.sockets[0].getsockname()[1]

    async def _joined(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if self._is_cut:
                raise ConnectionResetError
            from_broker, to_broker = await asyncio.open_connection("127.0.0.1", self._broker.port)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= (ends := {writer, to_broker})
        if self._stalls:
            self._stalled |= ends
        await asyncio.gather(self._copy(reader, to_broker), self._copy(from_broker, writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if writer not in self._stalled:
                    writer.write(data)
        if writer not in self._stalled:
            writer.close()

    def cut(self) -> None:
        """The connections break, and so does each that is made before it is mended."""
        self._is_cut = True
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    def close(self) -> None:
        self.cut()
        self._server.close()

    def stall(self) -> None:
        """What is sent on the connections is lost without a word; on those made before it is mended, too."""
        self._stalls = True
        self._stalled |= self._writers

    def mend(self) -> None:
        """New connections are as they should be; who has one that is stalled must find out."""
        self._is_cut = self._stalls = False


class Listener:
    """Somebody who subscribed to topics, and takes what has come one by one, in whatever order they want it.

    :ivar seen: all that has come so far.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.seen: list[Message] = []
        self._waiting: list[Message] = []

    async def on(self, topic_end: str, wanted: Callable[[Any], bool] = lambda _: True) -> Any:
        """What the first message says whose topic ends so, that is wanted and was not taken yet; waits for it."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                for message in self._waiting:
                    if str(message.topic).endswith(topic_end) and wanted(said := told(message)):
                        self._waiting.remove(message)
                        return said
                message = await anext(self.client.messages)
                self.seen.append(message)
                self._waiting.append(message)


async def warned(logger_name: str) -> None:
    """Wait for the next warning of a logger."""
    heard, loop, logger = asyncio.Event(), asyncio.get_running_loop(), logging.getLogger(logger_name)
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda _: loop.call_soon_threadsafe(heard.set)  # type: ignore[method-assign,assignment,misc,return-value]
    logger.addHandler(handler)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await heard.wait()
    finally:
        logger.removeHandler(handler)


def told(message: Message) -> Any:
    """What the JSON of a message says; its text where it is none."""
    text = bytes(message.payload or b"").decode()
    return json.loads(text) if text.startswith(("{", "[")) else text


@asynccontextmanager
async def listening(broker: Broker, *topics: str) -> AsyncIterator[Listener]:
    async with Client("127.0.0.1", broker.port, protocol=ProtocolVersion.V5, timeout=PATIENCE_S) as client:
        await client.subscribe([(topic, 1) for topic in topics])
        yield Listener(client)
