"""Games of 151 in the middle of things, for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dispenser.rules.engine.events import Event
from dispenser.rules.engine.game import Game
from dispenser.rules.games.cent_cinquante_et_un.game import CentCinquanteEtUn
from tests.rules import tables
from tests.rules.playing_cards import laying

LOOKERS_ON = [
    "3 of clubs, 4 of clubs, 5 of clubs",
    "3 of spades, 4 of spades, 5 of spades",
    "3 of diamonds, 4 of diamonds, 5 of diamonds",
    "7 of clubs, 7 of spades, 7 of diamonds",
    "9 of clubs, 9 of spades, 9 of diamonds",
]
"""Hands for those who only look on."""


def deal(hands: Sequence[str], first: str, pile: str = "", **options: Any) -> Game:
    return tables.deal("151", hands, first, pile, **options)


def table(mine: str, seats: int = 3, first: str = "9 of hearts", pile: str = "", **options: Any) -> Game:
    """Seat 0 holds ``mine`` and is in turn; nobody else does anything special."""
    return deal([mine, *LOOKERS_ON[: seats - 1]], first, pile, **options)


def seasoned(game: Game) -> Game:
    """Everybody has had a first turn (C-10)."""
    assert isinstance(game.state, CentCinquanteEtUn)
    game.state.fresh.clear()
    return game


def later(mine: str, seats: int = 3, **options: Any) -> Game:
    """As ``table``, when everybody has had a first turn (C-10)."""
    return seasoned(table(mine, seats, **options))


def lay(game: Game, name: str, stands_or_suit: str | int = -1, suit: int = -1) -> list[Event]:
    """Who is in turn lays that card; for a joker, what it stands for and the suit; for an 8, the suit."""
    if isinstance(stands_or_suit, str):
        return game.play(game.turn, laying(name, suit, stands_or_suit))
    return game.play(game.turn, laying(name, stands_or_suit))
