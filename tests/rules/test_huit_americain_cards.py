"""Huit américain, rule by rule: the special cards, and saying “Carte!”; each test names the rule that it holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, PASS, TAKE, Act, Move, catch
from dispenser.rules.engine.phases import AGAIN, ANSWERING, DREW, IDLE, MATCH_OVER, PLAYING
from dispenser.rules.engine.playing_cards import PLAYING_CARDS
from dispenser.rules.registry import new_game
from tests.rules import tables
from tests.rules.playing_cards import HEARTS, SPADES, draw, laying, named, owed, playable, refused
from tests.rules.tables import cards_of, hand

FIVES = ["5 of clubs, 6 of clubs, king of clubs", "5 of spades, 6 of spades, king of spades"]
"""Two hands for those who only look on."""


def deal(hands: Sequence[str], first: str, pile: str = "", **options: Any) -> Game:
    return tables.deal("huit-americain", hands, first, pile, **options)


def lay(game: Game, name: str, suit: int = -1) -> list[Event]:
    """Who is in turn lays that card."""
    return game.play(game.turn, laying(name, suit))


class TestSpecialCards:
    def test_a_7_skips_the_next_h_06(self) -> None:
        game = deal(["7 of hearts, 3 of clubs, 2 of spades", *FIVES], "9 of hearts")
        assert Event(What.SKIPPED, 1) in lay(game, "7 of hearts")
        assert (game.turn, game.state.demands) == (2, [])

    def test_a_7_lets_the_same_player_go_on_when_they_are_two_h_06(self) -> None:
        game = deal(["7 of hearts, 3 of clubs, 2 of spades", FIVES[0]], "9 of hearts")
        lay(game, "7 of hearts")
        assert (game.turn, game.phase) == (0, PLAYING)
        assert DRAW in game.legal_moves(0)

    @pytest.mark.parametrize("suit", range(4))
    def test_an_8_names_any_suit_its_own_too_h_07(self, suit: int) -> None:
        rest = "4 of clubs, 4 of diamonds, 4 of hearts, 4 of spades, 8 of hearts"
        game = deal(["8 of clubs, 3 of clubs, 2 of spades", rest], "9 of hearts")
        lay(game, "8 of clubs", suit)
        assert (game.turn, game.state.colour, game.state.top) == (1, suit, named("8 of clubs"))
        assert playable(game) == {f"4 of {PLAYING_CARDS.colour_names[suit].en}", "8 of hearts"}

    def test_an_8_without_a_suit_h_07(self) -> None:
        game = deal(["8 of clubs, 3 of clubs", *FIVES], "9 of hearts")
        assert refused(game, 0, laying("8 of clubs")) == "H-07"
        assert refused(game, 0, laying("8 of clubs", 4)) == "H-07"
        assert refused(game, 0, laying("3 of clubs", HEARTS)) == "H-04"

    def test_after_a_10_its_player_plays_again_h_08(self) -> None:
        game = deal(["10 of hearts, 3 of hearts, 3 of clubs, 10 of clubs, 8 of spades", *FIVES], "9 of hearts")
        assert Event(What.AGAIN, 0) in lay(game, "10 of hearts")
        assert (game.turn, game.phase) == (0, AGAIN)
        assert playable(game) == {"3 of hearts", "10 of clubs", "8 of spades"}
        assert refused(game, 0, laying("3 of clubs")) == "H-04"
        lay(game, "10 of clubs")
        assert (game.turn, game.phase) == (0, AGAIN)
        lay(game, "3 of clubs")
        assert (game.turn, game.phase, game.state.sizes[0]) == (1, PLAYING, 2)

    def test_who_can_cover_the_10_must_h_08_g_02(self) -> None:
        for cover in ("3 of hearts", "8 of spades", "10 of spades", "joker"):
            game = deal([f"10 of hearts, 2 of clubs, {cover}", *FIVES], "9 of hearts", jokers=True)
            lay(game, "10 of hearts")
            assert refused(game, 0, DRAW) == "H-08"
            assert refused(game, 0, PASS) == "H-08"
            assert {move.card for move in game.legal_moves(0) if move.act is Act.LAY} == {named(cover)}

    def test_who_cannot_cover_the_10_draws_one_and_may_play_it_h_08(self) -> None:
        game = deal(["10 of hearts, 2 of clubs, 3 of clubs", *FIVES], "9 of hearts", "4 of hearts")
        lay(game, "10 of hearts")
        assert set(game.legal_moves(0)) == {DRAW, ANNOUNCE}
        game.play(0, DRAW)
        assert owed(game) == [(0, 1, "H-08")]
        game.fulfil_by_chance()
        assert game.legal_moves(0) == [laying("4 of hearts"), PASS]
        game.play(0, PASS)
        assert (game.turn, game.phase) == (1, PLAYING)

    def test_a_card_drawn_for_the_10_that_does_not_fit_ends_the_turn_h_08(self) -> None:
        game = deal(["10 of hearts, 2 of clubs, 3 of clubs", *FIVES], "9 of hearts", "4 of spades")
        lay(game, "10 of hearts")
        draw(game)
        assert (game.turn, game.phase, game.state.sizes[0]) == (1, PLAYING, 3)

    def test_a_10_drawn_for_a_10_must_be_covered_too_h_08(self) -> None:
        game = deal(["10 of hearts, 2 of clubs", *FIVES], "9 of hearts", "10 of clubs")
        lay(game, "10 of hearts")
        draw(game)
        lay(game, "10 of clubs")
        assert (game.turn, game.phase, playable(game)) == (0, AGAIN, {"2 of clubs"})

    def test_nobody_goes_out_on_a_bare_10_h_08(self) -> None:
        game = deal(["10 of hearts", *FIVES], "9 of hearts", "4 of hearts")
        lay(game, "10 of hearts")
        assert (game.state.sizes[0], game.phase, game.turn, game.legal_moves(0)) == (0, AGAIN, 0, [DRAW])
        draw(game)
        assert (game.phase, hand(game, 0)) == (DREW, ["4 of hearts"])
        lay(game, "4 of hearts")
        assert (game.phase, game.state.round_winner) == (MATCH_OVER, 0)

    def test_a_bare_10_that_is_not_covered_leaves_its_player_in_h_08(self) -> None:
        game = deal(["10 of hearts", *FIVES], "9 of hearts", "4 of spades, 2 of diamonds, 3 of diamonds")
        lay(game, "10 of hearts")
        draw(game)
        assert (game.phase, game.turn, game.state.sizes[0]) == (PLAYING, 1, 1)

    def test_a_10_covered_by_the_last_card_goes_out_h_08(self) -> None:
        game = deal(["10 of hearts, 2 of hearts", *FIVES], "9 of hearts")
        lay(game, "10 of hearts")
        lay(game, "2 of hearts")
        assert (game.phase, game.state.round_winner) == (MATCH_OVER, 0)

    def test_nothing_to_draw_for_a_bare_10_h_08_g_01(self) -> None:
        rest = [kind for kind in range(52) if kind not in {named("10 of hearts"), named("9 of hearts")}]
        game = new_game("huit-americain", 2)
        game.begin(dealer=1, hands=[[named("10 of hearts")], rest], first=named("9 of hearts"), pile=[])
        lay(game, "10 of hearts")
        draw(game)
        assert hand(game, 0) == ["9 of hearts"], "the talon but its top card"
        lay(game, "9 of hearts")
        assert game.state.round_winner == 0

    @pytest.mark.parametrize("what", ["7 of hearts", "8 of clubs", "ace of hearts"])
    def test_the_cover_acts_as_usual_h_08(self, what: str) -> None:
        game = deal([f"10 of hearts, {what}, 2 of clubs, 3 of clubs", *FIVES], "9 of hearts")
        lay(game, "10 of hearts")
        lay(game, what, SPADES if what.startswith("8") else -1)
        assert (game.turn, game.phase) == {"7": (2, PLAYING), "8": (1, PLAYING), "a": (1, ANSWERING)}[what[0]]


class TestTheAce:
    HANDS = (
        "ace of hearts, 2 of hearts, 3 of hearts",
        "ace of clubs, 8 of clubs, 5 of hearts",
        "ace of spades, 6 of spades, king of spades",
        "ace of diamonds, 6 of diamonds, king of diamonds",
    )

    def test_the_next_draws_two_and_loses_the_turn_h_09(self) -> None:
        game = deal(self.HANDS, "9 of hearts")
        lay(game, "ace of hearts")
        assert (game.turn, game.phase, owed(game)) == (1, ANSWERING, [])
        assert set(game.legal_moves(1)) == {laying("ace of clubs"), TAKE}
        assert Event(What.SKIPPED, 1) in game.play(1, TAKE)
        assert (owed(game), game.turn, game.phase) == ([(1, 2, "H-09")], 2, PLAYING)
        game.fulfil_by_chance()
        assert game.state.sizes[1] == 5
        assert DRAW in game.legal_moves(2)

    def test_only_an_ace_answers_an_ace_h_09(self) -> None:
        game = deal([self.HANDS[0], "8 of clubs, 5 of hearts, joker", FIVES[0]], "9 of hearts", jokers=True)
        lay(game, "ace of hearts")
        assert game.legal_moves(1) == [TAKE]
        for move in (laying("5 of hearts"), laying("8 of clubs", HEARTS), laying("joker", HEARTS), DRAW, PASS):
            assert refused(game, 1, move) == "H-09"

    @pytest.mark.parametrize("answers", [1, 2, 3])
    def test_aces_add_up_h_09(self, answers: int) -> None:
        game = deal(self.HANDS, "9 of hearts")
        for name in ("ace of hearts", "ace of clubs", "ace of spades", "ace of diamonds")[: answers + 1]:
            lay(game, name)
        taker = (answers + 1) % 4
        game.play(taker, TAKE)
        assert owed(game) == [(taker, 2 * (answers + 1), "H-09")]
        assert game.turn == (taker + 1) % 4

    def test_the_next_ace_begins_at_two_again_h_09(self) -> None:
        game = deal(self.HANDS, "9 of hearts", "4 of clubs, 4 of hearts")
        lay(game, "ace of hearts")
        game.play(1, TAKE)
        game.fulfil_by_chance()
        lay(game, "ace of spades")
        game.play(3, TAKE)
        assert owed(game) == [(3, 2, "H-09")]

    def test_there_is_nothing_to_take_without_an_ace_h_09(self) -> None:
        game = deal(self.HANDS, "9 of hearts")
        assert refused(game, 0, TAKE) == "H-09"

    def test_undo_brings_the_count_back_h_09(self) -> None:
        game = deal(self.HANDS, "9 of hearts")
        lay(game, "ace of hearts")
        lay(game, "ace of clubs")
        game.play(2, TAKE)
        game.undo()
        game.play(2, TAKE)
        assert owed(game) == [(2, 4, "H-09")]

    def test_a_last_ace_ends_the_deal_at_once_h_09_h_12(self) -> None:
        game = deal(["ace of hearts", "ace of clubs, 6 of clubs", FIVES[1]], "9 of hearts")
        lay(game, "ace of hearts")
        assert (game.phase, game.state.round_winner, game.state.demands) == (MATCH_OVER, 0, [])
        assert game.state.points == [0, 25 + 5, 5 + 5 + 10]

    def test_a_last_ace_that_answers_one_ends_the_deal_and_nobody_draws_h_09_h_12(self) -> None:
        game = deal(["ace of hearts, 2 of hearts", "ace of clubs", FIVES[1]], "9 of hearts", match="points")
        lay(game, "ace of hearts")
        lay(game, "ace of clubs")
        assert (game.phase, game.state.round_winner, game.state.sizes) == (IDLE, 1, [1, 0, 3])
        game.begin(
            dealer=2,
            hands=[
                cards_of("huit-americain", held) for held in ("ace of spades, 2 of clubs", "3 of clubs", "4 of clubs")
            ],
            first=named("9 of spades"),
            pile=[],
        )
        lay(game, "ace of spades")
        game.play(1, TAKE)
        assert owed(game) == [(1, 2, "H-09")], "the aces of the deal before are forgotten"

    @pytest.mark.parametrize("match", ["single", "points"])
    def test_no_cards_wait_to_be_drawn_once_a_last_ace_has_ended_the_deal_h_09(self, match: str) -> None:
        game = deal(["ace of hearts, 2 of hearts", "ace of clubs", FIVES[1]], "9 of hearts", match=match)
        lay(game, "ace of hearts")
        assert game.state.public() == {"ace_cards": 2}
        lay(game, "ace of clubs")
        assert (game.state.round_winner, game.state.public()) == (1, {"ace_cards": 0})
        game.undo()
        assert game.state.public() == {"ace_cards": 2}


class TestCarte:
    HANDS = ("2 of hearts, 3 of hearts", *FIVES)

    def test_forgotten_and_caught_h_10(self) -> None:
        game = deal(self.HANDS, "9 of hearts")
        lay(game, "2 of hearts")
        assert catch(0) in game.legal_moves(1)
        assert catch(0) in game.legal_moves(2)
        game.play(2, catch(0))
        assert owed(game) == [(0, 2, "H-10")]
        game.fulfil_by_chance()
        assert (game.state.sizes[0], game.turn) == (3, 1)

    def test_said_while_laying_h_10(self) -> None:
        game = deal(self.HANDS, "9 of hearts")
        game.play(0, ANNOUNCE)
        lay(game, "2 of hearts")
        assert refused(game, 1, catch(0)) == "H-10"
        assert game.state.announced == {0}

    def test_remembered_in_time_h_10_g_03(self) -> None:
        game = deal(self.HANDS, "9 of hearts")
        lay(game, "2 of hearts")
        game.play(0, ANNOUNCE)
        assert refused(game, 1, catch(0)) == "H-10"

    @pytest.mark.parametrize("act", [DRAW, laying("2 of clubs")])
    def test_too_late_when_the_next_has_acted_h_10_g_03(self, act: Move) -> None:
        game = deal([self.HANDS[0], "2 of clubs, 5 of diamonds, 6 of diamonds", FIVES[1]], "9 of hearts")
        lay(game, "2 of hearts")
        game.play(1, act)
        assert refused(game, 2, catch(0)) == "H-10"

    def test_too_late_when_the_next_has_taken_or_laid_an_ace_h_10_g_03(self) -> None:
        for answer in (TAKE, laying("ace of clubs")):
            game = deal(
                ["ace of hearts, 3 of hearts", "ace of clubs, 5 of diamonds, 6 of spades", FIVES[0]], "9 of hearts"
            )
            lay(game, "ace of hearts")
            assert catch(0) in game.legal_moves(2)
            game.play(1, answer)
            assert refused(game, 2, catch(0)) == "H-10"

    def test_said_before_answering_an_ace_h_10(self) -> None:
        game = deal(["ace of hearts, 3 of hearts, 4 of hearts", "ace of clubs, 5 of diamonds", FIVES[1]], "9 of hearts")
        lay(game, "ace of hearts")
        game.play(1, ANNOUNCE)
        lay(game, "ace of clubs")
        assert (game.state.announced, game.state.exposed) == ({1}, set())

    def test_nobody_is_caught_with_two_cards_h_10(self) -> None:
        game = deal(["2 of hearts, 3 of hearts, 4 of clubs", *FIVES], "9 of hearts")
        assert refused(game, 0, ANNOUNCE) == "H-10"
        lay(game, "2 of hearts")
        assert refused(game, 1, catch(0)) == "H-10"

    def test_covering_a_10_is_not_yet_the_next_move_h_10_h_08(self) -> None:
        game = deal(["10 of hearts, 3 of clubs", *FIVES], "9 of hearts", "2 of hearts, 3 of spades")
        lay(game, "10 of hearts")
        game.play(1, catch(0))
        game.fulfil_by_chance()
        assert (game.turn, game.phase, game.state.sizes[0]) == (0, AGAIN, 3)

    def test_a_cover_that_leaves_one_card_must_be_announced_h_10_h_08(self) -> None:
        game = deal(["10 of hearts, 3 of hearts, 4 of hearts", *FIVES], "9 of hearts")
        lay(game, "10 of hearts")
        assert ANNOUNCE in game.legal_moves(0)
        lay(game, "3 of hearts")
        assert catch(0) in game.legal_moves(1)

    def test_drawing_up_to_one_card_needs_no_announcement_h_10_h_08(self) -> None:
        game = deal(["10 of hearts", *FIVES], "9 of hearts", "4 of spades")
        lay(game, "10 of hearts")
        draw(game)
        assert (game.state.sizes[0], game.state.exposed) == (1, set())
