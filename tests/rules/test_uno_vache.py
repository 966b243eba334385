"""Uno vache, the deal, the cards, jumping in, rule by rule; each test names the rule that it holds."""

from __future__ import annotations

from collections import Counter

import pytest

from dispenser.rules import IllegalMove, OptionError, new_game
from dispenser.rules import events as said
from dispenser.rules.cards import WHITE, WILD
from dispenser.rules.moves import CATCH, DIRECTION, DRAW, JUMP_IN, NAME, PASS
from dispenser.rules.state import CHOOSING_DIRECTION, NAMING, PLAYING
from tests.rules.tables import deal, hand
from tests.rules.vache import (
    BLUE,
    FOUR,
    GREEN,
    RED,
    RIGHT,
    THREE,
    demanded,
    named,
    pay,
    play,
    playable,
    refused,
    table,
)


class TestTheDeal:
    @pytest.mark.parametrize("white", range(5))
    def test_the_uno_deck_and_the_white_cards_v_01(self, white: int) -> None:
        deck = Counter(new_game("uno-vache", 2, {"white": white}, seed=1).deck())
        assert sum(deck.values()) == 108 + white
        assert deck[WHITE] == white
        del deck[WHITE]
        assert deck == Counter(new_game("uno", 2, seed=1).deck())

    def test_no_white_card_unless_asked_for_and_four_at_most_v_01(self) -> None:
        assert WHITE not in new_game("uno-vache", 2, seed=1).deck()
        with pytest.raises(OptionError):
            new_game("uno-vache", 2, {"white": 5})

    @pytest.mark.parametrize("seats", [2, 3, 10])
    def test_seven_cards_each_then_the_dealer_chooses_the_direction_v_02(self, seats: int) -> None:
        game = new_game("uno-vache", seats, seed=3)
        game.begin(dealer=1)
        assert game.sizes == [7] * seats
        assert (game.phase, game.turn, game.talon) == (CHOOSING_DIRECTION, 1, [])
        assert [game.legal_moves(seat) for seat in (0, 1)] == [[], [DIRECTION | 0, DIRECTION | 1]]

    def test_to_the_left_v_02(self) -> None:
        game = deal("uno-vache", FOUR, "red 9", dealer=1)
        game.play(1, DIRECTION | 0)
        assert (game.turn, game.direction, game.talon) == (2, 1, [named("red 9")])
        game.play(2, DRAW)
        assert game.turn == 3

    def test_to_the_right_v_02(self) -> None:
        game = deal("uno-vache", FOUR, "red 9", dealer=1)
        game.play(1, DIRECTION | 1)
        assert (game.turn, game.direction) == (0, -1)
        game.play(0, DRAW)
        assert game.turn == 3

    def test_nothing_before_the_direction_v_02(self) -> None:
        game = deal("uno-vache", FOUR, "red 9")
        with pytest.raises(IllegalMove) as refusal:
            game.play(3, named("yellow 1"))
        assert refusal.value.rule == "V-02"

    def test_nothing_is_declared_or_set_right_before_a_card_is_turned_up_v_02_v_17(self) -> None:
        game = deal("uno-vache", FOUR, "red 0", pile="red 5, blue 5")
        for act in (lambda: game.penalise(0, "conduct"), lambda: game.correct_hand(0, cards=[named("red 5")])):
            with pytest.raises(IllegalMove, match="no round is under way"):
                act()
        assert game.conserved()
        game.play(3, DIRECTION | 0)
        assert (game.talon, game.turn) == ([named("red 0")], 0)
        assert game.conserved()


class TestFirstCard:
    @pytest.mark.parametrize(("direction", "first", "then"), [(0, 0, 1), (1, 2, 1)])
    def test_plus_two_v_03(self, direction: int, first: int, then: int) -> None:
        game = table(FOUR, "red +2", direction=direction)
        assert demanded(game) == [(first, 2, "V-03")]
        assert (game.turn, game.phase, game.total) == (then, PLAYING, 0)

    @pytest.mark.parametrize(("direction", "first"), [(0, 2), (1, 0)])
    def test_reverse_v_03(self, direction: int, first: int) -> None:
        game = table(FOUR, "red reverse", direction=direction)
        assert (game.turn, game.direction) == (first, -1 if direction == 0 else 1)

    @pytest.mark.parametrize(("direction", "skipped"), [(0, 0), (1, 2)])
    def test_skip_v_03(self, direction: int, skipped: int) -> None:
        game = table(FOUR, "red skip", direction=direction)
        assert game.turn == 1
        assert (said.SKIPPED, skipped, -1) in game.events

    def test_wild_v_03(self) -> None:
        game = table(FOUR, "wild", direction=RIGHT)
        assert (game.turn, game.phase) == (3, NAMING)
        assert game.legal_moves(3) == [NAME | colour for colour in range(4)]
        assert refused(game, 3, DRAW) == "V-03"
        game.play(3, NAME | GREEN)
        assert (game.turn, game.colour) == (2, GREEN)
        assert playable(game) == {"green 1", "green 2", "green 3"}

    def test_plus_four_goes_back_v_03(self) -> None:
        game = new_game("uno-vache", 2, hidden=True)
        game.begin(dealer=1)
        game.play(1, DIRECTION | 0)
        game.answer(named("+4"))
        assert game.question is not None
        assert (game.question.kind, game.question.rule) == ("turn-up", "V-03")
        game.answer(named("blue 3"))
        assert (game.turn, game.talon, game.in_pile()) == (0, [named("blue 3")], 108 - 14 - 1)

    def test_zero_has_no_effect_v_03(self) -> None:
        game = table(FOUR, "red 0")
        assert (game.turn, hand(game, 1)) == (0, ["blue 1", "blue 2", "blue 3"])

    def test_white_has_no_effect_v_03(self) -> None:
        game = table(["red 1, blue 7, green skip", *FOUR[1:]], "white", white=1)
        assert (game.turn, game.phase) == (0, PLAYING)
        assert playable(game) == {"red 1", "blue 7", "green skip"}
        play(game, 0, "blue 7")
        assert game.colour == BLUE

    @pytest.mark.parametrize("first", ["red 5", "red +2", "red skip", "red reverse"])
    def test_nobody_jumps_in_on_it_v_11(self, first: str) -> None:
        game = table([f"{first}, red 1"] + ["blue 1, blue 2"] * 2, first)
        pay(game)
        assert playable(game, 0, JUMP_IN) == set()


class TestPlaying:
    @pytest.mark.parametrize(
        ("top", "may"),
        [
            ("red 9", {"red 2", "red skip"}),
            ("green 7", {"blue 7"}),
            ("green skip", {"red skip"}),
            ("blue 1", {"blue 7", "blue reverse"}),
            ("yellow reverse", {"blue reverse"}),
            ("yellow 6", set()),
        ],
    )
    def test_same_colour_number_or_symbol_or_a_wild_v_04(self, top: str, may: set[str]) -> None:
        mine = "blue 7, blue reverse, red 2, red skip, wild, +4, white"
        game = table([f"{top}, red 5, blue 5", mine, mine], f"{top.split(maxsplit=1)[0]} 8", white=2)
        play(game, 0, top)
        assert game.turn != 0
        assert playable(game) == may | {"wild", "+4", "white"}

    @pytest.mark.parametrize("mine", ["red 8", "blue 5"])
    def test_what_does_not_match_is_refused_v_04(self, mine: str) -> None:
        assert refused(table([f"{mine}, red 1", *THREE[1:]], "green 9"), 0, named(mine)) == "V-04"

    def test_who_does_not_play_draws_one_and_the_turn_passes_v_05(self) -> None:
        game = table(FOUR, "red 9", pile="red 8, blue 9")
        game.play(0, DRAW)
        assert demanded(game) == [(0, 1, "V-05")]
        game.fulfil()
        assert (game.turn, game.sizes[0], game.phase) == (1, 4, PLAYING)
        assert refused(game, 0, named("red 8")) == "V-02"
        assert refused(game, 1, PASS) == "G-06"

    def test_one_may_draw_with_a_card_that_fits_v_05_g_02(self) -> None:
        game = table(FOUR, "red 9")
        assert playable(game) == {"red 1", "red 2", "red 3"}
        assert DRAW in game.legal_moves(0)

    def test_wild_names_the_colour_v_06(self) -> None:
        game = table(["wild, red 1, red 2", *FOUR[1:]], "yellow 9")
        assert refused(game, 0, WILD) == "V-06"
        play(game, 0, "wild", BLUE)
        assert (game.turn, game.colour) == (1, BLUE)
        assert playable(game) == {"blue 1", "blue 2", "blue 3"}

    def test_reverse_v_07(self) -> None:
        game = table(["red reverse, red 1, red 2", *FOUR[1:]], "red 9")
        play(game, 0, "red reverse")
        assert (game.turn, game.direction) == (3, -1)
        assert refused(table(["red reverse, red 1", *FOUR[1:]], "blue 9"), 0, named("red reverse")) == "V-07"

    def test_reverse_with_two_players_v_07(self) -> None:
        game = table(["red reverse, red 1, red 2", "blue 1, blue 2"], "red 9")
        play(game, 0, "red reverse")
        assert game.turn == 0

    def test_skip_also_on_a_skip_v_08(self) -> None:
        game = table(["red skip, red 1, red 2", "red 3, red 4", "blue skip, blue 1, blue 2", "red 7, red 8"], "red 9")
        play(game, 0, "red skip")
        assert game.turn == 2
        play(game, 2, "blue skip")
        assert game.turn == 0
        assert (said.SKIPPED, 3, -1) in game.events
        assert refused(table(["red skip, red 1", *FOUR[1:]], "blue 9"), 0, named("red skip")) == "V-08"


class TestJumpIn:
    HANDS = ("red 4, red 1, red 2", "blue 1, blue 2", "red 4, blue 4, red 5", "red 7, red 8")

    def test_an_identical_card_before_the_next_player_v_11(self) -> None:
        game = table(self.HANDS, "red 9")
        play(game, 0, "red 4")
        assert playable(game, 2, JUMP_IN) == {"red 4"}  # the blue 4 has the value only
        assert playable(game, 3, JUMP_IN) == set()
        play(game, 2, "red 4", how=JUMP_IN)
        assert (game.turn, game.sizes, game.talon[-2:]) == (3, [2, 2, 2, 2], [named("red 4")] * 2)

    def test_not_when_the_next_player_has_acted_v_11(self) -> None:
        for act in ("draw", "blue 4"):
            game = table([self.HANDS[0], "blue 4, blue 2", *self.HANDS[2:]], "red 9")
            play(game, 0, "red 4")
            if act == "draw":
                game.play(1, DRAW)
                pay(game)
            else:
                play(game, 1, act)
            game.play(2, DRAW)
            pay(game)
            assert refused(game, 2, JUMP_IN | named("red 4")) == "V-11"

    def test_not_with_another_card_and_not_in_turn_v_11(self) -> None:
        game = table(self.HANDS, "red 9")
        assert refused(game, 0, JUMP_IN | named("red 4")) == "V-11"
        play(game, 0, "red 4")
        assert refused(game, 2, JUMP_IN | named("blue 4")) == "V-11"
        assert refused(game, 3, JUMP_IN | named("red 4")) == "G-04"

    def test_the_same_wild_names_a_colour_v_11(self) -> None:
        game = table(["wild, red 1, red 2", "blue 1, blue 2", "wild, +4, red 5", "red 7, red 8"], "red 9")
        play(game, 0, "wild", RED)
        assert playable(game, 2, JUMP_IN) == {"wild"}
        assert refused(game, 2, JUMP_IN | WILD) == "V-11"
        play(game, 2, "wild", GREEN, how=JUMP_IN)
        assert (game.turn, game.colour) == (3, GREEN)

    def test_a_plus_on_a_chain_v_11(self) -> None:
        game = table(["red +2, red 1, red 2", "blue 1, blue 2", "red +2, +4, red 5", "red 7, red 8"], "red 9")
        play(game, 0, "red +2")
        assert playable(game, 2, JUMP_IN) == {"red +2"}
        play(game, 2, "red +2", how=JUMP_IN)
        assert (game.turn, game.total, game.first_plus, game.last_plus) == (3, 4, 0, 2)

    def test_the_card_acts_again_v_11(self) -> None:
        game = table(["red skip, red 1, red 2", "blue 1, blue 2", "red 5, red 6", "red skip, red 8, red 3"], "red 9")
        play(game, 0, "red skip")
        play(game, 3, "red skip", how=JUMP_IN)
        assert game.turn == 1

    def test_not_while_something_is_owed_v_11(self) -> None:
        game = table(["red 4, red 1", *self.HANDS[1:]], "red 9")
        play(game, 0, "red 4")
        game.play(1, CATCH | 0)
        assert playable(game, 2, JUMP_IN) == set()
        pay(game)
        assert playable(game, 2, JUMP_IN) == {"red 4"}

    @pytest.mark.parametrize("seats", [2, 4])
    def test_on_oneself_v_12(self, seats: int) -> None:
        game = table(["red 4, red 4, red 2", "blue 1, blue 2", *THREE[:2]][:seats], "red 9")
        play(game, 0, "red 4")
        play(game, 0, "red 4", how=JUMP_IN)
        assert (game.turn, game.sizes[0]) == (1, 1)

    def test_hidden_as_long_as_the_table_cannot_exclude_it_v_11(self) -> None:
        game = new_game("uno-vache", 3, hidden=True)
        game.begin(dealer=2, first=named("red 9"))
        game.play(2, DIRECTION | 0)
        game.play(0, named("red 4"))
        assert JUMP_IN | named("red 4") in game.legal_moves(2)
        game.play(2, JUMP_IN | named("red 4"))
        assert (game.turn, game.sizes) == (0, [6, 7, 6])
        assert JUMP_IN | named("red 4") not in game.legal_moves(1)  # both have been seen
        assert game.conserved()
