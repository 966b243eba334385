"""Caps per address on connections, streams, joins and guessed codes, and per person on commands.

A client that does too much shuts itself out, never others: whoever has the most connections or streams loses one when
there are too many, and each has its own allowance of guesses, seats and commands.
"""

from __future__ import annotations

import asyncio
import ipaddress
import math
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TypeVar

from dispenser.web.errors import ProblemError

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

CODES_AT_ONCE: Final = 20
"""Wrong codes that a client may have tried of late; a table full of children behind one router is not shut out."""
CODE_S: Final = 3.0
"""One of them is forgotten in so long, seconds. 234256 codes then take one client four days to have even odds."""
SEATS_AT_ONCE: Final = 20
"""Seats that may have been taken from one address of late: twice a table, which may all come by one router."""
SEAT_S: Final = 3.0
COMMANDS_AT_ONCE: Final = 120  # Commands that one person may have given of late: more than a round of quick play takes
COMMAND_S: Final = 0.5  # One of them is forgotten in so long, seconds: who goes on tapping is heard twice a second
CLIENTS: Final = 256  # Clients that one limiter remembers; beyond that the one is forgotten that was quiet for longest
_T = TypeVar("_T")


def address_of(host: str) -> str:
    """An IPv4 address that is written as an IPv6 address (``::ffff:192.0.2.1``) as IPv4; any other as it is."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def client_address(client: tuple[str, int] | None) -> str:
    """The address by which a client is counted; empty for none. One machine has a whole /64 of IPv6 to choose from."""
    address = address_of(client[0]) if client else ""
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))


def client_of(request: HTTPConnection) -> str:
    """The address by which whoever sends a request is counted."""
    return client_address(request.client)


class RateLimiter:
    """Allow each client so many actions of late; one of them is forgotten every ``each_s`` seconds."""

    def __init__(self, at_once: int, each_s: float, error: str) -> None:
        self._at_once = at_once
        self._each_s = each_s
        self._error = error
        self._counts: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how many, and when that was so

    def check(self, client: str) -> None:
        """Call this before the action: it raises a 429 that says when."""
        over = self._count(client) - self._at_once + 1
        if over > 0:
            seconds = math.ceil(over * self._each_s)
            raise ProblemError(self._error, seconds=seconds, headers={"retry-after": str(seconds)})

    def spend(self, client: str) -> None:
        """Count the action."""
        self._counts[client] = self._count(client) + 1, asyncio.get_running_loop().time()
        self._counts.move_to_end(client)
        if len(self._counts) > CLIENTS:
            self._counts.popitem(last=False)

    def _count(self, client: str) -> float:
        now_s = asyncio.get_running_loop().time()
        count, then_s = self._counts.get(client, (0.0, now_s))
        return max(0.0, count - (now_s - then_s) / self._each_s)


def make_room(streams: dict[_T, str], most: int, newcomer: str, end: Callable[[_T], object]) -> None:
    """Have room for one more stream: if there is none, end the oldest of the address that has the most.

    :param streams: those that are open, the oldest first, by the address of their client.
    :raises ProblemError: 503 when the newcomer's address has as many as any other.
    """
    if len(streams) < most:
        return
    counts = Counter(streams.values())
    busiest, count = max(counts.items(), key=lambda each: each[1], default=("", 0))
    if count <= counts[newcomer] + 1:
        raise ProblemError("too_many_streams", number=len(streams))
    oldest = next(stream for stream, address in streams.items() if address == busiest)
    del streams[oldest]
    end(oldest)
