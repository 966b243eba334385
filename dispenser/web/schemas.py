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
BODY_S = 10.0  # How long a body may take to arrive, seconds

Handler = Callable[..., Awaitable[Response]]
_T = TypeVar("_T")
_REFERENCE = "#/components/schemas/{name}"
_FIELD = re.compile(r":param (\w+):\s*(.+?)(?=\n:|\Z)", re.DOTALL)
Answers = dict[int | str, dict[str, Any]]

EVERYWHERE = {
    400: "Not HTTP, not JSON, or no usable Host.",
    401: "The token is missing or wrong, or nobody has joined from here.",
    403: "The request comes from another site, or from somebody who may not do this.",
    421: "The Host is not one of this launcher's names.",
    422: "A field is missing, unknown or out of range.",
    503: "Not now: too many streams, or the journal cannot be used.",
}
"""Answers that any route may give."""
ANY_COMMAND = {
    408: "The body did not come.",
    413: "The body is too large.",
    415: "The body does not say that it is JSON.",
    429: "This person has given too many commands of late.",
}
"""Answers that any command may give besides."""


# --- described ---


def content(kind: Any, **more: Any) -> dict[str, Any]:
    """A body of that type."""
    return {"content": {"application/json": {"schema": dict(_schema(kind)), **more}}}


@cache
def _schema(kind: Any) -> dict[str, Any]:
    """JSON schema of a type; all routes may answer with the same few."""
    (schema,), _ = msgspec.json.schema_components([kind], ref_template=_REFERENCE)
    return schema


def answer(kind: Any, description: str, **more: Any) -> dict[str, Any]:
    """An answer of that type."""
    return {"description": description, **content(kind, **more)}


def stream(description: str, data: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    """An answer that is a stream of server-sent events, described one by one.

    :param data: schema of what each tells, as JSON.
    """
    told = {"type": "string", "contentMediaType": "application/json", "contentSchema": data or {"type": "object"}}
    event = {"type": "object", "properties": {"event": {"type": "string"}, "data": told}, "required": ["event", "data"]}
    return {"description": description, "content": {"text/event-stream": {"schema": event, **more}}}


def problems(statuses: dict[int, str]) -> Answers:
    """Answers that are no success, by what they mean."""
    return {status: answer(Problem, description) for status, description in statuses.items()}


def components(most_cards: int | None) -> dict[str, Any]:
    """The schemas of all types that go over the API; those of journal entries by the entry's type.

    :param most_cards: how many this launcher lets out at a time, if the settings say it.
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
    del schemas["LauncherNow"]["properties"]["said"]  # it is told as the detail
    if most_cards is not None:
        schemas["Eject"]["properties"]["cards"]["maximum"] = most_cards
    return schemas


def _field_texts(kinds: Iterable[type]) -> Iterable[tuple[str, str]]:
    for kind in kinds:
        for name, text in _FIELD.findall(inspect.cleandoc(kind.__doc__ or "")):
            yield name, _plain(text)


def _first_paragraph(schema: dict[str, Any]) -> str:
    text = schema.get("description", "")
    if text.startswith(f"{schema['title']}("):  # a dataclass without a docstring has its signature there
        return ""
    return _plain(text.partition("\n\n")[0])


def _plain(text: str) -> str:
    """One line; what is code stands between single backquotes, and nothing has JSON's name."""
    return " ".join(text.split()).replace("``", "`").replace("`None`", "null")


# --- routes ---


def api_routes(path: str, tag: str) -> APIRouter:
    """An empty set of routes below that path of the API."""
    answers = problems(EVERYWHERE)
    return APIRouter(prefix=f"/api/v1{path}", tags=[tag], responses=answers, default_response_class=Response)


# --- read ---


def takes(router: APIRouter, path: str, kind: type[Struct] | None = None, **how: Any) -> Callable[[Handler], Handler]:
    """Add a POST route for a command, described by the docstring of its handler, else of ``kind``.

    The handler may have a parameter ``request`` before ``command``, whose type is ``kind`` if that is left out.
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
    """The body of a request as that type; an empty one says nothing.

    :raises TableError: all that is wrong with its fields.
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
        return msgspec.convert(given, kind)  # a tenth of the reader's time, and every command forbids unknown fields
    except msgspec.ValidationError:
        return read(given, kind)  # knows all that is wrong, and says it


async def whole_body(request: Request) -> bytes:
    """All of the body, if it comes and is not too large."""
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
    """To JSON 3 and 3.0 are one number; to Python they are not."""
    number = float(written)
    return int(number) if number.is_integer() else number


_DECODER: Final = msgspec.json.Decoder(float_hook=_number)
