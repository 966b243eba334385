"""“UNO” and “OU PAS” in Uno vache, and moves out of turn that are refused."""

from __future__ import annotations

import pytest

from dispenser.rules.engine.events import What
from dispenser.rules.engine.moves import (
    ANNOUNCE,
    DRAW,
    RETRACT,
    Move,
    cancel,
    catch_retract,
    jump_in,
    lay,
)
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, MATCH_OVER
from tests.rules import vache
from tests.rules.refusals import refusal_of
from tests.rules.tables import deal


class TestAnnouncingAndRefusing:
    def test_a_wrong_cancel_out_of_turn_is_refused_as_a_cancel_v_14_v_15(self) -> None:
        game = vache.table(["red +2, blue 1, blue 2", "green 1, green 2", "red 3, yellow 1"], "red 9")
        vache.play(game, 0, "red +2")
        refusal = refusal_of(game, 2, cancel(vache.named("red 3")))
        assert (refusal.rule, refusal.reason.en.split()[:4]) == ("V-14", ["the", "card", "that", "cancels"])

    def test_in_turn_nobody_jumps_in_and_out_of_turn_only_with_the_same_card_v_11(self) -> None:
        game = vache.table(["red 1, blue 2, blue 4", "red 2, green 2", "red 3, yellow 1"], "red 9")
        vache.play(game, 0, "red 1")
        assert (
            refusal_of(game, 1, jump_in(lay(vache.named("red 2")))).reason.en
            == "in its own turn that seat simply plays"
        )
        assert "only a card identical" in refusal_of(game, 2, jump_in(lay(vache.named("red 3")))).reason.en

    @pytest.mark.parametrize("move", [RETRACT, catch_retract(1)])
    def test_ou_pas_is_refused_by_its_own_rule_even_before_the_direction_is_chosen_v_23(self, move: Move) -> None:
        game = deal("uno-vache", vache.THREE, "red 9")
        assert game.phase == CHOOSING_DIRECTION
        assert refusal_of(game, 0, move).rule == "V-23"

    def test_who_has_not_announced_has_nothing_to_take_back_v_23(self) -> None:
        game = vache.table(["red 1, red 2", "red +2, blue 2, blue 3", "green 1, green 2"], "red 9")
        game.play(0, ANNOUNCE)
        vache.play(game, 0, "red 1")
        game.penalise(2, "conduct")
        assert game.state.announced == {0}
        assert RETRACT not in game.legal_moves(2)

    def test_any_seat_may_take_its_announcement_back_before_it_gets_cards_v_23(self) -> None:
        game = vache.table(["red 5, red 6, red 7", "red 1, red 2", "green 1, green 2"], "red 9")
        vache.play(game, 0, "red 5")
        game.play(1, ANNOUNCE)
        vache.play(game, 1, "red 1")
        game.penalise(1, "conduct")
        assert game.state.announced == {1}
        game.play(1, RETRACT)
        assert game.state.announced == set()
        game.fulfil_by_chance()
        assert (game.state.unsaid, game.state.sizes[1]) == (set(), 2)

    def test_any_seat_may_still_say_ou_pas_until_it_is_caught_v_23(self) -> None:
        game = vache.table(["red 5, red 6, red 7", "red 1, red 2", "green 1, green 2"], "red 9")
        vache.play(game, 0, "red 5")
        game.play(1, ANNOUNCE)
        vache.play(game, 1, "red 1")
        game.penalise(1, "conduct")
        game.fulfil_by_chance()
        assert game.state.unsaid == {1}
        game.play(1, RETRACT)
        assert game.state.unsaid == set()
        assert catch_retract(1) not in game.legal_moves(0)

    def test_any_seat_that_forgot_ou_pas_draws_for_it_v_23(self) -> None:
        game = vache.table(["red 5, red 6, red 7", "red 1, red 2", "green 1, green 2"], "red 9")
        vache.play(game, 0, "red 5")
        game.play(1, ANNOUNCE)
        vache.play(game, 1, "red 1")
        game.penalise(1, "conduct")
        game.fulfil_by_chance()
        game.play(2, catch_retract(1))
        assert vache.demanded(game) == [(1, 1, "V-23")]
        assert game.state.demands[0].penalty
        assert game.state.unsaid == set()

    @pytest.mark.parametrize("black", ["wild", "+4"])
    def test_a_black_last_card_ends_the_announcement_of_any_seat_v_19(self, black: str) -> None:
        game = vache.table(["red 5, red 6, red 7", f"red 1, {black}", "green 1, green 2"], "red 9")
        vache.play(game, 0, "red 5")
        game.play(1, ANNOUNCE)
        vache.play(game, 1, "red 1")
        game.play(2, DRAW)
        game.fulfil_by_chance()
        game.play(0, DRAW)
        game.fulfil_by_chance()
        assert game.state.announced == {1}
        vache.play(game, 1, black, vache.BLUE)
        assert game.state.announced == set()
        vache.pay(game)
        assert (game.state.exposed, game.state.unsaid) == ({1}, set())

    def test_a_last_card_that_reverses_gives_the_turn_to_one_of_the_two_left_v_07_v_20(self) -> None:
        game = vache.table(["red 5, red 6, red 7", "red reverse", "green 1, green 2"], "red 9")
        vache.play(game, 0, "red 5")
        vache.play(game, 1, "red reverse")
        assert (game.state.finished, game.turn, game.state.direction) == ((1,), 0, -1)
        assert What.SKIPPED not in {event.what for event in game.events}

    def test_nobody_has_points_when_it_is_over_v_24(self) -> None:
        game = vache.table(["red 1", "red 2, blue 4"], "red 9")
        vache.play(game, 0, "red 1")
        assert (game.phase, game.state.points, game.state.scores) == (MATCH_OVER, [0, 0], [0, 0])

    def test_a_four_that_names_no_colour_does_not_answer_a_chain_v_10(self) -> None:
        game = vache.table(["red +2, blue 1", "+4, green 1, green 2"], "red 9")
        vache.play(game, 0, "red +2")
        refusal = refusal_of(game, 1, lay(vache.named("+4")))
        assert refusal.rule == "V-10"

    def test_only_a_four_goes_on_a_four_v_10(self) -> None:
        game = vache.table(["+4, blue 1, blue 2", "red +2, green 1, green 2"], "red 9")
        vache.play(game, 0, "+4", vache.RED)
        assert refusal_of(game, 1, lay(vache.named("red +2"))).rule == "V-10"

    def test_who_cancels_with_a_card_not_in_hand_is_told_so_g_04(self) -> None:
        game = vache.table(["red +2, blue 1, blue 2", "green 1, green 2", "red 3, yellow 1"], "red 9")
        vache.play(game, 0, "red +2")
        assert refusal_of(game, 2, cancel(vache.named("red 2"))).rule == "G-04"
        assert refusal_of(game, 1, RETRACT).rule == "V-23"

    def test_a_zero_may_leave_two_seats_with_a_card_to_announce_v_13_v_22(self) -> None:
        hands = ["red 0, red 1", "green 1, green 2, green 3", "blue 1", "yellow 1, yellow 2"]
        game = vache.table(hands, "red 9")
        vache.play(game, 0, "red 0")
        assert (game.state.sizes, game.state.exposed) == ([2, 1, 3, 1], {1, 3})

    def test_nobody_is_going_out_while_an_empty_hand_may_still_get_cards_v_19_v_21(self) -> None:
        game = vache.table(["wild", "green 1, green 2", "blue 1, blue 2"], "red 9")
        vache.play(game, 0, "wild", vache.RED)
        assert (game.state.sizes[0], game.state.going_out) == (0, -1)
