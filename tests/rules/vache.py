"""Small tables of Uno vache for its tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dispenser.rules.engine.demands import Owed
from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.events import What
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import TO_THE_LEFT, TO_THE_RIGHT, Act, Move, cancel, jump_in, lay
from dispenser.rules.engine.uno_cards import UNO, WHITE, WILD
from dispenser.rules.games.uno_vache.game import UnoVache
from tests.rules.tables import card, deal

RED, YELLOW, GREEN, BLUE = range(4)
LEFT, RIGHT = 1, -1
THREE = ["red 1, red 2, red 3", "blue 1, blue 2, blue 3", "green 1, green 2, green 3"]
FOUR = [*THREE, "yellow 1, yellow 2, yellow 3"]


def named(name: str) -> int:
    return card(UNO, name)


def table(hands: Sequence[str], first: str, pile: str = "", direction: int = LEFT, **options: Any) -> Game:
    """A round in which the dealer, the last seat if not said, has chosen the direction: seat 0 or the last but one
    plays first."""
    game = deal("uno-vache", hands, first, pile, **options)
    game.play(game.state.dealer, TO_THE_LEFT if direction == LEFT else TO_THE_RIGHT)
    return game


def rules_of(game: Game) -> UnoVache:
    assert isinstance(game.state, UnoVache)
    return game.state


def play(game: Game, seat: int, name: str, first: int = -1, second: int = -1, how: Act = Act.LAY) -> None:
    """``seat`` lays a card by its name, with its choices: a colour, or the two seats that swap hands."""
    kind = named(name)
    move = lay(kind, seat=first, other=second) if kind == WHITE else lay(kind, colour=first if kind >= WILD else None)
    game.play(seat, {Act.LAY: move, Act.JUMP_IN: jump_in(move), Act.CANCEL: cancel(kind)}[how])


def pay(game: Game) -> None:
    """All that is owed is drawn."""
    while game.demand:
        game.fulfil_by_chance()


def told(game: Game) -> list[What]:
    return [event.what for event in game.events]


def demanded(game: Game) -> list[tuple[int, int, str]]:
    demands = game.state.demands
    assert all(demand.kind is Owed.CARDS and demand.receiver == demand.payer for demand in demands)
    return [(demand.payer, demand.number, demand.rule) for demand in demands]


def playable(game: Game, seat: int | None = None, how: Act = Act.LAY) -> set[str]:
    """English names of what a seat (the one in turn) may lay, or jump in or cancel with."""
    moves = game.legal_moves(game.turn if seat is None else seat)
    return {UNO.names[move.card].en for move in moves if move.act is how and move.card is not None}


def refused(game: Game, seat: int, move: Move) -> str:
    """The rule that forbids a move, which changes nothing (G-06)."""
    before = game.state.save()
    with pytest.raises(IllegalMove) as refusal:
        game.play(seat, move)
    assert game.state.save() == before
    assert list(refusal.value.legal) == game.legal_moves(seat)
    return refusal.value.rule
