"""What wrong guesses cost, by client: of the token, and of a table's code."""

from __future__ import annotations

import asyncio
import ipaddress
import math
from collections import OrderedDict
from typing import TYPE_CHECKING

from dispenser.web.errors import ProblemError

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

FIRST_S = 0.1
"""How long the first wrong guess waits for its answer; each further one of that client twice as long."""
LONGEST_S = 5.0
FORGOTTEN_S = 60.0
"""After so long without a wrong guess a client begins anew."""
ADDRESSES = 256
"""Clients that are remembered; beyond that the one is forgotten that was quiet for longest."""
WAITING = 32
"""Answers that wait at a time; beyond that they are given at once, lest waiting be what fills the memory."""
CODES_AT_ONCE = 20
"""Wrong codes that a client may have tried of late; a table full of children behind one router is not shut out."""
CODE_S = 3.0
"""One of them is forgotten in so long, seconds. 234256 codes then take one client four days to have even odds."""


def address_of(host: str) -> str:
    """An address without its disguise: of an IPv4 address in IPv6 the former, else as it is."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


def client_of(request: HTTPConnection) -> str:
    """Where a request comes from, as guesses are counted; empty when nobody knows.

    One machine has a whole /64 of IPv6 to change its address in.
    """
    if request.client is None:
        return ""
    address = address_of(request.client.host)
    if ":" not in address:
        return address
    return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))


class Guesses:
    """Wrong tokens of late, by address: answered late, and later each time; the right one at once, whatever others try.

    What that is good for: a program with an old token, or a person who tries words, cannot keep the launcher or its
    log busy. It is not what keeps the door shut: somebody who hangs up and tries again needs no answer. That is the
    token itself, which has 128 random bits when it was made as the settings say.
    """

    def __init__(self) -> None:
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._waiting = 0

    async def wait(self, address: str) -> None:
        """Call this before a wrong token is answered."""
        now = asyncio.get_running_loop().time()
        times, last_s = self._wrong.pop(address, (0, now))
        times = times + 1 if now - last_s < FORGOTTEN_S else 1
        self._wrong[address] = times, now
        if len(self._wrong) > ADDRESSES:
            self._wrong.popitem(last=False)
        if self._waiting >= WAITING:
            return
        self._waiting += 1
        try:
            await asyncio.sleep(min(LONGEST_S, FIRST_S * 2.0 ** min(times - 1, 10)))
        finally:
            self._waiting -= 1


class CodeGuesses(Guesses):
    """Wrong codes of late. A code is short, so waiting is not enough: who has tried many is not heard for a while.

    Each client for itself: whatever one tries, the others at the table come in at once.
    """

    def __init__(self) -> None:
        super().__init__()
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """How many count against a client, and when that was so."""

    def check(self, address: str) -> None:
        """Call this before a code is looked at.

        :raises ProblemError: 429, it is not looked at, right or wrong.
        """
        over = self._counts(address) - CODES_AT_ONCE + 1
        if over > 0:
            seconds = math.ceil(over * CODE_S)
            raise ProblemError("too_many_guesses", seconds=seconds, headers={"retry-after": str(seconds)})

    async def wait(self, address: str) -> None:
        """Call this before a wrong code is answered."""
        self._spent[address] = self._counts(address) + 1, asyncio.get_running_loop().time()
        self._spent.move_to_end(address)
        if len(self._spent) > ADDRESSES:
            self._spent.popitem(last=False)
        await super().wait(address)

    def _counts(self, address: str) -> float:
        now = asyncio.get_running_loop().time()
        count, then_s = self._spent.get(address, (0.0, now))
        return max(0.0, count - (now - then_s) / CODE_S)
