"""151, rule by rule: the deal, the turn, the points; each test names the rule that it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from dispenser.rules.engine.errors import IllegalMove, OptionError
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, PASS, TAKE, name, stand
from dispenser.rules.engine.phases import AGAIN, DREW, IDLE, MATCH_OVER, NAMING, PLAYING
from dispenser.rules.engine.playing_cards import JOKER
from dispenser.rules.registry import new_game
from tests.rules.playing_cards import (
    CLUBS,
    HEARTS,
    SPADES,
    draw,
    draw_and_pass,
    finish,
    laying,
    named,
    owed,
    playable,
    refused,
)
from tests.rules.table_of_151 import LOOKERS_ON, deal, later, lay, seasoned, table
from tests.rules.tables import cards_of, hand


class TestTheCardsAndTheDeal:
    @pytest.mark.parametrize(
        ("seats", "packs", "taken"), [(2, 0, 1), (6, 0, 1), (7, 0, 2), (12, 0, 2), (12, 2, 2), (3, 4, 4), (10, 1, 1)]
    )
    def test_the_packs_c_01(self, seats: int, packs: int, taken: int) -> None:
        deck = Counter(new_game("151", seats, {"packs": packs}, seed=1).state.deck())
        assert all(deck[kind] == taken for kind in range(52))
        assert deck[JOKER] == 2 * taken
        assert sum(deck.values()) == 54 * taken

    @pytest.mark.parametrize("seats", [11, 12])
    def test_one_pack_is_too_small_for_so_many_c_01(self, seats: int) -> None:
        with pytest.raises(OptionError) as refusal:
            new_game("151", seats, {"packs": 1})
        assert str(refusal.value) == (
            f"5 cards each for {seats} players and one turned up are {5 * seats + 1}, but 'packs' = 1 makes 54 (C-01): "
            "set 'packs' to 2 or more"
        )

    def test_the_lowest_card_deals_first_c_02(self) -> None:
        game = new_game("151", 4, hidden=True)
        game.begin(draws=cards_of("151", "3 of clubs, joker, 2 of hearts, king of clubs"), first=named("9 of clubs"))
        assert (game.state.dealer, game.turn) == (2, 3)

    def test_the_ace_is_lowest_and_ties_draw_again_c_02(self) -> None:
        game = new_game("151", 3, hidden=True)
        drawn = "ace of clubs, 2 of hearts, ace of spades, 7 of clubs, 6 of clubs"
        game.begin(draws=cards_of("151", drawn), first=named("9 of clubs"))
        assert game.state.dealer == 2

    def test_then_each_deals_in_turn_c_02(self) -> None:
        game = new_game("151", 3, {"limit": 1000}, seed=9)
        assert What.DEALER_DREW in [event.what for event in game.begin()]
        first = game.state.dealer
        for deals in (1, 2, 3):
            finish(game)
            assert What.DEALER_DREW not in [event.what for event in game.begin()]
            assert game.state.dealer == (first + deals) % 3

    def test_five_cards_each_one_at_a_time_c_03(self) -> None:
        order = [kind for kind in range(52) if kind not in cards_of("151", "9 of hearts")][:15]
        game = new_game("151", 3)
        game.begin(dealer=0, pile=[*order, named("9 of hearts")])
        for seat, offset in ((1, 0), (2, 1), (0, 2)):
            assert [kind for kind, count in enumerate(game.state.hands[seat]) if count] == order[offset::3]
        assert (game.state.top, game.state.sizes, game.turn) == (named("9 of hearts"), [5, 5, 5], 1)


class TestTheFirstCard:
    """C-04: it acts as if the dealer, here the last seat, had laid it."""

    def first(self, name: str, seats: int = 4) -> Game:
        return deal(LOOKERS_ON[:seats], name)

    def test_an_ordinary_card_c_04(self) -> None:
        game = self.first("king of hearts")
        assert (game.turn, game.phase, game.state.demands) == (0, PLAYING, [])

    def test_a_2_c_04_c_06(self) -> None:
        game = self.first("2 of hearts")
        assert (owed(game), game.turn, game.phase) == ([(0, 2, "C-06")], 1, PLAYING)
        game.fulfil_by_chance()
        assert game.state.sizes == [5, 3, 3, 3]

    @pytest.mark.parametrize(("seats", "turn"), [(2, 0), (3, 0), (4, 1), (5, 1)])
    def test_a_6_c_04_c_07(self, seats: int, turn: int) -> None:
        assert self.first("6 of hearts", seats).turn == turn

    def test_an_8_c_04_c_08(self) -> None:
        game = self.first("8 of hearts")
        assert (game.turn, game.phase) == (3, NAMING)
        assert game.legal_moves(3) == [name(suit) for suit in range(4)]
        assert game.legal_moves(0) == []
        assert refused(game, 3, DRAW) == "C-08"
        assert Event(What.NAMED, 3, colour=SPADES) in game.play(3, name(SPADES))
        assert (game.turn, game.phase, game.state.colour) == (0, PLAYING, SPADES)
        assert playable(game) == set()
        draw_and_pass(game)
        assert playable(game) == {"3 of spades", "4 of spades", "5 of spades"}

    def test_a_10_c_04_c_09(self) -> None:
        game = self.first("10 of hearts")
        assert (game.state.direction, game.turn) == (-1, 2)

    def test_a_queen_c_04_c_10(self) -> None:
        game = deal([*LOOKERS_ON[:3], "4 of hearts, 5 of hearts, 7 of clubs"], "queen of hearts")
        assert (game.turn, game.phase) == (3, AGAIN)
        assert set(game.legal_moves(3)) == {laying("4 of hearts"), laying("5 of hearts"), PASS}
        game.play(3, PASS)
        assert (game.turn, game.phase, game.state.sizes) == (0, PLAYING, [3, 3, 3, 3])
        game.undo()
        lay(game, "4 of hearts")
        assert (game.turn, game.phase) == (0, PLAYING)

    def test_an_ace_c_04_c_11(self) -> None:
        game = deal(["4 of hearts, 8 of clubs, ace of clubs", *LOOKERS_ON[1:3]], "ace of hearts")
        assert Event(What.FROZE, 2) in game.events
        assert (game.turn, playable(game)) == (0, {"8 of clubs", "ace of clubs"})

    @pytest.mark.parametrize(
        ("stands", "turn", "phase"),
        [
            ("king of hearts", 0, PLAYING),
            ("2 of hearts", 1, PLAYING),
            ("6 of hearts", 1, PLAYING),
            ("10 of hearts", 2, PLAYING),
            ("queen of hearts", 3, AGAIN),
            ("ace of hearts", 0, PLAYING),
        ],
    )
    def test_a_joker_is_the_card_that_the_dealer_says_c_04_c_12(self, stands: str, turn: int, phase: int) -> None:
        game = self.first("joker")
        assert (game.turn, game.phase, len(game.legal_moves(3))) == (3, NAMING, 48 + 4 * 4)
        assert refused(game, 3, DRAW) == "C-12"
        assert refused(game, 3, name(HEARTS)) == "C-12"
        assert Event(What.STOOD, 3, move=stand(named(stands))) in game.play(3, stand(named(stands)))
        assert (game.state.top, game.turn, game.phase, game.state.talon) == (named(stands), turn, phase, [JOKER])
        assert owed(game) == ([(0, 2, "C-06")] if stands.startswith("2") else [])

    def test_a_joker_as_an_8_names_a_suit_c_04_c_12(self) -> None:
        game = self.first("joker")
        assert refused(game, 3, stand(named("8 of hearts"))) == "C-12"
        game.play(3, stand(named("8 of hearts"), colour=CLUBS))
        assert (game.turn, game.state.colour) == (0, CLUBS)
        assert playable(game) == {"3 of clubs", "4 of clubs", "5 of clubs"}

    def test_only_a_joker_turned_up_stands_for_a_card_c_12(self) -> None:
        assert refused(table("4 of hearts, 5 of hearts"), 0, stand(named("4 of hearts"))) == "C-12"

    @pytest.mark.parametrize("said", [{}, {"colour": -1}])
    def test_a_round_taken_over_with_a_joker_on_top_needs_its_suit_c_12(self, said: Mapping[str, int]) -> None:
        game = new_game("151", 2, seed=1)
        hands = [cards_of("151", held) for held in ("3 of clubs, 4 of hearts, 8 of spades", LOOKERS_ON[1])]
        before = game.state.save()
        with pytest.raises(IllegalMove) as refusal:
            game.begin(hands=hands, first=JOKER, turn=0, **said)
        assert (refusal.value.rule, game.state.save()) == ("C-12", before)
        assert refusal.value.reason.en == "the joker on top has no suit of its own: give the suit that is in force"
        game.begin(hands=hands, first=JOKER, turn=0, colour=CLUBS)
        assert (game.state.colour, playable(game)) == (CLUBS, {"3 of clubs", "8 of spades"})
        lay(game, "3 of clubs")
        assert (game.turn, playable(game)) == (1, {"3 of spades"})

    def test_the_table_says_what_was_turned_up_c_04(self) -> None:
        game = new_game("151", 3, hidden=True)
        game.begin(dealer=2)
        question = game.question
        assert question is not None
        assert (question.kind, question.rule) == ("turn-up", "C-04")
        game.answer(named("2 of hearts"))
        assert owed(game) == [(0, 2, "C-06")]


class TestTheTurn:
    def test_suit_or_rank_fits_c_05(self) -> None:
        game = table("2 of hearts, 9 of clubs, king of clubs, 8 of hearts", first="9 of hearts")
        assert playable(game) == {"2 of hearts", "9 of clubs", "8 of hearts"}
        assert refused(game, 0, laying("king of clubs")) == "C-05"
        assert refused(game, 0, laying("queen of spades")) == "G-04"

    def test_a_card_laid_is_told_and_its_suit_is_in_force_c_05(self) -> None:
        game = table("9 of clubs, king of spades, 6 of spades", first="9 of hearts")
        assert game.state.colour == HEARTS
        assert lay(game, "9 of clubs") == [Event(What.LAID, 0, move=laying("9 of clubs")), Event(What.TURN, 1)]
        assert (game.state.colour, game.state.top) == (CLUBS, named("9 of clubs"))

    def test_an_8_has_to_match_c_05(self) -> None:
        game = table("8 of clubs, 8 of spades", first="9 of hearts")
        assert playable(game) == set()
        assert refused(game, 0, laying("8 of clubs", HEARTS)) == "C-05"

    def test_an_8_goes_anywhere_with_that_option_c_05(self) -> None:
        game = table("8 of clubs, 8 of spades, 7 of hearts", first="9 of hearts", eight_anywhere=True)
        assert playable(game) == {"8 of clubs", "8 of spades", "7 of hearts"}
        lay(game, "8 of clubs", SPADES)
        assert (game.turn, game.state.colour) == (1, SPADES)

    def test_it_is_not_the_turn_of_another_c_05(self) -> None:
        assert refused(table("2 of hearts, 9 of clubs"), 1, laying("3 of clubs")) == "C-05"

    def test_who_does_not_play_draws_one_card_c_13(self) -> None:
        game = table("2 of hearts, 9 of clubs", pile="king of spades")
        game.play(0, DRAW)
        assert owed(game) == [(0, 1, "C-13")]
        game.fulfil_by_chance()
        assert (game.turn, game.phase, game.state.sizes[0]) == (1, PLAYING, 3)

    def test_the_drawn_card_may_be_played_and_no_other_c_13(self) -> None:
        game = table("2 of hearts, 9 of clubs", pile="king of hearts")
        draw(game)
        assert game.legal_moves(0) == [laying("king of hearts"), PASS]
        assert refused(game, 0, laying("2 of hearts")) == "C-13"
        lay(game, "king of hearts")
        assert (game.turn, game.state.top) == (1, named("king of hearts"))

    def test_the_drawn_card_need_not_be_played_c_13(self) -> None:
        game = table("2 of hearts, 9 of clubs", pile="king of hearts")
        draw(game)
        game.play(0, PASS)
        assert (game.turn, game.state.sizes[0]) == (1, 3)

    def test_a_joker_just_drawn_stands_for_a_card_c_13(self) -> None:
        game = table("2 of clubs, 9 of clubs", pile="joker", first="ace of hearts")
        draw(game)
        assert playable(game) == {"joker"}
        lay(game, "joker", "8 of clubs", CLUBS)
        assert game.state.colour == CLUBS

    def test_passing_without_drawing_c_13(self) -> None:
        assert refused(table("2 of hearts, 9 of clubs"), 0, PASS) == "C-13"

    def test_what_this_game_does_not_know_g_06(self) -> None:
        game = table("2 of hearts, 9 of clubs")
        assert refused(game, 0, TAKE) == "G-06"
        assert refused(game, 0, laying("2 of hearts", HEARTS)) == "G-06"


class TestPointsAndTheMatch:
    @pytest.mark.parametrize(
        ("symbol", "points"),
        [(str(number), number) for number in (2, 3, 4, 5, 6, 7, 9, 10)]
        + [("8", 32), ("ace", 11), ("jack", 10), ("queen", 10), ("king", 10)],
    )
    def test_points_c_15(self, symbol: str, points: int) -> None:
        game = new_game("151", 2, seed=1)
        for suit in ("clubs", "diamonds", "hearts", "spades"):
            assert game.state.worth([named(f"{symbol} of {suit}")]) == points

    @pytest.mark.parametrize(("options", "points"), [({}, 150), ({"joker-points": 0}, 0), ({"joker-points": 50}, 50)])
    def test_points_of_a_joker_c_15(self, options: dict[str, Any], points: int) -> None:
        assert new_game("151", 2, options, seed=1).state.worth([JOKER]) == points

    def test_who_goes_out_takes_10_off_and_the_others_count_c_15(self) -> None:
        game = later("4 of hearts")
        lay(game, "4 of hearts")
        assert game.state.points == [0, 3 + 4 + 5, 3 + 4 + 5]
        assert game.state.scores == [-10, 12, 12]
        assert [event for event in game.events if event[0] == What.SCORED] == [
            Event(What.SCORED, 0, number=-10), Event(What.SCORED, 1, number=12), Event(What.SCORED, 2, number=12)
        ]  # fmt: skip

    def test_points_add_up_c_15_c_16(self) -> None:
        game = later("4 of hearts")
        lay(game, "4 of hearts")
        hands = [cards_of("151", names) for names in ("4 of hearts", "ace of clubs", "2 of spades")]
        game.begin(dealer=2, hands=hands, first=named("9 of hearts"), pile=[])
        seasoned(game)
        lay(game, "4 of hearts")
        assert (game.state.scores, game.phase) == ([-20, 12 + 11, 12 + 2], IDLE)

    @pytest.mark.parametrize(
        ("last", "choice"),
        [
            *((f"{symbol} of hearts", -1) for symbol in ("2", "6", "10", "queen", "ace")),
            ("8 of hearts", CLUBS),
            ("joker", "queen of hearts"),
        ],
    )
    def test_a_last_card_ends_the_deal_at_once_c_15(self, last: str, choice: str | int) -> None:
        game = later(last)
        lay(game, last, choice)
        assert (game.phase, game.state.round_winner, game.state.demands, game.state.sizes) == (IDLE, 0, [], [0, 3, 3])

    def test_a_card_after_a_queen_can_go_out_c_15_c_10(self) -> None:
        game = later("queen of hearts, 4 of hearts")
        lay(game, "queen of hearts")
        lay(game, "4 of hearts")
        assert (game.phase, game.state.round_winner, game.state.scores) == (IDLE, 0, [-10, 12, 12])

    def test_hands_nobody_saw_are_asked_for_c_15(self) -> None:
        game = later("4 of hearts", hidden=True)
        game.correct_hand(1, size=4)
        lay(game, "4 of hearts")
        question = game.question
        assert question is not None
        assert (question.kind, question.seat, question.rule) == ("points", 1, "C-15")
        game.answer([*cards_of("151", LOOKERS_ON[0]), JOKER])
        assert game.state.scores == [-10, 162, 12]
        assert game.state.losers == (1,)

    @pytest.mark.parametrize(("limit", "over"), [(50, True), (51, False)])
    def test_who_reaches_the_limit_has_lost_c_16(self, limit: int, over: bool) -> None:
        game = deal(["4 of hearts", "king of clubs, king of spades", "8 of clubs, 7 of clubs, ace of clubs"],
                    "9 of hearts", limit=limit)  # fmt: skip
        seasoned(game)
        lay(game, "4 of hearts")
        assert game.state.scores == [-10, 20, 50]
        assert (game.phase == MATCH_OVER) is over
        assert (game.state.winners, game.state.losers) == ((), (2,) if over else ())

    @pytest.mark.parametrize(("hand_points", "over"), [("joker, 2 of clubs", True), ("joker", False)])
    def test_the_limit_is_151_c_16(self, hand_points: str, over: bool) -> None:
        game = deal(["4 of hearts", hand_points], "9 of hearts")
        seasoned(game)
        lay(game, "4 of hearts")
        assert (game.phase == MATCH_OVER) is over

    def test_the_one_furthest_over_has_lost_c_16(self) -> None:
        game = deal(["joker, 3 of clubs", "4 of hearts", "joker, 9 of clubs"], "9 of hearts", dealer=0)
        seasoned(game)
        lay(game, "4 of hearts")
        assert (game.state.scores, game.state.losers) == ([153, -10, 159], (2,))

    def test_two_furthest_over_have_both_lost_c_16(self) -> None:
        game = deal(["joker, 3 of clubs", "4 of hearts", "joker, 3 of diamonds"], "9 of hearts", dealer=0)
        seasoned(game)
        lay(game, "4 of hearts")
        assert game.state.losers == (0, 2)


class TestHiddenHands:
    def start(self, **options: Any) -> Game:
        game = new_game("151", 3, options, hidden=True)
        game.begin(dealer=2, first=named("9 of hearts"))
        return game

    def test_a_declared_card_must_fit_c_05(self) -> None:
        game = self.start()
        assert len(playable(game)) == 12 + 3 + 1
        assert refused(game, 0, laying("3 of clubs")) == "C-05"
        lay(game, "3 of hearts")
        assert (game.turn, game.state.sizes) == (1, [4, 5, 5])

    def test_a_declared_joker_says_what_it_stands_for_c_12(self) -> None:
        game = self.start()
        lay(game, "joker", "queen of hearts")
        assert (game.phase, game.turn, game.state.sizes) == (AGAIN, 0, [4, 5, 5])
        game.play(0, PASS)
        assert game.turn == 1

    def test_a_drawn_card_nobody_saw_may_be_any_that_fits_c_13(self) -> None:
        game = self.start()
        draw(game)
        assert (game.phase, len(playable(game))) == (DREW, 12 + 3 + 1)
        game.play(0, PASS)
        assert (game.turn, game.state.sizes) == (1, [6, 5, 5])

    def test_a_drawn_card_that_was_shown_c_13(self) -> None:
        game = self.start()
        game.play(0, DRAW)
        game.fulfil(cards_of("151", "2 of hearts"))
        assert playable(game) == {"2 of hearts"}
        assert hand(game, 0)[0] == "2 of hearts"

    def test_nobody_goes_out_in_a_first_turn_c_10(self) -> None:
        game = self.start()
        for queen in ("queen of hearts", "queen of clubs", "queen of spades", "queen of diamonds"):
            lay(game, queen)
        assert set(game.legal_moves(0)) == {PASS, ANNOUNCE}
