"""What a table settles beside the rules: whose push it is, who may speak up once, what undo takes back."""

from __future__ import annotations

from dispenser.rules import Game, new_game
from dispenser.rules.engine.moves import DRAW, Act, catch, lay
from dispenser.table.turns import Turns
from tests.table.games import uno


def extreme(hands: list[list[int]]) -> Game:
    game = new_game("uno-extreme", len(hands), seed=3)
    game.begin(dealer=len(hands) - 1, hands=hands, first=7)
    return game


def played(turns: Turns, game: Game, seat: int, card: int) -> None:
    turns.heed(game.play(seat, lay(card)))


def test_nobody_has_to_push_when_nothing_is_owed() -> None:
    assert Turns(uno()).push() is None


def test_who_presses_instead_of_laying_a_card_has_said_so() -> None:
    game = extreme([[0, 1, 2, 14], [3, 4, 5, 6]])
    turns = Turns(game)
    turns.heed(game.play(0, DRAW))
    push = turns.push()
    assert push is not None
    assert (push.demand.payer, push.presses, push.chosen, push.news) == (0, True, True, True)


def test_the_second_press_of_a_debt_is_no_news() -> None:
    game = extreme([[9, 1, 2, 14], [3, 4, 5, 6]])
    turns = Turns(game)
    played(turns, game, 0, 9)
    told = []
    while push := turns.push():
        told.append((push.demand.payer, push.demand.number, push.news, push.chosen))
        turns.pay(0)
    assert told == [(1, 2, True, False), (1, 1, False, False)]


def test_a_press_brings_no_more_than_there_is() -> None:
    game = extreme([[9, 1, 2, 14], [3, 4, 5, 6]])
    turns = Turns(game)
    played(turns, game, 0, 9)
    left = game.state.available()
    turns.pay(left + 5)
    assert game.state.sizes[1] == 4 + left


def test_what_came_out_is_told_apart_from_what_follows_from_it() -> None:
    game = uno()
    turns = Turns(game)
    turns.heed(game.play(0, DRAW))
    came_out, followed = turns.pay(0)
    assert [event.what.value for event in came_out][-1] == "drew"
    assert [*came_out, *followed] == game.events


def test_a_chance_comes_once_until_another_card_is_laid() -> None:
    game = uno([[1, 2, 7, 15, 52], [8, 40], [30, 3, 32, 33, 34]])
    turns = Turns(game)
    played(turns, game, 0, 7)
    played(turns, game, 1, 8)
    assert turns.chances(0) == (catch(1),)
    assert turns.chances(0) == ()
    assert turns.chances(2) == (), "seat 2 is in turn, and asked for a move"
    played(turns, game, 2, 3)
    assert turns.chances(0) == (), "the chance is over"


def test_undo_goes_back_to_the_last_move_of_that_seat_and_gives_back_the_chances_since() -> None:
    game = uno([[1, 2, 7, 15, 52], [8, 40], [30, 31, 32, 33, 34]])
    turns = Turns(game)
    played(turns, game, 0, 7)
    played(turns, game, 1, 8)
    turns.chances(0)
    assert turns.take_back(0) == lay(7)
    assert (game.turn, game.state.sizes) == (0, [5, 2, 5])
    assert turns.take_back(0) is None
    played(turns, game, 0, 7)
    played(turns, game, 1, 8)
    assert [move.act for move in turns.chances(0)] == [Act.CATCH]


def test_after_a_new_deal_the_same_debt_is_news_though_the_one_before_was_left_half_paid() -> None:
    game = extreme([[9, 1, 2, 14], [3, 4, 5, 6]])
    turns = Turns(game)
    for _ in range(2):
        played(turns, game, 0, 9)
        push = turns.push()
        assert push is not None
        assert (push.demand.number, push.news) == (2, True)
        turns.pay(0)
        turns.heed(game.count_round(0, (0, 10)))
        assert turns.push() is None
        turns.heed(game.begin(dealer=1, hands=[[9, 1, 2, 14], [3, 4, 5, 6]], first=7))
