"""Read the commands of requests, and describe commands and answers for OpenAPI, both from their msgspec types."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any, Final, TypeVar, get_type_hints

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Struct
from msgspec.structs import fields
from starlette.requests import ClientDisconnect

from dispenser.config import read
from dispenser.web.errors import ProblemError
from dispenser.web.models import DESCRIBED, NOTICES, Problem

MAX_BODY_BYTES = 16 * 1024
BODY_S = 10.0  # Timeout for receiving a body, seconds

Handler = Callable[..., Awaitable[Response]]
_T = TypeVar("_T")
_REFERENCE = "#/components/schemas/{name}"
_FIELD = re.compile(r":param (\w+):\s*(.+?)(?=\n:|\Z)", re.DOTALL)
Answers = dict[int | str, dict[str, Any]]

EVERYWHERE = {
    400: "The request is not valid HTTP, its body is not JSON, or its Host header is missing or invalid.",
    401: "The token is missing or wrong, or the client has not joined the table.",
    403: "The request was caused by another site, or the client lacks the permission.",
    421: "The Host header is not a name or address of this launcher.",
    422: "A field or parameter is missing, unknown or invalid.",
    503: "Temporarily unavailable: too many streams, or the journal cannot be used.",
}
"""Responses that any route may give."""
ANY_COMMAND = {
    408: "The body did not arrive in time.",
    413: "The body is too large.",
    415: "The Content-Type is not application/json.",
    429: "The client has sent too many commands lately.",
}
"""Responses that any command may give in addition."""


# --- OpenAPI ---


def content(kind: Any, **more: Any) -> dict[str, Any]:
    """Return the OpenAPI content of a body of that type."""
    return {"content": {"application/json": {"schema": dict(_schema(kind)), **more}}}


@cache
def _schema(kind: Any) -> dict[str, Any]:
    """Return the JSON schema of a type; cached, as many routes share a few types."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REFERENCE)
    return schema


def answer(kind: Any, description: str, **more: Any) -> dict[str, Any]:
    """Return the OpenAPI response of that type."""
    return {"description": description, **content(kind, **more)}


def stream(description: str, data: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """Return the OpenAPI response for a stream of server-sent events.

    :param data: JSON schema of the events' data.
    """
    told = {"type": "string", "contentMediaType": "application/json", "contentSchema": data or {"type": "object"}}
    event = {"type": "object", "properties": {"event": {"type": "string"}, "data": told}, "required": ["event", "data"]}
    return {"description": description, "content": {"text/event-stream": {"schema": event, **more}}}


def problems(statuses: dict[int, str]) -> Answers:
    """Return the OpenAPI responses for errors, by status."""
    return {status: answer(Problem, description) for status, description in statuses.items()}


def components(most_cards: int | None) -> dict[str, Any]:
    """Return the schemas of all API types; those of journal records are named by record type.

    :param most_cards: maximum of cards per burst, if the settings limit it.
    """
    _, schemas = msgspec.json.schema_components(DESCRIBED, ref_template=_REFERENCE)
    for kind in DESCRIBED:
        schema = schemas.pop(kind.__name__)
        texts = dict(_field_texts(reversed(kind.__mro__)))
        for name, field in schema["properties"].items():
            if name in texts:
                field["description"] = texts[name]
        schemas[kind.type if kind in NOTICES else kind.__name__] = schema
    for schema in schemas.values():
        schema["description"] = _first_paragraph(schema)
    del schemas["LauncherNow"]["properties"]["said"]  # serialized as ``detail``
    if most_cards is not None:
        schemas["Eject"]["properties"]["cards"]["maximum"] = most_cards
    return schemas


def _field_texts(kinds: Iterable[type]) -> Iterable[tuple[str, str]]:
    for kind in kinds:
        for name, text in _FIELD.findall(inspect.cleandoc(kind.__doc__ or "")):
            yield name, _plain(text)


def _first_paragraph(schema: dict[str, Any]) -> str:
    text = schema.get("description", "")
    if text.startswith(f"{schema['title']}("):  # generated for a dataclass without a docstring
        return ""
    return _plain(text.partition("\n\n")[0])


def _plain(text: str) -> str:
    """Convert reStructuredText to one line of Markdown: single backquotes, ``None`` becomes null."""
    return " ".join(text.split()).replace("``", "`").replace("`None`", "null")


# --- routes ---


def api_routes(path: str, tag: str) -> APIRouter:
    """Return a router below that path of the API."""
    answers = problems(EVERYWHERE)
    return APIRouter(prefix=f"/api/v1{path}", tags=[tag], responses=answers, default_response_class=Response)


# --- read ---


def takes(router: APIRouter, path: str, kind: type[Struct] | None = None, **how: Any) -> Callable[[Handler], Handler]:
    """Return a decorator that adds a POST route for a command, described by the docstring of the handler, else of
    ``kind``.

    The handler takes ``command``, and optionally ``request`` before it. Without ``kind``, its annotation is the type.
    """

    def add(handler: Handler) -> Handler:
        hints = get_type_hints(handler)
        sent: type[Struct] = kind or hints["command"]

        async def route(request: Request) -> Response:
            command = await read_command(request, sent)
            return await (handler(request, command) if "request" in hints else handler(command))

        body = {"requestBody": {**content(sent), "required": any(field.required for field in fields(sent))}}
        route.__name__, route.__doc__ = path.strip("/"), handler.__doc__ or sent.__doc__
        answers = problems(ANY_COMMAND) | how.pop("responses", {})
        router.post(path, openapi_extra=body, responses=answers, **how)(route)
        return handler

    return add


async def read_command(request: Request, kind: type[_T]) -> _T:
    """Parse the body of a request as that type; an empty body counts as ``{}``.

    :raises TableError: lists all invalid fields.
    """
    body = await whole_body(request)
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and media_type != "application/json":
        raise ProblemError("wrong_content_type")
    try:
        given = _DECODER.decode(body or b"{}")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProblemError("bad_json") from error
    if not isinstance(given, dict):
        raise ProblemError("no_object")
    try:
        return msgspec.convert(given, kind)  # takes a tenth of the time of read()
    except msgspec.ValidationError:
        return read(given, kind)  # reports all errors in words


async def whole_body(request: Request) -> bytes:
    """Read the whole body, limited in size and time."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > MAX_BODY_BYTES:
                    raise ProblemError("body_too_large", most=MAX_BODY_BYTES)
    except TimeoutError as error:
        raise ProblemError("body_too_slow", seconds=BODY_S) from error
    except ClientDisconnect as error:
        raise ProblemError("bad_body") from error
    return bytes(body)


def _number(written: str) -> float:
    """Return whole numbers as int: JSON does not distinguish 3 and 3.0."""
    number = float(written)
    return int(number) if number.is_integer() else number


_DECODER: Final = msgspec.json.Decoder(float_hook=_number)
