"""Which persons have a phone connected. Nobody loses a seat when a connection ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

RECENT_S: Final = 10.0
"""A person counts as present for this time after the last phone or screen left, or a push of the button, seconds."""
ATTENDED_S: Final = 120.0  # A seat counts as attended for this time after its phone was last connected, seconds


class Presence:
    """Persons whose phones are connected, or were until a moment ago.

    :param clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._views = 0
        self._active_s = clock() - RECENT_S
        self._phones: Counter[int] = Counter()
        self._heard_s: dict[int, float] = {}

    def __contains__(self, person: object) -> bool:
        if not isinstance(person, int):
            return False
        return self._phones[person] > 0 or self._clock() - self._heard_s.get(person, -ATTENDED_S) < ATTENDED_S

    @property
    def anybody(self) -> bool:
        """Whether a person is present, or was just now."""
        return self.idle_s < RECENT_S

    @property
    def idle_s(self) -> float:
        """Seconds since a phone, a screen or the launcher's button last showed that a person is present."""
        return 0.0 if self._views else self._clock() - self._active_s

    def active(self) -> None:
        """Note that a person is present now."""
        self._active_s = self._clock()

    def connect(self) -> None:
        """Count a phone or a screen that begins to show the table."""
        self._views += 1

    def disconnect(self) -> None:
        self._views -= 1
        self.active()

    def expect(self, persons: Iterable[int]) -> None:
        """Mark persons as present until their phones connect."""
        self._heard_s |= dict.fromkeys(persons, self._clock())

    def come(self, person: int) -> None:
        """Count a connection of that person's phone."""
        self._phones[person] += 1

    def go(self, person: int) -> None:
        self._phones[person] = max(0, self._phones[person] - 1)
        self._heard_s[person] = self._clock()
