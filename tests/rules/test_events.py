"""What an event tells, and what it leaves out; each test names the rule that it holds."""

from __future__ import annotations

import pytest

from dispenser.rules import GAMES, new_game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import lay
from dispenser.rules.engine.phases import MATCH_OVER
from tests.rules import table_of_151
from tests.rules.tables import cards_of, deal, random_actions, told

GAME_IDS = sorted(GAMES)
NO_VALUE = {
    What.TURN,
    What.SKIPPED,
    What.PASSED,
    What.ANNOUNCED,
    What.DEALER,
    What.AGAIN,
    What.RETRACTED,
    What.OUT_AGAIN,
    What.ELIMINATED,
    What.RULE_SHOWN,
}
"""Events about a seat and nothing else."""
NO_SEAT = {
    What.REVERSED,
    What.TURNED_UP,
    What.PUT_BACK,
    What.RESHUFFLED,
    What.RELOADED,
    What.RELOAD_ASKED,
    What.PASSED_ON,
}
"""Events about no seat."""


class TestEvents:
    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_they_have_no_number_where_there_is_none_and_no_seat_of_nobody(self, game_id: str) -> None:
        seen = set()
        for seed in range(6):
            game = new_game(game_id, 4, seed=seed)
            for part in range(150):
                random_actions(game, 1000 * seed + part, 1)
                for event in game.events:
                    seen.add(event.what)
                    assert event.what not in NO_VALUE or event == Event(event.what, event.seat), event
                    assert (event.seat is None) == (event.what in NO_SEAT), event
        assert {What.TURN, What.ANNOUNCED, What.DEALER, What.TURNED_UP} <= seen

    def test_a_penalty_is_told_before_what_it_costs_u_18(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2", "blue 7, blue 8"], "red 9")
        assert told(game.penalise(1, "advice")) == [(What.PENALISED, 1, None), (What.OWES, 1, 4)]

    def test_a_hand_and_a_turn_set_right_are_told(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2", "blue 7, blue 8"], "red 9")
        assert game.correct_hand(2, cards=cards_of("uno", "blue 7, wild, wild")) == [Event(What.CORRECTED, 2, number=3)]
        assert game.correct_turn(1) == [Event(What.TURN, 1)]

    def test_of_a_round_only_the_winner_writes_points_down_u_20(self) -> None:
        game = deal("uno", ["red 1", "red 4, blue 2", "blue 7"], "red 9")
        happened = game.play(0, lay(cards_of("uno", "red 1")[0]))
        assert [event for event in happened if event[0] == What.SCORED] == [Event(What.SCORED, 0, number=13)]

    def test_a_match_that_only_has_losers_ends_for_no_seat_c_16(self) -> None:
        game = table_of_151.later("9 of clubs", 3)
        game.state.scores = [0, 150, 0]
        happened = table_of_151.lay(game, "9 of clubs")
        assert (game.phase, game.state.losers) == (MATCH_OVER, (1,))
        assert happened[-1] == Event(What.MATCH_ENDED)
