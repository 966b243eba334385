"""Uno Extrême when all who are left go over the limit at once (E-30)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dispenser.rules import Game, new_game
from dispenser.rules.engine.moves import effect
from dispenser.rules.engine.phases import MATCH_OVER
from tests.rules.extreme import RED, cards, kind, laying


def ended(others: Sequence[str], scores: Sequence[int]) -> Game:
    """Seat 0 goes out with a Customizable that has it press for itself, and a wild card comes out: it scores 50."""
    game = new_game("uno-extreme", len(scores), {"scoring": "elimination", "target": 500})
    hands = [cards(held) for held in ("customizable", *others)]
    game.begin(dealer=len(scores) - 1, hands=hands, first=kind("red 9"), pile=cards("wild"), scores=scores)
    game.play(0, laying("customizable", RED))
    game.play(0, effect(0, 1))
    game.fulfil(1)
    assert game.state.round_winner == 0
    return game


@pytest.mark.parametrize(
    ("others", "order"),
    [(["red 7"], (0, 1)), (["extreme hit"], (0, 1)), (["red 8", "red 7"], (0, 2, 1)), (["red 7", "red 8"], (0, 1, 2))],
)
def test_when_all_go_over_the_limit_at_once_who_won_the_round_wins_e_30_e_23(
    others: Sequence[str], order: Sequence[int]
) -> None:
    game = ended(others, [495] * len(order))
    assert min(game.state.scores) > 500
    assert game.outcome is not None
    assert (game.phase, game.outcome.winners, game.outcome.ranking) == (MATCH_OVER, (0,), order)
    assert (game.state.still_in(), game.state.eliminated) == ([0], order[:0:-1])


def test_who_won_the_round_is_out_when_another_stays_under_the_limit_e_30() -> None:
    game = ended(["red 7", "red 5"], [495, 495, 495])
    assert game.outcome is not None
    assert (game.outcome.winners, game.outcome.ranking) == ((2,), (2, 1, 0))
