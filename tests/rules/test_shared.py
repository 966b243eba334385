"""What every game shares: G-01 to G-06, held in each game."""

from __future__ import annotations

from typing import Any

import pytest

from dispenser.rules import GAMES, IllegalMove, new_game
from dispenser.rules.engine.moves import DRAW, Act, Move, catch, lay
from dispenser.rules.library import book_of
from dispenser.rules.words.narrator import PRESSES
from tests.rules.tables import cards_of, conserved, deal, random_actions

GAME_IDS = sorted(GAMES)
ANY_MOVES = [
    Move(act, **parts)
    for act in Act
    for parts in (
        {},
        {"card": 3},
        {"card": 52, "colour": 1},
        {"card": 200, "seat": 8, "colour": 2},
        {"card": -1},
        {"seat": 1, "presses": 9},
        {"card": 54, "seat": 0, "other": 2},
        {"card": 52, "stands_for": 3},
        {"colour": 7, "direction": 5},
    )
]
"""Moves of every sort, with parts that go with them or not."""


class TestDrawPileExhausted:
    def test_a_delivery_may_come_in_parts_g_01(self) -> None:
        game = deal("uno", ["red +2, blue 2", "green 4, blue 5", "green 3"], "red 9")
        game.play(0, lay(cards_of("uno", "red +2")[0]))
        game.fulfil(1)
        assert [demand.number for demand in game.state.demands] == [1]
        with pytest.raises(IllegalMove, match="only 1 card can come out"):
            game.fulfil(2)
        game.fulfil(1)
        assert game.state.demands == []
        with pytest.raises(IllegalMove) as refusal:
            game.fulfil(1)
        assert refusal.value.rule == "G-06"


@pytest.mark.parametrize("game_id", GAME_IDS)
def test_without_a_seed_chance_comes_from_outside_g_05(game_id: str) -> None:
    game = new_game(game_id, 2)
    with pytest.raises(IllegalMove, match="give the order of the draw pile") as refusal:
        game.begin(dealer=0)
    assert refusal.value.rule == "G-05"
    deck = list(game.state.deck())
    with pytest.raises(IllegalMove, match="say who deals"):
        game.begin(pile=deck)
    game.begin(dealer=0, pile=deck)
    assert sum(game.state.hands[0]) == game.state.hand_size
    if game.state.draws == PRESSES:
        while game.state.demands:
            game.fulfil(0)
        game.play(game.turn, DRAW)
        with pytest.raises(IllegalMove, match="say how many cards came out"):
            game.fulfil_by_chance()


class TestIllegal:
    """G-06: refused with the rule, nothing changes."""

    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_anything_that_is_no_legal_move_is_refused_g_06(self, game_id: str) -> None:
        rules = {rule.id for rule in book_of(game_id).rules} | {f"G-0{number}" for number in range(1, 7)}
        game = new_game(game_id, 3, seed=6)
        for round_of_moves in range(25):
            random_actions(game, round_of_moves, 7)
            before = game.state.save()
            for move in ANY_MOVES:
                for seat in (-1, 0, 1, 2, 3, 99):
                    if 0 <= seat < 3 and move in game.legal_moves(seat):
                        continue
                    with pytest.raises(IllegalMove) as refusal:
                        pytest.fail(f"{seat} {move} {game.play(seat, move)}")
                    assert refusal.value.rule in rules
                    assert refusal.value.reason.en != refusal.value.reason.fr
            assert game.state.save() == before

    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_a_choice_that_the_card_does_not_ask_for_g_06(self, game_id: str) -> None:
        """It is not said that the card does not fit, for it does."""
        refused = 0
        for seed in range(80):
            game = new_game(game_id, 3, seed=seed)
            random_actions(game, seed, 20 + seed)
            for move in game.legal_moves(game.turn):
                if move.act is Act.LAY and move == lay(move.card):
                    with pytest.raises(IllegalMove, match=r"does not exist here \(G-06\)"):
                        game.play(game.turn, lay(move.card, colour=40))
                    refused += 1
        assert refused > 20


class TestDeliveries:
    def test_cards_that_are_not_in_the_pile_g_04(self) -> None:
        game = deal("uno", ["red +2, blue 2", "green 0, blue 5", "green 3"], "red 9")
        game.play(0, lay(cards_of("uno", "red +2")[0]))
        with pytest.raises(IllegalMove, match="no green 0 in the draw pile") as refusal:
            game.fulfil(cards_of("uno", "green 0"))
        assert refusal.value.rule == "G-04"
        game.fulfil(cards_of("uno", "green 9, wild"))
        assert conserved(game.state)

    @pytest.mark.parametrize("nothing", [0, ()])
    def test_nothing_drawn_is_not_acted_g_03(self, nothing: int | tuple[int, ...]) -> None:
        game = deal("uno", ["red +2, blue 2", "green 0, blue 5", "green 3"], "red 9")
        game.play(0, lay(cards_of("uno", "red +2")[0]))
        game.fulfil(nothing)
        assert catch(0) in game.legal_moves(1)
        game.fulfil(1)
        assert game.demand is not None
        assert game.legal_moves(1) == []


class TestOutside:
    """What comes from outside is checked before anything is written down (G-04, G-05, G-06)."""

    @pytest.mark.parametrize("game_id", GAME_IDS)
    @pytest.mark.parametrize(
        "given",
        [
            {"dealer": 3},
            {"dealer": -1},
            {"draws": [1]},
            {"draws": [4, 4, 4]},
            {"draws": [1, 2, 999]},
            {"draws": [1, 2, 3, 4]},
            {"dealer": 0, "first": 999},
            {"dealer": 0, "hands": [[1], [2], [999]]},
            {"dealer": 0, "hands": [[1], [2]]},
            {"dealer": 0, "pile": [-1]},
            {"dealer": 0, "pile": [5] * 100},
        ],
    )
    def test_a_deal_that_cannot_be(self, game_id: str, given: dict[str, Any]) -> None:
        game = new_game(game_id, 3, seed=1)
        before = game.state.save()
        with pytest.raises(IllegalMove):
            game.begin(**given)
        assert (game.state.save(), game.log, game.events) == (before, [], [])

    @pytest.mark.parametrize("game_id", GAME_IDS)
    @pytest.mark.parametrize("value", [999, -1, [999], [[1]], [], True])
    def test_a_first_card_that_cannot_be(self, game_id: str, value: Any) -> None:
        game = new_game(game_id, 3, hidden=True)
        game.begin(dealer=0)
        while game.question is None:
            game.play(game.turn, game.legal_moves(game.turn)[0])
        with pytest.raises(IllegalMove):
            game.answer(value)


class TestOutcome:
    @pytest.mark.parametrize("game_id", GAME_IDS)
    def test_there_is_none_before_the_end_and_then_it_ranks_all_seats(self, game_id: str) -> None:
        game = new_game(game_id, 3, seed=2)
        assert game.outcome is None
        for part in range(4000):
            random_actions(game, part, 20)
            if game.outcome is not None:
                break
        assert game.outcome is not None
        assert sorted(game.outcome.ranking) == [0, 1, 2]
        assert game.outcome.winners or game.outcome.losers
        for winner in game.outcome.winners:
            assert game.outcome.ranking.index(winner) < 3 - len(game.outcome.losers)
        for loser in game.outcome.losers:
            assert game.outcome.ranking.index(loser) >= 3 - len(game.outcome.losers)
