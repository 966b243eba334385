"""Who is at the table by phone. A line that fell frees no seat: phones sleep, and the Wi-Fi is where it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

ATTENDED_S: Final = 60.0
"""So long after its phone was last heard a seat is still attended, seconds."""


class Presence:
    """The persons whose phones listen, or did so until a moment ago.

    :param clock: seconds, never back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._phones: Counter[int] = Counter()
        self._heard_s: dict[int, float] = {}

    def __contains__(self, person: object) -> bool:
        if not isinstance(person, int):
            return False
        return self._phones[person] > 0 or self._clock() - self._heard_s.get(person, -ATTENDED_S) < ATTENDED_S

    def expect(self, persons: Iterable[int]) -> None:
        """They were here before a restart, and come back if they can."""
        self._heard_s |= dict.fromkeys(persons, self._clock())

    def come(self, person: int) -> None:
        """A phone of that person begins to listen."""
        self._phones[person] += 1

    def go(self, person: int) -> None:
        """One has stopped."""
        self._phones[person] = max(0, self._phones[person] - 1)
        self._heard_s[person] = self._clock()
