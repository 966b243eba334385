"""Uno vache, chains of "+" and how they are cancelled, rule by rule; each test names the rule that it holds."""

from __future__ import annotations

import pytest

from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import DRAW, TAKE, Act, cancel, catch, jump_in, lay
from dispenser.rules.engine.phases import ANSWERING, PLAYING
from tests.rules.vache import (
    BLUE,
    GREEN,
    RED,
    THREE,
    YELLOW,
    demanded,
    named,
    pay,
    play,
    playable,
    refused,
    rules_of,
    table,
)

CHAIN = [
    "red +2, red 1, red 2",
    "blue +2, +4, blue 9, blue 8",
    "+4, yellow +2, blue 4, wild",
    "yellow 8, blue 8, red 8",
]
"""Seat 0 can begin a chain of "+"."""


class TestChain:
    def test_plus_two_waits_for_an_answer_v_09(self) -> None:
        game = table(CHAIN, "red 9")
        play(game, 0, "red +2")
        assert (game.turn, game.phase, rules_of(game).total) == (1, ANSWERING, 2)
        assert demanded(game) == []
        assert playable(game) == {"blue +2", "+4"}  # a +2 of any colour
        assert refused(game, 1, DRAW) == "V-09"
        assert refused(game, 1, lay(named("blue 9"))) == "V-09"

    def test_who_adds_nothing_draws_the_total_and_is_skipped_v_09(self) -> None:
        game = table(CHAIN, "red 9")
        play(game, 0, "red +2")
        play(game, 1, "blue +2")
        assert (game.turn, rules_of(game).total) == (2, 4)
        game.play(2, TAKE)
        assert demanded(game) == [(2, 4, "V-09")]
        pay(game)
        assert (game.turn, game.phase, rules_of(game).total, game.state.sizes[2]) == (3, PLAYING, 0, 8)
        assert refused(game, 3, TAKE) == "V-09"

    def test_nobody_jumps_in_on_a_plus_that_was_taken_v_11(self) -> None:
        game = table(["red +2, red 1, red 2", "blue 1, blue 2", "green 1, green 2", "red +2, red 3"], "red 9")
        play(game, 0, "red +2")
        game.play(1, TAKE)
        pay(game)
        assert refused(game, 3, jump_in(lay(named("red +2")))) == "V-11"

    def test_the_top_counts_again_when_the_chain_is_paid_v_09(self) -> None:
        game = table(CHAIN, "red 9")
        play(game, 0, "red +2")
        game.play(1, TAKE)
        pay(game)
        assert playable(game) == {"+4", "yellow +2", "wild"}
        play(game, 2, "yellow +2")
        assert (rules_of(game).total, rules_of(game).first_plus) == (2, 2)  # a new chain

    def test_a_wild_does_not_go_on_an_open_plus_v_04(self) -> None:
        game = table(CHAIN, "red 9")
        play(game, 0, "red +2")
        play(game, 1, "blue +2")
        assert playable(game) == {"+4", "yellow +2"}
        assert refused(game, 2, lay(named("wild"), colour=RED)) == "V-04"

    def test_only_a_plus_four_goes_on_a_plus_four_v_10(self) -> None:
        game = table(CHAIN, "red 9")
        play(game, 0, "red +2")
        play(game, 1, "+4", GREEN)
        assert (game.turn, rules_of(game).total, game.state.colour) == (2, 6, GREEN)
        assert playable(game) == {"+4"}
        assert refused(game, 2, lay(named("yellow +2"))) == "V-10"
        play(game, 2, "+4", YELLOW)
        assert (game.turn, rules_of(game).total, game.state.colour) == (3, 10, YELLOW)

    @pytest.mark.parametrize("hidden", [False, True])
    @pytest.mark.parametrize("seats", [2, 3, 6, 8])
    def test_the_chain_comes_back_to_who_began_it_v_09(self, seats: int, hidden: bool) -> None:
        colours = ("red", "red", "green", "green", "blue", "blue", "yellow", "yellow")[:seats]
        hands = [f"{colour} +2, wild, {colour} 1" for colour in colours[:4]]
        hands += [f"{colour} +2, {colour} 9, {colour} 1" for colour in colours[4:]]
        game = table(hands, "red 9", hidden=hidden)
        for seat, colour in enumerate(colours):
            play(game, seat, f"{colour} +2")
        assert (game.turn, rules_of(game).total, rules_of(game).first_plus, rules_of(game).last_plus) == (
            0,
            2 * seats,
            0,
            seats - 1,
        )
        game.play(0, TAKE)
        assert demanded(game) == [(0, 2 * seats, "V-09")]


class TestCancelling:
    @pytest.mark.parametrize(
        ("total", "number"), [(2, 2), (4, 4), (8, 8), (9, 9), (10, 1), (12, 3), (18, 9), (19, 1), (24, 6)]
    )
    def test_the_total_or_the_sum_of_its_digits_v_14(self, total: int, number: int) -> None:
        mine = "".join(f"{colour} {digit}, " for colour in ("red", "blue") for digit in range(1, 10))
        game = table(["red +2, red 1", mine, "green 1"], "red 9")
        play(game, 0, "red +2")
        rules_of(game).total = total
        assert playable(game, 1, Act.CANCEL) == {f"red {number}"}

    def test_the_colour_of_the_last_plus_two_v_14(self) -> None:
        game = table(["red +2, red 1, red 2", "blue +2, red 4, red 5", "red 4, blue 4, green 1"], "red 9")
        play(game, 0, "red +2")
        play(game, 1, "blue +2")
        assert refused(game, 2, cancel(named("red 4"))) == "V-14"
        play(game, 2, "blue 4", how=Act.CANCEL)
        assert demanded(game) == [(0, 4, "V-14")]
        assert Event(What.CANCELLED, 2, other=0) in game.events
        assert (game.phase, rules_of(game).total, game.state.top, game.state.colour) == (
            PLAYING,
            0,
            named("blue 4"),
            BLUE,
        )
        pay(game)
        assert game.state.sizes[0] == 2 + 4

    def test_the_colour_named_with_the_plus_four_v_14(self) -> None:
        game = table(["red +2, red 1, red 2", "+4, red 6, red 5", "red 6, green 6, green 1"], "red 9")
        play(game, 0, "red +2")
        play(game, 1, "+4", GREEN)
        assert playable(game, 2, Act.CANCEL) == {"green 6"}
        play(game, 2, "green 6", how=Act.CANCEL)
        assert demanded(game) == [(0, 6, "V-14")]

    def test_there_must_be_a_chain_v_14(self) -> None:
        game = table(["red 2, red 1", *THREE[1:]], "red 9")
        assert refused(game, 0, cancel(named("red 2"))) == "V-14"

    def test_out_of_turn_play_goes_on_after_the_last_plus_v_15(self) -> None:
        game = table(["red +2, red 1, red 2", "blue +2, red 5, red 6", "green 1, green 5", "blue 4, blue 5, blue 6"],
                     "red 9")  # fmt: skip
        play(game, 0, "red +2")
        play(game, 1, "blue +2")
        play(game, 3, "blue 4", how=Act.CANCEL)
        assert demanded(game) == [(0, 4, "V-14")]
        pay(game)
        assert (game.turn, game.state.sizes) == (2, [6, 2, 2, 2])
        assert DRAW in game.legal_moves(2)

    def test_in_turn_it_was_the_card_of_that_turn_v_14(self) -> None:
        game = table(["red +2, red 1, red 2", "red 2, red 5, blue 2", "green 1, green 2"], "red 9")
        play(game, 0, "red +2")
        play(game, 1, "red 2", how=Act.CANCEL)
        assert game.turn == 2

    def test_who_began_it_cancels_and_draws_v_14(self) -> None:
        game = table(["red +2, red 2", "blue 2, blue 3", "green 1, green 2"], "red 9")
        play(game, 0, "red +2")
        play(game, 0, "red 2", how=Act.CANCEL)  # the last card; the draw comes first
        assert demanded(game) == [(0, 2, "V-14")]
        pay(game)
        assert (game.state.sizes[0], rules_of(game).finished, game.turn) == (2, (), 1)

    def test_who_is_out_does_not_draw_v_14_v_18(self) -> None:
        game = table(["red +2", "blue 2, blue 3", "green 1, red 2", "green 3, green 4"], "red 9")
        play(game, 0, "red +2")
        play(game, 2, "red 2", how=Act.CANCEL)
        assert (demanded(game), rules_of(game).finished, game.turn) == ([], (0,), 1)
        assert Event(What.CANCELLED, 2) in game.events

    def test_the_draw_is_not_the_next_move_g_03(self) -> None:
        game = table(["red +2, red 1, red 3", "blue 2, blue 3", "green 1, red 2", "green 3, green 4"], "red 9")
        play(game, 0, "red +2")
        play(game, 2, "red 2", how=Act.CANCEL)
        pay(game)
        assert catch(2) in game.legal_moves(1)
