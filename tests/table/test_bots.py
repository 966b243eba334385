"""What bots notice and do at a table: in turn always something, out of turn each chance once, and who is quicker."""

from __future__ import annotations

from random import Random

import pytest

from dispenser.rules import Game, new_game
from dispenser.rules.engine.moves import ANNOUNCE, Act, catch, lay
from dispenser.table import bots
from dispenser.table.match import Turns

HANDS = [[1, 2, 7, 15, 52], [1, 2, 3, 4, 6], [30, 31, 32, 33, 34]]
"""Seat 0: red 1, 2 and 7, yellow 2 and a wild; a red 5 lies on the table."""


def uno(hands: list[list[int]] | None = None) -> Game:
    game = new_game("uno", 3, seed=7)
    game.begin(dealer=2, hands=hands or HANDS, first=5)
    return game


def somebody_forgot() -> tuple[Game, Turns]:
    """Seat 1 has one card, and has not said so."""
    game = uno([HANDS[0], [8, 40], [30, 3, 32, 33, 34]])
    turns = Turns(game)
    turns.on_events(game.play(0, lay(7)))
    turns.on_events(game.play(1, lay(8)))
    return game, turns


def test_a_chance_to_speak_up_comes_once_until_another_card_is_laid() -> None:
    game, turns = somebody_forgot()
    assert turns.chances(2) == (), "seat 2 is in turn, and asked for a move"
    assert [turns.chances(0), turns.chances(0)] == [(catch(1),), ()]
    game, turns = somebody_forgot()
    turns.on_events(game.play(2, lay(3)))
    assert turns.chances(0) == (), "the chance is over"


def test_who_forgot_it_speaks_first_then_the_people_then_the_other_bots() -> None:
    game, _ = somebody_forgot()
    orders = {tuple(bots.order_of_reaction(game, [0], Random(seed))) for seed in range(20)}
    assert orders == {(1, 0, 2)}


def test_which_bot_is_quicker_is_chance() -> None:
    orders = {tuple(bots.order_of_reaction(uno(), (), Random(seed))) for seed in range(60)}
    assert len(orders) == 6


def test_an_attentive_bot_says_what_it_forgot_and_catches_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "OVERLOOKS", {})
    game, turns = somebody_forgot()
    assert bots.move_out_of_turn(game, turns, 0, Random(1)) == catch(1)
    assert bots.move_out_of_turn(game, turns, 1, Random(1)) == ANNOUNCE


def test_a_bot_overlooks_a_chance_sometimes_and_then_it_is_gone() -> None:
    spoken = []
    for seed in range(50):
        game, turns = somebody_forgot()
        spoken.append(bots.move_out_of_turn(game, turns, 0, Random(seed)))
        assert bots.move_out_of_turn(game, turns, 0, Random(seed + 1)) is None
    assert {catch(1), None} == set(spoken)


def test_a_bot_in_turn_does_something_legal_whatever_it_overlooks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "OVERLOOKS", dict.fromkeys(Act, 1.0))
    for seed in range(20):
        game = uno()
        assert bots.takes_its_turn(game, Random(seed)) in game.legal_moves(0)
