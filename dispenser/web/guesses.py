"""Wrong tokens are answered late, and later each time; the right one at once, whatever others try.

What that is good for: a program with an old token, or a person who tries words, cannot keep the launcher or its log
busy. It is not what keeps the door shut: somebody who hangs up and tries again needs no answer. That is the token
itself, which has 128 random bits when it was made as the settings say.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict

FIRST_S = 0.1
"""How long the first wrong token waits for its answer; each further one of that address twice as long."""
LONGEST_S = 5.0
FORGOTTEN_S = 60.0
"""After so long without a wrong token an address begins anew."""
ADDRESSES = 256
"""Addresses that are remembered; beyond that the one is forgotten that was quiet for longest."""
WAITING = 32
"""Answers that wait at a time; beyond that they are given at once, lest waiting be what fills the memory."""


class Guesses:
    """Wrong tokens of late, by address."""

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
