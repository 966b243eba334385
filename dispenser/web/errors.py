"""The table of all error codes of the API, and the one JSON shape of every error response."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from dispenser.config import TableError, error_at
from dispenser.i18n import Text, listed, said, verbatim, worded
from dispenser.journal.errors import FilterError, JournalError
from dispenser.launcher.notices import MessageError
from dispenser.service.evenings import UnknownEveningError
from dispenser.service.requests import (
    NoSessionError,
    PowerRefusedError,
    RequestReusedError,
    ServiceError,
    UnknownPressError,
)
from dispenser.simulator.errors import LidShutError, SimulatorError, SimulatorValueError
from dispenser.table.errors import TableRefusal
from dispenser.web.access import role_of
from dispenser.web.languages import language_of
from dispenser.web.owners import OwnersFileError

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import HTTPConnection


class WebError(Exception):
    """An error of the web server. The text says what failed, where, and what to do."""


class _Problem(NamedTuple):
    """An error response: status, message, remedy, headers. For an empty message, the caller supplies one."""

    status: int
    message: Text = Text("")
    remedy: Text | None = None
    headers: Mapping[str, str] = MappingProxyType({})


_CLOSE: Final = {"connection": "close"}
_DESCRIBED: Final = Text("The fields are described in /api/v1/openapi.json.")
_TOKEN: Final = Text(
    "It is in the settings, web.token. Send it as 'Authorization: Bearer TOKEN', or log in on the page."
)
PROBLEMS: Final[dict[str, _Problem]] = {
    # host, origin and role of the sender
    "bad_host": _Problem(400, Text("The request has no usable Host header."), Text("Send the Host of the address.")),
    "unknown_host": _Problem(
        421,
        Text("This launcher is not called {name}."),
        Text("Use the address it printed at the start, or add the name to web.allowed_hosts in the settings."),
    ),
    "foreign_origin": _Problem(403, Text("Another site may not use this launcher."), Text("Use the launcher’s page.")),
    "login_needed": _Problem(303, Text("Log in first."), None, {"location": "/login"}),
    "token_needed": _Problem(401, Text("This launcher asks for its token."), _TOKEN, {"www-authenticate": "Bearer"}),
    "wrong_token": _Problem(401, Text("That is not this launcher’s token."), _TOKEN, {"www-authenticate": "Bearer"}),
    "join_first": _Problem(303, Text("Join the table first."), None, {"location": "/t"}),
    "join_needed": _Problem(
        401,
        Text("The table’s code lets you in."),
        Text("Open the page /t and type it, or scan it. A program sends the launcher’s token."),
        {"www-authenticate": "Bearer"},
    ),
    "seat_needed": _Problem(403, Text("You’re only watching: take a seat to play.")),
    "host_needed": _Problem(403, Text("That is for the host, or for the launcher’s owner."), Text("Ask the host.")),
    "owner_needed": _Problem(
        403,
        Text("That is for the launcher’s owner."),
        Text(
            "Do it on the machine that the launcher runs on, or on an owner’s phone: 'sudo dispenser owner' makes one."
        ),
    ),
    "too_many_guesses": _Problem(
        429,
        Text("Too many wrong codes from here. The next one counts in {seconds} s."),
        Text("Wait, then type the right one."),
    ),
    "too_many_seats": _Problem(
        429,
        Text("Many seats were taken from here just now: the next one is in {seconds} s."),
        Text("Wait, then sit down."),
    ),
    "too_many_commands": _Problem(
        429, Text("That was too much at once: the next tap counts in {seconds} s."), Text("Wait a moment.")
    ),
    "no_table": _Problem(409, Text("There is no table to join now."), Text("Open one first.")),
    "no_address": _Problem(
        404,
        Text("Phones cannot reach this launcher at such an address."),
        Text("The addresses are in /api/v1/table/addresses; without any, see web.lan in the settings."),
    ),
    "page_not_open": _Problem(
        409,
        Text("Phones cannot open this launcher’s page."),
        Text("Write lan = true under [web] in the settings, then start the launcher anew; start a demo with --lan."),
    ),
    "no_network": _Problem(
        409,
        Text("No phone can reach this machine: it is in no network."),
        Text("Connect it to the house’s network, or open one of its own: 'sudo dispenser hotspot on'."),
    ),
    "no_such_phone": _Problem(
        404, Text("There is no owner’s phone {number}."), Text("'dispenser owner list' shows which there are.")
    ),
    "no_wifi": _Problem(
        404,
        Text("There is no Wi-Fi of the launcher’s own that you may join."),
        Text("'sudo dispenser hotspot on' opens one; only the owner and whoever is in it are told how to join."),
    ),
    "too_many_streams": _Problem(
        503,
        Text("{number} streams are open, and no more are allowed."),
        Text("Close a page, or raise web.max_streams in the settings."),
        {"retry-after": "5"},
    ),
    # address and method
    "not_found": _Problem(
        404, Text("There is nothing at this address."), Text("The addresses are listed in /api/v1/openapi.json.")
    ),
    "method_not_allowed": _Problem(
        405, Text("This address does not take that method."), Text("See /api/v1/openapi.json.")
    ),
    "not_simulated": _Problem(404, Text("This is a real launcher."), Text("Do it by hand.")),
    "ahead_of_journal": _Problem(
        409,
        Text("The journal ends at record {last_seq}; record {start} belongs to another journal."),
        Text("Take a new snapshot and begin from its seq."),
    ),
    # body of the request
    "bad_body": _Problem(400, Text("The body cannot be read."), Text("Send one small JSON object in UTF-8.")),
    "bad_json": _Problem(400, Text("The body is not JSON."), Text("Check quotes, commas and braces.")),
    "body_too_slow": _Problem(408, Text("The body did not arrive within {seconds:.0f} s."), None, _CLOSE),
    "body_too_large": _Problem(
        413, Text("The body is larger than {most} bytes."), Text("No command needs more than a few fields."), _CLOSE
    ),
    "wrong_content_type": _Problem(
        415, Text("Commands are JSON."), Text("Send the header 'Content-Type: application/json'.")
    ),
    "no_object": _Problem(422, Text("The body is not a JSON object."), _DESCRIBED),
    "bad_request": _Problem(422, remedy=_DESCRIBED),
    # state of launcher, table or service
    "press_refused": _Problem(409),
    "table_refused": _Problem(409),
    "not_your_press": _Problem(409, Text("{name} presses now.")),
    "workshop_refused": _Problem(409),
    "computer_refused": _Problem(409),
    "workshop_closed": _Problem(409, Text("The workshop is closed."), Text("Open it again.")),
    "request_reused": _Problem(409, remedy=Text("Take a new id for each command.")),
    "unknown_press": _Problem(404),
    "unknown_evening": _Problem(404),
    "lid_shut": _Problem(409, Text("The stack lies under the lid."), Text("Lift the lid first.")),
    "jammed_fast": _Problem(409, Text("The card is jammed fast."), Text("Lift the lid, then take it.")),
    "no_card": _Problem(409, Text("No card sticks out.")),
    "journal_unavailable": _Problem(503),
    "no_session": _Problem(503),
    "unavailable": _Problem(503),
    "internal": _Problem(
        500, Text("Internal error. The service’s log has the details."), Text("Try again, then report it.")
    ),
}
"""By error code, the ``error`` field of responses."""

_PROBLEM_OF_ERROR: Final = (
    ((MessageError, SimulatorValueError, FilterError), "bad_request"),
    ((TableRefusal,), "table_refused"),
    ((RequestReusedError,), "request_reused"),
    ((LidShutError,), "lid_shut"),
    ((UnknownPressError,), "unknown_press"),
    ((UnknownEveningError,), "unknown_evening"),
    ((PowerRefusedError,), "computer_refused"),
    ((NoSessionError,), "no_session"),
    ((JournalError,), "journal_unavailable"),
    ((ServiceError, SimulatorError, OwnersFileError), "unavailable"),
)
"""Error classes that bring their own message, with their error code; the first match counts."""
_PROBLEM_OF_STATUS: Final = {400: "bad_body", 404: "not_found", 405: "method_not_allowed"}


class ProblemError(WebError):
    """A request that cannot be served.

    :param error: error code, a key of ``PROBLEMS``; ``message`` and ``remedy`` replace those of the table.
    :param more: additional fields of the response.
    :param values: values of the placeholders in the message.
    """

    def __init__(
        self,
        error: str,
        message: Text | None = None,
        remedy: Text | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
        **values: object,
    ) -> None:
        usual = PROBLEMS[error]
        self.status = usual.status
        self.error = error
        self.message = message or usual.message.filled(**values)
        self.remedy = remedy or usual.remedy
        self.headers = {**usual.headers, **(headers or {})}
        self.more = more or {}
        super().__init__(str(self.message))

    def response(self, request: HTTPConnection) -> Response:
        """Return the JSON response, in the language of the request."""
        language = language_of(request)
        fields = {"error": self.error, "message": self.message[language]}
        if self.remedy:
            fields["remedy"] = self.remedy[language]
        body = json.dumps({**fields, **self.more}, ensure_ascii=False).encode(errors="replace")
        return Response(body, self.status, self.headers, "application/json")


def install(app: FastAPI, refuse: Callable[[HTTPConnection, ProblemError], Awaitable[Response]]) -> None:
    """Register ``refuse`` as the handler of every exception of the application, so that no stack trace is sent."""

    async def answer(request: HTTPConnection, error: Exception) -> Response:
        return await refuse(request, problem_of(error, owner=role_of(request).owner))

    said = [kind for kinds, _ in _PROBLEM_OF_ERROR for kind in kinds]
    for known in (*said, ProblemError, TableError, RequestValidationError, HTTPException, Exception):
        app.add_exception_handler(known, answer)


def problem_of(error: Exception, *, owner: bool = False) -> ProblemError:
    """Map an exception to a problem. Only the owner gets the record of a reused id: it may be of another evening."""
    match error:
        case ProblemError():
            return error
        case TableError():
            return ProblemError("bad_request", listed([listed(error.errors, between="; "), "."], between=""))
        case RequestValidationError():  # an invalid path, query or header parameter
            first = error.errors()[0]
            wrong = error_at((str(first["loc"][1]),), verbatim(first["msg"]), first["input"])
            return ProblemError("bad_request", listed([wrong, "."], between=""))
        case HTTPException():
            return ProblemError(_PROBLEM_OF_STATUS.get(error.status_code, "internal"), headers=error.headers)
    message, more = worded(_sentence, error=error), dict[str, Any]()
    if isinstance(error, TableRefusal):
        message, more = error.text, {"reason": error.word} | ({"rule": error.rule} if error.rule else {})
    if isinstance(error, RequestReusedError):
        more = {"reason": "request_reused"} | ({"record": dataclasses.asdict(error.record.public())} if owner else {})
    for kinds, word in _PROBLEM_OF_ERROR:
        if isinstance(error, kinds):
            return ProblemError(word, message, more=more)
    return ProblemError("internal")


def _sentence(language: str, error: Exception) -> str:
    """Return the message of an error with a capital letter and a full stop."""
    text = said(error, language)
    first_word = text.split(maxsplit=1)[0] if text else ""
    begin = text[:1].upper() if first_word.isalpha() else text[:1]  # a file's name keeps its case
    return f"{begin}{text[1:]}".rstrip(".") + "."
