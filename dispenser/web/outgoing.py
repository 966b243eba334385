"""The one way out: nobody is told what a power cut could still take back.

An answer waits at its head, a stream at each of its parts, until the disk has all that the journal held by then. So
whatever they tell of is safe, be it an entry, a view or a count, and whoever makes them need not think of it. Who knows
which entry a part tells of may say so: it then does not wait for what was written since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from starlette.requests import HTTPConnection

from dispenser.service.answers import JournalUnavailableError
from dispenser.web.errors import problem_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_UPTO: Final = "dispenser.upto"


def part(body: bytes, upto: int | None = None) -> Message:
    """A part of a stream.

    :param upto: it tells of nothing after that entry.
    """
    return {"type": "http.response.body", "body": body, "more_body": True, _UPTO: upto}


class _UntoldError(Exception):
    """What was to be told is not safe, and why. Nobody below answers it: to them the answer has begun."""

    def __init__(self, why: JournalUnavailableError) -> None:
        super().__init__(str(why))
        self.why = why


class Outgoing:
    """The ASGI layer that holds back. When the disk refuses, that is the answer; a stream ends, and may be resumed.

    :param safe: waits until what was written (up to an entry) is on the disk; raises ``JournalUnavailableError``.
    """

    def __init__(self, app: ASGIApp, safe: Callable[[int | None], Awaitable[None]]) -> None:
        self._app = app
        self._safe = safe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def send_safe(message: Message) -> None:
            nonlocal begun
            upto = message.pop(_UPTO, None)
            if not begun or message.get("more_body"):  # the one body of an answer was made before its head went out
                try:
                    await self._safe(upto)
                except JournalUnavailableError as error:
                    raise _UntoldError(error) from error
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, send_safe)
        except _UntoldError as untold:
            if begun:
                await send({"type": "http.response.body", "body": b""})
            else:
                await problem_of(untold.why).response(HTTPConnection(scope))(scope, receive, send)
