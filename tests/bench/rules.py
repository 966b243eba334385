"""``rules``: moves a second in random playouts of each game, beside RLCard and OpenSpiel; what one move costs.

A playout stops at the end of a round in every engine; so moves are counted, not games. The engines take turns, one
CPU, five times; the median counts.
"""

from __future__ import annotations

from importlib.util import find_spec
from random import Random
from statistics import median

from dispenser.rules import GAMES, Game, new_game
from dispenser.rules.engine.moves import Move, lay
from tests.bench.measure import Measure
from tests.bench.playouts import Playout, openspiel_crazy_eights, ours, rlcard_uno
from tests.bench.timing import Effort, calm, timed

MOVES_A_SECOND = 300_000
TIMES_RLCARD = 2.0
HANDS = (2, 7, 20, 50, 100)


def rules(effort: Effort) -> list[Measure]:
    """Playouts in turn, then single moves."""
    engines: dict[str, Playout] = {game_id: ours(game_id) for game_id in sorted(GAMES)}
    engines["RLCard uno"] = rlcard_uno
    if find_spec("pyspiel"):  # no wheel for every platform
        engines["OpenSpiel crazy_eights"] = openspiel_crazy_eights
    rates: dict[str, list[float]] = {name: [] for name in engines}
    with calm():
        for turn in range(effort.pick(5, 1) + 1):
            for name, play in engines.items():
                moves, took_ns = play(effort.pick(60_000, 500) if turn else 500, turn)
                if turn:  # the first warms up
                    rates[name].append(moves / took_ns * 1e9)
    rlcard = median(rates["RLCard uno"])
    return [
        *(_rate(name, rates[name], rlcard) for name in engines if name in GAMES),
        *(
            Measure(benchmark="rules", measure=f"{name}, moves a second", unit="", ours=median(each))
            for name, each in rates.items()
            if name not in GAMES
        ),
        *_single_moves(effort),
    ]


def _rate(game_id: str, rates: list[float], rlcard: float) -> Measure:
    rate = median(rates)
    return Measure(
        benchmark="rules",
        measure=f"{game_id}, moves a second (RLCard uno)",
        unit="",
        ours=rate,
        baseline=rlcard,
        ratio=rlcard / rate,
        goal=f"≥ {MOVES_A_SECOND // 1000} k, ratio ≤ {1 / TIMES_RLCARD:g}",
        met=rate >= MOVES_A_SECOND and rlcard / rate <= 1 / TIMES_RLCARD,
        detail={"each": rates},
    )


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
    fits = next(card for card in deck if card in cards.matches[top] and cards.symbol[card] < 10)
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
