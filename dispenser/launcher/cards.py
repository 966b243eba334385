"""The cards as the machine sees them: how many are inside, what the exit sensor tells, and two that leave as one."""

from __future__ import annotations

from collections import deque
from statistics import median

from dispenser.launcher.burst import Burst
from dispenser.launcher.messages import CardLeft

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
        if not first:  # suspects too, or a service that starts on weak cells would suspect every card for ever
            self._recent_ms.append(blocked_ms)
        return blocked_ms > usual_ms * self._ratio * (FIRST_CARD_ALLOWANCE if first else 1.0)


class CardCount:
    """Stack and exit.

    :param inside: cards in the stack as far as anybody knows; ``None`` when nobody said.
    """

    def __init__(self, inside: int | None, doubles: DoubleDetector) -> None:
        self.inside = inside
        self.exit_blocked = False
        self.card_in_exit = False
        """What blocks the exit was fed into it; else it may be anything, or the sensor's own trouble."""
        self._doubles = doubles
        self._sticking_out = False  # the card in the exit was counted with its burst

    def take(self, cards: int) -> None:
        """So many have left the stack (fewer than none: they had been counted too many)."""
        if self.inside is not None:
            self.inside = max(0, self.inside - cards)

    def see_exit(self, *, blocked: bool, burst: Burst | None) -> None:
        """The level of the exit; what comes into it while a burst's motor turns is a card."""
        fed = burst is not None and burst.tries > 0
        if blocked and not self.exit_blocked:
            self.card_in_exit = fed
        if burst is not None and fed:
            burst.seen |= blocked or self.exit_blocked
        self.exit_blocked = blocked

    def left(self, burst: Burst, blocked_ms: float) -> CardLeft:
        """A card of this burst has passed the exit sensor."""
        double = self._doubles.suspects(blocked_ms, first=burst.delivered == burst.counted)
        burst.delivered += 1
        burst.suspected_doubles += double
        self.take(1)
        return CardLeft(burst.press, burst.delivered, blocked_ms, double)

    def settle(self, burst: Burst, cards_seen: int | None) -> None:
        """The driver's own count of the feed that ended is the one that stands."""
        if cards_seen is not None:
            self.take(burst.counted + cards_seen - burst.delivered)
            burst.delivered = burst.counted + cards_seen

    def stick_out(self) -> None:
        """The card in the exit is counted with the burst that ends now."""
        self._sticking_out = True
        self.take(1)

    def taken_out(self, blocked_ms: float, *, by_itself: bool) -> CardLeft | None:
        """The exit is free again outside a burst.

        :param by_itself: the lid is shut, so no hand is inside.
        :returns: a notice if that was a card which nobody has counted yet: it slid out after its burst was over.
        """
        uncounted = by_itself and not self._sticking_out
        self._sticking_out = False
        if not uncounted:
            return None
        self.take(1)
        return CardLeft(None, 0, blocked_ms, self._doubles.suspects(blocked_ms, first=True))
