"""What a command brings: a small JSON object, whole and in time, read by the one reader of tables as its type says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar, get_type_hints

import msgspec
from fastapi import APIRouter, Request, Response
from msgspec import Struct
from msgspec.structs import fields
from starlette.requests import ClientDisconnect

from dispenser.language import Text
from dispenser.tables import read
from dispenser.web.errors import CLOSE, FIELDS, ProblemError
from dispenser.web.schema import content

MAX_BODY_BYTES = 16 * 1024
BODY_S = 10.0
"""How long a body may take to arrive, seconds."""

Handler = Callable[[Any], Awaitable[Response]]
_T = TypeVar("_T")


def takes(router: APIRouter, path: str, **how: Any) -> Callable[[Handler], Handler]:
    """A POST route for a command: the type of its handler's parameter ``command`` says what may be sent.

    :param how: more for FastAPI.
    """

    def add(handler: Handler) -> Handler:
        kind: type[Struct] = get_type_hints(handler)["command"]

        async def route(request: Request) -> Response:
            return await handler(await read_command(request, kind))

        body = {"requestBody": {**content(kind), "required": any(field.required for field in fields(kind))}}
        route.__name__, route.__doc__ = handler.__name__, handler.__doc__
        router.post(path, response_class=Response, openapi_extra=body, **how)(route)
        return handler

    return add


async def read_command(request: Request, kind: type[_T]) -> _T:
    """The body of a request as that type; an empty one says nothing.

    :raises ProblemError: it is no small JSON object.
    :raises TableError: all that is wrong with its fields.
    """
    body = await whole_body(request)
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and media_type != "application/json":
        remedy = Text("Send the header 'Content-Type: application/json'.")
        raise ProblemError(415, "wrong_content_type", Text("Commands are JSON."), remedy)
    try:
        given = _DECODER.decode(body or b"{}")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        remedy = Text("Check quotes, commas and braces.")
        raise ProblemError(400, "bad_json", Text("The body is not JSON."), remedy) from error
    if not isinstance(given, dict):
        raise ProblemError(422, "bad_request", Text("The body is not a JSON object."), FIELDS)
    return read(given, kind)


async def whole_body(request: Request) -> bytes:
    """All of the body.

    :raises ProblemError: it is too large, or does not come.
    """
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                body += part
                if len(body) > MAX_BODY_BYTES:
                    message = Text("The body is larger than {bytes} bytes.").filled(bytes=MAX_BODY_BYTES)
                    remedy = Text("No command needs more than a few fields.")
                    raise ProblemError(413, "body_too_large", message, remedy, CLOSE)
    except TimeoutError as error:
        message = Text("The body was not there after {seconds:.0f} s.").filled(seconds=BODY_S)
        raise ProblemError(408, "body_too_slow", message, headers=CLOSE) from error
    except ClientDisconnect as error:
        raise ProblemError(400, "body_incomplete", Text("The body ended too early.")) from error
    return bytes(body)


def _number(written: str) -> float:
    """To JSON 3 and 3.0 are one number; to Python they are not."""
    number = float(written)
    return int(number) if number.is_integer() else number


_DECODER: Final = msgspec.json.Decoder(float_hook=_number)
