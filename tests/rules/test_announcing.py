"""Saying that one has one card left, with others who have said it or forgot it (G-03)."""

from __future__ import annotations

import pytest

from dispenser.rules.engine.moves import (
    ANNOUNCE,
    catch,
    lay,
)
from tests.rules import vache
from tests.rules.tables import card, deal


class TestAnnouncing:
    @pytest.mark.parametrize("game_id", ["uno", "uno-extreme", "uno-vache"])
    def test_who_announces_does_not_silence_who_did_before_g_03(self, game_id: str) -> None:
        hands = ["red 1, red 2", "red 3, red 4", "green 1, green 2"]
        game = vache.table(hands, "red 9") if game_id == "uno-vache" else deal(game_id, hands, "red 9")
        for seat, held in enumerate(("red 1", "red 3")):
            game.play(seat, ANNOUNCE)
            game.play(seat, lay(card(game.state.cards, held)))
        assert (game.state.announced, game.state.exposed) == ({0, 1}, set())

    def test_who_presses_for_another_can_still_be_caught_g_03_e_21(self) -> None:
        game = deal("uno-extreme", ["red 1, red 2, red 3", "extreme hit, green 1", "blue 1, blue 2"], "red 9")
        game.play(0, lay(card(game.state.cards, "red 1")))
        game.play(1, lay(card(game.state.cards, "extreme hit"), colour=2, seat=0))
        game.fulfil(1)
        assert game.state.exposed == {1}
        assert catch(1) in game.legal_moves(2)
