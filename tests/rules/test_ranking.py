"""The best first, whatever counts as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dispenser.rules import new_game
from dispenser.rules.engine.moves import lay
from tests.rules.tables import cards_of


class TestRanking:
    """The best first, whatever counts as good; who is out of the match comes last."""

    @pytest.mark.parametrize(
        ("game_id", "options", "order"),
        [
            ("uno", {"scoring": "winner"}, (1, 2, 0)),
            ("uno", {"scoring": "low-score"}, (0, 2, 1)),
            ("uno-extreme", {"scoring": "winner"}, (1, 2, 0)),
            ("uno-extreme", {"scoring": "low-score"}, (0, 2, 1)),
            ("huit-americain", {}, (1, 2, 0)),
            ("151", {}, (0, 2, 1)),
        ],
    )
    def test_by_points(self, game_id: str, options: Mapping[str, Any], order: Sequence[int]) -> None:
        game = new_game(game_id, 3, options)
        game.state.scores = [0, 70, 20]
        assert game.ranking() == order

    @pytest.mark.parametrize("scoring", ["winner", "own-points"])
    @pytest.mark.parametrize("scores", [(0, 0, 0), (0, 0, 90)])
    def test_who_wins_a_single_deal_comes_first_h_11_h_12(self, scoring: str, scores: Sequence[int]) -> None:
        game = new_game("huit-americain", 3, {"match": "single", "scoring": scoring})
        hands = [
            cards_of("huit-americain", held) for held in ("8 of clubs, 5 of clubs", "2 of hearts", "king of clubs")
        ]
        game.begin(dealer=0, hands=hands, first=cards_of("huit-americain", "9 of hearts")[0], pile=(), scores=scores)
        game.play(1, lay(hands[1][0]))
        assert game.outcome is not None
        assert (game.outcome.winners, game.outcome.scores[1]) == ((1,), 65)
        assert game.outcome.ranking == ((1, 2, 0) if any(scores) else (1, 0, 2))

    def test_who_is_over_the_limit_comes_last_e_30(self) -> None:
        game = new_game("uno-extreme", 3, {"scoring": "elimination"})
        game.state.scores = [120, 40, 60]
        game.state.gone.add(1)
        assert game.ranking() == (2, 0, 1)
