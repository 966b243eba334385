"""A round that nobody told the engine, or not to its end, is counted as one that it followed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dispenser.i18n import LANGUAGES
from dispenser.rules import GAMES, Game, IllegalMove, OptionError, from_json, new_game, to_json
from dispenser.rules.engine.demands import POINTS
from dispenser.rules.engine.events import What
from dispenser.rules.engine.history import Action, Deed
from dispenser.rules.engine.moves import lay
from dispenser.rules.engine.phases import IDLE, IN_ROUND, MATCH_OVER
from dispenser.rules.words.narrator import Narrator
from tests.rules.refusals import counting
from tests.rules.tables import cards_of, conserved, deal, random_actions, some_of, told
from tests.sampled import sampled

GAME_IDS = sorted(GAMES)
COUNTED = ("scores", "points", "winners", "losers", "gone", "round", "phase", "turn", "round_winner")
"""What is the same, however the engine came to know of a round."""


def refused(game: Game, winner: Any, points: Sequence[Any]) -> IllegalMove:
    """How that is refused; nothing has changed (G-06)."""
    before, log = game.state.save(), list(game.log)
    with pytest.raises(IllegalMove) as refusal:
        game.count_round(winner, points)
    assert (game.state.save(), game.log) == (before, log)
    return refusal.value


def with_options(game_id: str, data: st.DataObject) -> Game:
    book = GAMES[game_id].book
    options = {option.name: data.draw(st.sampled_from(some_of(option.values))) for option in book.options}
    seats = data.draw(st.sampled_from(list(book.seats)[:5]))
    try:
        return new_game(game_id, seats, options, seed=data.draw(st.integers(0, 999)))
    except OptionError:  # too few cards for so many seats
        return new_game(game_id, 2, seed=1)


class TestAsIfFollowed:
    @pytest.mark.parametrize("game_id", sampled(GAME_IDS, 3))
    @settings(max_examples=15)
    @given(data=st.data())
    def test_a_match_of_which_only_the_counts_are_told_stands_as_the_one_that_was_played(
        self, game_id: str, data: st.DataObject
    ) -> None:
        played = with_options(game_id, data)
        only_told = new_game(game_id, played.seats, played.state.options, hidden=True)
        for seed in range(4000):
            rounds = played.state.round
            random_actions(played, seed, 1)
            if played.phase in {IDLE, MATCH_OVER} and played.state.round == rounds:
                points = played.state.points if played.state.values() else ()
                only_told.count_round(played.state.round_winner, points)
                for name in COUNTED:
                    if name == "gone" and game_id == "uno-vache":
                        continue  # of places only the first is told
                    assert getattr(only_told.state, name) == getattr(played.state, name), name
            if played.phase is MATCH_OVER:
                assert only_told.outcome is not None
                assert played.outcome is not None
                places = slice(1 if game_id == "uno-vache" else played.seats)
                assert only_told.outcome.ranking[places] == played.outcome.ranking[places]
                break

    @pytest.mark.parametrize("hidden", [False, True])
    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_in_the_middle_of_a_round_nothing_of_it_is_left_open(self, game_id: str, hidden: bool) -> None:
        for seed in range(40):
            game = new_game(game_id, 4, seed=seed)
            random_actions(game, seed, 10 + seed)
            if hidden:
                game = new_game(game_id, 4, hidden=True)
                game.begin(dealer=seed % 4)
            if game.phase not in IN_ROUND and game.question is None:
                continue
            number = game.state.round
            events = game.count_round(2, (5, 10, 0, 25) if game.state.values() else ())
            state = game.state
            assert (state.turn, state.demands, state.question, state.going_out) == (-1, [], None, -1)
            assert not state.exposed | state.announced | state.calling
            assert state.round == number
            assert events[0][:3] == (What.ROUND_ENDED, 2, number)
            assert not any(game.legal_moves(seat) for seat in range(4))
            assert conserved(state)

    @pytest.mark.parametrize("game_id", [game_id for game_id in GAME_IDS if game_id != "uno-vache"])
    def test_the_next_round_can_be_followed_again(self, game_id: str) -> None:
        game = new_game(game_id, 3, {"match": "points"} if game_id == "huit-americain" else {}, seed=5)
        game.begin()
        game.count_round(1, (10, 0, 20))
        game.begin()
        assert game.phase in IN_ROUND
        assert (game.state.round, conserved(game.state)) == (2, True)

    def test_hands_that_are_being_counted_may_be_told_at_once_e_26(self) -> None:
        game = counting()
        assert game.question is not None
        assert game.question.kind == POINTS
        game.count_round(0, (0, 30))
        assert (game.phase, game.question, game.state.scores, game.state.round) == (IDLE, None, [30, 0], 1)


class TestUndo:
    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_it_is_taken_back_done_again_set_right_and_written_down(self, game_id: str) -> None:
        game = new_game(game_id, 3, seed=3)
        random_actions(game, 3, 12)
        before = game.state.save()
        points = (0, 15, 10) if game.state.values() else (0, 0, 0)
        game.count_round(0, points)
        after = game.state.save()
        assert game.undo() == Action(Deed.COUNT_ROUND, 0, points)
        assert game.state.save() == before
        game.redo()
        assert game.state.save() == after
        again = from_json(to_json(game))
        assert (again.state.save(), again.log) == (after, game.log)
        game.amend(len(game.log) - 1, Action(Deed.COUNT_ROUND, 1, points))
        assert game.state.round_winner == 1


class TestScores:
    def test_what_the_winner_holds_after_all_is_nothing_to_score_e_23_e_26(self) -> None:
        game = new_game("uno-extreme", 3)
        game.count_round(1, [20, 50, 13])
        assert game.state.scores == [0, 33, 0]

    def test_over_the_limit_is_out_and_has_no_hand_any_more_e_30(self) -> None:
        game = new_game("uno-extreme", 3, {"scoring": "elimination"})
        assert (What.ELIMINATED, 2, None) in told(game.count_round(0, [0, 10, 501]))
        assert refused(game, 0, [0, 10, 20]).rule == "E-26"
        assert refused(game, 2, [5, 10, 0]).rule == "E-30"
        game.count_round(1, [501, 0, 0])
        assert game.outcome is not None
        assert game.outcome.ranking == (1, 0, 2)

    def test_the_deal_passes_on_as_if_it_had_been_followed_c_02(self) -> None:
        game = new_game("151", 3, seed=1)
        game.begin(dealer=0)
        game.count_round(0, [0, 10, 10])
        assert game.state.dealer == 0
        game.count_round(0, [0, 10, 10])
        game.begin()
        assert game.state.dealer == 2

    def test_of_places_only_the_first_is_told_v_24(self) -> None:
        game = new_game("uno-vache", 4)
        assert told(game.count_round(2)) == [(What.ROUND_ENDED, 2, 1), (What.MATCH_ENDED, 2, None)]
        assert game.outcome is not None
        assert (game.outcome.winners, game.outcome.ranking[0]) == ((2,), 2)

    def test_who_was_seen_to_go_out_keeps_a_place_behind_the_first_v_24(self) -> None:
        hands = ["red 1", "red 4, blue 2", "blue 7, blue 8", "blue 3, blue 4", "blue 3, blue 5"]
        game = deal("uno-vache", hands, "red 9")
        random_actions(game, 0, 1)  # the dealer chooses the direction
        game.correct_turn(0)
        game.play(0, lay(cards_of("uno-vache", "red 1")[0]))
        assert game.state.finished == (0,)
        game.count_round(3)
        assert game.ranking()[:2] == (3, 0)


class TestRefused:
    @pytest.mark.parametrize("points", [(), (1, 2), (1, 2, 3, 4), (1, 2, None), (1, 2, True), (1, 2, 3.0)])
    def test_every_seat_has_its_points(self, points: Sequence[Any]) -> None:
        assert refused(new_game("uno", 3), 0, points).rule == "U-20"

    @pytest.mark.parametrize("points", [-1, 100_000])
    def test_a_hand_counts_no_less_than_nothing_and_no_more_than_the_deck(self, points: int) -> None:
        error = refused(new_game("uno", 3), 0, [0, points, 3])
        assert (error.rule, error.seat) == ("U-20", 1)
        assert error.text.en == "that hand counts 0 to 1240 (U-20)"

    @pytest.mark.parametrize(
        ("game_id", "options", "rule"),
        [
            ("uno", {}, "U-19"),
            ("uno-extreme", {}, "E-23"),
            ("uno-extreme", {"scoring": "elimination"}, "E-23"),
            ("huit-americain", {}, "H-12"),
            ("huit-americain", {"match": "single", "scoring": "own-points"}, "H-12"),
            ("151", {}, "C-15"),
            ("uno-vache", {}, "V-18"),
        ],
    )
    def test_who_won_must_be_known_where_that_counts(self, game_id: str, options: dict[str, Any], rule: str) -> None:
        points = () if game_id == "uno-vache" else (10, 0, 5)
        error = refused(new_game(game_id, 3, options), None, points)
        assert (error.rule, error.text.en) == (rule, f"say who went out first ({rule})")

    @pytest.mark.parametrize(
        ("game_id", "options"),
        [
            ("uno", {"scoring": "low-score"}),
            ("uno-extreme", {"scoring": "low-score"}),
            ("huit-americain", {"match": "points", "scoring": "own-points"}),
        ],
    )
    def test_nobody_need_have_won_where_all_note_their_own_hand(self, game_id: str, options: dict[str, Any]) -> None:
        game = new_game(game_id, 3, options)
        events = game.count_round(None, [10, 0, 5])
        assert game.state.scores == [10, 0, 5]
        assert [Narrator(game, language).event(events[0]) for language in LANGUAGES] in (
            ["Round 1 is over.", "La manche 1 est terminée."],
            ["Deal 1 is over.", "La donne 1 est terminée."],
        )

    def test_a_match_that_is_over_has_no_more_rounds_g_06(self) -> None:
        game = new_game("uno-vache", 3)
        game.count_round(0)
        assert refused(game, 0, ()).rule == "G-06"
