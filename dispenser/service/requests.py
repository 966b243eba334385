"""People's requests: each answered once, and the same id always with the same answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import get_args

from dispenser.drivers.base import DriverLost
from dispenser.i18n import SpokenError, Text
from dispenser.journal import JournalError, Record
from dispenser.launcher import messages as m

MAX_WAITING = 2048
"""Events and requests that may wait for the machine; a request past that is turned away."""
Inbox = asyncio.Queue[tuple[m.Event | DriverLost, asyncio.Future[Record] | None]]
_ANSWERS = frozenset(kind.type for kind in get_args(m.Answer))


class ServiceError(SpokenError, RuntimeError):
    """The service cannot do that now. The text says why and what to do."""


class ServiceBusyError(ServiceError):
    """Too many requests wait already; nothing was done."""


class UnknownPressError(ServiceError, ValueError):
    """No burst of that press has ended, or not so lately that it can be corrected; nothing was done."""


class RequestReusedError(ServiceError, ValueError):
    """That request id was used for something else before; nothing was done.

    :ivar entry: what it was answered with then.
    """

    def __init__(self, text: Text, entry: Record) -> None:
        super().__init__(text)
        self.entry = entry


class NoSessionError(ServiceError):
    """The request could not be written down, so it does not count."""


class Requests:
    """Requests under way, by the caller's own id; those that were answered are in the journal.

    :param inbox: where events and requests wait for the machine.
    :param find: the entry that answered a request, for as long as there is a journal that remembers it.
    """

    def __init__(self, inbox: Inbox, find: Callable[[str], Record | None]) -> None:
        self._inbox = inbox
        self._find = find
        self._under_way: dict[object, asyncio.Future[Record]] = {}

    async def ask(self, event: m.Request, answer_type: str, **asked: object) -> Record:
        """The answer to a request, which goes into the inbox if it is new.

        :param answer_type: what the type of its answer begins with.
        :param asked: what was asked for, as the answer repeats it.
        :raises RequestReusedError: the id belongs to another request.
        :raises ServiceBusyError: too many wait already.
        :raises NoSessionError: nobody knows whether it was answered before.
        """
        request, waiting = event.request, self._inbox.qsize()
        if request is not None:
            if (known := self._answered(request)) is not None:
                return checked(known, request, answer_type, asked)
            if (under_way := self._under_way.get(request)) is not None:
                return checked(await asyncio.shield(under_way), request, answer_type, asked)
        if waiting >= MAX_WAITING:
            raise ServiceBusyError(
                Text("{waiting} requests wait already; try again in a moment").filled(waiting=waiting)
            )
        future: asyncio.Future[Record] = asyncio.get_running_loop().create_future()
        key = object() if request is None else request  # under way until answered, even when whoever asked has hung up
        self._under_way[key] = future
        future.add_done_callback(lambda _: self._under_way.pop(key, None))
        self._inbox.put_nowait((event, future))
        return await asyncio.shield(future)

    def _answered(self, request: str) -> Record | None:
        try:
            return self._find(request)
        except JournalError as error:
            raise NoSessionError(error.text) from error

    def give_up(self, why: Text) -> None:
        """Nobody will answer any more."""
        for future in tuple(self._under_way.values()):
            if not future.done():
                future.set_exception(ServiceError(why))


def answer(future: asyncio.Future[Record] | None, entries: list[Record], trouble: Text | None) -> None:
    """The machine has dealt with it: the answer is among ``entries``, unless they could not be written down."""
    if future is None or future.done():
        return
    entry = next((entry for entry in entries if entry.type in _ANSWERS), None)
    if entry is not None:
        future.set_result(entry)
    else:
        future.set_exception(NoSessionError(trouble or Text("")))


def checked(entry: Record, request: str, answer_type: str, asked: Mapping[str, object]) -> Record:
    """The kept answer, if it answers this very request (a refused press does not repeat what was asked)."""
    told = entry.data | {"cards": None} if entry.data.get("ordered") else entry.data  # asked for no number itself
    same = all(told[key] == value for key, value in asked.items() if key in told)
    if not entry.type.startswith(answer_type) or not same:
        raise reused(request, entry)
    return entry


def reused(request: str, entry: Record) -> RequestReusedError:
    """That the id was used for something else, which was answered with ``entry``."""
    text = Text('request id "{request}" was used before (entry {seq}, {type}); take a new one')
    return RequestReusedError(text.filled(request=request, seq=entry.seq, type=entry.type), entry)
