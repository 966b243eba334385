"""Statistics of matches among bots: counters that can be added up, and figures computed from them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

_CONFIDENCE: Final = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution
_Sums = partial(defaultdict[int, float], float)


@dataclass(slots=True)
class Figures:
    """Sums and histograms of a number of matches; ``add`` merges them."""

    seats: int
    matches: int = 0
    rounds: int = 0
    given_up: int = 0  # matches that did not end; nobody has won them
    turns: Counter[int] = field(default_factory=Counter)  # rounds by number of turns: moves of the seat in turn
    presses: Counter[int] = field(default_factory=Counter)  # rounds by presses; with exact draws, by demands paid
    cards_out: Counter[int] = field(default_factory=Counter)  # rounds by cards that left the launcher after the deal
    scores: Counter[int] = field(default_factory=Counter)  # final scores of all seats; all 0 where nothing is counted
    hand_sums: defaultdict[int, float] = field(default_factory=_Sums)  # by turn, cards per hand after it added up ...
    hand_rounds: Counter[int] = field(default_factory=Counter)  # ... and the rounds that lasted so long
    wins: defaultdict[int, float] = field(default_factory=_Sums)  # by seat; ties shared; no winner: all but the losers
    round_wins: Counter[int] = field(default_factory=Counter)  # by seat, rounds in which it went out first

    def add(self, other: Figures) -> None:
        """Add the figures of other matches to these."""
        for name in self.__slots__[1:]:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, dict):
                for key, number in theirs.items():
                    mine[key] += number
            else:
                setattr(self, name, mine + theirs)

    @property
    def counts_points(self) -> bool:
        """Whether the game counts points, so there are scores to show."""
        return any(self.scores.keys() - {0})

    @property
    def without_winner(self) -> float:
        """Number of matches without a winner; with the sum of ``wins`` it gives ``matches``."""
        return max(0.0, round(self.matches - sum(self.wins.values()), 6))

    def hands(self) -> list[float]:
        """Return the mean cards per hand after each turn, up to the last turn that 1 % of the rounds reached."""
        lasting = [turn for turn, rounds in sorted(self.hand_rounds.items()) if rounds >= max(1, self.rounds / 100)]
        return [self.hand_sums[turn] / self.hand_rounds[turn] for turn in lasting]

    def to_dict(self) -> dict[str, Any]:
        """Return all figures as a JSON object."""
        return {
            "matches": self.matches,
            "rounds": self.rounds,
            "given_up": self.given_up,
            "turns_a_round": spread(self.turns),
            "presses_a_round": spread(self.presses),
            "cards_out_a_round": spread(self.cards_out),
            "scores": spread(self.scores),
            "cards_a_hand_after_turn": [round(cards, 3) for cards in self.hands()],
            "wins_by_seat": [self.wins.get(seat, 0.0) for seat in range(self.seats)],
            "rounds_won_by_seat": [self.round_wins[seat] for seat in range(self.seats)],
        }


def spread(values: Counter[int]) -> dict[str, float]:
    """Return mean and quantiles of a histogram; NaN when it is empty."""
    if not values:
        return dict.fromkeys(("mean", "p10", "median", "p90", "most"), math.nan)
    mean = sum(value * often for value, often in values.items()) / values.total()
    shares = {"p10": 0.1, "median": 0.5, "p90": 0.9, "most": 1.0}
    return {"mean": mean, **{name: quantile(values, share) for name, share in shares.items()}}


def quantile(values: Counter[int], share: float) -> int:
    """Return the smallest value that at least ``share`` of the counted values do not exceed."""
    wanted, seen = share * values.total(), 0
    for value in sorted(values):
        seen += values[value]
        if seen >= wanted:
            return value
    return max(values)


def interval(wins: float, of: int) -> tuple[float, float]:
    """Return the 95 % confidence interval of the share ``wins / of``, by Wilson's method."""
    if not of:
        return 0.0, 1.0
    share, square = wins / of, _CONFIDENCE**2
    middle = (share + square / (2 * of)) / (1 + square / of)
    half = _CONFIDENCE * math.sqrt(share * (1 - share) / of + square / (4 * of * of)) / (1 + square / of)
    return max(0.0, middle - half), min(1.0, middle + half)
