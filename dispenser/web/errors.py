"""Errors of the web: one small tree, and one JSON shape for every answer that is not a success."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dispenser.journal.errors import FilterError, JournalError
from dispenser.language import LANGUAGES, Text, listed, said, verbatim, worded
from dispenser.launcher.messages import MessageError
from dispenser.service.answers import (
    JournalUnavailableError,
    RequestReusedError,
    ServiceBusyError,
    ServiceError,
    UnknownPressError,
)
from dispenser.tables import TableError, mistake
from dispenser.toy.errors import LidShutError, ToyError, ToyValueError
from dispenser.web.languages import language_of

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import HTTPConnection

CLOSE: Final = {"connection": "close"}
FIELDS = Text("The fields are described in /api/v1/openapi.json.")


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
    headers: Mapping[str, str] = dataclasses.field(default_factory=dict)
    more: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def __str__(self) -> str:
        return str(self.message)

    def body(self, language: str = LANGUAGES[0]) -> bytes:
        """The answer, its sentences in a language."""
        fields: dict[str, Any] = {"error": self.error, "message": self.message[language]}
        if self.remedy:
            fields["remedy"] = self.remedy[language]
        return json.dumps({**fields, **self.more}, ensure_ascii=False).encode(errors="replace")

    def response(self, request: HTTPConnection) -> Response:
        """The answer, in the language of whoever asked."""
        body = self.body(language_of(request))
        return Response(body, self.status, dict(self.headers), "application/json")


def install(app: FastAPI) -> None:
    """Give every error of the application the one shape; never a stack trace."""

    async def answer(request: HTTPConnection, error: Exception) -> Response:
        problem = error if isinstance(error, ProblemError) else problem_of(error)
        return problem.response(request)

    ours = (ProblemError, MessageError, ServiceError, JournalError, ToyError, TableError)
    for known in (*ours, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(known, answer)


_SAID: Final = (
    ((MessageError, ToyValueError, FilterError), 422, "bad_request"),
    (LidShutError, 409, "lid_shut"),
    (UnknownPressError, 404, "unknown_press"),
    (ServiceBusyError, 503, "busy"),
    ((JournalUnavailableError, JournalError), 503, "journal_unavailable"),
    ((ServiceError, ToyError), 503, "unavailable"),
)
"""Errors that say in their own words what could not be done: the answer's status and word, the first that fits."""


def problem_of(error: Exception) -> ProblemError:
    """What went wrong, as an answer."""
    match error:
        case TableError():
            return ProblemError(422, "bad_request", _ended(listed(error.mistakes, between="; ")), FIELDS)
        case RequestReusedError():
            more = {"reason": "request_reused", "entry": dataclasses.asdict(error.entry)}
            remedy = Text("Take a new id for each command.")
            return ProblemError(409, "request_reused", in_a_sentence(error), remedy, more=more)
        case RequestValidationError():
            return ProblemError(422, "bad_request", _ended(_of_address(error)), FIELDS)
        case HTTPException():
            usual = ("http_error", _ended(verbatim(error.detail)), None)
            problem = ProblemError(error.status_code, *_HTTP_WORDS.get(error.status_code, usual))
            return dataclasses.replace(problem, headers=error.headers or {})
    for kinds, status, word in _SAID:
        if isinstance(error, kinds):
            later = {"retry-after": "1"} if word == "busy" else {}
            return ProblemError(status, word, in_a_sentence(error), headers=later)
    message = Text("The service made a mistake; it is in its log.")
    return ProblemError(500, "internal", message, Text("Try again, then report it."))


def _of_address(error: RequestValidationError) -> Text:
    """What stands in an address or a header and cannot be read; ``parameters`` says what to write."""
    first = error.errors()[0]
    why = first.get("ctx", {}).get("error")
    return mistake((str(first["loc"][1]),), why.text if why else verbatim(first["msg"]), first["input"])


def _ended(sentence: Text) -> Text:
    return listed([sentence, "."], between="")


def in_a_sentence(error: Exception) -> Text:
    """What an error says, with a capital letter and a full stop."""
    return worded(_sentence, error=error)


def _sentence(language: str, error: Exception) -> str:
    text = said(error, language)
    first_word = text.split(maxsplit=1)[0] if text else ""
    begin = text[:1].upper() if first_word.isalpha() else text[:1]  # a file's name stays as it is
    return f"{begin}{text[1:]}".rstrip(".") + "."


_HTTP_WORDS: Final[dict[int, tuple[str, Text, Text | None]]] = {
    400: ("bad_body", Text("The body cannot be read."), Text("Send one small JSON object in UTF-8.")),
    404: (
        "not_found",
        Text("There is nothing at this address."),
        Text("The addresses are listed in /api/v1/openapi.json."),
    ),
    405: ("method_not_allowed", Text("This address does not take that method."), Text("See /api/v1/openapi.json.")),
}
