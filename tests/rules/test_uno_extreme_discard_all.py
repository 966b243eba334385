"""Uno Extrême, Discard All with open and with hidden hands (E-18)."""

from __future__ import annotations

from typing import Any

import pytest

from dispenser.rules.engine.demands import Demand, Owed, Question
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, catch
from dispenser.rules.engine.phases import COUNTING, IDLE
from dispenser.rules.registry import new_game
from tests.rules.extreme import (
    LOW,
    RED,
    cards,
    deal,
    kind,
    laying,
    press_instead_of_playing,
    refused,
)
from tests.rules.tables import hand


class TestDiscardAll:
    """E-18, with open hands."""

    HELD = "red 3, red 7, red skip, blue 5, red discard all, red discard all, wild"

    def test_e_18_all_of_its_colour_go_down_under_it(self) -> None:
        game = deal([self.HELD, LOW, LOW.replace("blue 1", "blue 2").replace("1", "4").replace("2", "6")])
        game.play(0, laying("red discard all"))
        below = cards("red 3, red 7, red skip, red discard all")
        assert game.events == [
            Event(What.LAID, 0, move=laying("red discard all")),
            *(Event(What.DISCARDED, 0, card=card) for card in below),
            Event(What.TURN, 1),
        ]
        assert game.state.talon == [kind("red 9"), *below, kind("red discard all")]
        assert hand(game, 0) == ["blue 5", "wild"]
        assert (game.state.sizes[0], game.turn, game.state.direction) == (2, 1, 1)  # the skip beneath does nothing
        assert game.state.conserved()

    def test_e_18_on_its_colour_or_on_another_discard_all_and_only_its_symbol_counts(self) -> None:
        game = deal([self.HELD, "blue discard all, blue 4, green 3, green skip, yellow 2", LOW])
        game.play(0, laying("red discard all"))
        assert game.legal_moves(1) == [laying("blue discard all"), DRAW]
        game.play(1, laying("blue discard all"))
        assert hand(game, 1) == ["yellow 2", "green 3", "green skip"]
        game = deal([self.HELD, LOW], "blue 2")
        assert refused(game, 0, laying("red discard all")) == "E-18"

    def test_e_18_it_may_empty_the_hand_and_wins(self) -> None:
        game = deal(["red 3, red discard all", "blue 5"])
        game.play(0, laying("red discard all"))
        assert (game.phase, game.state.round_winner, game.state.scores) == (IDLE, 0, [5, 0])

    def test_e_18_wild_cards_stay_and_one_card_left_must_be_announced(self) -> None:
        game = deal(["red 3, red 4, wild, red discard all", LOW])
        game.play(0, laying("red discard all"))
        assert hand(game, 0) == ["wild"]
        assert ANNOUNCE in game.legal_moves(0)
        game.play(1, catch(0))
        assert game.demand == Demand(Owed.PRESSES, 0, 0, 2, "E-24", penalty=True)

    @pytest.mark.parametrize("held", ["wild, red discard all", "wild, red 3, red 4, red discard all"])
    def test_e_18_who_has_called_before_it_is_safe_g_03(self, held: str) -> None:
        game = deal([held, LOW])
        game.play(0, ANNOUNCE)
        game.play(0, laying("red discard all"))
        assert (game.state.exposed, game.state.announced) == (set(), {0})

    @pytest.mark.parametrize(
        "held",
        [
            "red 3, red 4, red discard all",  # it leaves none
            "wild, blue 3, red 4, red discard all",  # it leaves two
            "wild, blue 3, blue 4, blue discard all",  # it does not fit
        ],
    )
    def test_g_03_one_does_not_call_before_a_card_that_cannot_leave_one(self, held: str) -> None:
        assert refused(deal([held, LOW]), 0, ANNOUNCE) == "E-24"

    def test_e_18_a_call_before_it_that_comes_to_nothing_holds_no_longer(self) -> None:
        """Somebody calls, and then lays another card than the Discard All."""
        game = deal(["wild, red 3, red discard all", LOW])
        game.play(0, ANNOUNCE)
        game.play(0, laying("red 3"))
        press_instead_of_playing(game)
        game.play(0, laying("red discard all"))
        assert game.state.exposed == {0}


class TestHiddenDiscardAll:
    """E-18, with hidden hands: the table says what went down."""

    def laid(self, size: int = 7) -> Game:
        game = new_game("uno-extreme", 2, hidden=True)
        game.begin(dealer=1)
        game.answer(kind("red 9"))
        if size != 7:
            game.correct_hand(0, size=size)
        game.play(0, laying("red discard all"))
        return game

    def wrong(self, game: Game, answer: Any) -> str:
        before = game.state.save()
        with pytest.raises(IllegalMove) as refusal:
            game.answer(answer)
        assert game.state.save() == before
        return refusal.value.rule

    def test_e_18_the_table_is_asked(self) -> None:
        game = self.laid()
        assert game.question == Question("discarded", 0, "E-18")
        assert not game.actors()
        assert refused(game, 0, DRAW) == "E-18"
        game.answer(cards("red 7, red 3, red 7"))
        assert game.state.talon == cards("red 9, red 3, red 7, red 7, red discard all")
        assert (game.state.sizes, game.turn, game.question) == ([3, 7], 1, None)
        assert game.state.conserved()

    def test_e_18_maybe_nothing_went_down_with_it(self) -> None:
        game = self.laid()
        game.answer([])
        assert (game.state.sizes, game.turn, game.state.colour) == ([6, 7], 1, RED)

    def test_e_18_an_answer_that_cannot_be(self) -> None:
        game = self.laid(size=4)
        assert self.wrong(game, 2) == "E-18"
        assert self.wrong(game, cards("red 3, blue 4")) == "E-18"
        assert self.wrong(game, cards("wild")) == "E-18"
        assert self.wrong(game, cards("red 1, red 2, red 3, red 4")) == "E-18"
        assert self.wrong(game, cards("red 9, red 9")) == "G-04"

    def test_e_18_a_known_card_of_the_colour_goes_down(self) -> None:
        game = new_game("uno-extreme", 2, hidden=True)
        game.begin(dealer=1)
        game.answer(kind("red 9"))
        press_instead_of_playing(game)
        game.play(1, DRAW)
        game.fulfil(0)
        game.play(0, DRAW)
        game.fulfil(cards("red 5, blue 5"))
        press_instead_of_playing(game)
        game.play(0, laying("red discard all"))
        assert self.wrong(game, []) == "E-18"
        game.answer(cards("red 5"))
        assert "blue 5" in hand(game, 0)
        assert game.state.sizes[0] == 7

    def test_e_18_it_may_empty_a_hidden_hand(self) -> None:
        game = self.laid(size=3)
        assert not game.state.exposed
        game.answer(cards("red 5, red 6"))
        assert game.state.round_winner == 0
        assert game.question == Question("points", 1, "E-26")

    def test_g_03_with_a_hidden_hand_the_table_vouches_for_a_call(self) -> None:
        game = new_game("uno-extreme", 2, hidden=True)
        game.begin(dealer=1)
        game.answer(kind("red 9"))
        game.play(0, ANNOUNCE)
        game.play(0, laying("red discard all"))
        game.answer(cards("red 1, red 2, red 3, red 4, red 5"))
        assert (game.state.sizes[0], game.state.announced) == (1, {0})

    def test_e_18_one_card_left_is_exposed_only_when_the_table_has_told(self) -> None:
        game = self.laid(size=2)
        assert (game.state.exposed, game.actors()) == (set(), [])
        game.answer([])
        assert game.state.exposed == {0}
        assert catch(0) in game.legal_moves(1)

    def test_e_18_the_last_card_asks_nothing(self) -> None:
        game = self.laid(size=1)
        assert (game.state.round_winner, game.phase) == (0, COUNTING)
