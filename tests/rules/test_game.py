"""The face of ``Game``: small, and with no trap for whoever drives it from a real table."""

from __future__ import annotations

import pickle
import subprocess
import sys

import pytest

from dispenser.rules import GAMES, IllegalMove, new_game
from dispenser.rules.engine.demands import TURN_UP, Question
from dispenser.rules.engine.moves import DRAW, TO_THE_LEFT
from tests.rules.tables import cards_of


@pytest.mark.parametrize("game_id", sorted(GAMES))
def test_after_a_hidden_deal_it_says_that_a_question_is_open_and_not_to_deal(game_id: str) -> None:
    game = new_game(game_id, 3, hidden=True)
    game.begin(dealer=2)
    if game_id == "uno-vache":
        game.play(2, TO_THE_LEFT)
    assert game.question == Question(TURN_UP, None, game.state.first_card_rule)
    acts = (
        lambda: game.play(0, DRAW),
        lambda: game.begin(dealer=0),
        lambda: game.penalise(0, next(iter(game.offences), "")),
        lambda: game.correct_turn(1),
    )
    for act in acts:
        with pytest.raises(IllegalMove) as refusal:
            act()
        assert refusal.value.reason.en == "the engine waits for an answer first" or not game.offences
    game.answer(5)
    assert game.question is None


@pytest.mark.parametrize("nothing", [None, True, 1.0, "3"])
@pytest.mark.parametrize("game_id", ["uno", "uno-extreme"])
def test_a_launcher_that_cannot_tell_what_came_out_leaves_nothing_to_chance(game_id: str, nothing: object) -> None:
    game = new_game(game_id, 2, seed=1)
    game.begin(dealer=1, hands=[cards_of(game_id, "red 1, red 2"), cards_of(game_id, "red 3")])
    while game.demand:
        game.fulfil_by_chance()
    game.play(game.turn, DRAW)
    before = game.state.save()
    with pytest.raises(IllegalMove, match="say how many cards came out"):
        game.fulfil(nothing)  # type: ignore[arg-type]
    assert game.state.save() == before


@pytest.mark.parametrize("seats", [4, 10])
def test_a_match_goes_on_in_another_process(seats: int) -> None:
    game, last = new_game("uno", seats, seed=1), seats - 1
    game.begin()
    go_on = (
        "import pickle, sys; game = pickle.load(sys.stdin.buffer); "
        f"print(game.play({last}, game.legal_moves({last})[0])[0])"
    )
    game.correct_turn(last)
    done = subprocess.run([sys.executable, "-c", go_on], input=pickle.dumps(game), capture_output=True, check=False)
    assert done.stdout.decode().strip() == str(game.play(last, game.legal_moves(last)[0])[0]), done.stderr.decode()
