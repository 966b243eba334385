"""What the tests of refusals share."""

from __future__ import annotations

import pytest

from dispenser.rules import Game, IllegalMove, new_game
from dispenser.rules.engine.moves import Move, lay
from dispenser.rules.engine.phases import COUNTING
from tests.rules.tables import cards_of


def refusal_of(game: Game, seat: int, move: Move) -> IllegalMove:
    """How the move is refused; nothing may have changed (G-06)."""
    before = game.state.save()
    with pytest.raises(IllegalMove) as refusal:
        game.play(seat, move)
    assert game.state.save() == before
    return refusal.value


def counting() -> Game:
    """A hidden round of Uno Extrême that is over; the table is asked what is left in the hand of seat 1."""
    game = new_game("uno-extreme", 2, hidden=True)
    game.begin(dealer=1, first=cards_of("uno-extreme", "red 5")[0])
    game.correct_hand(0, cards=cards_of("uno-extreme", "red 1"))
    game.play(0, lay(cards_of("uno-extreme", "red 1")[0]))
    assert game.phase == COUNTING
    return game
