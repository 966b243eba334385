"""Uno vache, the deal, the cards, jumping in, rule by rule; each test names the rule that it holds."""

from __future__ import annotations

from collections import Counter

import pytest

from dispenser.rules.engine.errors import IllegalMove, OptionError
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import DRAW, PASS, TO_THE_LEFT, TO_THE_RIGHT, Act, catch, jump_in, lay, name
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, NAMING, PLAYING
from dispenser.rules.engine.uno_cards import WHITE, WILD
from dispenser.rules.registry import new_game
from tests.rules.tables import deal, hand
from tests.rules.vache import (
    BLUE,
    FOUR,
    GREEN,
    LEFT,
    RED,
    RIGHT,
    THREE,
    demanded,
    named,
    pay,
    play,
    playable,
    refused,
    rules_of,
    table,
)


class TestTheDeal:
    @pytest.mark.parametrize("white", range(5))
    def test_the_uno_deck_and_the_white_cards_v_01(self, white: int) -> None:
        deck = Counter(new_game("uno-vache", 2, {"white": white}, seed=1).state.deck())
        assert sum(deck.values()) == 108 + white
        assert deck[WHITE] == white
        del deck[WHITE]
        assert deck == Counter(new_game("uno", 2, seed=1).state.deck())

    def test_no_white_card_unless_asked_for_and_four_at_most_v_01(self) -> None:
        assert WHITE not in new_game("uno-vache", 2, seed=1).state.deck()
        with pytest.raises(OptionError):
            new_game("uno-vache", 2, {"white": 5})

    @pytest.mark.parametrize("seats", [2, 3, 10])
    def test_seven_cards_each_then_the_dealer_chooses_the_direction_v_02(self, seats: int) -> None:
        game = new_game("uno-vache", seats, seed=3)
        game.begin(dealer=1)
        assert game.state.sizes == [7] * seats
        assert (game.phase, game.turn, game.state.talon) == (CHOOSING_DIRECTION, 1, [])
        assert [game.legal_moves(seat) for seat in (0, 1)] == [[], [TO_THE_LEFT, TO_THE_RIGHT]]

    def test_to_the_left_v_02(self) -> None:
        game = deal("uno-vache", FOUR, "red 9", dealer=1)
        game.play(1, TO_THE_LEFT)
        assert (game.turn, game.state.direction, game.state.talon) == (2, 1, [named("red 9")])
        game.play(2, DRAW)
        pay(game)
        assert game.turn == 3

    def test_to_the_right_v_02(self) -> None:
        game = deal("uno-vache", FOUR, "red 9", dealer=1)
        game.play(1, TO_THE_RIGHT)
        assert (game.turn, game.state.direction) == (0, -1)
        game.play(0, DRAW)
        pay(game)
        assert game.turn == 3

    def test_nothing_before_the_direction_v_02(self) -> None:
        game = deal("uno-vache", FOUR, "red 9")
        with pytest.raises(IllegalMove) as refusal:
            game.play(3, lay(named("yellow 1")))
        assert refusal.value.rule == "V-02"

    def test_nothing_is_declared_or_set_right_before_a_card_is_turned_up_v_02_v_17(self) -> None:
        game = deal("uno-vache", FOUR, "red 0", pile="red 5, blue 5")
        for act in (lambda: game.penalise(0, "conduct"), lambda: game.correct_hand(0, cards=[named("red 5")])):
            with pytest.raises(IllegalMove, match="no round is under way"):
                act()
        assert game.state.conserved()
        game.play(3, TO_THE_LEFT)
        assert (game.state.talon, game.turn) == ([named("red 0")], 0)
        assert game.state.conserved()


class TestFirstCard:
    @pytest.mark.parametrize(("direction", "first", "then"), [(LEFT, 0, 1), (RIGHT, 2, 1)])
    def test_plus_two_v_03(self, direction: int, first: int, then: int) -> None:
        game = table(FOUR, "red +2", direction=direction)
        assert demanded(game) == [(first, 2, "V-03")]
        assert (game.turn, game.phase, rules_of(game).total) == (then, PLAYING, 0)

    @pytest.mark.parametrize(("direction", "first"), [(LEFT, 2), (RIGHT, 0)])
    def test_reverse_v_03(self, direction: int, first: int) -> None:
        game = table(FOUR, "red reverse", direction=direction)
        assert (game.turn, game.state.direction) == (first, -direction)

    @pytest.mark.parametrize(("direction", "skipped"), [(LEFT, 0), (RIGHT, 2)])
    def test_skip_v_03(self, direction: int, skipped: int) -> None:
        game = table(FOUR, "red skip", direction=direction)
        assert game.turn == 1
        assert Event(What.SKIPPED, skipped) in game.events

    def test_wild_v_03(self) -> None:
        game = table(FOUR, "wild", direction=RIGHT)
        assert (game.turn, game.phase) == (3, NAMING)
        assert game.legal_moves(3) == [name(colour) for colour in range(4)]
        assert refused(game, 3, DRAW) == "V-03"
        game.play(3, name(GREEN))
        assert (game.turn, game.state.colour) == (2, GREEN)
        assert playable(game) == {"green 1", "green 2", "green 3"}

    def test_plus_four_goes_back_v_03(self) -> None:
        game = new_game("uno-vache", 2, hidden=True)
        game.begin(dealer=1)
        game.play(1, TO_THE_LEFT)
        game.answer(named("+4"))
        assert game.question is not None
        assert (game.question.kind, game.question.rule) == ("turn-up", "V-03")
        game.answer(named("blue 3"))
        assert (game.turn, game.state.talon, game.state.in_pile()) == (0, [named("blue 3")], 108 - 14 - 1)

    def test_zero_has_no_effect_v_03(self) -> None:
        game = table(FOUR, "red 0")
        assert (game.turn, hand(game, 1)) == (0, ["blue 1", "blue 2", "blue 3"])

    def test_white_has_no_effect_v_03(self) -> None:
        game = table(["red 1, blue 7, green skip", *FOUR[1:]], "white", white=1)
        assert (game.turn, game.phase) == (0, PLAYING)
        assert playable(game) == {"red 1", "blue 7", "green skip"}
        play(game, 0, "blue 7")
        assert game.state.colour == BLUE

    @pytest.mark.parametrize("first", ["red 5", "red +2", "red skip", "red reverse"])
    def test_nobody_jumps_in_on_it_v_11(self, first: str) -> None:
        game = table([f"{first}, red 1"] + ["blue 1, blue 2"] * 2, first)
        pay(game)
        assert playable(game, 0, Act.JUMP_IN) == set()


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
        assert refused(table([f"{mine}, red 1", *THREE[1:]], "green 9"), 0, lay(named(mine))) == "V-04"

    def test_who_does_not_play_draws_one_and_the_turn_passes_v_05(self) -> None:
        game = table(FOUR, "red 9", pile="red 8, blue 9")
        game.play(0, DRAW)
        assert demanded(game) == [(0, 1, "V-05")]
        game.fulfil_by_chance()
        assert (game.turn, game.state.sizes[0], game.phase) == (1, 4, PLAYING)
        assert refused(game, 0, lay(named("red 8"))) == "V-02"
        assert refused(game, 1, PASS) == "V-05"

    def test_one_may_draw_with_a_card_that_fits_v_05_g_02(self) -> None:
        game = table(FOUR, "red 9")
        assert playable(game) == {"red 1", "red 2", "red 3"}
        assert DRAW in game.legal_moves(0)

    def test_wild_names_the_colour_v_06(self) -> None:
        game = table(["wild, red 1, red 2", *FOUR[1:]], "yellow 9")
        assert refused(game, 0, lay(WILD)) == "V-06"
        play(game, 0, "wild", BLUE)
        assert (game.turn, game.state.colour) == (1, BLUE)
        assert playable(game) == {"blue 1", "blue 2", "blue 3"}

    def test_reverse_v_07(self) -> None:
        game = table(["red reverse, red 1, red 2", *FOUR[1:]], "red 9")
        play(game, 0, "red reverse")
        assert (game.turn, game.state.direction) == (3, -1)
        assert refused(table(["red reverse, red 1", *FOUR[1:]], "blue 9"), 0, lay(named("red reverse"))) == "V-07"

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
        assert Event(What.SKIPPED, 3) in game.events
        assert refused(table(["red skip, red 1", *FOUR[1:]], "blue 9"), 0, lay(named("red skip"))) == "V-08"


class TestJumpIn:
    HANDS = ("red 4, red 1, red 2", "blue 1, blue 2", "red 4, blue 4, red 5", "red 7, red 8")

    def test_an_identical_card_before_the_next_player_v_11(self) -> None:
        game = table(self.HANDS, "red 9")
        play(game, 0, "red 4")
        assert playable(game, 2, Act.JUMP_IN) == {"red 4"}  # the blue 4 has the value only
        assert playable(game, 3, Act.JUMP_IN) == set()
        play(game, 2, "red 4", how=Act.JUMP_IN)
        assert (game.turn, game.state.sizes, game.state.talon[-2:]) == (3, [2, 2, 2, 2], [named("red 4")] * 2)

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
            assert refused(game, 2, jump_in(lay(named("red 4")))) == "V-11"

    def test_not_with_another_card_and_not_in_turn_v_11(self) -> None:
        game = table(self.HANDS, "red 9")
        assert refused(game, 0, jump_in(lay(named("red 4")))) == "V-11"
        play(game, 0, "red 4")
        assert refused(game, 2, jump_in(lay(named("blue 4")))) == "V-11"
        assert refused(game, 3, jump_in(lay(named("red 4")))) == "G-04"

    def test_the_same_wild_names_a_colour_v_11(self) -> None:
        game = table(["wild, red 1, red 2", "blue 1, blue 2", "wild, +4, red 5", "red 7, red 8"], "red 9")
        play(game, 0, "wild", RED)
        assert playable(game, 2, Act.JUMP_IN) == {"wild"}
        assert refused(game, 2, jump_in(lay(WILD))) == "V-11"
        play(game, 2, "wild", GREEN, how=Act.JUMP_IN)
        assert (game.turn, game.state.colour) == (3, GREEN)

    def test_a_plus_on_a_chain_v_11(self) -> None:
        game = table(["red +2, red 1, red 2", "blue 1, blue 2", "red +2, +4, red 5", "red 7, red 8"], "red 9")
        play(game, 0, "red +2")
        assert playable(game, 2, Act.JUMP_IN) == {"red +2"}
        play(game, 2, "red +2", how=Act.JUMP_IN)
        assert (game.turn, rules_of(game).total, rules_of(game).first_plus, rules_of(game).last_plus) == (3, 4, 0, 2)

    def test_the_card_acts_again_v_11(self) -> None:
        game = table(["red skip, red 1, red 2", "blue 1, blue 2", "red 5, red 6", "red skip, red 8, red 3"], "red 9")
        play(game, 0, "red skip")
        play(game, 3, "red skip", how=Act.JUMP_IN)
        assert game.turn == 1

    def test_not_while_something_is_owed_v_11(self) -> None:
        game = table(["red 4, red 1", *self.HANDS[1:]], "red 9")
        play(game, 0, "red 4")
        game.play(1, catch(0))
        assert playable(game, 2, Act.JUMP_IN) == set()
        pay(game)
        assert playable(game, 2, Act.JUMP_IN) == {"red 4"}

    @pytest.mark.parametrize("seats", [2, 4])
    def test_on_oneself_v_12(self, seats: int) -> None:
        game = table(["red 4, red 4, red 2", "blue 1, blue 2", *THREE[:2]][:seats], "red 9")
        play(game, 0, "red 4")
        play(game, 0, "red 4", how=Act.JUMP_IN)
        assert (game.turn, game.state.sizes[0]) == (1, 1)

    def test_hidden_as_long_as_the_table_cannot_exclude_it_v_11(self) -> None:
        game = new_game("uno-vache", 3, hidden=True)
        game.begin(dealer=2, first=named("red 9"))
        game.play(2, TO_THE_LEFT)
        game.play(0, lay(named("red 4")))
        assert jump_in(lay(named("red 4"))) in game.legal_moves(2)
        game.play(2, jump_in(lay(named("red 4"))))
        assert (game.turn, game.state.sizes) == (0, [6, 7, 6])
        assert jump_in(lay(named("red 4"))) not in game.legal_moves(1)  # both have been seen
        assert game.state.conserved()
