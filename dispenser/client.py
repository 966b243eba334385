"""Client of the HTTP API: snapshot, commands, events. On the standard library, because it starts fast on a small Pi.

A command has an id: if its answer is lost it is sent again, and still executed once. The event stream resumes after a
lost connection: each record is delivered exactly once.
"""

from __future__ import annotations

import http.client
import json
import socket
import time
import uuid
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from typing import Any
from urllib.parse import urlsplit

import msgspec

from dispenser.i18n import SpokenError, Text, listed, verbatim, why
from dispenser.journal import Record
from dispenser.launcher.commands import Command, word_of

API = "/api/v1"
ANSWER_S = 10.0
"""Timeout for an answer, seconds."""
SILENCE_S = 40.0
"""Timeout of a silent event stream, seconds: the launcher sends a heartbeat every 15."""
PAUSES_S = (0.2, 0.5, 1.0, 2.0, 4.0)
"""Delays before a command is sent again or a lost stream is reopened, seconds: longer in total than a restart takes."""
MAX_ANSWER_BYTES = 1 << 20
TRY_AGAIN_STATUSES = (429, 502, 503, 504)
OnLink = Callable[[Exception | None], None]


class ApiError(SpokenError):
    """A request to a launcher failed. The text says what, where, and what to do."""


class UnreachableError(ApiError, ConnectionError):
    """Nothing answers at the address."""


class BrokenOffError(UnreachableError):
    """The connection broke during a request, so it is unknown whether a command arrived."""


class AddressError(ApiError, ValueError):
    """An invalid address or token."""


class NotALauncherError(ApiError, ValueError):
    """Something other than a launcher answers at the address."""


class OtherJournalError(ApiError):
    """The launcher writes another journal now, so the stream cannot be resumed; begin with a new snapshot."""


class ProblemError(ApiError):
    """The launcher answered with an error.

    :param status: HTTP status.
    :param error: its one word for programs, such as ``token_needed``.
    :param message: the error, without its remedy.
    """

    def __init__(self, status: int, error: str, message: str, remedy: str = "") -> None:
        super().__init__(listed(filter(None, (message, remedy)), " "))
        self.status = status
        self.error = error
        self.message = message


class RefusedError(ProblemError):
    """A refused press; ``record`` is its journal record."""

    def __init__(self, status: int, error: str, message: str, remedy: str, record: Record) -> None:
        super().__init__(status, error, message, remedy)
        self.record = record


class LauncherClient:
    """A client of one launcher, at an address such as ``http://127.0.0.1:8112``. Opens a connection per call.

    Every method raises ``ApiError`` if there is no answer, or the answer is an error.

    :param token: the launcher's token, if it requires one.
    :param language: language of error messages: ``en`` or ``fr``.
    :param answer_s: timeout for an answer, seconds.
    :param sleep: sleeps for a number of seconds.
    :raises AddressError: the address or the token is invalid.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        *,
        language: str = "en",
        answer_s: float = ANSWER_S,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self.url = url.rstrip("/")
        self._host, self._port, self._base, self._connection_type = _parsed(url)
        if token is not None and not (token.isascii() and token.isprintable()):
            raise AddressError(Text("the token has characters that no token has: copy it from the settings"))
        self._headers = {"Accept-Language": language}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        self._answer_s = answer_s
        self._sleep = sleep

    # --- state and commands ---

    def snapshot(self) -> dict[str, Any]:
        """Return the launcher's current state; ``seq`` is that of the newest record in it."""
        answer = self._ask("GET", "/snapshot")
        if not isinstance(answer.get("seq"), int) or not isinstance(answer.get("state"), str):
            raise self._no_launcher()
        return answer

    def send(self, command: Command) -> Record:
        """Send a command of ``dispenser.launcher.commands``, such as ``Press()`` or ``Eject(5)``.

        If the answer is lost it is sent again with the same id, which a command without one gets here. After two
        timeouts in a row this gives up.

        :returns: the record that answers it; for a press, that of its acceptance.
        :raises RefusedError: the press was refused; the text says why.
        """
        return self._act(word_of(command), msgspec.to_builtins(command))

    def delete_evening(self, evening: str, request: str | None = None) -> Record:
        """Delete a past evening by its ``id``: it is erased from the journal."""
        return self._act("table/evenings/delete", {"id": request, "evening": evening})

    def _act(self, act: str, command: dict[str, Any]) -> Record:
        command = {**command, "id": command["id"] or uuid.uuid4().hex}
        pauses = iter(PAUSES_S)
        sent = timed_out = False
        while True:
            try:
                return self._record(self._ask("POST", f"/{act}", command))
            except UnreachableError as error:
                sent = sent or isinstance(error, BrokenOffError)
                hangs = timed_out and isinstance(error.__cause__, TimeoutError)
                timed_out = isinstance(error.__cause__, TimeoutError)
                pause_s = next(pauses, None)
                if not sent or hangs or pause_s is None:
                    raise
                self._sleep(pause_s)

    def get(self, path: str) -> dict[str, Any]:
        """Send a GET request that has no method here, such as ``/simulator`` or ``/workshop``; see OpenAPI."""
        return self._ask("GET", path)

    def post(self, path: str, **fields: object) -> dict[str, Any]:
        """Send a POST request, without retries: ``post("/simulator/lid", open=True)``, ``post("/owners/invite")``."""
        return self._ask("POST", path, fields)

    # --- events ---

    def events(
        self, after: Record | int, *, patience_s: float | None = None, on_link: OnLink = lambda _: None
    ) -> Generator[Record, None, None]:
        """Yield records after a given one, without end; reconnect after a lost connection.

        A resumed stream begins with the last record seen, to check that the journal is still the same.

        :param after: a record, or its seq.
        :param patience_s: give up after trying to reconnect for this long, seconds; ``None``: never.
        :param on_link: called with the error when the connection is lost, and with ``None`` when it is up (again).
        :raises OtherJournalError: the launcher has begun another journal.
        """
        last, start = (after, after.seq - 1) if isinstance(after, Record) else (None, after)
        pauses, waited_s = iter(PAUSES_S), 0.0
        while True:
            try:
                for record in self._stream_after(start, on_link):
                    pauses, waited_s = iter(PAUSES_S), 0.0
                    if last is None or record.seq > last.seq:
                        last, start = record, record.seq - 1
                        yield record
                    elif record != last:
                        another = Text("{url}: record {seq} is another one than before")
                        raise OtherJournalError(another.filled(url=self.url, seq=last.seq))
            except (UnreachableError, ProblemError) as error:
                if isinstance(error, ProblemError) and error.status not in TRY_AGAIN_STATUSES:
                    raise
                if patience_s is not None and waited_s >= patience_s:
                    raise
                on_link(error)
            pause_s = next(pauses, PAUSES_S[-1])
            self._sleep(pause_s)
            waited_s += pause_s

    def _stream_after(self, after: int, on_link: OnLink) -> Iterator[Record]:
        """Yield the records of one connection; raise ``BrokenOffError`` at its end."""
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
        with self._exchange("GET", "/events", headers) as (stream, response):
            if response.status == 409:
                another = Text("{url}: its journal ends before record {seq}, so it is another one")
                raise OtherJournalError(another.filled(url=self.url, seq=after))
            if response.status != 200:
                raise self._problem(response.status, self._json(response.read(MAX_ANSWER_BYTES)))
            stream.settimeout(SILENCE_S)
            on_link(None)
            for data in event_data(response.readline):
                yield self._record(self._json(data))
            raise BrokenOffError(
                Text("{url} has ended the stream: the launcher stops or restarts").filled(url=self.url)
            )

    # --- requests ---

    def _ask(self, method: str, path: str, command: dict[str, Any] | None = None) -> dict[str, Any]:
        body, headers = (None, {}) if command is None else (json.dumps(command), {"Content-Type": "application/json"})
        with self._exchange(method, path, headers, body) as (_, response):
            answer = self._json(response.read(MAX_ANSWER_BYTES))
        if response.status not in (200, 202):
            raise self._problem(response.status, answer)
        return answer

    @contextmanager
    def _exchange(
        self, method: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> Iterator[tuple[socket.socket, http.client.HTTPResponse]]:
        """Send one request on its own connection; yield socket and response; convert errors to ``ApiError``."""
        with closing(self._connection_type(self._host, self._port, timeout=self._answer_s)) as connection:
            try:
                connection.connect()
            except OSError as error:
                nobody = Text("nothing answers at {url} ({why})")
                raise UnreachableError(nobody.filled(url=self.url, why=_words(error))) from error
            channel: socket.socket = connection.sock
            try:
                connection.request(method, self._base + API + path, body, {**self._headers, **headers})
                with connection.getresponse() as response:
                    yield channel, response
            except ApiError:
                raise
            except (OSError, http.client.HTTPException) as error:
                broke = Text("the connection to {url} broke ({why})")
                raise BrokenOffError(broke.filled(url=self.url, why=_words(error))) from error

    def _problem(self, status: int, answer: dict[str, Any]) -> ApiError:
        """Return the error for an answer that is not a success."""
        if not (message := answer.get("message")):
            return self._no_launcher()
        word, remedy = str(answer.get("error", "")), str(answer.get("remedy", ""))
        if word != "press_refused":
            return ProblemError(status, word, str(message), remedy)
        return RefusedError(status, word, str(message), remedy, self._record(answer.get("record")))

    def _json(self, body: bytes) -> dict[str, Any]:
        try:
            return msgspec.json.decode(body, type=dict[str, Any])
        except (msgspec.MsgspecError, UnicodeError) as error:
            raise self._no_launcher() from error

    def _record(self, answer: Any) -> Record:
        try:
            return msgspec.convert(answer, Record)
        except msgspec.ValidationError as error:
            raise self._no_launcher() from error

    def _no_launcher(self) -> NotALauncherError:
        return NotALauncherError(
            Text("something else than a launcher answers at {url}; give the address of one").filled(url=self.url)
        )


def local_url(host: str, port: int) -> str:
    """Return the URL for clients on this machine of a page served at ``host``, which may stand for all addresses."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host).strip("[]")  # noqa: S104 - compared, not bound
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def event_data(readline: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield the ``data`` of each server-sent event until the stream ends; an incomplete event is dropped."""
    data: list[bytes] = []
    while line := readline():
        field, _, value = line.rstrip(b"\r\n").partition(b":")
        if field == b"data":
            data.append(value.removeprefix(b" "))
        elif not field and not value and data:
            yield b"\n".join(data)
            data = []


def _parsed(url: str) -> tuple[str, int | None, str, type[http.client.HTTPConnection]]:
    wrong = Text("{url!r} is no address of a launcher: write it like http://127.0.0.1:8112").filled(url=url)
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise AddressError(wrong) from error
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment:
        raise AddressError(wrong)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    return host, port, parts.path.rstrip("/"), kind


def _words(error: Exception) -> Text | str:
    if isinstance(error, TimeoutError):
        return Text("no answer in time")
    if type(error).__name__.startswith("SSL"):  # keeps ssl from being imported for this alone
        return Text("it does not speak HTTPS, or its certificate is not trusted; is it an http:// address?")
    if isinstance(error, socket.gaierror):
        return Text("nobody knows that name")
    words = (error.strerror if isinstance(error, OSError) else "") or str(error) or type(error).__name__
    return why(error, verbatim(words)) if isinstance(error, OSError) else words
