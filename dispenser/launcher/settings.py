"""Settings of the launcher machine. Units are in the names; every figure has its source or says "assumed"."""

from __future__ import annotations

from dataclasses import dataclass, field

from dispenser.i18n import Text
from dispenser.launcher.messages import BLIND_S, MAX_BURST_CARDS, MAX_MOTOR_RUN_S, Feed, MessageError

_FROM_TO: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("suspense_min_s", "suspense_max_s", "timed_base_s"), (0, 10)),
    "max_burst_cards": (1, MAX_BURST_CARDS),
    "max_tries": (1, 10),
    "first_card_ms": (0, 1000),
    "duty": (0.1, 1),
    **dict.fromkeys(("feed_base_s", "stall_s", "blind_s", "driver_patience_s"), (0.05, MAX_MOTOR_RUN_S)),
    **dict.fromkeys(("feed_card_s", "timed_card_s"), (0.01, MAX_MOTOR_RUN_S)),
    "retract_s": (0.01, 1),
}
"""Allowed range of each setting: below it no motor turns and no card moves (assumed: a fifth of what was measured)."""


@dataclass(frozen=True, slots=True)
class MachineSettings:
    """Settings of the launcher machine for a press and a burst.

    :param suspense_min_s: shortest drum roll between a press and its outcome, seconds (assumed: long enough to hope).
    :param suspense_max_s: longest drum roll; the draw of a press decides where between the two it falls.
    :param max_burst_cards: cap on any burst, enforced by the odds and by the handlers of requests.
    :param max_tries: feeds per burst before the state becomes jammed or empty.
    :param feed_base_s: part of a feed's time limit for the run-up (assumed: five run-up time constants and more).
    :param feed_card_s: part of it for each card: 57 ms on fresh cells, twice that on flat ones, and a margin.
    :param stall_s: longest time that something may block the exit during a feed (two overlapping cards on flat cells
        block it for 182 ms in the simulated launcher).
    :param blind_s: longest time that a feed may run with a clear exit: see ``BLIND_S``. A slower motor or a lower duty
        needs more.
    :param timed_base_s: without an exit sensor: motor time before the first card (run-up).
    :param timed_card_s: without an exit sensor: motor time for each card, 57 ms measured.
    :param retract_s: length of a retract: enough to pull a freed card back on flat cells (116 ms when simulated).
    :param can_retract: the motor driver can turn backward (H-bridge); set from the wiring, like ``has_exit_sensor``.
    :param double_ratio: a card that blocks the exit this many times as long as the others of its run is suspected to be
        two (single cards of the simulated launcher differ by 5 %, their first ones by 10 %).
    :param first_card_ms: usual blocking time of the first card of a run; 0 if unknown: a run's only card is then not
        suspected until a run has been measured.
    :param driver_patience_s: how long after a motor run's own limit the driver may take to report its end.
    """

    suspense_min_s: float = 0.6
    suspense_max_s: float = 1.6
    max_burst_cards: int = 12
    max_tries: int = 3
    duty: float = 1.0
    feed_base_s: float = 0.6
    feed_card_s: float = 0.2
    stall_s: float = 0.25
    blind_s: float = BLIND_S
    timed_base_s: float = 0.05
    timed_card_s: float = 0.057
    retract_s: float = 0.15
    can_retract: bool = field(default=True, metadata={"from_file": False})
    has_exit_sensor: bool = field(default=True, metadata={"from_file": False})
    double_ratio: float = 1.2
    first_card_ms: float = 0.0
    driver_patience_s: float = 1.0

    def __post_init__(self) -> None:
        for name, (low, high) in _FROM_TO.items():
            self._check(name, low <= getattr(self, name) <= high, Text("{low} to {high}").filled(low=low, high=high))
        self._check("suspense_max_s", self.suspense_max_s >= self.suspense_min_s, Text("at least suspense_min_s"))
        self._check("double_ratio", 1 < self.double_ratio < 2, Text("above 1 and below 2"))

    def _check(self, name: str, fits: bool, wanted: Text) -> None:
        if not fits:
            text = Text("{name} must be {wanted}, not {value}")
            raise MessageError(text.filled(name=name, wanted=wanted, value=getattr(self, name)))

    def feed(self, cards: int) -> Feed:
        """Return the feed command for this number of cards, with its time limits."""
        if self.has_exit_sensor:
            timeout_s = min(MAX_MOTOR_RUN_S, self.feed_base_s + cards * self.feed_card_s)
            stall_s, blind_s = min(self.stall_s, timeout_s), min(self.blind_s, timeout_s)
            return Feed(cards, timeout_s, stall_s, blind_s, self.duty)
        timeout_s = min(MAX_MOTOR_RUN_S, self.timed_base_s + cards * self.timed_card_s)
        return Feed(cards, timeout_s, stall_s=timeout_s, blind_s=timeout_s, duty=self.duty)
