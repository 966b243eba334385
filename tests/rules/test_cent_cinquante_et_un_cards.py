"""151, rule by rule: the special cards, and saying “Carte”; each test names the rule that it holds."""

from __future__ import annotations

import pytest

from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, PASS, Act, catch, name
from dispenser.rules.engine.phases import AGAIN, IDLE, PLAYING
from dispenser.rules.engine.playing_cards import JOKER, PLAYING_CARDS, rank_of
from tests.rules.playing_cards import CLUBS, HEARTS, SPADES, draw_and_pass, laying, named, owed, playable, refused
from tests.rules.table_of_151 import LOOKERS_ON, deal, later, lay, table
from tests.rules.tables import cards_of


class TestSpecialCards:
    def test_after_a_2_the_next_draws_two_and_does_not_play_c_06(self) -> None:
        game = deal(["2 of hearts, 9 of clubs, 9 of spades", "2 of clubs, 4 of hearts", LOOKERS_ON[1]], "9 of hearts")
        assert Event(What.SKIPPED, 1) in lay(game, "2 of hearts")
        assert (owed(game), game.turn) == ([(1, 2, "C-06")], 2)
        assert refused(game, 1, laying("2 of clubs")) == "C-06"
        game.fulfil_by_chance()
        assert (game.state.sizes, game.turn) == ([2, 4, 3], 2)
        assert DRAW in game.legal_moves(2)

    def test_a_2_when_they_are_two_c_06(self) -> None:
        game = table("2 of hearts, 9 of clubs, 9 of spades", seats=2)
        lay(game, "2 of hearts")
        assert (owed(game), game.turn) == ([(1, 2, "C-06")], 0)

    @pytest.mark.parametrize(("seats", "opposite"), [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
    def test_a_6_goes_to_the_seat_opposite_c_07(self, seats: int, opposite: int) -> None:
        game = table("6 of hearts, king of clubs, king of spades", seats)
        lay(game, "6 of hearts")
        assert (game.turn, game.state.demands, game.state.direction) == (opposite, [], 1)

    def test_opposite_is_counted_in_the_direction_of_play_c_07(self) -> None:
        game = deal([*LOOKERS_ON[:3], "6 of hearts, king of clubs", LOOKERS_ON[3]], "10 of hearts")
        assert game.turn == 3
        lay(game, "6 of hearts")
        assert (game.turn, game.state.direction) == (1, -1)

    @pytest.mark.parametrize("suit", range(4))
    def test_an_8_names_the_suit_c_08(self, suit: int) -> None:
        rest = "4 of clubs, 4 of diamonds, 4 of hearts, 4 of spades, 8 of clubs, 9 of hearts"
        game = deal(["8 of hearts, king of clubs, king of spades", rest], "7 of hearts")
        lay(game, "8 of hearts", suit)
        wanted = {f"4 of {PLAYING_CARDS.colour_names[suit].en}", "8 of clubs"}
        assert (game.turn, game.state.colour) == (1, suit)
        assert playable(game) == wanted | ({"9 of hearts"} if suit == HEARTS else set())

    def test_an_8_without_a_suit_c_08(self) -> None:
        game = table("8 of hearts, king of clubs")
        assert refused(game, 0, laying("8 of hearts")) == "C-08"
        assert refused(game, 0, laying("8 of hearts", 4)) == "C-08"

    @pytest.mark.parametrize(("seats", "turn"), [(2, 1), (3, 2), (5, 4)])
    def test_a_10_turns_the_direction_c_09(self, seats: int, turn: int) -> None:
        game = table("10 of hearts, king of clubs, king of spades", seats)
        assert Event(What.REVERSED, direction=-1) in lay(game, "10 of hearts")
        assert (game.turn, game.state.direction) == (turn, -1)

    def test_after_a_queen_its_player_may_play_a_card_that_fits_c_10(self) -> None:
        game = table("queen of hearts, 4 of hearts, queen of clubs, king of clubs", first="9 of hearts")
        assert Event(What.AGAIN, 0) in lay(game, "queen of hearts")
        assert (game.turn, game.phase) == (0, AGAIN)
        assert playable(game) == {"4 of hearts", "queen of clubs"}
        assert refused(game, 0, laying("king of clubs")) == "C-05"
        lay(game, "queen of clubs")
        assert (game.turn, game.phase, playable(game)) == (0, AGAIN, {"king of clubs"})
        lay(game, "king of clubs")
        assert (game.turn, game.phase) == (1, PLAYING)

    def test_after_a_queen_one_may_pass_without_drawing_c_10(self) -> None:
        game = table("queen of hearts, 4 of hearts, king of clubs")
        lay(game, "queen of hearts")
        assert refused(game, 0, DRAW) == "C-10"
        game.play(0, PASS)
        assert (game.turn, game.phase, game.state.sizes[0], game.state.demands) == (1, PLAYING, 2, [])

    def test_an_ace_freezes_the_pile_c_11(self) -> None:
        ready = "4 of hearts, 8 of clubs, ace of spades, king of hearts, queen of clubs"
        game = deal(["ace of hearts, king of clubs, king of spades", ready, LOOKERS_ON[0]], "9 of hearts")
        assert Event(What.FROZE, 0) in lay(game, "ace of hearts")
        assert (game.turn, playable(game)) == (1, {"8 of clubs", "ace of spades"})
        assert refused(game, 1, laying("4 of hearts")) == "C-11"
        assert DRAW in game.legal_moves(1)

    def test_another_ace_keeps_it_frozen_c_11(self) -> None:
        hands = ["ace of hearts, king of clubs", "ace of spades, king of spades", "4 of spades, 8 of diamonds"]
        game = deal(hands, "9 of hearts")
        lay(game, "ace of hearts")
        assert Event(What.FROZE, 1) in lay(game, "ace of spades")
        assert playable(game) == {"8 of diamonds"}

    def test_an_8_thaws_it_c_11(self) -> None:
        hands = ["ace of hearts, king of clubs", "8 of clubs, king of spades", "4 of spades, 4 of clubs"]
        game = deal(hands, "9 of hearts")
        lay(game, "ace of hearts")
        assert Event(What.THAWED, 1) in lay(game, "8 of clubs", SPADES)
        assert (game.state.colour, playable(game)) == (SPADES, {"4 of spades"})

    def test_an_8_on_another_card_thaws_nothing_c_11(self) -> None:
        game = table("8 of hearts, king of clubs")
        assert What.THAWED not in [event.what for event in lay(game, "8 of hearts", HEARTS)]

    def test_a_joker_on_an_ace_is_an_ace_or_an_8_c_11_c_12(self) -> None:
        game = deal(["ace of hearts, king of clubs, 6 of clubs", "joker, 4 of hearts", LOOKERS_ON[0]], "9 of hearts")
        lay(game, "ace of hearts")
        stands = {rank_of(move.stands_for) for move in game.legal_moves(1) if move.act is Act.LAY}
        assert stands == {0, 7}
        assert len([move for move in game.legal_moves(1) if move.act is Act.LAY]) == 4 + 4 * 4
        assert refused(game, 1, laying("joker", stands_for="4 of hearts")) == "C-11"
        assert Event(What.FROZE, 1) in lay(game, "joker", "ace of clubs")
        game.undo()
        assert Event(What.THAWED, 1) in lay(game, "joker", "8 of clubs", CLUBS)
        assert game.state.colour == CLUBS

    def test_the_pile_stays_frozen_when_somebody_draws_c_11(self) -> None:
        game = deal(
            ["ace of hearts, king of clubs", "4 of hearts, 5 of hearts", "6 of hearts, 8 of spades"], "9 of hearts"
        )
        lay(game, "ace of hearts")
        draw_and_pass(game)
        assert (game.turn, playable(game)) == (2, {"8 of spades"})

    def test_a_joker_stands_for_any_card_that_fits_c_12(self) -> None:
        game = table("joker, king of clubs, king of spades", first="7 of hearts")
        stands = {move.stands_for for move in game.legal_moves(0) if move.act is Act.LAY}
        assert stands == set(PLAYING_CARDS.fits[named("7 of hearts")][:-1])
        assert refused(game, 0, laying("joker", stands_for="king of clubs")) == "C-12"
        assert refused(game, 0, laying("joker")) == "C-12"
        assert refused(game, 0, laying("joker", stands_for="8 of hearts")) == "C-12"

    @pytest.mark.parametrize(
        ("stands", "turn", "phase"),
        [
            ("3 of hearts", 1, PLAYING),
            ("2 of hearts", 2, PLAYING),
            ("6 of hearts", 2, PLAYING),
            ("10 of hearts", 3, PLAYING),
            ("queen of hearts", 0, AGAIN),
            ("ace of hearts", 1, PLAYING),
        ],
    )
    def test_a_joker_acts_as_the_card_it_stands_for_c_12(self, stands: str, turn: int, phase: int) -> None:
        game = table("joker, king of clubs, king of spades", seats=4)
        lay(game, "joker", stands)
        assert (game.turn, game.phase, game.state.top, game.state.talon[-1]) == (turn, phase, named(stands), JOKER)
        assert owed(game) == ([(1, 2, "C-06")] if stands.startswith("2") else [])

    def test_the_next_plays_on_the_card_it_stands_for_c_12(self) -> None:
        game = deal(["joker, king of clubs", "4 of hearts, 3 of spades, 5 of spades"], "9 of hearts")
        lay(game, "joker", "3 of hearts")
        assert playable(game) == {"4 of hearts", "3 of spades"}

    def test_a_joker_as_an_8_names_a_suit_c_12_c_08(self) -> None:
        game = deal(["joker, king of clubs", "4 of spades, 4 of clubs, 8 of diamonds"], "9 of hearts")
        lay(game, "joker", "8 of hearts", SPADES)
        assert (game.state.colour, playable(game)) == (SPADES, {"4 of spades", "8 of diamonds"})


class TestTheFirstTurn:
    """C-10: nobody goes out in the very first turn that they play."""

    def test_a_chain_of_queens_cannot_go_out_c_10(self) -> None:
        game = table("queen of hearts, queen of clubs, 6 of clubs")
        lay(game, "queen of hearts")
        lay(game, "queen of clubs")
        assert game.legal_moves(0) == [PASS, ANNOUNCE]
        assert refused(game, 0, laying("6 of clubs")) == "C-10"

    @pytest.mark.parametrize("last", ["4 of hearts", "8 of hearts", "joker"])
    def test_no_last_card_at_all_c_10(self, last: str) -> None:
        game = table(last)
        assert game.legal_moves(0) == [DRAW]
        assert refused(game, 0, laying(last, HEARTS if last[0] == "8" else -1)) == "C-10"

    def test_the_turn_after_a_pass_is_the_second_c_10(self) -> None:
        game = table("queen of hearts, 4 of hearts", seats=2, pile="king of spades")
        lay(game, "queen of hearts")
        game.play(0, PASS)
        draw_and_pass(game)
        assert playable(game) == {"4 of hearts"}
        lay(game, "4 of hearts")
        assert game.state.round_winner == 0

    def test_the_turn_after_a_card_is_the_second_c_10(self) -> None:
        game = table("2 of hearts, 4 of hearts", seats=2)
        lay(game, "2 of hearts")
        game.fulfil_by_chance()
        assert (game.turn, playable(game)) == (0, {"4 of hearts"})

    def test_a_turn_spent_drawing_is_a_turn_c_10(self) -> None:
        game = deal(["king of spades", "3 of clubs, 4 of clubs"], "9 of hearts", "king of clubs, 2 of diamonds")
        draw_and_pass(game)
        draw_and_pass(game)
        game.correct_hand(0, cards=cards_of("151", "5 of hearts"))
        assert playable(game) == {"5 of hearts"}

    def test_a_turn_lost_to_a_2_is_none_c_10(self) -> None:
        game = deal(["3 of clubs", "4 of hearts, queen of hearts, queen of clubs", "2 of clubs"], "2 of hearts")
        game.fulfil_by_chance()
        assert (game.turn, game.state.sizes[0]) == (1, 3)
        game.correct_turn(0)
        game.correct_hand(0, cards=cards_of("151", "5 of hearts"))
        assert game.legal_moves(0) == [DRAW]

    def test_the_first_turn_of_each_is_its_own_c_10(self) -> None:
        game = deal(["king of hearts, king of clubs", "4 of hearts"], "9 of hearts", "3 of spades")
        lay(game, "king of hearts")
        assert playable(game) == set()
        draw_and_pass(game)
        assert playable(game) == {"king of clubs"}

    def test_the_dealers_queen_is_in_the_first_turn_c_10_c_04(self) -> None:
        game = deal([LOOKERS_ON[0], "4 of hearts"], "queen of hearts")
        assert (game.turn, game.legal_moves(1)) == (1, [PASS])
        game.play(1, PASS)
        draw_and_pass(game)
        assert playable(game) == {"4 of hearts"}

    def test_undo_makes_it_the_first_turn_again_c_10(self) -> None:
        game = table("queen of hearts, 4 of hearts", seats=2)
        lay(game, "queen of hearts")
        game.play(0, PASS)
        game.undo()
        assert refused(game, 0, laying("4 of hearts")) == "C-10"

    def test_each_deal_has_first_turns_c_10(self) -> None:
        game = later("4 of hearts", limit=1000)
        lay(game, "4 of hearts")
        assert game.phase == IDLE
        game.begin(
            hands=[[named(f"3 of {suit}")] for suit in ("clubs", "spades", "diamonds")],
            first=named("9 of hearts"),
            pile=[],
        )
        assert game.legal_moves(game.turn) == [DRAW]


class TestCarte:
    def test_forgotten_and_caught_c_14(self) -> None:
        game = table("king of hearts, 3 of hearts")
        lay(game, "king of hearts")
        game.play(2, catch(0))
        assert owed(game) == [(0, 1, "C-14")]
        game.fulfil_by_chance()
        assert (game.state.sizes[0], game.turn) == (2, 1)

    def test_said_before_the_card_is_laid_c_14(self) -> None:
        game = table("king of hearts, 3 of hearts")
        game.play(0, ANNOUNCE)
        lay(game, "king of hearts")
        assert refused(game, 1, catch(0)) == "C-14"

    def test_remembered_in_time_c_14_g_03(self) -> None:
        game = table("king of hearts, 3 of hearts")
        lay(game, "king of hearts")
        game.play(0, ANNOUNCE)
        assert refused(game, 1, catch(0)) == "C-14"

    def test_too_late_when_the_next_has_acted_c_14_g_03(self) -> None:
        for act in (DRAW, laying("king of clubs")):
            game = deal(
                ["king of hearts, 3 of hearts", "king of clubs, 4 of clubs, 5 of clubs", LOOKERS_ON[1]], "9 of hearts"
            )
            lay(game, "king of hearts")
            game.play(1, act)
            assert refused(game, 2, catch(0)) == "C-14"

    @pytest.mark.parametrize(("card", "first", "suit"), [("8 of hearts", SPADES, -1), ("joker", "8 of hearts", SPADES)])
    def test_the_wish_stands_before_the_penalty_is_drawn_c_14(self, card: str, first: str | int, suit: int) -> None:
        game = table(f"{card}, 3 of hearts")
        assert refused(game, 0, laying(card)) in {"C-08", "C-12"}, "no 8 and no joker is laid without the wish"
        lay(game, card, first, suit)
        game.play(1, catch(0))
        assert (game.state.colour, game.turn) == (SPADES, 1)
        assert refused(game, 0, name(HEARTS)) == "C-14"
        game.fulfil_by_chance()
        assert (game.state.colour, game.turn, game.state.sizes[0]) == (SPADES, 1, 2)

    def test_playing_again_is_not_the_next_move_c_14_c_10(self) -> None:
        game = later("queen of hearts, 6 of clubs")
        lay(game, "queen of hearts")
        game.play(0, PASS)
        game.play(1, catch(0))
        assert owed(game) == [(0, 1, "C-14")]

    def test_a_call_lapses_when_no_card_follows_c_14_c_10(self) -> None:
        game = table("queen of hearts, 3 of hearts, 4 of spades", seats=2, pile="king of spades")
        lay(game, "queen of hearts")
        game.play(0, ANNOUNCE)
        game.play(0, PASS)
        draw_and_pass(game)
        assert ANNOUNCE in game.legal_moves(0)
        lay(game, "3 of hearts")
        assert catch(0) in game.legal_moves(1)

    def test_nobody_is_caught_with_two_cards_c_14(self) -> None:
        game = table("king of hearts, 3 of hearts, 6 of spades")
        assert refused(game, 0, ANNOUNCE) == "C-14"
        lay(game, "king of hearts")
        assert refused(game, 1, catch(0)) == "C-14"
