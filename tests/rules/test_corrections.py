"""What the table sets right: counts, cards, turns. The cards stay the whole deck (G-04)."""

from __future__ import annotations

import pytest

from dispenser.rules import Game, IllegalMove, RecordError, new_game
from dispenser.rules.engine.game import Action, Deed
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, PASS, lay
from dispenser.rules.engine.phases import PLAYING
from tests.rules.tables import cards_of, conserved, deal, hand


def _hidden() -> Game:
    game = new_game("uno", 3, hidden=True)
    game.begin(dealer=2, first=cards_of("uno", "red 5")[0])
    return game


class TestHiddenHand:
    def test_a_count_that_cannot_be(self) -> None:
        game = _hidden()
        for size in (0, -1, 200):
            with pytest.raises(IllegalMove, match="that hand can have 1 to 93 cards") as refusal:
                game.correct_hand(1, size=size)
            assert refusal.value.rule == "G-04"
        assert game.state.sizes == [7, 7, 7]

    def test_known_cards_stay_when_the_count_shrinks(self) -> None:
        game = _hidden()
        game.correct_hand(1, cards=cards_of("uno", "red 1, red 2"))
        with pytest.raises(IllegalMove, match="2 to"):
            game.correct_hand(1, size=1)
        game.correct_hand(1, size=3)
        assert hand(game, 1) == ["red 1", "red 2", "?"]
        assert conserved(game.state)


class TestOpenHand:
    def test_the_cards_of_a_hand_are_set_right(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2", "blue 7, blue 8"], "red 9")
        game.correct_hand(2, cards=cards_of("uno", "blue 7, wild, wild"))
        assert hand(game, 2) == ["blue 7", "wild", "wild"]
        assert conserved(game.state)

    def test_a_size_alone_says_too_little(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2"], "red 9")
        for wrong in ({"size": 3}, {}, {"size": 3, "cards": [1]}):
            with pytest.raises(IllegalMove, match="give the size of a hidden hand, or the cards"):
                game.correct_hand(0, **wrong)  # type: ignore[arg-type]


class TestTurn:
    def test_not_while_something_is_owed(self) -> None:
        game = _hidden()
        game.play(0, DRAW)
        with pytest.raises(IllegalMove, match="finish what is owed"):
            game.correct_turn(2)


def test_a_correction_is_undone_like_a_move() -> None:
    game = _hidden()
    before = game.state.save()
    game.correct_hand(1, size=9)
    game.correct_hand(1, cards=cards_of("uno", "wild"))
    after = game.state.save()
    game.undo()
    game.undo()
    assert game.state.save() == before
    game.redo()
    game.redo()
    assert game.state.save() == after


class TestFoundByAReader:
    """A cold review of the engine found these; each broke the count of the cards or the end of a round (G-04)."""

    def test_a_drawn_card_that_was_set_right_away_cannot_be_played(self) -> None:
        game = deal("uno", ["green 5, green 6", "yellow 1, yellow 2"], "red 7", pile="red 3, red 4")
        game.play(0, DRAW)
        game.fulfil_by_chance()
        game.correct_hand(0, cards=cards_of("uno", "green 5, green 6"))
        assert game.legal_moves(0) == [PASS, ANNOUNCE]
        assert conserved(game.state)

    def test_a_card_of_the_talon_can_come_in_the_draw_that_reshuffles_it(self) -> None:
        game = new_game("uno", 2, hidden=True)
        zero, one = cards_of("uno", "red 0, red 1")
        game.begin(dealer=1, first=zero)
        game.play(0, lay(one))
        game.correct_hand(0, size=game.state.sizes[0] + game.state.in_pile())
        game.play(1, DRAW)
        game.fulfil([zero])
        assert game.state.hands[1][zero] == 1
        assert conserved(game.state)

    @pytest.mark.parametrize("has_now", ["red 6", "red 6, red 7"])
    def test_who_was_going_out_and_has_cards_after_all_has_not_won_e_23(self, has_now: str) -> None:
        game = deal("uno-extreme", ["red press 2", "red 2, red 3", "red 4, red 5"], "red 8")
        game.play(0, lay(cards_of("uno-extreme", "red press 2")[0]))
        game.correct_hand(0, cards=cards_of("uno-extreme", has_now))
        game.fulfil(0)
        game.fulfil(0)
        assert (game.phase, game.turn, game.state.going_out) == (PLAYING, 2, -1)

    def test_a_rejected_first_card_is_not_lost_while_another_is_asked_for(self) -> None:
        game = new_game("uno", 2, hidden=True)
        game.begin(dealer=1)
        game.answer(cards_of("uno", "+4")[0])
        assert conserved(game.state)

    def test_cards_told_for_one_hand_are_in_no_other(self) -> None:
        game = new_game("uno", 3, hidden=True)
        zero, one = cards_of("uno", "red 0, red 1")
        game.begin(dealer=2, first=cards_of("uno", "red 9")[0])
        game.correct_hand(0, cards=[one])
        for seat in (1, 2):
            game.correct_hand(seat, size=1)
        game.play(0, lay(one))
        game.answer([zero])
        with pytest.raises(IllegalMove, match="seen elsewhere"):
            game.answer([zero])
        with pytest.raises(IllegalMove, match="counts 0 to 50"):
            game.answer(10**9)


def test_an_amendment_that_breaks_leaves_the_match_as_it_was() -> None:
    game = deal("uno", ["red 1, red 2, red 3", "red 4, blue 2, blue 3"], "red 9")
    game.play(0, lay(1))
    before, log = game.state.save(), list(game.log)
    for action in (
        Action(Deed.BEGIN, None, {"dealer": 5}),
        Action(Deed.PLAY, 0, lay(1)),
    ):
        with pytest.raises(RecordError):
            game.amend(0, action)
        assert (game.state.save(), game.log) == (before, log)
