"""Perft: how many lines of play there are to a given depth from a fixed deal, pinned for each game.

Any change of the rules that adds, loses or doubles a legal move anywhere in those trees changes a count. A line counts
the moves of all seats that may act; demands are paid at once (a press brings nothing or two cards: both are followed).
"""

from __future__ import annotations

from random import Random

import pytest

from dispenser.rules import GAMES, Game, new_game
from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.game import BY_CHANCE
from dispenser.rules.engine.phases import IN_ROUND
from tests.sampled import sampled

COUNTS = {
    "uno-extreme": [[40], [42, 556], [39, 1536]],
    "uno": [[3, 10, 35, 95], [2, 12, 27, 77], [8, 23, 116, 601]],
    "huit-americain": [[11, 38, 204, 1263], [3, 24, 169, 574], [8, 52, 333, 1586]],
    "151": [[4, 9, 19], [29, 825], [25, 108, 261]],
    "uno-vache": [[2, 9, 32, 88, 242], [2, 15, 70, 205, 1000], [2, 10, 51, 296, 1421]],
}


def fixed_deal(game_id: str, number: int) -> Game:
    """Three seats, every option at its default, the cards in an order that never changes."""
    game = new_game(game_id, 3)
    deck = sorted(game.state.deck())
    Random(f"{game_id} {number}").shuffle(deck)
    game.begin(dealer=number % 3, pile=deck)
    return game


def perft(game: Game, depth: int) -> int:
    """Lines of ``depth`` moves from here; one that ends earlier is a line, too."""
    if game.state.demands:
        total = 0
        for delivered in (0, 2) if game.state.draws is Owed.PRESSES else (BY_CHANCE,):
            game.fulfil(delivered)
            total += perft(game, depth)
            game.undo()
        return total
    if depth == 0 or game.phase not in IN_ROUND:
        return 1
    total = 0
    for seat in game.actors():
        for move in list(game.legal_moves(seat)):
            game.play(seat, move)
            total += perft(game, depth - 1)
            game.undo()
    return total


@pytest.mark.parametrize("game_id", sorted(GAMES))
@pytest.mark.parametrize("number", sampled(range(3), 3))
def test_the_number_of_lines(game_id: str, number: int) -> None:
    game = fixed_deal(game_id, number)
    before = game.state.save()
    counts = [perft(game, depth) for depth in range(1, len(COUNTS[game_id][number]) + 1)]
    assert game.state.save() == before
    assert counts == COUNTS[game_id][number]
