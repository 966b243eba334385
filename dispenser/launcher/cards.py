"""The burst under way, and the cards as the machine sees them: how many are inside, what the exit sensor tells."""

from __future__ import annotations

from dataclasses import dataclass, field

from dispenser.launcher.doubles import DoubleDetector
from dispenser.launcher.messages import BurstEnd, CardLeft


@dataclass(slots=True)
class Burst:
    """What one accepted press set going.

    :param counted: cards that had left when the present feed began.
    :param run_ms: how long each card of the present feed blocked the exit, milliseconds.
    :param suspected_doubles: those of the feeds that are over.
    :param seen: the exit sensor has told of something since the first feed of this burst.
    :param retracting: the present motor run is a retract: what clears the exit was pulled back in.
    :param cause: set when something cut the burst short while the motor turned; the coast-down is awaited.
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
        self._of_stack = True

    def begin(self, *, of_stack: bool) -> None:
        """The launcher is switched on.

        :param of_stack: cards come from its own stack, not from a pile on the table.
        """
        self._of_stack = of_stack

    def take(self, cards: int) -> None:
        """So many have left the stack (fewer than none: they had been counted too many)."""
        if self.inside is not None and self._of_stack:
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
        driven = burst.cause is None and burst.delivered < burst.planned  # else it coasts, at a pace of its own
        double = False
        if driven:
            burst.run_ms.append(blocked_ms)
            double = self._doubles.suspects(burst.run_ms)[-1]
        burst.delivered += 1
        self.take(1)
        return CardLeft(burst.press, burst.delivered, blocked_ms, double)

    def judge(self, burst: Burst) -> None:
        """A run is over, so all its cards can be held against one another."""
        burst.suspected_doubles += sum(self._doubles.suspects(burst.run_ms))
        self._doubles.learn(burst.run_ms)
        burst.run_ms.clear()

    def settle(self, burst: Burst, cards_seen: int | None) -> None:
        """The driver's own count of the feed that ended is the one that stands."""
        self.judge(burst)
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
        return CardLeft(None, 0, blocked_ms, suspected_double=False)
