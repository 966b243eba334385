"""Hands in Uno: bluffs, and what was announced."""

from __future__ import annotations

import pytest

from dispenser.rules import IllegalMove, new_game
from dispenser.rules.engine.moves import (
    ANNOUNCE,
    CHALLENGE,
    DRAW,
    lay,
)
from tests.rules.tables import card, cards_of, deal


class TestHands:
    def test_whether_it_was_a_bluff_is_answered_with_yes_or_no_u_16(self) -> None:
        game = new_game("uno", 2, hidden=True)
        game.begin(dealer=1, first=cards_of("uno", "red 5")[0])
        game.correct_hand(0, cards=cards_of("uno", "+4, green 1"))
        game.correct_hand(0, size=3)
        game.play(0, lay(card(game.state.cards, "+4"), colour=1))
        game.play(1, CHALLENGE)
        with pytest.raises(IllegalMove) as refusal:
            game.answer(1)
        assert refusal.value.rule == "U-16"
        game.answer(True)
        assert [(demand.payer, demand.number) for demand in game.state.demands] == [(0, 4)]

    def test_who_announces_and_then_draws_has_announced_nothing_u_17(self) -> None:
        game = deal("uno", ["red 1, red 2", "blue 1, blue 2, blue 3"], "red 9")
        game.play(0, ANNOUNCE)
        game.play(0, DRAW)
        assert game.state.calling == set()

    def test_a_bluff_taken_back_is_no_last_card_to_have_announced_u_16_u_17(self) -> None:
        game = deal("uno", ["+4, red 1", "blue 1, blue 2, blue 3"], "red 9")
        game.play(0, ANNOUNCE)
        game.play(0, lay(card(game.state.cards, "+4"), colour=1))
        assert game.state.announced == {0}
        game.play(1, CHALLENGE)
        assert (game.state.sizes[0], game.state.announced) == (2, set())
