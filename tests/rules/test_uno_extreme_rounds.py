"""Uno Extrême, from the last card on: each test names the rule that it holds (E-23 to E-32)."""

from __future__ import annotations

import pytest

from dispenser.rules.engine.demands import Demand, Owed, Question
from dispenser.rules.engine.errors import IllegalMove, OptionError
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, DONE, DRAW, Move, catch, effect, lay
from dispenser.rules.engine.phases import CARRYING_OUT, COUNTING, IDLE, MATCH_OVER, PLAYING
from dispenser.rules.games.uno_extreme.cards import CUSTOMIZABLE, EXTREME_HIT, PRESS_FOUR
from dispenser.rules.registry import new_game
from tests.rules.extreme import (
    BLUE,
    GREEN,
    LOW,
    RED,
    cards,
    deal,
    happened,
    kind,
    laying,
    press,
    press_instead_of_playing,
    refused,
)
from tests.rules.tables import random_actions


class TestLastCard:
    """E-23: what the last card demands is carried out before the round ends."""

    @pytest.mark.parametrize(
        ("held", "move", "presses", "loser"),
        [
            ("red press 2", laying("red press 2"), 2, 1),
            ("press 4", lay(PRESS_FOUR, colour=BLUE), 4, 1),
            ("extreme hit", lay(EXTREME_HIT, colour=BLUE, seat=2), 2, 2),
        ],
    )
    def test_e_23_the_presses_come_first_and_count(self, held: str, move: Move, presses: int, loser: int) -> None:
        game = deal([held, "red 1", "red 2"], pile="wild")
        game.play(0, move)
        for _ in range(presses - 1):
            game.fulfil(0)
            assert game.phase == PLAYING
        game.fulfil(1)
        assert (game.phase, game.state.round_winner, game.state.scores) == (IDLE, 0, [1 + 2 + 50, 0, 0])
        assert game.state.points[loser] == loser + 50

    @pytest.mark.parametrize("held", ["red 5", "red skip", "red reverse", "red discard all", "wild"])
    @pytest.mark.parametrize("seats", [2, 3])
    def test_e_23_other_cards_end_it_at_once(self, held: str, seats: int) -> None:
        game = deal([held, "red 1", "red 2"][:seats])
        game.play(0, laying(held, RED) if held == "wild" else laying(held))
        assert (game.phase, game.state.round_winner) == (IDLE, 0)
        assert Event(What.ROUND_ENDED, 0, number=1) in game.events

    def test_e_23_a_customizable_last_card_is_carried_out(self) -> None:
        game = deal(["customizable", "red 1"], pile="press 4")
        game.play(0, lay(CUSTOMIZABLE, colour=RED))
        assert game.phase == CARRYING_OUT
        game.play(0, effect(1, 1))
        assert game.phase == CARRYING_OUT
        game.fulfil(1)
        assert (game.phase, game.state.scores) == (IDLE, [41, 0])
        game.undo()
        game.undo()
        game.play(0, DONE)
        assert (game.phase, game.state.scores) == (IDLE, [1, 0])

    def test_e_23_nothing_that_comes_out_afterwards_takes_the_win_back(self) -> None:
        game = deal(["customizable", "red 1"], pile="press 4")
        game.play(0, laying("customizable", RED))
        game.play(0, effect(0, 1))
        game.fulfil(1)
        assert (game.phase, game.state.round_winner, game.state.sizes) == (IDLE, 0, [1, 1])
        assert game.state.scores == [1, 0]  # what the others hold, not the card that came out

    def test_e_23_no_penalty_can_be_given_to_who_has_won(self) -> None:
        game = deal(["red press 2", "red 1"], pile="blue 3, press 4")
        game.play(0, laying("red press 2"))
        assert refused(game, 1, catch(0)) == "E-24"
        with pytest.raises(IllegalMove) as refusal:
            game.penalise(0, "advice")
        assert refusal.value.rule == "E-23"
        press(game, 1, 1)
        assert (game.phase, game.state.round_winner, game.state.sizes) == (IDLE, 0, [0, 3])


class TestPenalties:
    """E-24, E-25: they cost no turn."""

    def test_e_24_uno_forgotten_costs_two_presses(self) -> None:
        game = deal(["red 1, red 2", LOW, "blue 8, blue 7"])
        game.play(0, laying("red 1"))
        game.play(2, catch(0))
        assert game.demand == Demand(Owed.PRESSES, 0, 0, 2, "E-24", penalty=True)
        press(game, 1, 0)
        assert (game.turn, game.state.sizes[0], game.phase) == (1, 2, PLAYING)

    @pytest.mark.parametrize("before", [True, False])
    def test_e_24_who_says_it_is_safe(self, before: bool) -> None:
        game = deal(["red 1, red 2", LOW])
        moves = [laying("red 1")]
        moves.insert(0 if before else 1, ANNOUNCE)
        for move in moves:
            game.play(0, move)
        assert refused(game, 1, catch(0)) == "E-24"

    @pytest.mark.parametrize("how", ["plays", "presses", "owes"])
    def test_e_24_only_until_the_next_has_acted_g_03(self, how: str) -> None:
        game = deal(["red 1, red press 2", LOW + ", red 2", "blue 8, blue 7"])
        game.play(0, laying("red press 2" if how == "owes" else "red 1"))
        assert catch(0) in game.legal_moves(2)
        if how == "owes":
            game.fulfil(0)
        else:
            game.play(1, laying("red 2") if how == "plays" else DRAW)
        assert refused(game, 2, catch(0)) == "E-24"

    def test_e_24_a_call_does_not_last_over_a_press_that_brought_nothing(self) -> None:
        game = deal(["red 1, red 2", LOW])
        game.play(0, ANNOUNCE)
        assert ANNOUNCE not in game.legal_moves(0)  # once is enough
        press_instead_of_playing(game)
        press_instead_of_playing(game)
        assert ANNOUNCE in game.legal_moves(0)
        game.play(0, laying("red 1"))
        assert catch(0) in game.legal_moves(1)

    def test_e_25_advice_costs_four_presses_and_no_turn(self) -> None:
        game = deal([LOW, LOW.replace("1", "4").replace("2", "6"), "blue 8, blue 7"])
        game.penalise(2, "advice")
        assert game.demand == Demand(Owed.PRESSES, 2, 2, 4, "E-25", penalty=True)
        press(game, 0, 3, 0, 0)
        assert (game.turn, game.state.sizes, game.demand) == (0, [7, 7, 5], None)
        with pytest.raises(IllegalMove):
            game.penalise(0, "whistling")


class TestScore:
    """E-26 to E-28, E-30."""

    @pytest.mark.parametrize(
        ("held", "points"),
        [(f"blue {number}", number) for number in range(1, 10)]
        + [(f"green {symbol}", 20) for symbol in ("reverse", "skip", "press 2")]
        + [("yellow discard all", 30), ("press 4", 40), ("wild", 50), ("extreme hit", 50), ("customizable", 50)],
    )
    def test_e_26_what_a_card_counts(self, held: str, points: int) -> None:
        game = deal(["red 1", held])
        game.play(0, laying("red 1"))
        assert game.state.scores == [points, 0]

    def test_e_26_the_winner_scores_what_all_the_others_hold(self) -> None:
        game = deal(["red 1", "wild, blue 3", "green skip"])
        game.play(0, laying("red 1"))
        assert (game.state.points, game.state.scores) == ([0, 53, 20], [73, 0, 0])
        assert Event(What.SCORED, 0, number=73) in game.events

    def test_e_26_hidden_hands_are_asked_for(self) -> None:
        game = new_game("uno-extreme", 2, hidden=True)
        game.begin(dealer=1)
        game.answer(kind("red 9"))
        game.correct_hand(0, size=1)
        game.play(0, laying("red 1"))
        assert (game.phase, game.question) == (COUNTING, Question("points", 1, "E-26"))
        game.answer(cards("wild, press 4, red 2, red 3, red 4, red 5, red 6"))
        assert game.state.scores == [110, 0]

    @pytest.mark.parametrize(("target", "over"), [(120, True), (121, False)])
    def test_e_27_the_first_to_reach_the_target_wins(self, target: int, over: bool) -> None:
        game = deal(["blue 2", "red 1", "wild, extreme hit, red 9, red 9"], "red 8", dealer=0, target=target)
        game.play(1, laying("red 1"))
        assert game.state.scores == [0, 120, 0]
        assert (game.phase == MATCH_OVER) == over
        assert game.state.winners == ((1,) if over else ())

    def test_e_28_low_score_each_notes_the_own_hand_and_the_lowest_wins(self) -> None:
        hands = ["blue 2", "red 1", "wild, extreme hit"]
        game = deal(hands, dealer=0, scoring="low-score", target=100)
        game.play(1, laying("red 1"))
        assert (game.state.scores, game.phase) == ([2, 0, 100], IDLE)  # 100 is not more than 100
        game = deal(hands, dealer=0, scoring="low-score", target=99)
        game.play(1, laying("red 1"))
        assert (game.phase, game.state.winners) == (MATCH_OVER, (1,))


class TestElimination:
    """E-30, and E-29 once two are left."""

    def match(self) -> Game:
        game = deal(["red 1", "wild, extreme hit", "blue 5"], dealer=2, scoring="elimination", target=99)
        game.play(0, laying("red 1"))
        return game

    def test_e_30_strictly_over_the_limit_is_out(self) -> None:
        game = self.match()
        assert (game.state.scores, game.state.gone, game.phase) == ([0, 100, 5], {1}, IDLE)
        assert Event(What.ELIMINATED, 1) in game.events
        game = deal(["red 1", "wild, extreme hit", "blue 5"], dealer=2, scoring="elimination", target=100)
        game.play(0, laying("red 1"))
        assert game.state.gone == set()

    def test_e_30_who_is_out_gets_no_cards_and_no_turn(self) -> None:
        game = self.match()
        game.begin(
            dealer=0, hands=[cards("red 1, wild"), (), cards("blue 1, extreme hit")], first=kind("red 9"), pile=()
        )
        assert game.turn == 2
        assert not game.legal_moves(1)
        assert refused(game, 1, DRAW) == "E-30"
        hits = {move.seat for move in game.legal_moves(2) if move.card == EXTREME_HIT}
        assert hits == {0}
        press_instead_of_playing(game)
        assert game.turn == 0
        with pytest.raises(IllegalMove):
            game.penalise(1, "advice")

    def test_e_30_with_a_seed_too(self) -> None:
        game = new_game("uno-extreme", 4, {"scoring": "elimination", "target": 50}, seed=3, bursts=(0, 2))
        seen = set()
        for _ in range(200):
            random_actions(game, 3, 100)
            seen.add(frozenset(game.state.gone))
            assert game.phase != PLAYING or not any(game.state.sizes[seat] for seat in game.state.gone)
        assert game.phase == MATCH_OVER
        assert len(game.state.winners) == 1
        assert game.state.winners[0] not in game.state.gone
        assert len(game.state.gone) == 3

    def test_e_30_the_rules_for_two_hold_when_two_are_left_e_29(self) -> None:
        game = self.match()
        game.begin(
            dealer=0, hands=[cards("red 1"), (), cards("blue 1, red reverse, blue 7")], first=kind("red 9"), pile=()
        )
        game.play(2, laying("red reverse"))
        assert game.turn == 2

    def test_e_30_the_last_one_in_wins(self) -> None:
        game = self.match()
        game.begin(
            dealer=0, hands=[cards("wild, press 4, customizable"), (), cards("red 2")], first=kind("red 9"), pile=()
        )
        game.play(2, laying("red 2"))
        assert (game.phase, game.state.winners, game.state.gone) == (MATCH_OVER, (2,), {0, 1})


class TestTwoPlayers:
    """E-29."""

    @pytest.mark.parametrize("held", ["red reverse", "red skip"])
    def test_e_29_reverse_and_skip_let_the_same_player_play_again(self, held: str) -> None:
        game = deal([f"{held}, red 1, red 2", LOW])
        game.play(0, laying(held))
        assert (game.turn, game.demand) == (0, None)

    @pytest.mark.parametrize(
        ("move", "presses"),
        [(laying("red press 2"), 2), (lay(PRESS_FOUR, colour=GREEN), 4)],
        ids=["press 2", "press 4"],
    )
    def test_e_29_after_press_2_and_press_4_the_same_player_plays_again(self, move: Move, presses: int) -> None:
        game = deal(["press 4, red press 2, red 2", LOW])
        game.play(0, move)
        assert game.demand is not None
        assert (game.demand.payer, game.demand.number) == (1, presses)
        press(game, *[0] * presses)
        assert game.turn == 0

    def test_e_29_extreme_hit_hands_over_all_the_same_e_21(self) -> None:
        game = deal(["extreme hit, red 1, red 2", LOW])
        game.play(0, lay(EXTREME_HIT, colour=RED, seat=1))
        assert game.turn == 1


class TestReload:
    """E-31."""

    def test_e_31_the_table_is_asked_once_when_the_talon_is_large_and_play_goes_on(self) -> None:
        game = deal([", ".join(["red 1, red 2, red 3, red 4, red 5, red 6"] * 2), "red 7, red 8"], reload_at=10)
        asked = []
        for number in (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5):
            game.play(0, laying(f"red {number}"))
            asked += [event.number for event in game.events if event.what is What.RELOAD_ASKED]
            assert game.state.reload_due == (len(game.state.talon) >= 10)
            press_instead_of_playing(game)
        assert asked == [9]
        pile = game.state.in_pile()
        game.reload()
        assert game.events == [Event(What.RELOADED, number=11)]
        assert (game.state.talon, game.state.in_pile()) == ([kind("red 5")], pile + 11)
        assert not game.state.reload_due
        assert game.state.conserved()
        game.undo()
        assert (len(game.state.talon), game.state.reload_due) == (12, True)

    def test_e_31_a_discard_all_makes_it_large_at_once(self) -> None:
        held = "red discard all, blue 9, red 1, red 2, red 3, red 4, red 5, red 6, red 7, red 8"
        game = deal([held, LOW.replace("red", "blue")], reload_at=10)
        game.play(0, laying("red discard all"))
        assert (len(game.state.talon), game.state.reload_due) == (10, True)

    def test_e_31_the_table_is_asked_when_the_launcher_is_empty(self) -> None:
        game = deal([LOW, LOW])
        game.play(0, laying("red 1"))
        game.play(1, DRAW)
        game.fulfil(game.state.in_pile())
        assert Event(What.RELOAD_ASKED, number=1) in game.events
        assert game.state.reload_due
        game.play(0, DRAW)
        game.fulfil(0)
        assert game.state.reload_due
        assert What.RELOAD_ASKED not in happened(game)

    def test_e_31_with_a_seed_the_virtual_cards_are_reloaded_at_once(self) -> None:
        game = new_game("uno-extreme", 2, {"reload-at": 10}, seed=5, bursts=(0, 2))
        reloads = 0
        for step in range(300):
            random_actions(game, step, 1)
            told = happened(game)
            if What.RELOADED in told:
                reloads += 1
                assert told[told.index(What.RELOADED) - 1] == What.RELOAD_ASKED
                assert game.state.talon == [game.state.top]
            assert len(game.state.talon) < 10
            assert not game.state.reload_due
            assert game.state.pile or len(game.state.talon) == 1
            assert game.state.conserved()
        assert reloads > 3

    def test_e_31_hidden_cards_are_real_and_wait_for_the_table(self) -> None:
        game = new_game("uno-extreme", 2, {"reload-at": 10}, hidden=True, seed=1)
        game.begin(dealer=1)
        game.answer(kind("red 9"))
        for number in range(2, 8):
            game.play(0, laying(f"red {number}"))
            game.play(1, laying(f"red {number}"))
            assert game.state.reload_due == (number >= 6)
        assert len(game.state.talon) == 13

    @pytest.mark.parametrize("seed", [None, 1])
    def test_e_31_nobody_reloads_for_a_round_that_is_over(self, seed: int | None) -> None:
        game = new_game("uno-extreme", 2, {"reload-at": 10}, seed=seed)
        held = cards("red 1, red 2, red 3, red 4, red 5, red 6, red 7, red 8, red discard all")
        game.begin(dealer=1, hands=[held, cards(LOW.replace("red", "blue").replace("2", "3"))], first=held[0], pile=())
        game.play(0, laying("red discard all"))
        assert (game.phase, len(game.state.talon)) == (IDLE, 10)
        assert What.RELOAD_ASKED not in happened(game)

    def test_e_31_an_empty_launcher_asks_again_as_soon_as_there_is_a_card_to_lift(self) -> None:
        game = deal([LOW, LOW])
        game.play(0, DRAW)
        game.fulfil(game.state.in_pile())
        assert not game.state.reload_due
        game.play(1, laying("red 1"))
        assert game.state.reload_due
        assert Event(What.RELOAD_ASKED, number=1) in game.events

    def test_e_31_a_new_round_starts_with_a_full_launcher(self) -> None:
        game = deal(["red 1, red discard all", LOW])
        game.play(0, DRAW)
        game.fulfil(game.state.in_pile())
        game.play(1, laying("red 1"))
        assert game.state.reload_due
        game.correct_hand(0, cards=cards("red discard all"))
        game.play(0, laying("red discard all"))
        assert game.phase == IDLE
        game.begin(dealer=1, hands=[cards(LOW), cards("wild")], first=kind("red 9"), pile=())
        assert not game.state.reload_due

    def test_e_31_nothing_to_reload(self) -> None:
        game = deal([LOW, LOW])
        with pytest.raises(IllegalMove) as refusal:
            game.reload()
        assert refusal.value.rule == "E-31"

    @pytest.mark.parametrize("value", [9, 113])
    def test_e_31_the_option_has_its_limits(self, value: int) -> None:
        with pytest.raises(OptionError, match="reload-at"):
            new_game("uno-extreme", 2, {"reload-at": value})


def test_e_32_the_demand_says_who_presses_and_where_the_launcher_points() -> None:
    game = deal(["extreme hit, red press 2, red 1, red 2", LOW, "blue 8, blue 7"])
    game.play(0, laying("red press 2"))
    assert game.demand is not None
    assert game.turn == 2
    assert (game.demand.payer, game.demand.receiver) == (1, 1)
    other = deal(["extreme hit, red press 2, red 1, red 2", LOW, "blue 8, blue 7"])
    other.play(0, lay(EXTREME_HIT, colour=RED, seat=2))
    assert other.demand is not None
    assert (other.demand.payer, other.demand.receiver) == (0, 2)


def test_who_is_eliminated_later_stands_before_who_was_out_earlier_e_30() -> None:
    game = deal(["red 1", "wild, wild, red 2", "red 3", "red 4"], scoring="elimination", target=100)
    game.play(0, laying("red 1"))
    assert (game.state.eliminated, game.ranking()) == ((1,), (0, 2, 3, 1))
    hands = [cards("red 1"), [], cards("wild, wild, extreme hit"), cards("wild, wild, red 9")]
    game.begin(dealer=3, hands=hands, first=kind("red 9"), pile=[])
    game.play(0, laying("red 1"))
    assert (game.state.eliminated, game.ranking()) == ((1, 2, 3), (0, 3, 2, 1))
    assert game.outcome is not None
    assert game.outcome.winners == (0,)
