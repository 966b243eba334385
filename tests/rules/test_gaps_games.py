"""Small promises of single games that a change could break unnoticed; as in ``test_gaps``, each names its rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from dispenser.rules import GAMES, IllegalMove, new_game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import (
    ANNOUNCE,
    CHALLENGE,
    DRAW,
    RETRACT,
    Move,
    cancel,
    catch,
    catch_retract,
    jump_in,
    lay,
    name,
)
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, IN_ROUND, MATCH_OVER
from tests.rules import table_of_151, vache
from tests.rules.gaps import refusal_of
from tests.rules.tables import card, cards_of, deal


def test_a_bare_ten_is_no_way_out_even_when_there_is_nothing_to_draw_h_08() -> None:
    game = deal("huit-americain", ["10 of hearts", "9 of clubs, 9 of spades", "3 of clubs, 3 of spades"], "2 of hearts")
    game.correct_hand(
        2, cards=[*cards_of("huit-americain", "3 of clubs, 3 of spades"), *game.state.pile, *game.state.under]
    )
    game.play(0, lay(cards_of("huit-americain", "10 of hearts")[0]))
    assert game.state.going_out == -1
    game.play(0, DRAW)
    game.fulfil_by_chance()
    assert game.phase in IN_ROUND
    assert game.state.round_winner == -1


@pytest.mark.parametrize("colour", range(4))
def test_an_extreme_hit_at_oneself_is_aimed_badly_whatever_colour_it_names_e_21(colour: int) -> None:
    game = deal("uno-extreme", ["extreme hit, red 1, red 2", "blue 1, blue 2", "green 1, green 2"], "red 9")
    hit = card(GAMES["uno-extreme"].rules.cards, "extreme hit")
    refusal = refusal_of(game, 0, lay(hit, colour=colour, seat=0))
    assert (refusal.rule, refusal.reason.en) == ("E-21", "aim at another player who is still in")
    assert "aim" not in refusal_of(game, 0, lay(hit, colour=4, seat=1)).reason.en


class TestRanking:
    """The best first, whatever counts as good; who is out of the match comes last."""

    @pytest.mark.parametrize(
        ("game_id", "options", "order"),
        [
            ("uno", {"scoring": "winner"}, (1, 2, 0)),
            ("uno", {"scoring": "low-score"}, (0, 2, 1)),
            ("uno-extreme", {"scoring": "winner"}, (1, 2, 0)),
            ("uno-extreme", {"scoring": "low-score"}, (0, 2, 1)),
            ("huit-americain", {}, (1, 2, 0)),
            ("151", {}, (0, 2, 1)),
        ],
    )
    def test_by_points(self, game_id: str, options: Mapping[str, Any], order: Sequence[int]) -> None:
        game = new_game(game_id, 3, options)
        game.state.scores = [0, 70, 20]
        assert game.ranking() == order

    def test_who_is_over_the_limit_comes_last_e_30(self) -> None:
        game = new_game("uno-extreme", 3, {"scoring": "elimination"})
        game.state.scores = [120, 40, 60]
        game.state.gone.add(1)
        assert game.ranking() == (2, 0, 1)


class TestUno:
    def test_whether_it_was_a_bluff_is_answered_with_yes_or_no_u_16(self) -> None:
        game = new_game("uno", 2, hidden=True)
        game.begin(dealer=1, first=cards_of("uno", "red 5")[0])
        game.correct_hand(0, cards=cards_of("uno", "+4, green 1"))
        game.correct_hand(0, size=3)
        game.play(0, lay(card(game.state.cards, "+4"), colour=1))
        game.play(1, CHALLENGE)
        with pytest.raises(IllegalMove) as refusal:
            game.answer(1)
        assert refusal.value.rule == "U-16"
        game.answer(True)
        assert [(demand.payer, demand.number) for demand in game.state.demands] == [(0, 4)]

    def test_who_announces_and_then_draws_has_announced_nothing_u_17(self) -> None:
        game = deal("uno", ["red 1, red 2", "blue 1, blue 2, blue 3"], "red 9")
        game.play(0, ANNOUNCE)
        game.play(0, DRAW)
        assert game.state.calling == set()

    def test_a_bluff_taken_back_is_no_last_card_to_have_announced_u_16_u_17(self) -> None:
        game = deal("uno", ["+4, red 1", "blue 1, blue 2, blue 3"], "red 9")
        game.play(0, ANNOUNCE)
        game.play(0, lay(card(game.state.cards, "+4"), colour=1))
        assert game.state.announced == {0}
        game.play(1, CHALLENGE)
        assert (game.state.sizes[0], game.state.announced) == (2, set())


class TestHuitAmericain:
    def test_who_covers_a_ten_with_a_last_ace_can_no_longer_be_caught_g_03_h_09(self) -> None:
        hands = ["10 of hearts, ace of hearts", "3 of clubs, 4 of clubs", "3 of spades, 4 of spades"]
        game = deal("huit-americain", hands, "2 of hearts")
        game.play(0, lay(card(game.state.cards, "10 of hearts")))
        assert game.state.exposed == {0}
        game.play(0, lay(card(game.state.cards, "ace of hearts")))
        assert (game.state.round_winner, game.state.exposed) == (0, set())

    def test_a_move_of_another_game_is_no_such_move_g_06(self) -> None:
        game = deal("huit-americain", ["8 of hearts, 9 of hearts", "3 of clubs, 4 of clubs"], "2 of hearts")
        for detail in range(4):
            assert refusal_of(game, 0, name(detail)).rule == "G-06"


def test_a_skipped_seat_is_told_e_16() -> None:
    game = deal("uno-extreme", ["red skip, red 1, red 2", "red 4, blue 2", "blue 4, blue 5"], "red 9")
    assert Event(What.SKIPPED, 1) in game.play(0, lay(card(game.state.cards, "red skip")))
    assert game.turn == 2


def test_of_two_players_a_reverse_skips_the_other_e_29() -> None:
    game = deal("uno-extreme", ["red reverse, red 1, red 2", "red 4, blue 2"], "red 9")
    happened = game.play(0, lay(card(game.state.cards, "red reverse")))
    assert Event(What.SKIPPED, 1) in happened
    assert game.turn == 0


def test_after_the_first_turn_a_last_card_is_refused_as_any_other_c_05_c_10() -> None:
    game = table_of_151.table("9 of clubs", first="3 of hearts")
    nine = lay(card(game.state.cards, "9 of clubs"))
    assert refusal_of(game, 0, nine).rule == "C-10"
    assert refusal_of(table_of_151.seasoned(game), 0, nine).rule == "C-05"


class TestElimination:
    def test_who_is_out_neither_scores_nor_is_put_out_again_e_30(self) -> None:
        game = new_game("uno-extreme", 4, {"scoring": "elimination"})
        game.state.gone, game.state.scores = {1}, [0, 900, 0, 0]
        game.begin(
            dealer=3,
            hands=[cards_of("uno-extreme", hand) for hand in ("red 1", "", "red 4", "blue 2")],
            first=card(game.state.cards, "red 9"),
            pile=(),
        )
        happened = game.play(0, lay(card(game.state.cards, "red 1")))
        assert [(event.seat, event.number) for event in happened if event.what is What.SCORED] == [
            (0, 0),
            (2, 4),
            (3, 2),
        ]
        assert What.ELIMINATED not in {event.what for event in happened}
        assert game.state.scores == [0, 900, 4, 2]


class TestAnnouncing:
    @pytest.mark.parametrize("game_id", ["uno", "uno-extreme", "uno-vache"])
    def test_who_announces_does_not_silence_who_did_before_g_03(self, game_id: str) -> None:
        hands = ["red 1, red 2", "red 3, red 4", "green 1, green 2"]
        game = vache.table(hands, "red 9") if game_id == "uno-vache" else deal(game_id, hands, "red 9")
        for seat, held in enumerate(("red 1", "red 3")):
            game.play(seat, ANNOUNCE)
            game.play(seat, lay(card(game.state.cards, held)))
        assert (game.state.announced, game.state.exposed) == ({0, 1}, set())

    def test_who_presses_for_another_can_still_be_caught_g_03_e_21(self) -> None:
        game = deal("uno-extreme", ["red 1, red 2, red 3", "extreme hit, green 1", "blue 1, blue 2"], "red 9")
        game.play(0, lay(card(game.state.cards, "red 1")))
        game.play(1, lay(card(game.state.cards, "extreme hit"), colour=2, seat=0))
        game.fulfil(1)
        assert game.state.exposed == {1}
        assert catch(1) in game.legal_moves(2)


class TestUnoVache:
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
