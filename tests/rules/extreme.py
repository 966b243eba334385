"""Helpers for the tests of Uno Extrême."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dispenser.rules.engine.events import What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import DRAW, Move, lay
from dispenser.rules.games.uno_extreme.cards import UNO_EXTREME
from tests.rules import tables
from tests.rules.playing_cards import refused

__all__ = ["refused"]

RED, YELLOW, GREEN, BLUE = range(4)
LOW = "red 1, red 2, yellow 1, yellow 2, green 1, green 2, blue 1"


def kind(name: str) -> int:
    return tables.card(UNO_EXTREME, name)


def laying(name: str, colour: int | None = None, seat: int | None = None) -> Move:
    """To lay the card with that English name, with its choices."""
    return lay(kind(name), colour=colour, seat=seat)


def cards(names: str) -> list[int]:
    return tables.cards_of("uno-extreme", names)


def deal(hands: Sequence[str], first: str = "red 9", pile: str = "", **options: Any) -> Game:
    """A round with those hands and that card turned up, the pile in that order; the last seat deals, if not said."""
    return tables.deal("uno-extreme", hands, first, pile, **options)


def happened(game: Game) -> list[What]:
    return [event.what for event in game.events]


def press(game: Game, *bursts: int | Sequence[int]) -> None:
    for burst in bursts:
        game.fulfil(burst)


def press_instead_of_playing(game: Game) -> None:
    game.play(game.turn, DRAW)
    game.fulfil(0)
