"""The burst under way, and the cards: how many are inside, what the exit sensor reports."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median

from dispenser.launcher.messages import BurstEnd, CardLeft

RUN_UP_ALLOWANCE = 1.4
"""Ratio, how much longer the first card of a run may block the exit: the motor is still running up."""
OTHER_CELLS = 2.0
"""Ratio to earlier runs above which a single slow card is not a suspected double: other cells, or it was held up."""
KEPT_FIRSTS = 5


class DoubleDetector:
    """Detector of two cards that leave as one: they block the exit sensor longer than the others of their motor run.

    The pace is that of the fastest card. The first card is fed during the motor's run-up, so it must be slow compared
    both with the first cards of earlier runs and with its own run. On the simulated launcher this finds 8 doubles of
    10, and suspects fewer than one of 10,000 single cards. A card that was held up for much longer is suspected, too.

    :param ratio: a card is suspected above this multiple of the usual time.
    :param first_card_ms: usual blocking time of the first card of a run, milliseconds; 0 if unknown.
    """

    def __init__(self, ratio: float, first_card_ms: float = 0.0) -> None:
        self._ratio = ratio
        self._firsts_ms: deque[float] = deque([first_card_ms] if first_card_ms else [], maxlen=KEPT_FIRSTS)

    def suspects(self, run_ms: Sequence[float]) -> list[bool]:
        """Return for each card of a run whether it may have been two, from its blocking time in milliseconds."""
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
        """Learn the first card of a finished run, even a suspect; else other cells could make suspects for ever."""
        self._firsts_ms.extend(run_ms[:1])


@dataclass(slots=True)
class Burst:
    """The burst of one accepted press.

    :param counted: cards that had left when the present feed began.
    :param run_ms: how long each card of the present feed blocked the exit, milliseconds.
    :param seen: the exit sensor has seen something since the first feed of this burst.
    :param retracting: the present motor run is a retract: what clears the exit was pulled back in.
    :param cause: set when the burst is cut short while the motor turns; the burst ends after the coast-down.
    """

    press: int
    planned: int
    exact: bool
    suspense_s: float
    delivered: int = 0
    counted: int = 0
    seen: bool = False
    retracting: bool = False
    tries: int = 0
    run_ms: list[float] = field(default_factory=list)
    suspected_doubles: int = 0
    cause: BurstEnd | None = None


class CardCount:
    """Card count of the stack and state of the exit; ``inside``: estimated cards in the stack, ``None`` if unknown."""

    def __init__(self, inside: int | None, doubles: DoubleDetector) -> None:
        self.inside = inside
        self.exit_blocked = False
        self.card_in_exit = False
        """Whether a card that was fed blocks the exit; otherwise it may be anything, or a sensor failure."""
        self._doubles = doubles
        self._exit_card_counted = False  # the card in the exit was counted with its burst
        self.of_stack = True  # otherwise the cards come from a pile on the table

    def take(self, cards: int) -> None:
        """Subtract cards from the stack; a negative number corrects a count that was too high."""
        if self.inside is not None and self.of_stack:
            self.inside = max(0, self.inside - cards)

    def see_exit(self, *, blocked: bool, burst: Burst | None) -> None:
        """Store the level of the exit sensor; whatever enters the exit during a burst's motor run is a card."""
        fed = burst is not None and burst.tries > 0
        if blocked and not self.exit_blocked:
            self.card_in_exit = fed
        if burst is not None and fed:
            burst.seen |= blocked or self.exit_blocked
        self.exit_blocked = blocked

    def left(self, burst: Burst, blocked_ms: float) -> CardLeft:
        """Count a card of this burst that has passed the exit sensor."""
        double = False
        if burst.cause is None and burst.delivered < burst.planned:  # otherwise it is coasting, at another pace
            burst.run_ms.append(blocked_ms)
            double = self._doubles.suspects(burst.run_ms)[-1]
        burst.delivered += 1
        self.take(1)
        return CardLeft(burst.press, burst.delivered, blocked_ms, double)

    def judge(self, burst: Burst) -> None:
        """Check all cards of a finished run for doubles, then learn from the run."""
        burst.suspected_doubles += sum(self._doubles.suspects(burst.run_ms))
        self._doubles.learn(burst.run_ms)
        burst.run_ms.clear()

    def settle(self, burst: Burst, cards_seen: int | None) -> None:
        """Replace the count of edges with the driver's count of the feed that ended."""
        self.judge(burst)
        if cards_seen is not None:
            self.take(burst.counted + cards_seen - burst.delivered)
            burst.delivered = burst.counted + cards_seen

    def count_card_in_exit(self) -> None:
        """Count the card in the exit with the burst that ends now."""
        self._exit_card_counted = True
        self.take(1)

    def exit_freed(self, blocked_ms: float, *, lid_closed: bool) -> CardLeft | None:
        """Handle an exit that is free again outside a burst; return a notice if it was an uncounted card.

        :param lid_closed: so no hand is inside.
        """
        counted, self._exit_card_counted = self._exit_card_counted, False
        if counted or not lid_closed:
            return None
        self.take(1)
        return CardLeft(None, 0, blocked_ms, suspected_double=False)
