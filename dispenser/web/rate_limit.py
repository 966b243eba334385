"""Caps per address on connections, streams, joins and guessed codes, and per person on commands.

A client that exceeds a cap affects only itself: above the cap on connections or streams, the address that has the most
loses one, and guesses, seats and commands are counted per client.
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
"""Burst of wrong codes per client address; high enough for a table full of children behind one router."""
CODE_S: Final = 3.0
"""Seconds until one of them is forgotten. With 234256 codes, one client needs four days for an even chance."""
SEATS_AT_ONCE: Final = 20
"""Burst of seats taken per address: twice a full table, as all may come through one router."""
SEAT_S: Final = 3.0
COMMANDS_AT_ONCE: Final = 120  # Burst of commands per person: more than a round of quick play takes
COMMAND_S: Final = 0.5  # Seconds until one of them is forgotten, so a steady rate of two commands a second is accepted
CLIENTS: Final = 256  # Clients that one limiter keeps; above that, the least recently active one is dropped
_T = TypeVar("_T")


def address_of(host: str) -> str:
    """Return an IPv4-mapped IPv6 address (``::ffff:192.0.2.1``) as IPv4; any other address unchanged."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def client_address(client: tuple[str, int] | None) -> str:
    """Return the key that limits apply to; empty for no client. IPv6 is cut to /64: one machine may use a whole /64."""
    address = address_of(client[0]) if client else ""
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))


def client_of(request: HTTPConnection) -> str:
    """Return the key that limits apply to, for the sender of a request."""
    return client_address(request.client)


class RateLimiter:
    """A leaky bucket per client: ``at_once`` actions, one of which is forgotten every ``each_s`` seconds."""

    def __init__(self, at_once: int, each_s: float, error: str) -> None:
        self._at_once = at_once
        self._each_s = each_s
        self._error = error
        self._counts: OrderedDict[str, tuple[float, float]] = OrderedDict()  # count, loop time of it

    def check(self, client: str) -> None:
        """Raise a 429 problem with the time to wait if the limit is reached. To be called before the action."""
        over = self._count(client) - self._at_once + 1
        if over > 0:
            seconds = math.ceil(over * self._each_s)
            raise ProblemError(self._error, seconds=seconds, headers={"retry-after": str(seconds)})

    def spend(self, client: str) -> None:
        """Count one action."""
        self._counts[client] = self._count(client) + 1, asyncio.get_running_loop().time()
        self._counts.move_to_end(client)
        if len(self._counts) > CLIENTS:
            self._counts.popitem(last=False)

    def _count(self, client: str) -> float:
        now_s = asyncio.get_running_loop().time()
        count, then_s = self._counts.get(client, (0.0, now_s))
        return max(0.0, count - (now_s - then_s) / self._each_s)


def make_room(streams: dict[_T, str], most: int, newcomer: str, end: Callable[[_T], object]) -> None:
    """Make room for one more stream: if ``most`` are open, end the oldest of the address that has the most.

    :param streams: open streams, oldest first, with the address of the client.
    :raises ProblemError: 503 unless another address has at least two streams more than the newcomer's.
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
