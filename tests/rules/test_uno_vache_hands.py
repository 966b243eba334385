"""Uno vache, hands that change owners, rule by rule; each test names the rule that it holds."""

from __future__ import annotations

import pytest

from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, TAKE, TO_THE_LEFT, Act, catch, jump_in, lay
from dispenser.rules.engine.phases import MATCH_OVER
from dispenser.rules.engine.uno_cards import WHITE
from dispenser.rules.registry import new_game
from tests.rules.tables import hand
from tests.rules.vache import (
    FOUR,
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
    told,
)


class TestZero:
    @pytest.mark.parametrize(("direction", "first"), [(LEFT, 0), (RIGHT, 1)])
    def test_every_hand_goes_to_the_next_v_13(self, direction: int, first: int) -> None:
        hands = THREE[:]
        hands[first] = "red 0, " + hands[first]
        game = table(hands, "red 9", direction=direction)
        before = [hand(game, seat) for seat in range(3)]
        before[first].remove("red 0")
        play(game, first, "red 0")
        assert [hand(game, (seat + direction) % 3) for seat in range(3)] == before
        assert (game.turn, What.PASSED_ON in told(game)) == ((first + direction) % 3, True)

    def test_known_cards_go_with_the_hand_v_13(self) -> None:
        game = new_game("uno-vache", 3, hidden=True)
        game.begin(dealer=2, first=named("red 9"))
        game.play(2, TO_THE_LEFT)
        game.correct_hand(1, cards=[named("red 0"), named("blue 7"), named("blue 7")])
        game.play(0, DRAW)
        game.fulfil_by_chance()
        game.play(1, lay(named("red 0")))
        assert (game.state.sizes, hand(game, 2), hand(game, 1)) == ([7, 8, 2], ["blue 7"] * 2, ["?"] * 8)

    def test_who_is_out_gets_no_hand_v_13(self) -> None:
        game = table(["red 1", "red 0, blue 2, blue 3", "green 1, green 2", "blue 8, blue 9"], "red 9")
        play(game, 0, "red 1")
        play(game, 1, "red 0")
        assert (game.state.sizes, hand(game, 1), hand(game, 2)) == (
            [0, 2, 2, 2],
            ["blue 8", "blue 9"],
            ["blue 2", "blue 3"],
        )

    def test_announcements_are_due_after_it_v_13(self) -> None:
        game = table(["red 0, red 1", "blue 1, blue 2", "green 1, green 2"], "red 9")
        play(game, 0, "red 0")
        assert (game.state.sizes, game.state.exposed) == ([2, 1, 2], {1})
        assert catch(1) in game.legal_moves(0)
        assert ANNOUNCE in game.legal_moves(1)

    def test_one_card_for_one_card_says_nothing_v_13(self) -> None:
        game = table(["red 8, red 0, red 2", "red 5", "red 7"], "red 9")
        play(game, 0, "red 0")  # seat 1 gets two, seat 2 the one of seat 1, seat 0 the one of seat 2
        assert (game.state.sizes, game.state.exposed) == ([1, 2, 1], {0})

    def test_who_laid_it_had_two_and_must_say_it_v_13(self) -> None:
        game = table(["red 0, red 1", "red 5", "red 7, red 8"], "red 9")
        play(game, 0, "red 0")
        assert (game.state.sizes, game.state.exposed) == ([2, 1, 1], {2})
        game = table(["red 0, red 1", "red 5, red 6", "red 7"], "red 9")
        game.play(0, ANNOUNCE)
        play(game, 0, "red 0")
        assert (game.state.sizes, game.state.exposed, game.state.announced) == ([1, 1, 2], {1}, {0})

    def test_a_zero_laid_last_v_21(self) -> None:
        game = table(["red 0", "blue 1, blue 2", "green 1, green 2", "yellow 1, yellow 2, yellow 3"], "red 9")
        play(game, 0, "red 0")
        assert hand(game, 0) == ["yellow 1", "yellow 2", "yellow 3"]  # of the one before
        assert (rules_of(game).finished, game.state.sizes, game.turn) == ((1,), [3, 0, 2, 2], 2)
        assert Event(What.WENT_OUT, 1, number=1) in game.events

    def test_one_card_for_a_zero_laid_last_says_nothing_v_13_v_21(self) -> None:
        game = table(["red 0", "blue 1, blue 2", "green 1, green 2", "yellow 1"], "red 9")
        play(game, 0, "red 0")
        assert (game.state.sizes, game.state.exposed) == ([1, 0, 2, 2], set())

    @pytest.mark.parametrize("hidden", [False, True])
    def test_a_zero_laid_last_with_two_players_v_21(self, hidden: bool) -> None:
        game = table(["red 0", "blue 1, blue 2"], "red 9", hidden=hidden)
        play(game, 0, "red 0")
        assert (game.phase, game.ranking(), game.state.winners) == (MATCH_OVER, (1, 0), (1,))


class TestWhite:
    def test_any_two_hands_v_16(self) -> None:
        game = table(["white, red 1, red 2", *FOUR[1:]], "red 9", white=1)
        offered = [move for move in game.legal_moves(0) if move.card == WHITE]
        assert offered == [lay(WHITE, seat=one, other=other) for other in range(4) for one in range(other)]
        play(game, 0, "white", 1, 3)
        assert (hand(game, 1), hand(game, 3)) == (["yellow 1", "yellow 2", "yellow 3"], ["blue 1", "blue 2", "blue 3"])
        assert Event(What.SWAPPED, 1, other=3) in game.events
        assert game.turn == 1

    def test_ones_own_hand_and_the_colour_stays_v_16(self) -> None:
        game = table(["white, red 1, red 2, green 9", "blue 9, blue 1, red 3"], "red 9", white=1)
        play(game, 0, "white", 0, 1)
        assert hand(game, 0) == ["red 3", "blue 1", "blue 9"]
        assert game.state.colour == RED  # and the number under it no longer counts
        assert playable(game) == {"red 1", "red 2"}

    def test_on_a_white_one_turned_up_any_colour_goes_v_16_v_03(self) -> None:
        game = table(["white, red 1, red 2", "blue 9, green 1"], "white", white=2)
        play(game, 0, "white", 0, 1)
        assert playable(game) == {"red 1", "red 2"}

    def test_a_choice_must_be_made_and_not_on_a_plus_v_16_v_04(self) -> None:
        game = table(["red +2, red 1, red 2", "white, blue 1"], "red 9", white=1)
        play(game, 0, "red +2")
        assert refused(game, 1, lay(WHITE, seat=0, other=1)) == "V-04"
        game.play(1, TAKE)
        pay(game)
        game.play(0, DRAW)
        pay(game)
        assert refused(game, 1, lay(WHITE)) == "V-16"

    def test_who_was_out_is_dealt_back_in_v_16_v_18(self) -> None:
        game = table(["red 1", "white, blue 1, blue 2", "green 1, green 2", "yellow 1, yellow 2"], "red 9", white=1)
        play(game, 0, "red 1")
        assert (rules_of(game).finished, game.turn) == ((0,), 1)
        play(game, 1, "white", 0, 2)
        assert Event(What.OUT_AGAIN, 0) in game.events
        assert Event(What.WENT_OUT, 2, number=1) in game.events
        assert (rules_of(game).finished, game.state.sizes, game.turn) == ((2,), [2, 2, 0, 2], 3)
        game.play(3, DRAW)
        pay(game)
        assert game.turn == 0

    def test_laid_last_v_16_v_20(self) -> None:
        hands = ["white", "blue 1, blue 2", "green 1, green 2", "yellow 1, yellow 2"]
        game = table(hands, "red 9", white=1)
        play(game, 0, "white", 1, 2)
        assert (rules_of(game).finished, hand(game, 1)) == ((0,), ["green 1", "green 2"])
        game = table(hands, "red 9", white=1)
        play(game, 0, "white", 0, 2)
        assert (rules_of(game).finished, hand(game, 0)) == ((2,), ["green 1", "green 2"])
        assert What.OUT_AGAIN not in told(game)  # seat 0 never was out

    def test_out_before_the_one_whose_hand_is_given_away_v_16_v_24(self) -> None:
        hands = ["red 1", "white", "green 1, green 2", "yellow 1, yellow 2", "blue 1, blue 2"]
        game = table(hands, "red 9", white=1)
        play(game, 0, "red 1")
        play(game, 1, "white", 0, 3)
        assert (rules_of(game).finished, game.state.sizes) == ((1, 3), [2, 0, 2, 0, 2])

    def test_laid_last_for_the_hand_of_the_first_one_out_v_16_v_24(self) -> None:
        """Who was out is back before the layer is out, and so first."""
        hands = ["red 1", "white", "blue 4, blue 5", "green 1, green 2", "red 5, red 6"]
        game = table(hands, "red 7", white=1)
        play(game, 0, "red 1")
        play(game, 1, "white", 0, 2)
        told = [event for event in game.events if event.what in {What.WENT_OUT, What.OUT_AGAIN}]
        assert told == [Event(What.OUT_AGAIN, 0), Event(What.WENT_OUT, 1, number=1), Event(What.WENT_OUT, 2, number=2)]
        assert game.ranking()[:2] == (1, 2)

    @pytest.mark.parametrize("at_once", [True, False])
    def test_nobody_is_caught_between_two_cards_that_are_owed_v_14_v_22(self, *, at_once: bool) -> None:
        game = table(["red +2, red 2", "green 9, blue 1", "red 5, red 8", "green 4, blue 2"], "red 7")
        game.play(0, ANNOUNCE)
        play(game, 0, "red +2")
        play(game, 0, "red 2", how=Act.CANCEL)
        assert demanded(game) == [(0, 2, "V-14")]
        for count in (2,) if at_once else (1, 1):
            game.fulfil(count)
            assert game.state.exposed == set()

    def test_who_gets_only_one_of_two_cards_that_are_owed_must_say_it_v_14_v_22(self) -> None:
        game = table(["red +2, red 2", "green 9, blue 1", "red 5, red 8", "green 4, blue 2"], "red 7")
        game.play(0, ANNOUNCE)
        play(game, 0, "red +2")
        play(game, 0, "red 2", how=Act.CANCEL)
        del game.state.pile[1:], game.state.talon[:-1]  # the other cards are lost: no more can come
        game.fulfil_by_chance()
        assert (game.state.sizes[0], game.state.demands, game.state.exposed) == (1, [], {0})

    def test_announcements_after_it_v_16_v_22(self) -> None:
        game = table(["white, red 1, red 2", "blue 1", "green 1", "yellow 1, yellow 2"], "red 9", white=1)
        play(game, 0, "white", 1, 2)
        assert game.state.exposed == set()
        game = table(["white, red 1, red 2", "blue 1", "green 1, green 2"], "red 9", white=1)
        play(game, 0, "white", 1, 2)
        assert game.state.exposed == {2}

    def test_jumping_in_on_it_v_11_v_16(self) -> None:
        game = table(["white, red 1, red 2", "blue 1, blue 2", "white, green 2, green 3"], "red 9", white=2)
        play(game, 0, "white", 0, 1)
        assert refused(game, 2, jump_in(lay(WHITE))) == "V-11"
        play(game, 2, "white", 0, 1, how=Act.JUMP_IN)
        assert (hand(game, 0), game.turn) == (["red 1", "red 2"], 0)
