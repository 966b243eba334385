"""Small tables of Uno vache for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dispenser.rules import IllegalMove
from dispenser.rules.cards import UNO
from dispenser.rules.moves import DIRECTION, Move, card_of, kind_of
from dispenser.rules.moves import play as lay
from dispenser.rules.state import CARDS
from dispenser.rules.uno_vache import UnoVache
from tests.rules.tables import card, deal

RED, YELLOW, GREEN, BLUE = range(4)
LEFT, RIGHT = 0, 1
THREE = ["red 1, red 2, red 3", "blue 1, blue 2, blue 3", "green 1, green 2, green 3"]
FOUR = [*THREE, "yellow 1, yellow 2, yellow 3"]


def named(name: str) -> int:
    return card(UNO, name)


def table(hands: Sequence[str], first: str, pile: str = "", direction: int = LEFT, **options: Any) -> UnoVache:
    """A round in which the dealer, the last seat if not said, has chosen the direction: seat 0 or the last but one
    plays first."""
    game = deal("uno-vache", hands, first, pile, **options)
    assert isinstance(game, UnoVache)
    game.play(game.dealer, DIRECTION | direction)
    return game


def play(game: UnoVache, seat: int, name: str, first: int = -1, second: int = -1, how: Move = 0) -> None:
    """``seat`` lays a card by its name, with its choices; ``how`` is ``JUMP_IN`` or ``CANCEL`` out of turn."""
    game.play(seat, how | lay(named(name), first, second))


def pay(game: UnoVache) -> None:
    """All that is owed is drawn."""
    while game.demands:
        game.fulfil()


def codes(game: UnoVache) -> list[int]:
    return [code for code, _, _ in game.events]


def demanded(game: UnoVache) -> list[tuple[int, int, str]]:
    assert all(demand.kind == CARDS and demand.receiver == demand.payer for demand in game.demands)
    return [(demand.payer, demand.number, demand.rule) for demand in game.demands]


def playable(game: UnoVache, seat: int | None = None, how: Move = 0) -> set[str]:
    """English names of what a seat (the one in turn) may lay, or jump in or cancel with."""
    moves = game.legal_moves(game.turn if seat is None else seat)
    return {UNO.names[card_of(move)].en for move in moves if kind_of(move) == how}


def refused(game: UnoVache, seat: int, move: Move) -> str:
    """The rule that forbids a move, which changes nothing (G-06)."""
    before = game.save()
    with pytest.raises(IllegalMove) as refusal:
        game.play(seat, move)
    assert game.save() == before
    assert list(refusal.value.legal) == game.legal_moves(seat)
    return refusal.value.rule
