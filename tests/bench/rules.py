"""``rules``: moves a second of each game beside RLCard.

Random playouts stop at the end of a round in every engine; so moves are counted, not games. Sensible bots play whole
matches beside the rule agents of RLCard. All take turns, one CPU, five times; the median counts.
"""

from __future__ import annotations

from statistics import median

from dispenser.rules import GAMES
from tests.bench.measure import Measure
from tests.bench.playouts import Playout, bots, ours, rlcard_rule_agents, rlcard_uno
from tests.bench.timing import Effort, calm

TIMES_RLCARD = 1.0
TIMES_RULE_AGENTS = 2.0
"""Of uno; the other games no slower than half of it."""
RLCARD, RULE_AGENTS = "RLCard uno", "RLCard uno-rule-v1"

Rates = dict[str, list[float]]
"""Moves a second, each time, by engine."""


def rules(effort: Effort) -> list[Measure]:
    """Playouts in turn."""
    return _measures(_rates(effort))


def _rates(effort: Effort) -> Rates:
    """All engines in turn."""
    engines: dict[str, Playout] = {game_id: ours(game_id) for game_id in sorted(GAMES)}
    engines[RLCARD] = rlcard_uno
    engines |= {f"{game_id}, bots": bots(game_id) for game_id in sorted(GAMES)}
    engines[RULE_AGENTS] = rlcard_rule_agents
    found: Rates = {name: [] for name in engines}
    with calm():
        for turn in range(effort.pick(5, 1) + 1):
            for name, play in engines.items():
                moves, took_ns = play(effort.pick(30_000, 500) if turn else 500, turn)
                if turn:  # the first warms up
                    found[name].append(moves / took_ns * 1e9)
    return found


def _measures(found: Rates) -> list[Measure]:
    rate = {name: median(each) for name, each in found.items()}
    half = rate["uno, bots"] / 2
    measures = []
    for name, each in rate.items():
        if name in {RLCARD, RULE_AGENTS}:
            measures.append(Measure(benchmark="rules", measure=f"{name}, moves a second", unit="", ours=each))
            continue
        played_by_bots = name.endswith("bots")
        baseline = rate[RULE_AGENTS if played_by_bots else RLCARD]
        goal = TIMES_RULE_AGENTS if played_by_bots else TIMES_RLCARD
        of_uno = played_by_bots and not name.startswith("uno,")
        measures.append(
            Measure(
                benchmark="rules",
                measure=f"{name}, moves a second ({RULE_AGENTS if played_by_bots else RLCARD})",
                unit="",
                ours=each,
                baseline=baseline,
                ratio=baseline / each,
                goal="half of uno" if of_uno else f"ratio ≤ {1 / goal:g}",
                met=each >= half if of_uno else each >= goal * baseline,
                detail={"each": found[name]},
            )
        )
    return measures
