"""Last cards of Huit américain, and moves of other games."""

from __future__ import annotations

from dispenser.rules.engine.moves import (
    DRAW,
    lay,
    name,
)
from dispenser.rules.engine.phases import IN_ROUND
from tests.rules.refusals import refusal_of
from tests.rules.tables import card, cards_of, deal


class TestLastCards:
    def test_who_covers_a_ten_with_a_last_ace_can_no_longer_be_caught_g_03_h_09(self) -> None:
        hands = ["10 of hearts, ace of hearts", "3 of clubs, 4 of clubs", "3 of spades, 4 of spades"]
        game = deal("huit-americain", hands, "2 of hearts")
        game.play(0, lay(card(game.state.cards, "10 of hearts")))
        assert game.state.exposed == {0}
        game.play(0, lay(card(game.state.cards, "ace of hearts")))
        assert (game.state.round_winner, game.state.exposed) == (0, set())

    def test_a_move_of_another_game_is_no_such_move_g_06(self) -> None:
        game = deal("huit-americain", ["8 of hearts, 9 of hearts", "3 of clubs, 4 of clubs"], "2 of hearts")
        for detail in range(4):
            assert refusal_of(game, 0, name(detail)).rule == "G-06"


def test_a_bare_ten_is_no_way_out_even_when_there_is_nothing_to_draw_h_08() -> None:
    game = deal("huit-americain", ["10 of hearts", "9 of clubs, 9 of spades", "3 of clubs, 3 of spades"], "2 of hearts")
    game.correct_hand(
        2, cards=[*cards_of("huit-americain", "3 of clubs, 3 of spades"), *game.state.pile, *game.state.under]
    )
    game.play(0, lay(cards_of("huit-americain", "10 of hearts")[0]))
    assert game.state.going_out == -1
    game.play(0, DRAW)
    game.fulfil_by_chance()
    assert game.phase in IN_ROUND
    assert game.state.round_winner == -1
