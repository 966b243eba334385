"""Who may speak up out of turn, and each chance once."""

from __future__ import annotations

from dispenser.rules.engine.moves import catch, lay
from dispenser.table.match import Turns
from tests.table.games import uno


def test_a_chance_comes_once_until_another_card_is_laid() -> None:
    game = uno([[1, 2, 7, 15, 52], [8, 40], [30, 3, 32, 33, 34]])
    turns = Turns(game)
    turns.heed(game.play(0, lay(7)))
    turns.heed(game.play(1, lay(8)))
    assert turns.chances(0) == (catch(1),)
    assert turns.chances(0) == ()
    assert turns.chances(2) == (), "seat 2 is in turn, and asked for a move"
    turns.heed(game.play(2, lay(3)))
    assert turns.chances(0) == (), "the chance is over"
