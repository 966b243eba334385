"""Uno, rule by rule; each test names the rule that it holds."""

from __future__ import annotations

from collections import Counter

import pytest

from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.history import Deed
from dispenser.rules.engine.moves import ANNOUNCE, CHALLENGE, DRAW, PASS, TAKE, Act, catch, lay, name
from dispenser.rules.engine.phases import DREW, IDLE, MATCH_OVER, NAMING
from dispenser.rules.engine.uno_cards import UNO
from dispenser.rules.registry import new_game
from tests.rules.tables import card, cards_of, deal, hand

RED, YELLOW, GREEN, BLUE = range(4)
OTHERS = ["red 1, red 2, red 3", "blue 1, blue 2, blue 3", "green 1, green 2, green 3", "yellow 1, yellow 2, yellow 3"]


def named(name: str) -> int:
    return card(UNO, name)


def codes(game: Game) -> list[int]:
    return [event.what for event in game.events]


def demanded(game: Game) -> list[tuple[int, int, str]]:
    assert all(demand.kind is Owed.CARDS and demand.receiver == demand.payer for demand in game.state.demands)
    return [(demand.payer, demand.number, demand.rule) for demand in game.state.demands]


def playable(game: Game) -> list[str]:
    names = {UNO.names[move.card].en for move in game.legal_moves(game.turn) if move.act is Act.LAY}
    return sorted(names)


class TestSetUp:
    def test_the_deck_u_01(self) -> None:
        deck = Counter(new_game("uno", 2, seed=1).state.deck())
        assert sum(deck.values()) == 108
        for colour in ("red", "yellow", "green", "blue"):
            assert deck[named(f"{colour} 0")] == 1
            assert all(deck[named(f"{colour} {number}")] == 2 for number in range(1, 10))
            assert all(deck[named(f"{colour} {symbol}")] == 2 for symbol in ("+2", "reverse", "skip"))
        assert (deck[named("wild")], deck[named("+4")]) == (4, 4)

    def test_the_highest_number_deals_and_action_cards_count_0_u_02(self) -> None:
        game = new_game("uno", 3, hidden=True)
        game.begin(draws=cards_of("uno", "red +2, blue 3, wild"), first=named("red 5"))
        assert game.state.dealer == 1

    def test_who_ties_draws_again_u_02(self) -> None:
        game = new_game("uno", 3, hidden=True)
        game.begin(draws=cards_of("uno", "red 7, blue 3, green 7, red 0, blue 2"), first=named("red 5"))
        assert game.state.dealer == 2

    def test_everybody_draws_for_the_deal_in_each_round_u_02(self) -> None:
        dealers = set()
        game = new_game("uno", 4, {"target": 2000}, seed=2)
        for _ in range(12):
            drawn = [event.seat for event in game.begin() if event.what is What.DEALER_DREW]
            assert set(drawn) == {0, 1, 2, 3}
            dealers.add(game.state.dealer)
            while game.log[-1].deed is not Deed.BEGIN:
                game.undo()
            game.correct_hand(game.turn, cards=game_cards(game, game.turn)[:1])
            finish(game)
        assert len(dealers) > 1

    def test_seven_cards_each_and_the_seat_left_of_the_dealer_starts_u_03(self) -> None:
        game = new_game("uno", 4, hidden=True)
        game.begin(dealer=2, first=named("red 5"))
        assert game.state.sizes == [7, 7, 7, 7]
        assert (game.turn, game.state.direction, game.state.in_pile()) == (3, 1, 108 - 28 - 1)

    def test_it_is_not_the_turn_of_another_u_03(self) -> None:
        game = deal("uno", OTHERS, "red 9")
        with pytest.raises(IllegalMove) as refusal:
            game.play(1, DRAW)
        assert refusal.value.rule == "U-03"


def game_cards(game: Game, seat: int) -> list[int]:
    return [kind for kind, count in enumerate(game.state.hands[seat]) for _ in range(count)]


def finish(game: Game) -> None:
    """Somehow come to the end of the round."""
    while game.phase not in {IDLE, MATCH_OVER}:
        if game.state.demands:
            game.fulfil_by_chance()
            continue
        moves = game.legal_moves(game.turn)
        game.play(game.turn, next((move for move in moves if move.act in {Act.LAY, Act.NAME}), moves[-1]))


class TestFirstCard:
    def test_plus_two_u_04(self) -> None:
        game = deal("uno", OTHERS, "red +2")
        assert demanded(game) == [(0, 2, "U-04")]
        assert game.turn == 1
        game.fulfil_by_chance()
        assert game.state.sizes[0] == 5
        assert game.legal_moves(0) == []
        assert DRAW in game.legal_moves(1)

    def test_reverse_u_05(self) -> None:
        game = deal("uno", OTHERS, "red reverse", dealer=1)
        assert (game.turn, game.state.direction) == (0, -1)

    def test_skip_u_06(self) -> None:
        game = deal("uno", OTHERS, "red skip", dealer=1)
        assert (game.turn, game.state.direction) == (3, 1)
        assert Event(What.SKIPPED, 2) in game.events

    def test_wild_u_07(self) -> None:
        game = deal("uno", OTHERS, "wild", dealer=2)
        assert (game.turn, game.phase) == (2, NAMING)
        assert game.legal_moves(2) == [name(colour) for colour in range(4)]
        with pytest.raises(IllegalMove) as refusal:
            game.play(2, DRAW)
        assert refusal.value.rule == "U-07"
        game.play(2, name(GREEN))
        assert (game.turn, game.state.colour) == (3, GREEN)
        assert DRAW in game.legal_moves(3)

    def test_plus_four_goes_back_u_08(self) -> None:
        game = new_game("uno", 2)
        hands = "red 1, " * 2 + "red 2, " * 2 + "red 3, " * 2 + "red 4, " * 2 + "red 5, " * 2 + "red 6, " * 2
        game.begin(dealer=1, pile=cards_of("uno", hands + "red 7, red 7, +4, +4, blue 3"))
        assert game.state.talon == cards_of("uno", "blue 3")
        assert game.state.pile.count(named("+4")) == 4
        assert game.state.conserved()

    def test_plus_four_goes_back_when_the_table_turns_it_u_08(self) -> None:
        game = new_game("uno", 2, hidden=True)
        game.begin(dealer=1)
        game.answer(named("+4"))
        assert game.question is not None
        assert game.question.kind == "turn-up"
        game.answer(named("blue 3"))
        assert (game.state.talon, game.state.in_pile()) == (cards_of("uno", "blue 3"), 108 - 14 - 1)


class TestPlaying:
    @pytest.mark.parametrize(
        ("top", "may"),
        [
            ("red 7", ["+4", "blue 7", "red 2", "red skip", "wild"]),
            ("blue 2", ["+4", "blue 7", "blue reverse", "red 2", "wild"]),
            ("green skip", ["+4", "red skip", "wild"]),
            ("green reverse", ["+4", "blue reverse", "wild"]),
            ("yellow 0", ["+4", "wild"]),
        ],
    )
    def test_same_colour_number_or_symbol_or_a_wild_u_09(self, top: str, may: list[str]) -> None:
        mine = "blue 7, blue reverse, red 2, red skip, wild, +4"
        game = deal("uno", ["green 5", mine, "green 4"], "green 5" if top == "green 5" else top, dealer=0)
        while game.turn != 1 or game.state.demands:
            game.fulfil_by_chance() if game.state.demands else game.play(
                game.turn, PASS if game.phase == DREW else DRAW
            )
        assert playable(game) == may

    def test_who_does_not_play_draws_one_and_may_play_it_u_10(self) -> None:
        game = deal("uno", OTHERS, "red 9", pile="red 8, blue 9")
        game.play(0, DRAW)
        assert demanded(game) == [(0, 1, "U-10")]
        game.fulfil_by_chance()
        assert game.turn == 0
        assert game.legal_moves(0) == [lay(named("red 8")), PASS]
        with pytest.raises(IllegalMove) as refusal:
            game.play(0, lay(named("red 1")))
        assert refusal.value.rule == "U-10"
        game.play(0, lay(named("red 8")))
        assert (game.turn, game.state.sizes[0]) == (1, 3)

    def test_the_drawn_card_may_be_kept_u_10_g_02(self) -> None:
        game = deal("uno", OTHERS, "red 9", pile="red 8")
        game.play(0, DRAW)
        game.fulfil_by_chance()
        game.play(0, PASS)
        assert (game.turn, game.state.sizes[0]) == (1, 4)

    def test_a_drawn_card_that_does_not_fit_ends_the_turn_u_10(self) -> None:
        game = deal("uno", OTHERS, "red 9", pile="blue 8")
        game.play(0, DRAW)
        game.fulfil_by_chance()
        assert game.turn == 1
        assert What.PASSED in codes(game)

    @pytest.mark.parametrize("wild", ["wild", "+4"])
    def test_a_drawn_wild_may_be_played_u_10(self, wild: str) -> None:
        game = deal("uno", OTHERS, "red 9", pile=wild)
        game.play(0, DRAW)
        game.fulfil_by_chance()
        assert game.legal_moves(0) == [*(lay(named(wild), colour=colour) for colour in range(4)), PASS]

    def test_plus_two_u_11(self) -> None:
        game = deal("uno", ["red +2, blue 5, blue 6", *OTHERS[1:]], "red 9")
        game.play(0, lay(named("red +2")))
        assert demanded(game) == [(1, 2, "U-11")]
        assert game.turn == 2
        with pytest.raises(IllegalMove) as refusal:
            game.play(2, DRAW)
        assert refusal.value.rule == "U-11"
        game.fulfil_by_chance()
        assert game.state.sizes[1] == 5
        assert DRAW in game.legal_moves(2)

    def test_plus_two_does_not_stack_u_11(self) -> None:
        game = deal("uno", ["red +2, blue 5, blue 6", "blue +2, blue 1", *OTHERS[2:]], "red 9")
        game.play(0, lay(named("red +2")))
        assert game.legal_moves(1) == []

    def test_plus_two_needs_its_colour_or_another_u_11(self) -> None:
        game = deal("uno", ["red +2, blue +2, blue 5", *OTHERS[1:]], "red 9")
        with pytest.raises(IllegalMove) as refusal:
            game.play(0, lay(named("blue +2")))
        assert refusal.value.rule == "U-11"

    def test_reverse_u_12(self) -> None:
        game = deal("uno", ["red reverse, blue 5, blue 6", *OTHERS[1:]], "red 9")
        game.play(0, lay(named("red reverse")))
        assert (game.turn, game.state.direction) == (3, -1)

    def test_reverse_of_two_acts_as_skip_u_12(self) -> None:
        game = deal("uno", ["red reverse, blue 5, blue 6", OTHERS[1]], "red 9")
        game.play(0, lay(named("red reverse")))
        assert game.turn == 0

    def test_skip_u_13(self) -> None:
        game = deal("uno", ["red skip, blue 5, blue 6", *OTHERS[1:]], "red 9")
        game.play(0, lay(named("red skip")))
        assert game.turn == 2
        assert game.state.demands == []

    def test_wild_names_a_colour_u_14(self) -> None:
        game = deal("uno", ["wild, blue 5, blue 6", "green 1, red 1, blue 1", *OTHERS[2:]], "red 9")
        with pytest.raises(IllegalMove) as refusal:
            game.play(0, lay(named("wild")))
        assert refusal.value.rule == "U-14"
        game.play(0, lay(named("wild"), colour=GREEN))
        assert playable(game) == ["green 1"]


class TestPlusFour:
    def game(self, mine: str = "+4, blue 5, blue 6", top: str = "red 9") -> Game:
        return deal("uno", [mine, "green 7, red 1, blue 1", *OTHERS[2:]], top)

    def test_the_next_draws_four_and_is_skipped_u_15(self) -> None:
        game = self.game()
        game.play(0, lay(named("+4"), colour=GREEN))
        assert game.legal_moves(1) == [CHALLENGE, TAKE]
        with pytest.raises(IllegalMove) as refusal:
            game.play(1, lay(named("green 7")))
        assert refusal.value.rule == "U-15"
        game.play(1, TAKE)
        assert demanded(game) == [(1, 4, "U-15")]
        game.fulfil_by_chance()
        assert (game.turn, game.state.sizes[1], game.state.colour) == (2, 7, GREEN)

    def test_it_can_be_bluffed_u_15(self) -> None:
        assert lay(named("+4"), colour=RED) in self.game("+4, red 5").legal_moves(0)

    @pytest.mark.parametrize("other", ["red 5", "blue 9", "wild"])
    def test_a_bluff_is_taken_back_u_16(self, other: str) -> None:
        game = self.game(f"+4, {other}, blue 6")
        game.play(0, lay(named("+4"), colour=GREEN))
        game.play(1, CHALLENGE)
        assert Event(What.CHALLENGED, 1, bluff=True) in game.events
        assert "+4" in hand(game, 0)
        assert demanded(game) == [(0, 4, "U-16")]
        assert (game.turn, game.state.top, game.state.colour) == (1, named("red 9"), RED)
        game.fulfil_by_chance()
        assert game.state.sizes[0] == 7
        assert playable(game) == ["red 1"]

    @pytest.mark.parametrize("rest", ["blue 5, blue 6", "+4, blue 5", "yellow +2"])
    def test_a_lawful_one_costs_six_u_16(self, rest: str) -> None:
        game = self.game(f"+4, {rest}")
        game.play(0, lay(named("+4"), colour=GREEN))
        game.play(1, CHALLENGE)
        assert Event(What.CHALLENGED, 1, bluff=False) in game.events
        assert demanded(game) == [(1, 6, "U-16")]
        game.fulfil_by_chance()
        assert (game.turn, game.state.sizes[1]) == (2, 9)

    def test_the_colour_beneath_comes_back_u_16(self) -> None:
        game = deal("uno", ["wild, blue 5, blue 6", "+4, yellow 7, blue 1", *OTHERS[2:]], "red 9")
        game.play(0, lay(named("wild"), colour=YELLOW))
        game.play(1, lay(named("+4"), colour=GREEN))
        game.play(2, CHALLENGE)
        game.fulfil_by_chance()
        assert (game.state.top, game.state.colour, game.turn) == (named("wild"), YELLOW, 2)

    def test_the_table_tells_whether_it_was_a_bluff_u_16(self) -> None:
        game = new_game("uno", 3, hidden=True)
        game.begin(dealer=2, first=named("red 5"))
        game.play(0, lay(named("+4"), colour=GREEN))
        game.play(1, CHALLENGE)
        assert game.question is not None
        assert (game.question.kind, game.question.seat, game.question.rule) == ("bluff", 0, "U-16")
        with pytest.raises(IllegalMove, match="waits for an answer"):
            game.play(2, DRAW)
        with pytest.raises(IllegalMove, match="yes or no"):
            game.answer(1)
        game.answer(True)
        assert demanded(game) == [(0, 4, "U-16")]
        assert hand(game, 0).count("+4") == 1
        assert game.state.conserved()

    def test_a_known_card_gives_the_bluff_away_u_16(self) -> None:
        game = new_game("uno", 3, hidden=True)
        game.begin(dealer=2, first=named("red 5"))
        game.play(0, lay(named("+4"), colour=GREEN))
        game.play(1, CHALLENGE)
        game.answer(True)
        game.fulfil(cards_of("uno", "red 7, blue 1, blue 2, blue 3"))
        for seat in (1, 2):
            game.play(seat, DRAW)
            game.fulfil(1)
            game.play(seat, PASS)
        game.play(0, lay(named("+4"), colour=GREEN))
        game.play(1, CHALLENGE)
        assert game.question is None
        assert demanded(game) == [(0, 4, "U-16")]

    @pytest.mark.parametrize("declared", [False, True])
    def test_cards_drawn_after_it_make_no_bluff_of_it_u_16(self, *, declared: bool) -> None:
        """Found by a reader: two penalty cards that would have fitted came after the +4 had been laid."""
        game = deal("uno", ["+4, green 5", "yellow 1, yellow 2", "yellow 3, yellow 4"], "red 7", pile="red 3, red 4")
        game.play(0, lay(named("+4"), colour=GREEN))
        if declared:
            game.penalise(0, "advice")
        else:
            game.play(2, catch(0))
        game.fulfil_by_chance()
        game.play(1, CHALLENGE)
        assert Event(What.CHALLENGED, 1, bluff=False) in game.events
        assert demanded(game) == [(1, 6, "U-16")]

    def test_there_is_nothing_to_challenge_otherwise_u_16(self) -> None:
        with pytest.raises(IllegalMove) as refusal:
            self.game().play(0, CHALLENGE)
        assert refusal.value.rule == "U-16"


class TestOneCardLeft:
    def game(self) -> Game:
        return deal("uno", ["red 1, red 2", *OTHERS[1:]], "red 9")

    def test_forgotten_and_caught_two_cards_u_17(self) -> None:
        game = self.game()
        game.play(0, lay(named("red 1")))
        assert game.legal_moves(2) == [catch(0)]
        game.play(2, catch(0))
        assert demanded(game) == [(0, 2, "U-17")]
        game.fulfil_by_chance()
        assert (game.state.sizes[0], game.turn) == (3, 1)

    def test_said_before_or_after_it_is_safe_u_17_g_03(self) -> None:
        for before in (True, False):
            game = self.game()
            if before:
                game.play(0, ANNOUNCE)
            game.play(0, lay(named("red 1")))
            if not before:
                assert game.legal_moves(0) == [ANNOUNCE]
                game.play(0, ANNOUNCE)
            assert game.legal_moves(2) == []
            with pytest.raises(IllegalMove) as refusal:
                game.play(2, catch(0))
            assert refusal.value.rule == "U-17"

    def test_nobody_is_caught_after_the_next_has_acted_g_03(self) -> None:
        game = self.game()
        game.play(0, lay(named("red 1")))
        game.play(1, lay(named("blue 1")))
        assert game.legal_moves(2) == [move for move in game.legal_moves(2) if move.act is not Act.CATCH]
        game = self.game()
        game.play(0, lay(named("red 1")))
        game.play(1, DRAW)
        assert game.legal_moves(2) == []

    def test_advice_costs_four_and_not_the_turn_u_18(self) -> None:
        game = self.game()
        game.penalise(2, "advice")
        assert demanded(game) == [(2, 4, "U-18")]
        game.fulfil_by_chance()
        assert (game.state.sizes[2], game.turn) == (7, 0)
        with pytest.raises(IllegalMove, match="the table can declare: advice"):
            game.penalise(2, "laughing")


class TestEndOfRound:
    def test_a_last_plus_two_is_drawn_before_the_count_u_19(self) -> None:
        game = deal("uno", ["red +2", "blue 1, blue 2", "green 5"], "red 9", pile="blue 8, red skip")
        game.play(0, lay(named("red +2")))
        assert game.state.demands
        assert game.state.scores == [0, 0, 0]
        game.fulfil_by_chance()
        assert game.phase == IDLE
        assert game.state.scores == [1 + 2 + 8 + 20 + 5, 0, 0]

    @pytest.mark.parametrize(("answer", "cards"), [(TAKE, 4), (CHALLENGE, 6)])
    def test_a_last_plus_four_is_drawn_before_the_count_u_19(self, answer: int, cards: int) -> None:
        game = deal(
            "uno", ["+4", "blue 1, blue 2", "green 5"], "red 9", pile="red 1, red 2, red 3, red 4, red 5, red 6"
        )
        game.play(0, lay(named("+4"), colour=RED))
        game.play(1, answer)
        game.fulfil_by_chance()
        assert game.state.scores == [1 + 2 + 5 + sum(range(1, cards + 1)), 0, 0]

    def test_what_cards_count_u_20(self) -> None:
        others = ["red 0, blue 9, red +2", "green reverse, yellow skip, wild, +4"]
        game = deal("uno", ["red 1", *others], "red 9")
        game.play(0, lay(named("red 1")))
        assert game.state.scores == [0 + 9 + 20 + 20 + 20 + 50 + 50, 0, 0]
        assert Event(What.SCORED, 0, number=169) in game.events

    def test_first_to_500_wins_u_20(self) -> None:
        hands = ["red 1", "wild, wild, wild, wild, +4, +4, +4, +4, red +2, red +2, red skip, red skip, red reverse"]
        game = deal("uno", hands, "red 9")
        game.play(0, lay(named("red 1")))
        assert (game.state.scores, game.state.winners, game.phase) == ([500, 0], (0,), MATCH_OVER)
        with pytest.raises(IllegalMove, match="the match is over"):
            game.begin(dealer=0, pile=())

    def test_a_point_less_and_the_match_goes_on_u_20(self) -> None:
        hands = [
            "red 1",
            "wild, wild, wild, wild, +4, +4, +4, +4, red +2, red +2, red skip, red skip, red 9, blue 9, red 1",
        ]
        game = deal("uno", hands, "red 9")
        game.play(0, lay(named("red 1")))
        assert (game.state.scores, game.phase) == ([499, 0], IDLE)

    def test_low_score_u_21(self) -> None:
        hands = ["red 1", "red 5, blue 9", "wild, wild"]
        game = deal("uno", hands, "red 9", scoring="low-score", target=100)
        game.play(0, lay(named("red 1")))
        assert game.state.scores == [0, 14, 100]
        assert (game.state.winners, game.phase) == ((0,), MATCH_OVER)

    def test_low_score_may_be_shared_u_21(self) -> None:
        game = deal("uno", ["red 1", "red 0", "wild, wild"], "red 9", scoring="low-score", target=100)
        game.play(0, lay(named("red 1")))
        assert game.state.winners == (0, 1)

    def test_the_table_tells_the_points_of_hidden_hands_u_20(self) -> None:
        game = new_game("uno", 3, hidden=True)
        game.begin(dealer=2, first=named("red 9"))
        game.correct_hand(0, cards=cards_of("uno", "red 1"))
        game.correct_hand(1, cards=cards_of("uno", "wild"))
        game.correct_hand(1, size=2)
        game.correct_hand(2, cards=cards_of("uno", "red 9"))
        game.play(0, lay(named("red 1")))
        assert game.question is not None
        assert (game.question.kind, game.question.seat) == ("points", 1)
        with pytest.raises(IllegalMove, match="counts 50 to 100"):
            game.answer(49)
        with pytest.raises(IllegalMove, match="known to hold wild"):
            game.answer(cards_of("uno", "red 2, red 3"))
        with pytest.raises(IllegalMove, match="has 2 cards"):
            game.answer(cards_of("uno", "wild"))
        with pytest.raises(IllegalMove, match="seen elsewhere"):
            game.answer(cards_of("uno", "wild, red 9"))
        game.answer(cards_of("uno", "wild, red 3"))
        assert game.state.scores == [50 + 3 + 9, 0, 0]

    def test_a_number_of_points_will_do_u_20(self) -> None:
        game = new_game("uno", 2, hidden=True)
        game.begin(dealer=1, first=named("red 9"))
        game.correct_hand(0, cards=cards_of("uno", "red 1"))
        game.play(0, lay(named("red 1")))
        game.answer(117)
        assert game.state.scores == [117, 0]


def test_a_penalty_in_between_does_not_change_which_card_was_drawn_u_10() -> None:
    """Found by search: advice declared while somebody looks at the card just drawn."""
    game = deal("uno", OTHERS, "red 9", pile="red 8, blue 6, blue 7, blue 8, green 8")
    game.play(0, DRAW)
    game.fulfil_by_chance()
    game.penalise(0, "advice")
    game.fulfil_by_chance()
    assert game.legal_moves(0) == [lay(named("red 8")), PASS]
    game.play(0, lay(named("red 8")))
    assert game.state.conserved()
