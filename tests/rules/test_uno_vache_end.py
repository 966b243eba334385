"""Uno vache, conduct, going out and announcements, rule by rule; each test names the rule that it holds."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, RETRACT, TAKE, Act, Move, catch, catch_retract, lay
from dispenser.rules.engine.phases import MATCH_OVER, PLAYING
from tests.rules.shadow import Table
from tests.rules.vache import BLUE, FOUR, GREEN, THREE, demanded, named, pay, play, refused, rules_of, table


class TestConduct:
    def test_the_table_declares_it_v_17(self) -> None:
        game = table(FOUR, "red 9")
        game.penalise(2, "conduct")
        assert demanded(game) == [(2, 1, "V-17")]
        pay(game)
        assert (game.turn, game.state.sizes) == (0, [3, 3, 4, 3])


class TestGoingOut:
    @pytest.mark.parametrize(("seats", "left"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 3), (10, 3)])
    def test_the_game_stops_when_few_enough_are_left_v_18(self, seats: int, left: int) -> None:
        cards = [f"red {number}" for number in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)][:seats]
        game = table(cards, "red 9")
        for seat in range(seats - left):
            assert game.phase == PLAYING
            play(game, seat, cards[seat])
        assert (game.phase, rules_of(game).finished) == (MATCH_OVER, tuple(range(seats - left)))

    def test_who_is_out_does_nothing_more_v_18(self) -> None:
        game = table(["red 4", "blue 1, blue 2", "red 4, green 1", "yellow 1, yellow 2"], "red 9")
        play(game, 0, "red 4")
        assert game.legal_moves(0) == []
        assert refused(game, 0, DRAW) == "V-18"
        for seat in (1, 2, 3):
            game.play(seat, DRAW)
            pay(game)
        assert game.turn == 1

    @pytest.mark.parametrize("hidden", [False, True])
    def test_three_players_until_one_is_left_v_18_v_24(self, hidden: bool) -> None:
        game = table(["red 1", "red 2, blue 4", "blue 3, blue 5"], "red 9", hidden=hidden)
        play(game, 0, "red 1")
        assert (game.phase == MATCH_OVER, game.turn) == (False, 1)
        game.play(1, DRAW)
        game.fulfil_by_chance()
        game.play(2, DRAW)
        game.fulfil_by_chance()
        game.correct_hand(1, cards=[named("red 2")])
        play(game, 1, "red 2")
        assert (game.phase, game.state.winners, game.ranking()) == (MATCH_OVER, (0,), (0, 1, 2))
        assert game.question is None  # nobody counts points
        assert game.state.scores == [0, 0, 0]

    def test_order_of_those_left_v_24(self) -> None:
        game = table(["red 1", "red 2", "red 2, blue 5", "blue 4"], "red 9")
        play(game, 0, "red 1")
        assert game.ranking() == (0, 1, 3, 2)
        play(game, 1, "red 2")
        assert (game.phase, game.state.winners, game.ranking()) == (MATCH_OVER, (0,), (0, 1, 3, 2))
        assert game.events[-1] == Event(What.MATCH_ENDED, 0)
        assert Event(What.ROUND_ENDED, 0, number=1) in game.events
        assert game.state.round_winner == 0
        assert [game.legal_moves(seat) for seat in range(4)] == [[]] * 4

    @pytest.mark.parametrize("black", ["wild", "+4"])
    def test_nobody_goes_out_on_a_black_card_v_19(self, black: str) -> None:
        game = table([black, *THREE], "red 9")
        play(game, 0, black, BLUE)
        assert demanded(game) == [(0, 1, "V-19")]
        assert (rules_of(game).finished, game.state.colour, game.turn) == ((), BLUE, 1)
        pay(game)
        assert (game.state.sizes[0], game.state.exposed, rules_of(game).total) == (1, {0}, 4 if black == "+4" else 0)
        assert catch(0) in game.legal_moves(2)
        game.play(0, ANNOUNCE)
        assert (game.state.exposed, game.state.announced) == (set(), {0})
        assert catch(0) not in game.legal_moves(2)

    def test_a_black_card_jumped_in_last_v_19(self) -> None:
        game = table(["wild, red 1, red 2", "blue 1, blue 2", "wild"], "red 9")
        play(game, 0, "wild", GREEN)
        play(game, 2, "wild", BLUE, how=Act.JUMP_IN)
        assert demanded(game) == [(2, 1, "V-19")]

    @pytest.mark.parametrize(("last", "turn", "direction"), [("red skip", 2, 1), ("red reverse", 3, -1)])
    def test_a_special_card_laid_last_acts_v_20(self, last: str, turn: int, direction: int) -> None:
        game = table([last, *THREE], "red 9")
        play(game, 0, last)
        assert (rules_of(game).finished, game.turn, game.state.direction) == ((0,), turn, direction)

    def test_a_reverse_laid_last_that_leaves_two_v_20(self) -> None:
        game = table(["red reverse", *THREE[1:]], "red 9")
        play(game, 0, "red reverse")
        assert (rules_of(game).finished, game.turn, game.state.direction) == ((0,), 2, -1)

    def test_a_plus_two_laid_last_begins_a_chain_v_20(self) -> None:
        game = table(["red +2", "blue +2, blue 1", "green 1, green 2", "yellow 1, blue 4"], "red 9")
        play(game, 0, "red +2")
        assert (rules_of(game).finished, game.turn, rules_of(game).total) == ((0,), 1, 2)
        play(game, 1, "blue +2")
        game.play(2, TAKE)
        assert demanded(game) == [(2, 4, "V-09")]

    @pytest.mark.parametrize("hidden", [False, True])
    def test_the_next_draws_when_a_plus_two_ends_the_game_v_20_v_18(self, hidden: bool) -> None:
        game = table(["red +2", "red +2, blue 1"], "red 9", hidden=hidden)
        play(game, 0, "red +2")
        assert demanded(game) == [(1, 2, "V-20")]
        assert game.legal_moves(1) == []
        pay(game)
        assert (game.phase, game.state.winners, game.state.sizes) == (MATCH_OVER, (0,), [0, 4])


class TestAnnouncing:
    def test_forgotten_and_caught_v_22(self) -> None:
        game = table(["red 1, red 2", *THREE], "red 9")
        play(game, 0, "red 1")
        game.play(2, catch(0))
        assert demanded(game) == [(0, 1, "V-22")]
        pay(game)
        assert (game.state.sizes[0], game.turn, rules_of(game).unsaid) == (2, 1, set())

    @pytest.mark.parametrize("when", ["before", "after"])
    def test_announced_v_22(self, when: str) -> None:
        game = table(["red 1, red 2", *THREE], "red 9")
        if when == "before":
            game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        if when == "after":
            game.play(0, ANNOUNCE)
        assert refused(game, 2, catch(0)) == "V-22"

    def test_said_too_early_when_another_jumps_in_v_22(self) -> None:
        game = table(["red 4, red 3, red 2", "blue 1, blue 2", "red 4, green 1, green 2"], "red 9")
        play(game, 0, "red 4")
        game.play(1, ANNOUNCE)
        play(game, 2, "red 4", how=Act.JUMP_IN)
        assert game.state.calling == set()

    @pytest.mark.parametrize("act", [DRAW, "blue 1"])
    def test_safe_when_the_next_has_acted_v_22_g_03(self, act: Move | str) -> None:
        game = table(["red 1, red 2", "red 3, blue 1, blue 2", *THREE[2:]], "red 9")
        play(game, 0, "red 1")
        game.play(1, lay(named(act)) if isinstance(act, str) else act)
        assert game.state.exposed == set()

    def one_card_and_a_draw(self) -> Game:
        """Seat 0 has announced its one card, and now draws."""
        game = table(["red 1, red 2", "red 5, red 8, blue 2", "red 6, green 1, green 2"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        play(game, 1, "red 5")
        play(game, 2, "red 6")
        game.play(0, DRAW)
        return game

    def test_ou_pas_before_taking_v_23(self) -> None:
        game = self.one_card_and_a_draw()
        assert game.legal_moves(0) == [RETRACT]
        assert refused(game, 1, catch_retract(0)) == "V-23"
        game.play(0, RETRACT)
        assert Event(What.RETRACTED, 0) in game.events
        pay(game)
        assert refused(game, 1, catch_retract(0)) == "V-23"
        assert refused(game, 0, RETRACT) == "V-23"

    def test_ou_pas_forgotten_and_caught_v_23(self) -> None:
        game = self.one_card_and_a_draw()
        pay(game)
        assert game.legal_moves(0) == [RETRACT]
        assert all(catch_retract(0) in game.legal_moves(seat) for seat in (1, 2))
        game.play(1, catch_retract(0))  # the next player, before acting
        assert demanded(game) == [(0, 1, "V-23")]
        pay(game)
        assert (game.state.sizes[0], game.turn) == (3, 1)
        assert refused(game, 2, catch_retract(0)) == "V-23"

    def test_ou_pas_late_but_before_being_caught_v_23_g_03(self) -> None:
        game = self.one_card_and_a_draw()
        pay(game)
        game.play(0, RETRACT)
        assert refused(game, 1, catch_retract(0)) == "V-23"

    def test_ou_pas_is_forgotten_when_the_next_has_acted_v_23(self) -> None:
        game = self.one_card_and_a_draw()
        pay(game)
        game.play(1, DRAW)
        pay(game)
        assert refused(game, 2, catch_retract(0)) == "V-23"

    def test_ou_pas_is_forgotten_when_the_next_has_laid_a_card_v_23(self) -> None:
        game = self.one_card_and_a_draw()
        pay(game)
        play(game, 1, "red 8")
        assert rules_of(game).unsaid == set()

    def test_who_is_out_catches_nobody_v_18_v_23(self) -> None:
        game = table(["red 1", "red 2, red 3", "red 4, red 5", "red 6, red 7"], "red 9")
        play(game, 0, "red 1")
        game.play(1, ANNOUNCE)
        play(game, 1, "red 2")
        game.penalise(1, "conduct")
        pay(game)
        assert catch_retract(1) in game.legal_moves(3)
        assert game.legal_moves(0) == []

    def test_one_card_drawn_for_a_black_one_is_not_more_v_19_v_23(self) -> None:
        game = table(["red 1, wild", "blue 1, blue 2"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        game.play(1, DRAW)
        pay(game)
        play(game, 0, "wild", BLUE)
        assert game.legal_moves(0) == []
        pay(game)
        assert (rules_of(game).unsaid, game.state.exposed) == (set(), {0})

    def test_nobody_is_caught_when_the_game_is_over_v_18_v_23(self) -> None:
        game = table(["red 1, red +2", "red 2, red 3"], "red 9")
        play(game, 0, "red 1")
        game.play(1, ANNOUNCE)
        play(game, 1, "red 2")
        play(game, 0, "red +2")
        assert game.legal_moves(1) == [RETRACT]
        pay(game)
        assert (game.phase, rules_of(game).total, rules_of(game).unsaid) == (MATCH_OVER, 0, set())
        assert [game.legal_moves(seat) for seat in (0, 1)] == [[], []]

    def test_ou_pas_is_for_ones_own_cards_v_23(self) -> None:
        game = table(["red 1, red 2", "blue 1, blue 2", "green 1, green 2"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        game.play(1, DRAW)
        assert refused(game, 0, RETRACT) == "V-23"

    def test_setting_a_hand_right_is_nobodys_fault_v_22_v_23(self) -> None:
        game = table(["red 1, red 2", "blue 1", "green 1, green 2"], "red 9")
        assert game.state.exposed == set()  # dealt one card, not come down to it
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        game.correct_hand(0, cards=[named("red 2"), named("red 3")])
        assert (game.state.announced, rules_of(game).unsaid) == (set(), set())
        game.correct_hand(2, cards=[named("green 1")])
        assert game.state.exposed == set()

    def test_only_who_announced_says_ou_pas_v_23(self) -> None:
        game = table(["red 1, red 2", "blue 1, blue 2"], "red 9")
        play(game, 0, "red 1")
        game.play(1, DRAW)
        pay(game)
        game.play(0, DRAW)
        assert game.legal_moves(0) == []
        pay(game)
        assert rules_of(game).unsaid == set()

    def test_ou_pas_for_a_penalty_and_for_a_chain_v_23(self) -> None:
        game = table(["red 1, red 2", "red +2, blue 1, blue 2"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        game.penalise(0, "conduct")
        assert RETRACT in game.legal_moves(0)
        game.undo()
        play(game, 1, "red +2")
        game.play(0, TAKE)
        assert game.legal_moves(0) == [RETRACT]

    def test_ou_pas_when_a_hand_comes_by_a_swap_v_23_v_13(self) -> None:
        game = table(["red 1, red 2", "red 0, blue 1, blue 2", "green 1, green 2, green 3"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        play(game, 1, "red 0")
        assert (game.state.sizes, game.state.announced, game.state.exposed) == ([3, 1, 2], set(), {1})
        assert RETRACT in game.legal_moves(0)
        assert {catch(1), catch_retract(0)} <= set(game.legal_moves(2))
        game.play(0, RETRACT)
        assert catch_retract(0) not in game.legal_moves(2)

    def test_one_card_for_one_card_stays_announced_v_13_v_23(self) -> None:
        game = table(["red 1, red 2", "red 0, blue 1, blue 2", "green 1"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        play(game, 1, "red 0")
        assert (game.state.sizes, game.state.announced, rules_of(game).unsaid) == ([1, 1, 2], {0}, set())

    def test_who_gets_the_empty_hand_has_nothing_to_say_v_21_v_23(self) -> None:
        game = table(["red 1, red 0", "red 2, red 3", "red 4, red 5", "red 7, red 8"], "red 9")
        play(game, 0, "red 1")
        game.play(1, ANNOUNCE)
        play(game, 1, "red 2")
        for seat in (2, 3):
            game.play(seat, DRAW)
            pay(game)
        play(game, 0, "red 0")
        assert (rules_of(game).finished, rules_of(game).unsaid) == ((1,), set())

    def test_who_goes_out_has_nothing_to_say_v_21_v_23(self) -> None:
        game = table(["red 1, red 2", "red 0, blue 1", "red 7, red 8", "green 1, green 2"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 1")
        game.play(1, DRAW)
        pay(game)
        play(game, 2, "red 7")
        game.play(3, DRAW)
        pay(game)
        play(game, 0, "red 2")
        assert rules_of(game).finished == (0,)
        assert 0 not in game.state.announced


@pytest.mark.parametrize("white", [0, 2, 4])
@pytest.mark.parametrize("seats", [2, 3, 4, 6, 10])
def test_random_matches_end_and_the_hidden_game_agrees_v_18_v_24(seats: int, white: int) -> None:
    random = Random(f"{seats} {white}")
    ended = Table("uno-vache", seats, {"white": white}, seed=seats)
    while not ended.over and len(ended.open.log) < 40_000:
        ended.step(random)
        if len(ended.open.log) % 50 == 0:
            ended.check()
    ended.check()
    game = ended.open
    assert game.phase == MATCH_OVER, ended.label
    assert sorted(game.ranking()) == list(range(seats)), ended.label
    assert game.state.winners == game.ranking()[:1]
    assert not [move for seat in range(seats) for move in game.legal_moves(seat)]
