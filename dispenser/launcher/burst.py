"""The burst under way, and the eye for two cards that leave as one."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from statistics import median

from dispenser.launcher.messages import BurstEnd


@dataclass(slots=True)
class Burst:
    """What one accepted press set going.

    :param counted: cards that had left when the present feed began.
    :param cause: set when something cut the burst short while the motor turned; the coast-down is awaited.
    """

    press: int
    planned: int
    exact: bool
    suspense_s: float
    delivered: int = 0
    counted: int = 0
    tries: int = 0
    suspected_doubles: int = 0
    cause: BurstEnd | None = None


FIRST_CARD_ALLOWANCE = 1.4
"""The first card of a feed meets a motor that is still running up: it may block the barrier so much longer."""


class DoubleDetector:
    """Overlapping cards block the light barrier longer than one card does.

    Each card is held against the median of the fifteen before it, so that sagging cells (slower cards) do not look
    like doubles; until five have been seen, against ``card_blocked_ms``.

    :param ratio: how many times the usual makes a suspect.
    """

    def __init__(self, card_blocked_ms: float, ratio: float) -> None:
        self._first_guess_ms = card_blocked_ms
        self._ratio = ratio
        self._recent_ms: deque[float] = deque(maxlen=15)

    def suspects(self, blocked_ms: float, *, first: bool) -> bool:
        """Whether a card may have been two.

        :param blocked_ms: how long it blocked the barrier, milliseconds.
        :param first: it was the first card of a feed.
        """
        usual_ms = median(self._recent_ms) if len(self._recent_ms) >= 5 else self._first_guess_ms
        double = blocked_ms > usual_ms * self._ratio * (FIRST_CARD_ALLOWANCE if first else 1.0)
        if not double and not first:
            self._recent_ms.append(blocked_ms)
        return double
