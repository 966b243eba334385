"""Helpers for the tests of Uno Extrême."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from dispenser.rules.cards import UNO_EXTREME

from dispenser.rules import Game, IllegalMove, new_game
from dispenser.rules.book.entry import Text
from dispenser.rules.engine.moves import DRAW, Move
from dispenser.rules.games.uno_extreme.game import UnoExtreme
from tests.rules import tables

RED, YELLOW, GREEN, BLUE = range(4)
LOW = "red 1, red 2, yellow 1, yellow 2, green 1, green 2, blue 1"


def kind(name: str) -> int:
    return tables.card(UNO_EXTREME, name)


def cards(names: str) -> list[int]:
    return tables.cards_of("uno-extreme", names)


def deal(hands: Sequence[str], first: str = "red 9", pile: str = "", *, dealer: int = -1, **options: Any) -> UnoExtreme:
    """A round with those hands and that card turned up, the pile in that order; the last seat deals, if not said."""
    game = new_game("uno-extreme", len(hands), {name.replace("_", "-"): value for name, value in options.items()})
    assert isinstance(game, UnoExtreme)
    game.begin(dealer=dealer % len(hands), hands=[cards(held) for held in hands], first=kind(first), pile=cards(pile))
    return game


def codes(game: Game) -> list[int]:
    return [event.what for event in game.events]


def refused(game: Game, seat: int, move: Move) -> str:
    """The rule that forbids the move; nothing may have changed."""
    before = game.state.save()
    with pytest.raises(IllegalMove) as refusal:
        game.play(seat, move)
    assert game.state.save() == before
    assert isinstance(refusal.value.reason, Text)
    return refusal.value.rule


def press(game: Game, *bursts: int | Sequence[int]) -> None:
    for burst in bursts:
        game.fulfil(burst)


def press_instead_of_playing(game: Game) -> None:
    game.play(game.turn, DRAW)
    game.fulfil(0)
