"""Exact expectations of some odds, and a simulation of them. ``charts.py`` prints both.

The exact figures come from the policy's own Markov chain (``FirePolicy.branches``). They ignore only streaks of duds
with a total probability below ``NEGLIGIBLE``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from dispenser.odds.fairness import named_seed
from dispenser.odds.odds import Odds
from dispenser.odds.policies import FirePolicy
from dispenser.odds.presets import OddsDesign

NEGLIGIBLE = 1e-12
EVENING_PRESSES = 100  # Presses of an evening, for the expected longest dry run (assumed)
DECK_CARDS = 112  # Cards in the stack of a full launcher


class Figures:
    """Figures of both, expected and simulated; ``None`` without any burst.

    :ivar cards: how often a press brings 0, 1, 2… cards, up to the cap: probabilities, or counts.
    :ivar dry_runs: how often a burst comes after 0, 1, 2… duds.
    """

    cards: Sequence[float]
    dry_runs: Sequence[float]

    @property
    def share_firing(self) -> float:
        return sum(self.cards[1:]) / sum(self.cards)

    @property
    def duds_between_bursts(self) -> float | None:
        return _total(self.dry_runs) / sum(self.dry_runs) if any(self.dry_runs) else None

    @property
    def cards_per_burst(self) -> float | None:
        return _total(self.cards) / sum(self.cards[1:]) if any(self.dry_runs) else None

    @property
    def cards_per_press(self) -> float:
        return _total(self.cards) / sum(self.cards)

    def figures(self) -> dict[str, Any]:
        names = ("share_firing", "duds_between_bursts", "cards_per_burst", "cards_per_press")
        return {name: getattr(self, name) for name in names}


def _total(often: Sequence[float]) -> float:
    return sum(number * times for number, times in enumerate(often))


def dry_runs(fire: FirePolicy) -> tuple[list[float], int | None]:
    """Return the long-run distribution of duds between two bursts; and their maximum, or ``None`` if unlimited.

    One cycle is everything between state 0 and the next burst that leads back to it.
    """
    runs: defaultdict[int, float] = defaultdict(float)
    mass = {(0, 0): 1.0}  # (state, duds so far)
    while sum(mass.values()) > NEGLIGIBLE:
        later: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (state, duds), weight in mass.items():
            for probability, fires, next_state in fire.branches(state):
                if not probability:
                    continue
                if fires:
                    runs[duds] += weight * probability
                if next_state or not fires:
                    later[next_state, 0 if fires else duds + 1] += weight * probability
        mass = later
    total, most = sum(runs.values()), max(runs)
    return [runs[duds] / total for duds in range(most + 1)], None if mass else most


def longest_dry_run(fire: FirePolicy, presses: int) -> list[float]:
    """Return the distribution of the longest dry run, ended or not, among this number of presses after a reset."""
    mass = {(0, 0, 0): 1.0}  # (state, duds so far, longest run so far)
    for _ in range(presses):
        later: defaultdict[tuple[int, int, int], float] = defaultdict(float)
        for (state, duds, longest), weight in mass.items():
            for probability, fires, next_state in fire.branches(state):
                now = 0 if fires else duds + 1
                later[next_state, now, max(longest, now)] += weight * probability
        mass = {key: weight for key, weight in later.items() if weight > NEGLIGIBLE / presses}
    result = [0.0] * (presses + 1)
    for (_, _, longest), weight in mass.items():
        result[longest] += weight
    return result


def quantile(distribution: Sequence[float], share: float) -> int:
    """Return the smallest number that is not exceeded with probability ``share`` or more."""
    total = 0.0
    for number, probability in enumerate(distribution):
        total += probability
        if total >= share - NEGLIGIBLE:
            return number
    return len(distribution) - 1


class Expectation(Figures):
    """Exact long-run expectation of a design: ``cards`` and ``dry_runs`` are probabilities.

    :ivar longest_possible: maximum of duds in a row; ``None`` if unlimited.
    """

    def __init__(self, design: OddsDesign) -> None:
        self.design = design
        self.dry_runs, self.longest_possible = dry_runs(design.fire)
        share_firing = 1.0 / (1.0 + _total(self.dry_runs))  # one burst in each cycle of its duds and itself
        self.cards = [1.0 - share_firing, *[0.0] * design.cap]
        for cards, probability in design.sizes():
            self.cards[cards] = share_firing * probability

    @cached_property
    def longest_in_evening(self) -> list[float]:
        return longest_dry_run(self.design.fire, EVENING_PRESSES)

    def to_dict(self) -> dict[str, Any]:
        shares = {"median": 0.5, "from": 0.05, "to": 0.95}
        evening = {name: quantile(self.longest_in_evening, share) for name, share in shares.items()}
        return {
            **self.figures(),
            "longest_dry_run_possible": self.longest_possible,
            f"longest_dry_run_in_{EVENING_PRESSES}_presses": evening,
            "cards": self.cards,
            "dry_runs": self.dry_runs,
        }


@dataclass(frozen=True)
class Simulation(Figures):
    """Result of a number of presses after one reset; a last run of duds without a burst counts only for the longest."""

    presses: int
    seed: str
    cards: list[int]
    dry_runs: list[int]
    longest_dry_run: int

    @property
    def bursts(self) -> int:
        return self.presses - self.cards[0]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | self.figures()


def simulate(design: OddsDesign, presses: int, seed: str) -> Simulation:
    """Simulate this number of presses, with the seed that ``seed`` names."""
    odds = Odds(design, named_seed(seed))
    cards, runs = [0] * (design.cap + 1), Counter[int]()
    duds = longest = 0
    for _ in range(presses):
        came = odds.draw().cards
        cards[came] += 1
        if came:
            runs[duds] += 1
        duds = 0 if came else duds + 1
        longest = max(longest, duds)
    return Simulation(presses, seed, cards, [runs[duds] for duds in range(max(runs, default=0) + 1)], longest)
