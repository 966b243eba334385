"""The five games beside a second implementation that was written from the rule text alone; a share of the matches.

Many more by hand: ``python -m tests.search.second_rules GAME FROM TO``; see :mod:`tests.search.second_rules.beside`.
"""

from __future__ import annotations

import pytest

from tests.search.second_rules.games import GAMES, play_beside

# The acts without which a share would prove little.
MUST_COME_UP = {
    "uno-extreme": {"lay", "draw", "announce", "catch", "presses", "effect"},
    "uno": {"lay", "draw", "pass", "take", "challenge", "announce", "catch", "reshuffles"},
    "huit-americain": {"lay", "draw", "pass", "take", "announce", "catch", "reshuffles"},
    "151": {"lay", "draw", "pass", "announce", "catch", "reshuffles"},
    "uno-vache": {"lay", "draw", "take", "cancel", "jump in", "announce", "catch", "retract", "catch retract"},
}
MATCHES = {"uno-extreme": 10, "uno": 6, "huit-americain": 10, "151": 5, "uno-vache": 8}


@pytest.mark.parametrize("first_seed", [0, 1000])
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_and_the_second_rules_agree_after_every_move(game: str, first_seed: int) -> None:
    seen = play_beside(game, range(first_seed, first_seed + MATCHES[game]))
    assert MUST_COME_UP[game] <= set(seen), seen
    assert seen["refused"]
    assert seen["deliveries refused"]
    assert seen["matches"] >= MATCHES[game] - 1, seen
