"""Publish records, state and events, receive commands, and reconnect after a break.

The launcher never waits for the broker.
"""

from __future__ import annotations

import asyncio
import logging
import math
import ssl
from collections import deque
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from aiomqtt import Client, Message, MqttError, ProtocolVersion, Will
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from dispenser.journal import JournalError
from dispenser.launcher import messages as m
from dispenser.mqtt import discovery
from dispenser.mqtt.commands import carry_out, records_after
from dispenser.mqtt.errors import BadCertificateError, broker_error
from dispenser.mqtt.identity import FILE as ID_FILE
from dispenser.mqtt.identity import launcher_id
from dispenser.mqtt.outbox import FILE as POSITION_FILE
from dispenser.mqtt.outbox import Position, as_message, first_public, is_public
from dispenser.mqtt.state import burst_event, state_of, table_events
from dispenser.mqtt.topics import OFFLINE, ONLINE, Topics
from dispenser.service.requests import NoSessionError

if TYPE_CHECKING:
    from dispenser.journal import Record
    from dispenser.service.service import Service
    from dispenser.service.settings import MqttSettings

_log = logging.getLogger(__name__)

ANSWER_S: Final = 10.0  # Timeout for every answer of the broker, seconds
KEEPALIVE_S: Final = 30  # Seconds; after 1.5 times this without a message, the broker publishes the launcher as offline
RETRY_S: Final = (
    1.0,
    60.0,
)  # Wait between two attempts, seconds: doubled up to the second, reset by a connection that lasts as long
STATE_EVERY_S: Final = 0.2  # Minimum time between two publications of the state, seconds
NO_SESSION_S: Final = 1.0  # Wait before checking again whether there is a session, seconds
CANCEL_AGAIN_S: Final = 1.0
MOST_WAITING: Final = 50  # Queue length for commands; further ones are dropped
MOST_BYTES: Final = 65536  # Maximum size of a message to us; the broker drops larger ones
JSON: Final = msgspec.json.encode


async def publish(service: Service, settings: MqttSettings, folder: Path, *, id_: str = "", page: str = "") -> None:
    """Publish until cancelled.

    :param folder: where the launcher's id and its position in the journal are stored; unused with an ``id_``.
    """
    file = None if id_ else folder / POSITION_FILE
    await Publisher(service, settings, id_ or launcher_id(folder), Position(file), page).run()


class Publisher:
    """Publishes one launcher to one broker.

    :param id_: the launcher's id, see ``identity``.
    :param position: the newest record that the broker has confirmed.
    :param page: URL of the page; empty without one.
    """

    def __init__(self, service: Service, settings: MqttSettings, id_: str, position: Position, page: str = "") -> None:
        self.topics = Topics(f"{settings.topic}/{id_}")
        self._service, self._settings, self._id = service, settings, id_
        self._position, self._page = position, page
        self._changed = asyncio.Event()
        self._bursts: deque[Record] = deque(maxlen=100)

    async def run(self) -> None:
        """Stay connected until cancelled."""
        (wait_s, longest_s), loop = RETRY_S, asyncio.get_running_loop()
        stop = self._service.on("", self._on_record)
        self._service.on_session_end(self._changed.set)
        with suppress(NoSessionError):  # records since the first start are published, even if the broker comes later
            self._position.after(self._service.journal.id, self._service.journal.last_seq)
        try:
            while True:
                begun_s = loop.time()
                try:
                    async with connected(self._settings, self._id, self.topics) as client:
                        await self._publish_until_lost(client)
                except* MqttError as group:
                    self._failed(group)
                if loop.time() - begun_s > longest_s:  # two launchers with one id interrupt each other
                    wait_s = RETRY_S[0]
                await asyncio.sleep(wait_s)
                wait_s = min(2 * wait_s, longest_s)
        finally:
            stop()

    def _failed(self, error: BaseException) -> None:
        """Log an error once, and show it on the page."""
        told = broker_error(error, self._settings, str(ID_FILE))
        if (before := self._service.broker_error) is None or told.en != before.en:
            _log.warning("MQTT: %s", told)
        self._service.broker_error = told

    def _on_record(self, record: Record) -> None:
        if record.type == m.BurstEnded.type:
            self._bursts.append(record)
        self._changed.set()

    async def _publish_until_lost(self, client: Client) -> None:
        """:raises ExceptionGroup: of ``MqttError``: the connection is lost."""
        self._service.broker_error = None
        self._bursts.clear()
        self._changed.set()
        for topic, payload in discovery.messages(self._settings, self._id, self.topics, self._page):
            await client.publish(topic, payload, qos=1, retain=True)
        await client.publish(self.topics.status, ONLINE, qos=1, retain=True)
        try:
            await until_first_ends(self._publish_records(client), self._publish_state(client), self._listen(client))
        finally:
            with suppress(MqttError):  # at the end, not after a loss
                await client.publish(self.topics.status, OFFLINE, qos=1, retain=True, timeout=1)

    # --- publishing ---

    async def _publish_records(self, client: Client) -> None:
        """Publish every public record after the position, also those of later sessions."""
        while True:
            try:
                await self._publish_records_of_session(client)
            except (NoSessionError, JournalError):  # the page says why; a new session is tried every few seconds
                await asyncio.sleep(NO_SESSION_S)

    async def _publish_records_of_session(self, client: Client) -> None:
        journal = self._service.journal
        subscription = self._service.event_bus.subscribe(self._position.after(journal.id, journal.last_seq))
        under_way: deque[tuple[asyncio.Task[list[BaseException | None]], int]] = deque()
        try:
            evening_from = await self._service.ask_journal(first_public)
            while (batch := await subscription.batch()) or not subscription.is_closed:
                messages = [JSON(as_message(journal.id, each)) for each in batch if is_public(each, evening_from)]
                if batch:
                    under_way.append((asyncio.create_task(self._send(client, messages)), batch[-1].seq))
                while len(under_way) > subscription.is_behind:  # else the next batch is sent meanwhile
                    for error in filter(None, await asyncio.wait_for(under_way[0][0], ANSWER_S)):
                        raise error
                    self._position.confirmed(journal.id, under_way.popleft()[1])
        except TimeoutError as error:
            raise MqttError(str(error)) from error
        finally:
            subscription.abandon()
            for sending, _ in under_way:
                sending.cancel()

    async def _send(self, client: Client, messages: list[bytes]) -> list[BaseException | None]:
        """Send messages and return the error of each. One timeout for all saves a fifth of the processor time."""
        sending = (client.publish(self.topics.journal, each, qos=1, timeout=math.inf) for each in messages)
        return await asyncio.gather(*sending, return_exceptions=True)

    async def _publish_state(self, client: Client) -> None:
        """Publish the state when it has changed, and the events since the last time."""
        told: dict[str, Any] = {}
        while True:
            await self._changed.wait()
            self._changed.clear()
            state = state_of(self._service, self._settings.language, self._page)
            events = [burst_event(self._bursts.popleft()) for _ in range(len(self._bursts))]
            events += table_events(told, state) if told else []
            if state != told:
                await client.publish(self.topics.state, JSON(state), qos=1, retain=True)
            for name, details in events:
                await client.publish(self.topics.event(name), JSON({"event_type": name, **details}), qos=1)
            told = state
            await asyncio.sleep(STATE_EVERY_S)

    # --- receiving ---

    async def _listen(self, client: Client) -> None:
        await client.subscribe([(self.topics.command("+"), 1), (self.topics.journal_request, 1)])
        async for message in client.messages:
            if message.retain:  # it would be carried out again at each connection
                continue
            payload, topic = bytes(message.payload), str(message.topic)
            if topic == self.topics.journal_request:
                answer = await records_after(self._service, payload)
            else:
                answer = await carry_out(self._service, self._settings.commands, topic.rpartition("/")[2], payload)
            await self._answer(client, message, answer)

    async def _answer(self, client: Client, message: Message, answer: dict[str, Any]) -> None:
        """Publish the answer to the message's response topic, if it has one."""
        topic = getattr(message.properties, "ResponseTopic", None)
        if topic is None:
            _log.info("%s: %s", message.topic, answer)
            return
        properties = _properties(
            PacketTypes.PUBLISH, CorrelationData=getattr(message.properties, "CorrelationData", None)
        )
        with suppress(ValueError):  # an invalid topic, with wildcards
            await client.publish(topic, JSON(answer), qos=1, properties=properties)


def _properties(packet: int, **values: Any) -> Properties:
    """Return the properties of an MQTT 5 packet; values that are ``None`` are left out."""
    properties: Properties = Properties(packet)  # type: ignore[no-untyped-call]
    for name, value in values.items():
        if value is not None:
            setattr(properties, name, value)
    return properties


async def until_first_ends(*coroutines: Coroutine[Any, Any, None]) -> None:
    """Run coroutines concurrently until one ends, then cancel the others.

    Cancels repeatedly, because ``asyncio.wait_for``, which the library uses, may lose a cancellation until Python 3.12.

    :raises BaseExceptionGroup: the exceptions of the coroutines.
    """
    tasks = [asyncio.create_task(each) for each in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        while running := [task for task in tasks if not task.done()]:
            for task in running:
                task.cancel()
            await asyncio.wait(running, timeout=CANCEL_AGAIN_S)
    errors = [error for task in tasks if not task.cancelled() and (error := task.exception()) is not None]
    if errors:
        raise BaseExceptionGroup("the connection is lost", errors)


@asynccontextmanager
async def connected(settings: MqttSettings, id_: str, topics: Topics | None = None) -> AsyncIterator[Client]:
    """Yield a connected client.

    :param topics: if given, the broker publishes the launcher as offline when the connection is lost.
    :raises MqttError: the broker cannot be used; ``broker_error`` says why.
    """
    try:
        context = await asyncio.to_thread(_tls, settings) if settings.tls else None
    except OSError as error:  # a missing file
        raise MqttError(str(error)) from error
    client = Client(
        settings.host,
        settings.broker_port,
        username=settings.username or None,
        password=settings.password,
        identifier=f"card-launcher-{id_}",
        protocol=ProtocolVersion.V5,
        will=None if topics is None else Will(topics.status, OFFLINE, qos=1, retain=True),
        timeout=ANSWER_S,
        keepalive=KEEPALIVE_S,
        max_queued_incoming_messages=MOST_WAITING,
        properties=_properties(PacketTypes.CONNECT, MaximumPacketSize=MOST_BYTES),
        tls_context=context,
        logger=_quiet(),
    )
    client.pending_calls_threshold = 1000  # two batches of records are under way at once
    async with client:
        yield client


def _tls(settings: MqttSettings) -> ssl.SSLContext:
    for file in filter(None, (settings.ca_file, settings.certificate, settings.key)):
        Path(file).read_bytes()  # raises an error that names the file, unlike the library's
    file = settings.ca_file
    try:
        context = ssl.create_default_context(cafile=file or None)
        if settings.certificate:
            file = settings.certificate
            context.load_cert_chain(file, settings.key or None)
    except ssl.SSLError as error:  # its text names no file
        raise BadCertificateError(file) from error
    return context


def _quiet() -> logging.Logger:
    """Return a logger that silences the library: its errors are logged here."""
    logger = logging.getLogger(f"{__name__}.library")
    logger.setLevel(logging.CRITICAL)
    return logger
