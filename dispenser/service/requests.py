"""Requests: each is answered once, and the same id gets the same answer."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable, Mapping

from dispenser.i18n import SpokenError, Text
from dispenser.journal import Record


class PowerAction(enum.Enum):
    """Switch the computer off on which the launcher runs, or start it anew."""

    OFF = "off"
    RESTART = "restart"


PowerSwitch = Callable[[PowerAction], Awaitable[None]]
"""Returns when somebody has taken it up.

:raises ServiceError: nobody has; says what to do.
"""
POWER_ASKED = "service.computer"  # The family of the entries that tell of it: the act comes last


class ServiceError(SpokenError, RuntimeError):
    """The service cannot do that now. The text says why and what to do."""


class UnknownPressError(ServiceError, ValueError):
    """No burst of that press has ended, or not so lately that it can be corrected; nothing was done."""


class RequestReusedError(ServiceError, ValueError):
    """That request id was used for something else before; nothing was done.

    :ivar entry: what it was answered with then.
    """

    def __init__(self, request: str, entry: Record) -> None:
        text = Text('request id "{request}" was used before (entry {seq}, {type}); take a new one')
        super().__init__(text.filled(request=request, seq=entry.seq, type=entry.type))
        self.entry = entry


class NoSessionError(ServiceError):
    """There is no session, so nothing was done, or it ended before the request was on the disk. Says why."""


def checked(entry: Record, request: str | None, answer_type: str, asked: Mapping[str, object]) -> Record:
    """The answer that this id got first, if it answers this very request (a refused press does not repeat it all).

    :param answer_type: what the type of its answer begins with.
    :param asked: what was asked for, as the answer repeats it.
    :raises RequestReusedError: the id belongs to another request.
    """
    if request is None:
        return entry
    told = entry.data | {"cards": None} if entry.data.get("ordered") else entry.data  # asked for no number itself
    same = all(told[key] == value for key, value in asked.items() if key in told)
    if not entry.type.startswith(answer_type) or not same:
        raise RequestReusedError(request, entry)
    return entry
