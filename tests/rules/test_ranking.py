"""The best first, whatever counts as good."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dispenser.rules import new_game


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

    def test_who_is_over_the_limit_comes_last_e_30(self) -> None:
        game = new_game("uno-extreme", 3, {"scoring": "elimination"})
        game.state.scores = [120, 40, 60]
        game.state.gone.add(1)
        assert game.ranking() == (2, 0, 1)
