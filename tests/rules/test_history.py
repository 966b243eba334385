"""Undo, redo and amendments: the past can be taken back exactly, and set right (G-05, G-06)."""

from __future__ import annotations

import pytest

from dispenser.rules import GAMES, RecordError, new_game
from dispenser.rules.engine.errors import NothingToUndoError
from dispenser.rules.engine.game import Action, Deed
from dispenser.rules.engine.history import CHECKPOINT_EVERY
from dispenser.rules.engine.moves import DRAW, lay
from tests.rules.tables import deal, hand, random_actions
from tests.sampled import sampled

GAME_IDS = sorted(GAMES)


@pytest.mark.parametrize("game_id", sampled(GAME_IDS, 2))
def test_a_match_can_be_taken_back_to_its_start_and_done_again(game_id: str) -> None:
    game = new_game(game_id, 4, seed=20)
    empty = game.state.save()
    random_actions(game, 20, 5 * CHECKPOINT_EVERY + 7)
    states, events = [], []
    while game.log:
        states.append(game.state.save())
        events.append(game.events)
        game.undo()
    assert game.state.save() == empty
    with pytest.raises(NothingToUndoError, match="start of the match"):
        game.undo()
    while game.undone:
        game.redo()
        assert game.state.save() == states.pop()
        assert game.events == events.pop()
    with pytest.raises(NothingToUndoError, match="nothing to redo"):
        game.redo()


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_the_same_seed_and_the_same_moves_give_the_same_match_g_05(game_id: str) -> None:
    one, other, third = (new_game(game_id, 3, seed=seed) for seed in (8, 8, 9))
    for game in (one, other, third):
        random_actions(game, 1, 200)
    assert one.state.save() == other.state.save()
    assert one.log == other.log
    assert one.state.save() != third.state.save()


def test_a_game_has_no_attribute_that_undo_does_not_know() -> None:
    assert not hasattr(new_game("uno", 3), "__dict__")


def test_who_undoes_a_draw_gets_the_same_card_again_g_05() -> None:
    game = new_game("uno", 2, seed=3)
    game.begin()
    game.play(game.turn, DRAW)
    game.fulfil_by_chance()
    drawn = game.state.drawn
    for _ in range(5):
        game.undo()
        game.fulfil_by_chance()
        assert game.state.drawn == drawn


def test_a_new_action_forgets_what_was_taken_back() -> None:
    game = deal("uno", ["red 1, red 2, red 3", "blue 1, blue 2, blue 3"], "red 9")
    game.play(0, lay(1))
    game.undo()
    game.play(0, lay(2))
    with pytest.raises(NothingToUndoError):
        game.redo()


class TestAmend:
    """A wrong card or a wrong seat of the past is set right, and what followed is played again."""

    def test_a_wrong_card(self) -> None:
        game = deal("uno", ["red 1, red 2, red 3", "red 4, blue 2, blue 3"], "red 9")
        game.play(0, lay(1))
        game.play(1, lay(4))
        game.amend(1, Action(Deed.PLAY, 0, lay(2)))
        assert hand(game, 0) == ["red 1", "red 3"]
        assert hand(game, 1) == ["blue 2", "blue 3"]
        assert len(game.log) == 3

    def test_a_wrong_count_of_a_press(self) -> None:
        game = deal("uno-extreme", ["red 1, red 2, red 3", "red 4, blue 2, blue 3"], "blue 9")
        game.play(0, DRAW)
        game.fulfil(2)
        game.amend(2, Action(Deed.FULFIL, 0, 3))
        assert game.state.sizes == [6, 3]

    def test_there_must_be_such_an_action(self) -> None:
        game = deal("uno", ["red 1", "red 4"], "red 9")
        with pytest.raises(RecordError, match="no action 5"):
            game.amend(5, Action(Deed.PLAY, 0, lay(1)))
