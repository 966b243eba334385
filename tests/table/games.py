"""Games for the table's tests, dealt as they need them."""

from __future__ import annotations

from dispenser.rules import Game, new_game

HANDS = [[1, 2, 7, 15, 52], [1, 2, 3, 4, 6], [30, 31, 32, 33, 34]]
"""Seat 0: red 1, 2 and 7, yellow 2 and a wild; a red 5 lies on the table."""


def uno(hands: list[list[int]] | None = None) -> Game:
    game = new_game("uno", 3, seed=7)
    game.begin(dealer=2, hands=hands or HANDS, first=5)
    return game
