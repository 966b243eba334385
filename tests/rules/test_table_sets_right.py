"""Penalties, corrections and counts of the table, and what they may not do; each test names the rule that it holds."""

from __future__ import annotations

import pytest

from dispenser.rules import GAMES, IllegalMove, new_game
from dispenser.rules.engine.events import What
from dispenser.rules.engine.history import CHECKPOINT_EVERY
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, PASS, Move, lay
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, COUNTING
from dispenser.rules.games.uno.game import Uno
from tests.rules.refusals import counting, refusal_of
from tests.rules.tables import card, cards_of, conserved, deal, random_actions

GAME_IDS = sorted(GAMES)


class TestCorrections:
    def test_nothing_is_set_right_while_the_hands_are_counted_g_06(self) -> None:
        game = counting()
        with pytest.raises(IllegalMove, match="no round is under way"):
            game.correct_turn(1)
        with pytest.raises(IllegalMove, match="no round is under way"):
            game.correct_hand(1, size=3)
        with pytest.raises(IllegalMove, match="no round is under way"):
            game.penalise(1, "advice")
        with pytest.raises(IllegalMove):
            game.answer(True)
        assert refusal_of(game, 1, DRAW).rule == "E-26"

    def test_undo_carries_out_little_again_however_long_the_match(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = new_game("uno", 3, seed=1)
        random_actions(game, 1, 3 * CHECKPOINT_EVERY + 20)
        again: list[Move] = []
        carry_out = Uno.carry_out

        def carry_out_and_count(rules: Uno, seat: int, move: Move) -> None:
            again.append(move)
            carry_out(rules, seat, move)

        monkeypatch.setattr(Uno, "carry_out", carry_out_and_count)
        game.undo()
        assert 0 < len(again) <= CHECKPOINT_EVERY

    def test_what_was_called_is_over_when_the_turn_is_set_right_g_03(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2", "blue 7, blue 8"], "red 9")
        game.play(0, ANNOUNCE)
        game.correct_turn(1)
        assert game.state.calling == set()
        game.correct_turn(0)
        assert ANNOUNCE in game.legal_moves(0)

    def test_what_was_legal_before_undo_is_not_legal_after_it_g_06(self) -> None:
        game = deal("uno", ["red 1, red 2, red 3", "red 4, blue 2, blue 3"], "red 9")
        game.play(0, lay(cards_of("uno", "red 1")[0]))
        assert lay(cards_of("uno", "red 4")[0]) in game.legal_moves(1)
        game.undo()
        assert refusal_of(game, 1, lay(cards_of("uno", "red 4")[0])).rule == "U-03"


class TestCounting:
    def test_no_reload_is_asked_for_while_the_hands_are_counted_e_31(self) -> None:
        game = new_game("uno-extreme", 2, {"reload-at": 10}, hidden=True)
        game.begin(dealer=1, first=cards_of("uno-extreme", "red 5")[0])
        doubles = "red 1, red 1, red 2, red 2, red 3, red 3, red 4, red 4"
        game.correct_hand(0, cards=cards_of("uno-extreme", f"{doubles}, red discard all"))
        happened = game.play(0, lay(cards_of("uno-extreme", "red discard all")[0]))
        assert (len(game.state.talon), game.phase) == (10, COUNTING)
        assert What.RELOAD_ASKED not in {event.what for event in happened}


class TestNotInHand:
    """G-04: a seat lays what it has, and a card that nobody has seen is no card to lay."""

    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_the_unknown_card_of_a_hidden_hand_g_04(self, game_id: str) -> None:
        game = new_game(game_id, 3, hidden=True)
        three = next(kind for kind in range(52) if game.state.cards.symbol[kind] == 2 and game.state.may_start(kind))
        game.begin(dealer=2, first=three)
        while game.phase == CHOOSING_DIRECTION or game.state.demands:
            game.play(game.turn, game.legal_moves(game.turn)[0])
        for seat in range(3):
            assert refusal_of(game, seat, lay(game.state.unknown)).rule == "G-04"

    def test_known_cards_of_a_hidden_hand_can_be_laid_though_none_is_left_elsewhere_u_09(self) -> None:
        game = new_game("uno", 2, hidden=True)
        red_zero = card(GAMES["uno"].rules.cards, "red 0")
        game.begin(dealer=1, first=cards_of("uno", "red 5")[0])
        game.play(0, DRAW)
        game.fulfil([red_zero])
        game.play(0, PASS)
        game.play(1, DRAW)
        game.fulfil(cards_of("uno", "blue 1"))
        assert game.state.hands[0][game.state.unknown] == 7
        assert lay(red_zero) in game.legal_moves(0)
        game.play(0, lay(red_zero))
        assert conserved(game.state)


def test_the_table_tells_the_points_of_hidden_hands_u_20() -> None:
    game = new_game("uno", 3, hidden=True)
    (red_9,), (red_1,) = cards_of("uno", "red 9"), cards_of("uno", "red 1")
    game.begin(dealer=2, first=red_9)
    game.correct_hand(0, cards=cards_of("uno", "red 1"))
    game.correct_hand(1, cards=cards_of("uno", "wild"))
    game.correct_hand(1, size=2)
    game.correct_hand(2, cards=cards_of("uno", "red 9"))
    game.play(0, lay(red_1))
    assert game.question is not None
    assert (game.question.kind, game.question.seat) == ("points", 1)
    with pytest.raises(IllegalMove, match="counts 50 to 100"):
        game.answer(49)
    with pytest.raises(IllegalMove, match="known to hold wild"):
        game.answer(cards_of("uno", "red 2, red 3"))
    with pytest.raises(IllegalMove, match="has 2 cards"):
        game.answer(cards_of("uno", "wild"))
    with pytest.raises(IllegalMove, match="seen elsewhere"):
        game.answer(cards_of("uno", "wild, red 9"))
    game.answer(cards_of("uno", "wild, red 3"))
    assert game.state.scores == [50 + 3 + 9, 0, 0]
