"""Huit américain, rule by rule: the deal, the turn, the points; each test names the rule that it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from dispenser.rules.engine.dealing import deal_to
from dispenser.rules.engine.errors import IllegalMove, OptionError
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import DRAW, PASS, TAKE
from dispenser.rules.engine.phases import DREW, IDLE, MATCH_OVER, PLAYING
from dispenser.rules.engine.playing_cards import EIGHT, JOKER, PLAYING_CARDS
from dispenser.rules.registry import new_game
from tests.rules import tables
from tests.rules.playing_cards import CLUBS, HEARTS, SPADES, draw, finish, laying, named, owed, playable, refused
from tests.rules.tables import cards_of, hand

FIVES = ["5 of clubs, 6 of clubs, king of clubs", "5 of spades, 6 of spades, king of spades"]
"""Two hands for those who only look on."""


def deal(hands: Sequence[str], first: str, pile: str = "", **options: Any) -> Game:
    return tables.deal("huit-americain", hands, first, pile, **options)


def lay(game: Game, name: str, suit: int = -1) -> list[Event]:
    """Who is in turn lays that card."""
    return game.play(game.turn, laying(name, suit))


class TestTheCardsAndTheDeal:
    @pytest.mark.parametrize(("packs", "jokers"), [(1, False), (2, False), (1, True), (3, True), (4, True)])
    def test_the_packs_h_01(self, packs: int, jokers: bool) -> None:
        deck = Counter(new_game("huit-americain", 2, {"packs": packs, "jokers": jokers}, seed=1).state.deck())
        assert all(deck[kind] == packs for kind in range(52))
        assert deck[JOKER] == (2 * packs if jokers else 0)
        assert sum(deck.values()) == packs * (54 if jokers else 52)

    @pytest.mark.parametrize("seats", [7, 8])
    def test_one_pack_is_too_small_for_so_many_h_01(self, seats: int) -> None:
        needed = 8 * seats + 1
        with pytest.raises(OptionError) as refusal:
            new_game("huit-americain", seats, {"jokers": True})
        assert str(refusal.value) == (
            f"8 cards each for {seats} players and one turned up are {needed}, but 'packs' = 1 makes 54 (H-01): "
            "set 'packs' to 2 or more"
        )
        assert len(new_game("huit-americain", seats, {"packs": 2}, seed=1).state.deck()) == 104

    def test_one_pack_is_enough_for_six_h_01(self) -> None:
        game = new_game("huit-americain", 6, seed=5)
        game.begin()
        assert game.state.in_pile() == 52 - 6 * 8 - 1

    def test_a_joker_is_played_as_an_8_h_01(self) -> None:
        game = deal(["joker, 2 of hearts, 3 of clubs", *FIVES], "9 of diamonds", "2 of diamonds", jokers=True)
        assert set(game.legal_moves(0)) == {*(laying("joker", suit) for suit in range(4)), DRAW}
        lay(game, "joker", SPADES)
        assert (game.state.colour, PLAYING_CARDS.symbol[game.state.top], game.turn) == (SPADES, EIGHT, 1)
        assert refused(game, 1, laying("5 of clubs")) == "H-04"
        draw(game)
        assert (game.turn, playable(game)) == (2, {"5 of spades", "6 of spades", "king of spades"})

    def test_a_joker_names_a_suit_h_01(self) -> None:
        game = deal(["joker, 2 of hearts", *FIVES], "9 of diamonds", jokers=True)
        assert refused(game, 0, laying("joker")) == "H-01"

    def test_eight_cards_each_h_02(self) -> None:
        game = new_game("huit-americain", 4, seed=3)
        game.begin(dealer=1)
        assert game.state.sizes == [8, 8, 8, 8]
        assert len(game.state.talon) == 1
        assert game.state.in_pile() == 52 - 32 - 1

    def test_special_first_cards_go_under_the_pile_h_02(self) -> None:
        specials = "7 of hearts, 8 of hearts, joker, 10 of hearts, ace of hearts"
        game = new_game("huit-americain", 2, {"jokers": True})
        game.begin(
            dealer=1,
            hands=[cards_of("huit-americain", "2 of clubs, 3 of clubs"), cards_of("huit-americain", FIVES[1])],
            pile=cards_of("huit-americain", f"{specials}, 9 of diamonds, 4 of clubs"),
        )
        back = cards_of("huit-americain", specials)
        assert game.events[-7:-1] == [
            *(Event(What.PUT_BACK, card=kind) for kind in back),
            Event(What.TURNED_UP, card=game.state.top),
        ]
        assert game.state.top == named("9 of diamonds")
        assert (game.turn, game.phase, game.state.direction) == (0, PLAYING, 1)
        deal_to(game.state, 1, len(game.state.pile))
        assert not set(hand(game, 1)) & {"7 of hearts", "8 of hearts", "10 of hearts", "ace of hearts"}
        deal_to(game.state, 0, 5)
        assert set(specials.split(", ")) <= set(hand(game, 0)), "they come last"

    def test_what_was_put_under_comes_in_the_order_it_went_h_02(self) -> None:
        game = new_game("huit-americain", 2)
        ordinary = [kind for kind in range(52) if PLAYING_CARDS.symbol[kind] not in {0, 6, 7, 9}]
        pile = cards_of("huit-americain", "7 of hearts, 10 of hearts")
        game.begin(dealer=1, hands=[ordinary[:17], [*ordinary[17:35], *range(6, 8)]], pile=[*pile, ordinary[35]])
        deal_to(game.state, 0, len(game.state.pile))
        for expected in pile:
            deal_to(game.state, 0, 1)
            assert game.state.drawn == expected

    def test_a_special_card_turned_up_at_a_real_table_h_02(self) -> None:
        game = new_game("huit-americain", 3, hidden=True)
        game.begin(dealer=0)
        for special in ("7 of hearts", "ace of hearts"):
            game.answer(named(special))
            question = game.question
            assert question is not None
            assert (question.kind, question.rule) == ("turn-up", "H-02")
        with pytest.raises(IllegalMove):
            game.answer(named("7 of hearts"))
        game.answer(named("9 of hearts"))
        assert (game.question, game.turn, len(game.state.under), len(game.state.talon)) == (None, 1, 2, 1)
        assert game.state.conserved()

    @pytest.mark.parametrize("last", ["7 of spades", "8 of spades", "10 of spades", "ace of spades"])
    def test_a_special_card_starts_when_no_other_is_left_and_does_nothing_h_02(self, last: str) -> None:
        held = [kind for kind in range(52) if kind not in cards_of("huit-americain", f"7 of hearts, {last}")]
        game = new_game("huit-americain", 3)
        game.begin(
            dealer=2, hands=[held[:20], held[20:40], held[40:]], pile=cards_of("huit-americain", f"7 of hearts, {last}")
        )
        assert (game.state.top, game.turn, game.phase, owed(game)) == (named(last), 0, PLAYING, [])
        assert game.state.under == [named("7 of hearts")]

    def test_any_card_goes_on_a_joker_that_had_to_start_h_01_h_02(self) -> None:
        game = new_game("huit-americain", 2, {"jokers": True})
        game.begin(dealer=1, hands=[[*range(30), JOKER], list(range(30, 52))], pile=[JOKER])
        assert len(playable(game)) == 31

    def test_play_goes_clockwise_from_the_dealers_left_h_03(self) -> None:
        game = deal([*FIVES, "5 of hearts, 6 of hearts", "5 of diamonds, 6 of diamonds"], "2 of clubs", dealer=1)
        assert (game.turn, game.state.direction) == (2, 1)
        turns = []
        for _ in range(4):
            turns.append(game.turn)
            draw(game)
            if game.phase == DREW:
                game.play(game.turn, PASS)
        assert turns == [2, 3, 0, 1]

    def test_it_is_not_the_turn_of_another_h_03(self) -> None:
        game = deal(["2 of hearts, 3 of hearts", *FIVES], "9 of clubs")
        assert refused(game, 1, laying("5 of clubs")) == "H-03"

    def test_the_deal_passes_to_the_left_h_03(self) -> None:
        game = new_game("huit-americain", 3, {"match": "points", "target": 2000}, seed=4)
        assert What.DEALER_DREW in [event.what for event in game.begin()]
        first = game.state.dealer
        for later in (1, 2, 3):
            finish(game)
            assert What.DEALER_DREW not in [event.what for event in game.begin()]
            assert game.state.dealer == (first + later) % 3


class TestTheTurn:
    def test_suit_rank_or_an_8_fits_h_04(self) -> None:
        mine = "2 of hearts, 9 of clubs, 8 of spades, 3 of clubs, king of diamonds, ace of spades, 10 of hearts"
        game = deal([mine, *FIVES], "9 of hearts")
        assert playable(game) == {"2 of hearts", "9 of clubs", "8 of spades", "10 of hearts"}
        for name in ("3 of clubs", "king of diamonds", "ace of spades"):
            assert refused(game, 0, laying(name)) == "H-04"
        assert refused(game, 0, laying("5 of clubs")) == "G-04"

    def test_a_card_laid_is_told_and_its_suit_is_in_force_h_04(self) -> None:
        game = deal(["9 of clubs, 3 of clubs, 2 of spades", *FIVES], "9 of hearts")
        assert game.state.colour == HEARTS
        assert lay(game, "9 of clubs") == [Event(What.LAID, 0, move=laying("9 of clubs")), Event(What.TURN, 1)]
        assert (game.state.colour, game.state.top) == (CLUBS, named("9 of clubs"))

    def test_every_8_fits_on_everything_h_04(self) -> None:
        for top in ("9 of hearts", "king of clubs", "2 of spades"):
            game = deal(["8 of hearts, 8 of clubs, 8 of diamonds, 8 of spades", "5 of clubs, 6 of clubs"], top)
            assert len(playable(game)) == 4

    def test_who_does_not_play_draws_one_card_h_05(self) -> None:
        game = deal(["2 of hearts, 3 of clubs", *FIVES], "9 of hearts", "4 of diamonds")
        game.play(0, DRAW)
        assert owed(game) == [(0, 1, "H-05")]
        assert game.legal_moves(0) == []
        game.fulfil_by_chance()
        assert (game.turn, game.phase, game.state.sizes[0]) == (1, PLAYING, 3)
        assert Event(What.PASSED, 0) in game.events

    def test_the_drawn_card_may_be_played_and_no_other_h_05(self) -> None:
        game = deal(["2 of hearts, 3 of clubs", *FIVES], "9 of hearts", "4 of hearts")
        draw(game)
        assert (game.turn, game.phase) == (0, DREW)
        assert game.legal_moves(0) == [laying("4 of hearts"), PASS]
        assert refused(game, 0, laying("2 of hearts")) == "H-05"
        lay(game, "4 of hearts")
        assert (game.turn, game.state.sizes[0], game.state.top) == (1, 2, named("4 of hearts"))

    def test_the_drawn_card_need_not_be_played_h_05(self) -> None:
        game = deal(["2 of hearts, 3 of clubs", *FIVES], "9 of hearts", "4 of hearts")
        draw(game)
        game.play(0, PASS)
        assert (game.turn, game.phase, game.state.sizes[0]) == (1, PLAYING, 3)

    @pytest.mark.parametrize("drawn", ["8 of spades", "joker"])
    def test_an_8_just_drawn_names_a_suit_h_05(self, drawn: str) -> None:
        game = deal(["2 of hearts, 3 of clubs", *FIVES], "9 of hearts", drawn, jokers=True)
        draw(game)
        assert game.legal_moves(0) == [*(laying(drawn, suit) for suit in range(4)), PASS]

    def test_passing_without_drawing_h_05(self) -> None:
        game = deal(["2 of hearts, 3 of clubs", *FIVES], "9 of hearts")
        assert refused(game, 0, PASS) == "H-05"

    def test_a_drawn_card_that_the_table_took_back_is_not_played_h_05(self) -> None:
        game = deal(["2 of hearts, 3 of clubs", *FIVES], "9 of hearts", "4 of hearts")
        draw(game)
        game.correct_hand(0, cards=cards_of("huit-americain", "2 of hearts, 3 of clubs, 4 of clubs"))
        assert game.legal_moves(0) == [PASS]


class TestPointsAndTheMatch:
    @pytest.mark.parametrize(
        ("symbols", "points"),
        [("8", 50), ("7 10 ace", 25), ("king queen jack", 10), ("2 3 4 5 6 9", 5)],
        ids=["8", "special", "figures", "others"],
    )
    def test_points_h_11(self, symbols: str, points: int) -> None:
        game = new_game("huit-americain", 2, seed=1)
        for symbol in symbols.split():
            for suit in ("clubs", "diamonds", "hearts", "spades"):
                assert game.state.worth([named(f"{symbol} of {suit}")]) == points

    def test_a_joker_counts_as_an_8_h_11(self) -> None:
        assert new_game("huit-americain", 2, {"jokers": True}, seed=1).state.worth([JOKER, JOKER]) == 100

    def test_the_winner_scores_what_the_others_hold_h_11(self) -> None:
        game = deal(["2 of hearts", "8 of clubs, king of clubs", "7 of spades, 3 of spades"], "9 of hearts")
        lay(game, "2 of hearts")
        assert (game.state.points, game.state.scores) == ([0, 60, 30], [90, 0, 0])
        assert Event(What.SCORED, 0, number=90) in game.events

    def test_points_of_hands_nobody_saw_h_11(self) -> None:
        game = deal(["2 of hearts", "8 of clubs, king of clubs"], "9 of hearts", hidden=True)
        game.correct_hand(1, size=3)
        lay(game, "2 of hearts")
        question = game.question
        assert question is not None
        assert (question.kind, question.seat, question.rule) == ("points", 1, "H-11")
        game.answer(65)
        assert game.state.scores == [65, 0]

    def test_each_notes_their_own_hand_with_own_points_h_11(self) -> None:
        game = deal(["2 of hearts", *FIVES], "9 of hearts", match="points", scoring="own-points", target=50)
        lay(game, "2 of hearts")
        assert (game.phase, game.state.scores) == (IDLE, [0, 20, 20])
        game.begin(
            hands=[cards_of("huit-americain", held) for held in ("2 of hearts", "8 of clubs", "king of spades")],
            first=named("9 of hearts"),
            pile=[],
        )
        lay(game, "2 of hearts") if game.turn == 0 else None
        while game.turn != 0 and game.phase is PLAYING:
            draw(game)
        if game.phase is PLAYING:
            lay(game, "2 of hearts")
        assert game.outcome is not None
        assert (game.outcome.winners, game.outcome.ranking[0], game.state.scores[0]) == ((0,), 0, 0)

    def test_a_single_deal_decides_h_12(self) -> None:
        game = deal(["2 of hearts", *FIVES], "9 of hearts")
        lay(game, "2 of hearts")
        assert (game.phase, game.state.winners, game.state.losers) == (MATCH_OVER, (0,), ())

    def test_a_match_for_points_goes_on_until_somebody_reaches_500_h_12(self) -> None:
        game = new_game("huit-americain", 2, {"match": "points"})
        assert game.state.options["target"] == 500
        eights = cards_of("huit-americain", "8 of clubs, 8 of diamonds, 8 of hearts, 8 of spades")
        sevens = cards_of("huit-americain", "7 of clubs, 7 of diamonds")
        for dealt, total in ((0, 250), (1, 500)):
            game.begin(
                dealer=1, hands=[[named("2 of hearts")], [*eights, *sevens]], first=named("9 of hearts"), pile=[]
            )
            lay(game, "2 of hearts")
            assert game.state.scores == [total, 0]
            assert game.phase == (MATCH_OVER if dealt else IDLE)
        assert game.state.winners == (0,)

    @pytest.mark.parametrize(("target", "over"), [(90, True), (91, False)])
    def test_the_target_h_12(self, target: int, over: bool) -> None:
        hands = ["2 of hearts", "8 of clubs, king of clubs", "7 of spades, 3 of spades"]
        game = deal(hands, "9 of hearts", match="points", target=target)
        lay(game, "2 of hearts")
        assert (game.phase == MATCH_OVER) is over

    def test_the_target_does_not_matter_in_a_single_deal_h_12(self) -> None:
        game = deal(["2 of hearts", *FIVES], "9 of hearts", target=2000)
        lay(game, "2 of hearts")
        assert game.state.winners == (0,)

    @pytest.mark.parametrize("name", ["7 of hearts", "8 of clubs"])
    def test_a_last_7_or_8_ends_the_deal_h_12(self, name: str) -> None:
        game = deal([name, *FIVES], "9 of hearts")
        lay(game, name, CLUBS if name.startswith("8") else -1)
        assert game.state.winners == (0,)


class TestHiddenHands:
    def start(self, **options: Any) -> Game:
        game = new_game("huit-americain", 3, options, hidden=True)
        game.begin(dealer=2, first=named("9 of hearts"))
        return game

    def test_a_declared_card_must_fit_h_04(self) -> None:
        game = self.start(jokers=True)
        assert len(playable(game)) == 12 + 3 + 3 + 1
        assert refused(game, 0, laying("3 of clubs")) == "H-04"
        lay(game, "3 of hearts")
        assert (game.turn, game.state.sizes) == (1, [7, 8, 8])

    def test_the_table_cannot_know_whether_a_10_can_be_covered_h_08(self) -> None:
        game = self.start()
        lay(game, "10 of hearts")
        assert DRAW in game.legal_moves(0)

    def test_a_known_card_that_covers_the_10_must_be_played_h_08(self) -> None:
        game = deal(["10 of hearts, 3 of hearts, 4 of clubs", *FIVES], "9 of hearts", hidden=True)
        lay(game, "10 of hearts")
        assert refused(game, 0, DRAW) == "H-08"

    def test_a_drawn_card_nobody_saw_may_be_any_that_fits_h_05(self) -> None:
        game = self.start()
        draw(game)
        assert (game.phase, game.state.drawn) == (DREW, game.state.unknown)
        assert playable(game) == {
            text.en
            for kind, text in enumerate(PLAYING_CARDS.names)
            if kind != game.state.top
            and (kind // 13 == HEARTS or kind % 13 == 8 or kind % 13 == EIGHT)
            and kind != JOKER
        }
        game.play(0, PASS)
        assert game.turn == 1

    def test_a_drawn_card_that_was_seen_later_h_05(self) -> None:
        game = self.start(jokers=True)
        draw(game)
        game.correct_hand(0, cards=cards_of("huit-americain", "4 of hearts, 4 of clubs"))
        assert playable(game) == {"4 of hearts"}

    def test_any_unseen_ace_can_answer_an_ace_h_09(self) -> None:
        game = self.start()
        lay(game, "ace of hearts")
        assert set(game.legal_moves(1)) == {
            TAKE, laying("ace of clubs"), laying("ace of diamonds"), laying("ace of spades")
        }  # fmt: skip
        game.play(1, TAKE)
        game.fulfil(2)
        assert (game.state.sizes, game.turn) == ([7, 10, 8], 2)
