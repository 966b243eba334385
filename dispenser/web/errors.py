"""Errors of the web: one small tree, and one JSON shape for every answer that is not a success."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any

from dispenser.journal.errors import FilterError, JournalError
from dispenser.language import LANGUAGES, Text, said, worded
from dispenser.launcher.messages import MessageError
from dispenser.service.answers import (
    JournalUnavailableError,
    RequestReusedError,
    ServiceBusyError,
    ServiceError,
    UnknownPressError,
)
from dispenser.toy.errors import LidShutError, ToyError, ToyValueError
from dispenser.web.i18n import language_for

if TYPE_CHECKING:
    from fastapi import FastAPI


class WebError(Exception):
    """Something about serving the page or the API. The text says what, where, and what to do."""


@dataclasses.dataclass(eq=False)
class ProblemError(WebError):
    """A request that cannot be served, and what its sender can do about it.

    :param status: HTTP status.
    :param error: what is wrong, one word for programs.
    :param message: what is wrong, one sentence for people.
    :param remedy: what to do about it, if anything; left out of the answer when there is nothing.
    :param more: further fields of the answer.
    """

    status: int
    error: str
    message: Text
    remedy: Text | None = None
    headers: tuple[tuple[bytes, bytes], ...] = ()
    more: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return str(self.message)

    def body(self, language: str = LANGUAGES[0]) -> bytes:
        """The answer, its sentences in a language."""
        fields: dict[str, Any] = {"error": self.error, "message": self.message[language]}
        if self.remedy:
            fields["remedy"] = self.remedy[language]
        return json.dumps(fields | dict(self.more), ensure_ascii=False).encode()


async def send_problem(
    problem: ProblemError, send: Callable[[MutableMapping[str, Any]], Awaitable[None]], language: str = LANGUAGES[0]
) -> None:
    """Answer with the problem as JSON (plain ASGI)."""
    body = problem.body(language)
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        *problem.headers,
    ]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def install(app: FastAPI) -> None:
    """Give every error of the application the one shape; never a stack trace."""
    from fastapi import Request, Response
    from fastapi.exceptions import RequestValidationError
    from starlette.exceptions import HTTPException

    def answer(request: Request, problem: ProblemError) -> Response:
        headers = {name.decode(): value.decode() for name, value in problem.headers}
        body = problem.body(language_for(request.headers))
        return Response(body, problem.status, headers, "application/json")

    async def on_problem(request: Request, problem: Any) -> Response:
        return answer(request, problem)

    async def on_invalid(request: Request, error: Any) -> Response:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
        if first["type"] == "json_invalid":
            return answer(
                request,
                ProblemError(400, "bad_json", Text("The body is not JSON."), Text("Check quotes, commas and braces.")),
            )
        message = Text("{where}: {why}.").filled(where=where, why=first["msg"])
        remedy = _ELSEWHERE.get((request.url.path, where), _FIELDS)
        return answer(request, ProblemError(422, "bad_request", message, remedy))

    async def on_http(request: Request, error: Any) -> Response:
        word, message, remedy = _HTTP_WORDS.get(
            error.status_code, ("http_error", Text("{why}.").filled(why=error.detail), None)
        )
        headers = tuple((name.encode(), value.encode()) for name, value in (error.headers or {}).items())
        return answer(request, ProblemError(error.status_code, word, message, remedy, headers))

    async def on_unexpected(request: Request, _error: Any) -> Response:
        return answer(
            request,
            ProblemError(
                500,
                "internal",
                Text("The service made a mistake; it is in its log."),
                Text("Try again, then report it."),
            ),
        )

    async def on_trouble(request: Request, error: Any) -> Response:
        return answer(request, _from_service(error))

    app.add_exception_handler(ProblemError, on_problem)
    for known in (MessageError, ServiceError, JournalError, ToyError):
        app.add_exception_handler(known, on_trouble)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http)
    app.add_exception_handler(Exception, on_unexpected)


_OURS: tuple[tuple[type[Exception] | tuple[type[Exception], ...], int, str], ...] = (
    ((MessageError, ToyValueError, FilterError), 422, "bad_request"),
    (LidShutError, 409, "lid_shut"),
    (UnknownPressError, 404, "unknown_press"),
    ((JournalUnavailableError, JournalError), 503, "journal_unavailable"),
    (Exception, 503, "unavailable"),
)


def _from_service(error: Exception) -> ProblemError:
    """What the service could not do, in its own words."""
    message = in_a_sentence(error)
    if isinstance(error, RequestReusedError):
        more = (("reason", "request_reused"), ("entry", dataclasses.asdict(error.entry)))
        return ProblemError(409, "request_reused", message, Text("Take a new id for each command."), more=more)
    if isinstance(error, ServiceBusyError):
        return ProblemError(503, "busy", message, headers=((b"retry-after", b"1"),))
    status, word = next((status, word) for kinds, status, word in _OURS if isinstance(error, kinds))
    return ProblemError(status, word, message)


_FIELDS = Text("The fields are described in /api/v1/openapi.json.")
_ELSEWHERE = {
    ("/api/v1/press", "cards"): Text("A press leaves it to luck: POST /api/v1/eject asks for so many cards."),
}
"""What to do about a field that belongs to another address."""


def in_a_sentence(error: Exception) -> Text:
    """What an error says, with a capital letter and a full stop."""
    return worded(_sentence, error=error)


def _sentence(language: str, error: Exception) -> str:
    text = said(error, language)
    first_word = text.split(maxsplit=1)[0] if text else ""
    begin = text[:1].upper() if first_word.isalpha() else text[:1]  # a file's name stays as it is
    return f"{begin}{text[1:]}".rstrip(".") + "."


_HTTP_WORDS = {
    400: ("bad_body", Text("The body cannot be read."), Text("Send one small JSON object in UTF-8.")),
    404: (
        "not_found",
        Text("There is nothing at this address."),
        Text("The addresses are listed in /api/v1/openapi.json."),
    ),
    405: ("method_not_allowed", Text("This address does not take that method."), Text("See /api/v1/openapi.json.")),
}
