"""Requests: each is answered once, and the same id gets the same answer."""

from __future__ import annotations

import enum
from collections.abc import Awaitable, Callable, Mapping

from dispenser.i18n import SpokenError, Text
from dispenser.journal import Record


class PowerAction(enum.Enum):
    """Action on the computer on which the launcher runs."""

    OFF = "off"
    RESTART = "restart"


PowerSwitch = Callable[[PowerAction], Awaitable[None]]
"""Function that returns when the action has been accepted by the system.

:raises ServiceError: it was not; the text says what to do.
"""
POWER_ASKED = "service.computer"  # Prefix of the record types; the action follows


class ServiceError(SpokenError, RuntimeError):
    """The service cannot do that now. The text says why and what to do."""


class UnknownPressError(ServiceError, ValueError):
    """No burst of that press has ended, or too long ago to be corrected; nothing was done."""


class RequestReusedError(ServiceError, ValueError):
    """That request id was used for something else before; nothing was done.

    :ivar record: the answer of that time.
    """

    def __init__(self, request: str, record: Record) -> None:
        text = Text('request id "{request}" was used before (record {seq}, {type}); take a new one')
        super().__init__(text.filled(request=request, seq=record.seq, type=record.type))
        self.record = record


class PowerRefusedError(ServiceError):
    """This launcher cannot switch its computer off; nothing was done."""


class NoSessionError(ServiceError):
    """No session, so nothing was done, or it ended before the request was on disk. The text says why."""


def checked(record: Record, request: str | None, answer_type: str, asked: Mapping[str, object]) -> Record:
    """Return ``record``, the first answer to this id, if it answers this request (a refused press repeats only a part).

    :param answer_type: prefix of the type of its answer.
    :param asked: values of the request that its answer repeats.
    :raises RequestReusedError: the id belongs to another request.
    """
    if request is None:
        return record
    data = record.data | {"cards": None} if record.data.get("ordered") else record.data  # the press gave no number
    same = all(data[key] == value for key, value in asked.items() if key in data)
    if not record.type.startswith(answer_type) or not same:
        raise RequestReusedError(request, record)
    return record
