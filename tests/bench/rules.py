"""``rules``: moves a second of each game beside RLCard.

Random playouts stop at the end of a round in every engine; so moves are counted, not games. All take turns, one CPU,
five times; the median counts.
"""

from __future__ import annotations

from statistics import median

from dispenser.rules import GAMES
from tests.bench.measure import Measure
from tests.bench.playouts import Playout, ours, rlcard_uno
from tests.bench.timing import Effort, calm

TIMES_RLCARD = 1.0
RLCARD = "RLCard uno"

Rates = dict[str, list[float]]
"""Moves a second, each time, by engine."""


def rules(effort: Effort) -> list[Measure]:
    """Playouts in turn."""
    found = _rates(effort)
    baseline = median(found.pop(RLCARD))
    alone = Measure(benchmark="rules", measure=f"{RLCARD}, moves a second", unit="", ours=baseline)
    return [*(_row(name, each, baseline) for name, each in found.items()), alone]


def _rates(effort: Effort) -> Rates:
    """All engines in turn."""
    engines: dict[str, Playout] = {game_id: ours(game_id) for game_id in sorted(GAMES)}
    engines[RLCARD] = rlcard_uno
    found: Rates = {name: [] for name in engines}
    with calm():
        for turn in range(effort.pick(5, 1) + 1):
            for name, play in engines.items():
                moves, took_ns = play(effort.pick(30_000, 500) if turn else 500, turn)
                if turn:  # the first warms up
                    found[name].append(moves / took_ns * 1e9)
    return found


def _row(game_id: str, each: list[float], baseline: float) -> Measure:
    rate = median(each)
    return Measure(
        benchmark="rules",
        measure=f"{game_id}, moves a second ({RLCARD})",
        unit="",
        ours=rate,
        baseline=baseline,
        ratio=baseline / rate,
        goal=f"ratio ≤ {1 / TIMES_RLCARD:g}",
        met=rate >= TIMES_RLCARD * baseline,
        detail={"each": each},
    )
