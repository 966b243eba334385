"""Small promises of the rules engine that a change could break unnoticed; found by changing the engine on purpose.

Each test names the rule that it holds, where there is one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from dispenser.rules import GAMES, IllegalMove, RecordError, new_game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.game import Deed
from dispenser.rules.engine.history import CHECKPOINT_EVERY, Action
from dispenser.rules.engine.moves import ANNOUNCE, DRAW, PASS, Move, lay
from dispenser.rules.engine.phases import CHOOSING_DIRECTION, COUNTING, MATCH_OVER, PLAYING
from dispenser.rules.games.uno.game import Uno
from dispenser.rules.record import from_document, to_document
from tests.rules import table_of_151
from tests.rules.gaps import counting, refusal_of
from tests.rules.tables import card, cards_of, deal, random_actions, told

GAME_IDS = sorted(GAMES)
NO_VALUE = {
    What.TURN,
    What.SKIPPED,
    What.PASSED,
    What.ANNOUNCED,
    What.DEALER,
    What.AGAIN,
    What.RETRACTED,
    What.OUT_AGAIN,
    What.ELIMINATED,
    What.RULE_SHOWN,
}
"""Events about a seat and nothing else."""
NO_SEAT = {
    What.REVERSED,
    What.TURNED_UP,
    What.PUT_BACK,
    What.RESHUFFLED,
    What.RELOADED,
    What.RELOAD_ASKED,
    What.PASSED_ON,
}
"""Events about no seat."""


class TestEvents:
    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_they_have_no_number_where_there_is_none_and_no_seat_of_nobody(self, game_id: str) -> None:
        seen = set()
        for seed in range(6):
            game = new_game(game_id, 4, seed=seed)
            for part in range(150):
                random_actions(game, 1000 * seed + part, 1)
                for event in game.events:
                    seen.add(event.what)
                    assert event.what not in NO_VALUE or event == Event(event.what, event.seat), event
                    assert (event.seat is None) == (event.what in NO_SEAT), event
        assert {What.TURN, What.ANNOUNCED, What.DEALER, What.TURNED_UP} <= seen

    def test_a_penalty_is_told_before_what_it_costs_u_18(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2", "blue 7, blue 8"], "red 9")
        assert told(game.penalise(1, "advice")) == [(What.PENALISED, 1, None), (What.OWES, 1, 4)]

    def test_a_hand_and_a_turn_set_right_are_told(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2", "blue 7, blue 8"], "red 9")
        assert game.correct_hand(2, cards=cards_of("uno", "blue 7, wild, wild")) == [Event(What.CORRECTED, 2, number=3)]
        assert game.correct_turn(1) == [Event(What.TURN, 1)]

    def test_of_a_round_only_the_winner_writes_points_down_u_20(self) -> None:
        game = deal("uno", ["red 1", "red 4, blue 2", "blue 7"], "red 9")
        happened = game.play(0, lay(cards_of("uno", "red 1")[0]))
        assert [event for event in happened if event[0] == What.SCORED] == [Event(What.SCORED, 0, number=13)]

    def test_a_match_that_only_has_losers_ends_for_no_seat_c_16(self) -> None:
        game = table_of_151.later("9 of clubs", 3)
        game.state.scores = [0, 150, 0]
        happened = table_of_151.lay(game, "9 of clubs")
        assert (game.phase, game.state.losers) == (MATCH_OVER, (1,))
        assert happened[-1] == Event(What.MATCH_ENDED)


class TestDealerDraw:
    @pytest.mark.parametrize(
        ("game_id", "lowest", "highest"), [("uno", 0, 9), ("uno-extreme", 1, 9)], ids=["uno_u_02", "uno-extreme_e_03"]
    )
    def test_any_number_beats_the_one_below_it(self, game_id: str, lowest: int, highest: int) -> None:
        for number in range(lowest, highest):
            game = new_game(game_id, 2, seed=1)
            game.begin(draws=cards_of(game_id, f"red {number}, blue {number + 1}"))
            assert game.state.dealer == 1, number
            game = new_game(game_id, 2, seed=1)
            game.begin(draws=cards_of(game_id, f"red {number + 1}, blue {number}"))
            assert game.state.dealer == 0, number

    @pytest.mark.parametrize(
        ("game_id", "actions"),
        [("uno", "+2, reverse, skip"), ("uno-extreme", "press 2, reverse, skip, discard all")],
        ids=["uno_u_02", "uno-extreme_e_03"],
    )
    def test_a_one_beats_any_action_card(self, game_id: str, actions: str) -> None:
        for action in actions.split(", "):
            game = new_game(game_id, 2, seed=1)
            game.begin(draws=cards_of(game_id, f"red {action}, blue 1"))
            assert game.state.dealer == 1, action

    def test_action_cards_tie_with_one_another_and_with_wild_cards_e_03(self) -> None:
        game = new_game("uno-extreme", 6, seed=1)
        tied = "red press 2, red reverse, red skip, red discard all, wild, extreme hit"
        game.begin(draws=cards_of("uno-extreme", f"{tied}, red 1, red 2, red 3, red 4, red 6, red 5"))
        assert game.state.dealer == 4


class TestGivenDeal:
    def test_the_first_card_is_none_of_the_given_pile_or_hands_g_04(self) -> None:
        game = new_game("uno", 2)
        hands = [cards_of("uno", "red 1"), cards_of("uno", "red 2")]
        with pytest.raises(IllegalMove, match="red 0") as refusal:
            game.begin(
                dealer=0, hands=hands, first=card(GAMES["uno"].rules.cards, "red 0"), pile=cards_of("uno", "red 0")
            )
        assert refusal.value.rule == "G-04"
        assert game.log == []

    def test_a_pile_that_the_deck_does_not_have_is_refused_by_the_name_of_the_card_g_04(self) -> None:
        game = new_game("uno", 2)
        with pytest.raises(IllegalMove, match="green 0") as refusal:
            game.begin(dealer=0, pile=cards_of("uno", "green 5, green 0, green 0"))
        assert refusal.value.rule == "G-04"

    def test_who_deals_must_come_from_somewhere_and_the_cards_must_exist(self) -> None:
        hidden = new_game("uno", 2, hidden=True)
        with pytest.raises(IllegalMove) as refusal:
            hidden.begin()
        assert refusal.value.rule == "G-05"
        with pytest.raises(IllegalMove) as refusal:
            hidden.begin(dealer=0, first=999)
        assert refusal.value.rule == "G-04"

    def test_hands_of_all_the_cards_or_of_none_are_refused_g_04(self) -> None:
        game = new_game("uno", 2, seed=1)
        deck = list(game.state.deck())
        for hands, message in (
            ([deck[:1], []], "one at least"),
            ([deck[:54], deck[54:]], "no card is left to turn up"),
        ):
            with pytest.raises(IllegalMove, match=message) as refusal:
                game.begin(dealer=0, hands=hands)
            assert refusal.value.rule == "G-04"


class TestConserved:
    def test_a_hand_of_another_size_than_it_is_believed_to_have_shows_g_04(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2"], "red 9")
        game.state.sizes[1] = 3
        assert not game.state.conserved()

    def test_a_press_that_found_too_few_cards_tells_how_many_g_01(self) -> None:
        game = new_game("uno-extreme", 2, seed=1, bursts=(8,))
        game.begin(dealer=1, first=cards_of("uno-extreme", "red 5")[0])
        held = [kind for kind, count in enumerate(game.state.hands[1]) for _ in range(count)]
        game.correct_hand(1, cards=[*held, *game.state.pile[3:]])
        game.play(0, DRAW)
        assert told(game.fulfil_by_chance())[:2] == [(What.PRESSED, 0, 3), (What.SHORT, 0, 5)]


class TestPenalties:
    @pytest.mark.parametrize("seat", [-1, 2])
    def test_nobody_sits_there_g_06(self, seat: int) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2"], "red 9")
        with pytest.raises(IllegalMove) as refusal:
            game.penalise(seat, "advice")
        assert (refusal.value.rule, game.state.demands) == ("G-06", [])

    def test_who_has_announced_and_gets_cards_has_announced_nothing_g_03(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2"], "red 9")
        game.play(0, ANNOUNCE)
        game.penalise(0, "advice")
        game.fulfil_by_chance()
        assert (game.state.calling, game.state.sizes) == (set(), [6, 2])

    def test_who_gets_no_card_has_announced_all_the_same_g_03_e_24(self) -> None:
        game = deal("uno-extreme", ["red 1, green 2", "red 4, blue 2, blue 3"], "red 9")
        game.play(0, ANNOUNCE)
        game.play(0, lay(cards_of("uno-extreme", "red 1")[0]))
        for seat in (1, 0):
            game.play(seat, DRAW)
            game.fulfil([])
        assert (game.state.announced, game.state.sizes[0]) == ({0}, 1)

    @pytest.mark.parametrize("has_now", ["red 6", "red 6, red 7"])
    def test_who_gets_cards_before_the_last_one_is_paid_for_does_not_go_out_e_23(self, has_now: str) -> None:
        game = deal("uno-extreme", ["red press 2", "red 4, blue 2", "blue 3, blue 4"], "red 9")
        game.play(0, lay(cards_of("uno-extreme", "red press 2")[0]))
        assert game.state.going_out == 0
        game.correct_hand(0, cards=cards_of("uno-extreme", has_now))
        assert game.state.going_out == -1
        game.fulfil(0)
        game.fulfil(0)
        assert (game.phase, game.turn) == (PLAYING, 2)


class TestCorrections:
    def test_a_hidden_hand_may_have_all_that_is_left_g_04(self) -> None:
        game = new_game("uno", 3, hidden=True)
        game.begin(dealer=2, first=cards_of("uno", "red 5")[0])
        game.correct_hand(1, size=93)
        assert (game.state.sizes, game.state.in_pile()) == ([7, 93, 7], 0)
        assert game.state.conserved()

    def test_a_reload_is_written_down_as_done_by_the_table_e_31(self) -> None:
        game = deal("uno-extreme", ["red 1, red 2, red 3", "red 4, red 5, red 6"], "red 9")
        game.play(0, lay(cards_of("uno-extreme", "red 1")[0]))
        game.reload()
        assert game.log[-1] == Action(Deed.RELOAD, None, None)

    def test_nothing_is_set_right_while_the_hands_are_counted_g_06(self) -> None:
        game = counting()
        with pytest.raises(IllegalMove, match="no round is under way"):
            game.correct_turn(1)
        with pytest.raises(IllegalMove, match="no round is under way"):
            game.correct_hand(1, size=3)
        with pytest.raises(IllegalMove, match="no round is under way"):
            game.penalise(1, "advice")
        with pytest.raises(IllegalMove):
            game.answer(True)
        assert refusal_of(game, 1, DRAW).rule == "E-26"

    @pytest.mark.interpreted(reason="it puts another method into a class")
    def test_undo_carries_out_little_again_however_long_the_match(self, monkeypatch: pytest.MonkeyPatch) -> None:
        game = new_game("uno", 3, seed=1)
        random_actions(game, 1, 3 * CHECKPOINT_EVERY + 20)
        again: list[Move] = []
        carry_out = Uno.carry_out

        def carry_out_and_count(rules: Uno, seat: int, move: Move) -> None:
            again.append(move)
            carry_out(rules, seat, move)

        monkeypatch.setattr(Uno, "carry_out", carry_out_and_count)
        game.undo()
        assert 0 < len(again) <= CHECKPOINT_EVERY

    def test_a_deal_is_written_down_as_done_by_the_table(self) -> None:
        game = new_game("uno", 2, seed=1)
        game.begin(dealer=1)
        assert game.log == [Action(Deed.BEGIN, None, {"dealer": 1})]

    def test_what_was_called_is_over_when_the_turn_is_set_right_g_03(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2", "blue 7, blue 8"], "red 9")
        game.play(0, ANNOUNCE)
        game.correct_turn(1)
        assert game.state.calling == set()
        game.correct_turn(0)
        assert ANNOUNCE in game.legal_moves(0)

    def test_redo_tells_what_was_done_again(self) -> None:
        game = deal("uno", ["red 1, red 2, red 3", "blue 1, blue 2, blue 3"], "red 9")
        game.play(0, lay(1))
        assert game.undo() == game.redo() == Action(Deed.PLAY, 0, lay(1))

    def test_the_turn_is_not_set_right_while_something_is_asked_g_06(self) -> None:
        game = new_game("uno-extreme", 2, hidden=True)
        game.begin(dealer=1, first=cards_of("uno-extreme", "red 5")[0])
        game.play(0, lay(cards_of("uno-extreme", "red discard all")[0]))
        with pytest.raises(IllegalMove) as refusal:
            game.correct_turn(1)
        assert refusal.value.rule == "G-06"

    def test_no_hand_is_set_right_to_no_card_g_04(self) -> None:
        game = deal("uno", ["red 1, red 2", "red 4, blue 2"], "red 9")
        with pytest.raises(IllegalMove) as refusal:
            game.correct_hand(1, cards=[])
        assert (refusal.value.rule, game.state.sizes) == ("G-04", [2, 2])

    def test_what_was_legal_before_undo_is_not_legal_after_it_g_06(self) -> None:
        game = deal("uno", ["red 1, red 2, red 3", "red 4, blue 2, blue 3"], "red 9")
        game.play(0, lay(cards_of("uno", "red 1")[0]))
        assert lay(cards_of("uno", "red 4")[0]) in game.legal_moves(1)
        game.undo()
        assert refusal_of(game, 1, lay(cards_of("uno", "red 4")[0])).rule == "U-03"

    def test_the_deal_itself_can_be_amended(self) -> None:
        game = new_game("uno", 3, seed=1)
        game.begin(dealer=1)
        game.amend(0, Action(Deed.BEGIN, None, {"dealer": 2}))
        assert (game.state.dealer, len(game.log)) == (2, 1)

    def test_what_has_not_been_done_yet_cannot_be_amended(self) -> None:
        game = deal("uno", ["red 1, red 2, red 3", "blue 1, blue 2, blue 3"], "red 9")
        with pytest.raises(RecordError, match="no action 1: the match has actions 0 to 0"):
            game.amend(1, Action(Deed.PLAY, 0, lay(1)))
        assert len(game.log) == 1

    @pytest.mark.parametrize(
        "given",
        [
            {"dealer": "0"},
            {"draws": ""},
            {"hands": {}},
            {"hands": [[1], 2]},
            {"hands": "ab"},
            {"first": True},
            {"pile": {}},
        ],
    )
    def test_a_deal_in_another_form_is_no_recorded_deal(self, given: Mapping[str, Any]) -> None:
        document = to_document(new_game("uno", 2, seed=1))
        document["actions"] = [["begin", None, dict(given)]]
        with pytest.raises(RecordError, match='is no value for "begin"'):
            from_document(document)


class TestCounting:
    def test_no_hand_holds_more_of_a_card_than_the_deck_g_04(self) -> None:
        game = counting()
        with pytest.raises(IllegalMove) as refusal:
            game.answer(cards_of("uno-extreme", "press 4, press 4, red 2, red 3, red 4, blue 1, blue 2"))
        assert refusal.value.rule == "G-04"
        assert game.phase == COUNTING

    def test_no_reload_is_asked_for_while_the_hands_are_counted_e_31(self) -> None:
        game = new_game("uno-extreme", 2, {"reload-at": 10}, hidden=True)
        game.begin(dealer=1, first=cards_of("uno-extreme", "red 5")[0])
        doubles = "red 1, red 1, red 2, red 2, red 3, red 3, red 4, red 4"
        game.correct_hand(0, cards=cards_of("uno-extreme", f"{doubles}, red discard all"))
        happened = game.play(0, lay(cards_of("uno-extreme", "red discard all")[0]))
        assert (len(game.state.talon), game.phase) == (10, COUNTING)
        assert What.RELOAD_ASKED not in {event.what for event in happened}


class TestNotInHand:
    """G-04: a seat lays what it has, and a card that nobody has seen is no card to lay."""

    def test_another_card_of_the_hand_is_no_excuse_g_04(self) -> None:
        game = deal("uno", ["red 2, blue 2, green 4", "blue 1, blue 4"], "red 9")
        for name in ("red 1", "red 3", "blue 3", "green 5"):
            assert refusal_of(game, 0, lay(card(GAMES["uno"].rules.cards, name))).rule == "G-04"

    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_the_unknown_card_of_a_hidden_hand_g_04(self, game_id: str) -> None:
        game = new_game(game_id, 3, hidden=True)
        three = next(kind for kind in range(52) if game.state.cards.symbol[kind] == 2 and game.state.may_start(kind))
        game.begin(dealer=2, first=three)
        while game.phase == CHOOSING_DIRECTION or game.state.demands:
            game.play(game.turn, game.legal_moves(game.turn)[0])
        for seat in range(3):
            assert refusal_of(game, seat, lay(game.state.unknown)).rule == "G-04"

    def test_known_cards_of_a_hidden_hand_can_be_laid_though_none_is_left_elsewhere_u_09(self) -> None:
        game = new_game("uno", 2, hidden=True)
        red_zero = card(GAMES["uno"].rules.cards, "red 0")
        game.begin(dealer=1, first=cards_of("uno", "red 5")[0])
        game.play(0, DRAW)
        game.fulfil([red_zero])
        game.play(0, PASS)
        game.play(1, DRAW)
        game.fulfil(cards_of("uno", "blue 1"))
        assert game.state.hands[0][game.state.unknown] == 7
        assert lay(red_zero) in game.legal_moves(0)
        game.play(0, lay(red_zero))
        assert game.state.conserved()


def test_seats_and_demands_are_seen_one_by_one_in_json() -> None:
    game = deal("uno", ["red +2, red 1, red 2", "red 4, blue 2", "blue 3, blue 4"], "red 9")
    game.state.announced = {0, 2}
    game.play(0, lay(cards_of("uno", "red +2")[0]))
    plain = game.observe(0).to_dict()
    assert plain["announced"] == [0, 2]
    assert [(demand["payer"], demand["number"], demand["rule"]) for demand in plain["demands"]] == [(1, 2, "U-11")]


def test_an_open_question_is_seen_by_name_in_json_e_18() -> None:
    game = new_game("uno-extreme", 2, hidden=True)
    game.begin(dealer=1, first=cards_of("uno-extreme", "red 5")[0])
    game.play(0, lay(cards_of("uno-extreme", "red discard all")[0]))
    assert game.observe(1).to_dict()["question"] == {"kind": "discarded", "seat": 0, "rule": "E-18"}
