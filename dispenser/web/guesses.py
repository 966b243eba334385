"""What a client may do so often: guess the token or the table's code, take seats, give commands."""

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
SEATS_AT_ONCE = 20
"""Seats that may have been taken from one address of late: twice a table, which may all come by one router."""
SEAT_S = 3.0
"""One of them is forgotten in so long, seconds."""


COMMANDS_AT_ONCE = 120
"""Commands that one person may have given of late: more than a round of quick play takes."""
COMMAND_S = 0.5
"""One of them is forgotten in so long, seconds: who goes on tapping is heard twice a second."""


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


class Allowance:
    """What a client may do so often of late. Each for itself: whatever one does, the others do it at once.

    :param each_s: one time is forgotten in so long, seconds.
    :param error: what too many are, one word of ``PROBLEMS``.
    """

    def __init__(self, at_once: int, each_s: float, error: str) -> None:
        self._at_once = at_once
        self._each_s = each_s
        self._error = error
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """How many times count against a client, and when that was so."""

    def check(self, address: str) -> None:
        """Call this before.

        :raises ProblemError: 429, not now, and when.
        """
        over = self._counts(address) - self._at_once + 1
        if over > 0:
            seconds = math.ceil(over * self._each_s)
            raise ProblemError(self._error, seconds=seconds, headers={"retry-after": str(seconds)})

    def spend(self, address: str) -> None:
        """Call this when it was done."""
        self._spent[address] = self._counts(address) + 1, asyncio.get_running_loop().time()
        self._spent.move_to_end(address)
        if len(self._spent) > ADDRESSES:
            self._spent.popitem(last=False)

    def _counts(self, address: str) -> float:
        now = asyncio.get_running_loop().time()
        count, then_s = self._spent.get(address, (0.0, now))
        return max(0.0, count - (now - then_s) / self._each_s)


class CodeGuesses(Guesses):
    """Wrong codes of late. A code is short, so waiting is not enough: who has tried many is not heard for a while."""

    def __init__(self) -> None:
        super().__init__()
        self._allowance = Allowance(CODES_AT_ONCE, CODE_S, "too_many_guesses")

    def check(self, address: str) -> None:
        """Call this before a code is looked at.

        :raises ProblemError: 429, it is not looked at, right or wrong.
        """
        self._allowance.check(address)

    async def wait(self, address: str) -> None:
        """Call this before a wrong code is answered."""
        self._allowance.spend(address)
        await super().wait(address)
