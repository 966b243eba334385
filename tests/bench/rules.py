"""``rules``: moves a second of each game beside RLCard and OpenSpiel; what one move costs.

Random playouts stop at the end of a round in every engine; so moves are counted, not games. Sensible bots play whole
matches beside the rule agents of RLCard. All take turns, one CPU, five times; the median counts.
"""

from __future__ import annotations

from importlib.util import find_spec
from random import Random
from statistics import median

from dispenser.rules import GAMES, Game, new_game
from dispenser.rules.engine.moves import Move, lay
from tests.bench.measure import Measure
from tests.bench.playouts import Playout, bots, openspiel_crazy_eights, ours, rlcard_rule_agents, rlcard_uno
from tests.bench.timing import Effort, calm, timed

TIMES_RLCARD = 1.0
TIMES_RULE_AGENTS = 2.0
"""Of uno; the other games no slower than half of it."""
HANDS = (2, 7, 20, 50, 100)
RLCARD, RULE_AGENTS, OPENSPIEL = "RLCard uno", "RLCard uno-rule-v1", "OpenSpiel crazy_eights"

Rates = dict[str, list[float]]
"""Moves a second, each time, by engine."""


def rules(effort: Effort) -> list[Measure]:
    """Playouts in turn, then single moves."""
    return _measures(_rates(effort)) + _single_moves(effort)


def _rates(effort: Effort) -> Rates:
    """All engines in turn."""
    engines: dict[str, Playout] = {game_id: ours(game_id) for game_id in sorted(GAMES)}
    engines[RLCARD] = rlcard_uno
    if find_spec("pyspiel"):  # no wheel for every platform
        engines[OPENSPIEL] = openspiel_crazy_eights
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
        if name in {RLCARD, RULE_AGENTS, OPENSPIEL}:
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


def _single_moves(effort: Effort) -> list[Measure]:
    """``legal_moves`` and ``play`` of one card in Uno, with hands of several sizes."""
    costs = {size: _cost_us(*_with_hand(size), effort.pick(20_000, 200)) for size in HANDS}
    smallest = costs[HANDS[0]]
    return [
        Measure(
            benchmark="rules",
            measure=f"legal_moves and play, hand of {size}",
            unit="µs",
            ours=cost,
            baseline=smallest,
            ratio=cost / smallest,
        )
        for size, cost in costs.items()
    ]


def _with_hand(size: int) -> tuple[Game, Move]:
    """A game of Uno where seat 0 is in turn and holds ``size`` cards, and one of them that is playable."""
    game = new_game("uno", 2, seed=1)
    deck, cards = list(game.state.deck()), game.state.cards
    Random(size).shuffle(deck)
    top = next(card for card in deck if cards.symbol[card] == 5)
    deck.remove(top)
    fits = next(card for card in deck if card in cards.fits[top] and cards.symbol[card] < 10)
    deck.remove(fits)
    game.begin(dealer=1, hands=[[fits, *deck[: size - 1]], deck[size - 1 : size + 1]], first=top)
    return game, lay(fits)


def _cost_us(game: Game, card: Move, shots: int) -> float:
    """Microseconds, the median of many; the move is taken back between, untimed."""

    def move() -> None:
        if card in game.legal_moves(0):
            game.play(0, card)

    shot = timed(move, after=game.undo)
    with calm():
        return median(shot() for _ in range(shots)) / 1e3
