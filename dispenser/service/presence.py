"""Which persons have a phone connected. Nobody loses a seat when a connection ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

RECENT_S: Final = 10.0
"""So long after the last phone or screen went, or a push of the button, somebody is still there, seconds."""
ATTENDED_S: Final = 120.0  # So long after its phone was last heard a seat is still attended, seconds


class Presence:
    """The persons whose phones listen, or did so until a moment ago.

    :param clock: seconds, never back.
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
        """Whether somebody is there, or was just now."""
        return self.idle_s < RECENT_S

    @property
    def idle_s(self) -> float:
        """How long nobody has been there, by a phone, a screen or the launcher's button."""
        return 0.0 if self._views else self._clock() - self._active_s

    def active(self) -> None:
        """Somebody has just been there."""
        self._active_s = self._clock()

    def connect(self) -> None:
        """A phone or a screen begins to show the table."""
        self._views += 1

    def disconnect(self) -> None:
        self._views -= 1
        self.active()

    def expect(self, persons: Iterable[int]) -> None:
        """They were just here, and listen soon."""
        self._heard_s |= dict.fromkeys(persons, self._clock())

    def come(self, person: int) -> None:
        """A phone of that person begins to listen."""
        self._phones[person] += 1

    def go(self, person: int) -> None:
        self._phones[person] = max(0, self._phones[person] - 1)
        self._heard_s[person] = self._clock()
