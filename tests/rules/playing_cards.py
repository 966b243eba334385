"""Tools for the tests of the games with playing cards."""

from __future__ import annotations

import pytest

from dispenser.rules.engine.errors import IllegalMove
from dispenser.rules.engine.game import Game
from dispenser.rules.engine.moves import DRAW, PASS, Act, Move, lay
from dispenser.rules.engine.phases import DREW, IN_ROUND
from dispenser.rules.engine.playing_cards import PLAYING_CARDS
from tests.rules.tables import card

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def named(name: str) -> int:
    """The kind with that English name."""
    return card(PLAYING_CARDS, name)


def laying(name: str, suit: int = -1, stands_for: str = "") -> Move:
    """To lay the card with that English name, with its choices."""
    stands = named(stands_for) if stands_for else None
    return lay(named(name), colour=None if suit < 0 else suit, stands_for=stands)


def refused(game: Game, seat: int, move: Move) -> str:
    """The rule that forbids the move, which has changed nothing (G-06)."""
    before = game.state.save()
    with pytest.raises(IllegalMove) as refusal:
        game.play(seat, move)
    assert game.state.save() == before
    return refusal.value.rule


def playable(game: Game) -> set[str]:
    """English names of the cards that the seat in turn may lay."""
    moves = game.legal_moves(game.turn)
    return {PLAYING_CARDS.names[move.card].en for move in moves if move.act is Act.LAY}


def owed(game: Game) -> list[tuple[int, int, str]]:
    """Who draws, how many, and by which rule."""
    return [(demand.receiver, demand.number, demand.rule) for demand in game.state.demands]


def draw(game: Game) -> None:
    """Who is in turn does not play, and draws."""
    game.play(game.turn, DRAW)
    game.fulfil_by_chance()


def draw_and_pass(game: Game) -> None:
    """Who is in turn draws, and does not play that card either."""
    seat = game.turn
    draw(game)
    if game.phase == DREW:
        game.play(seat, PASS)


def finish(game: Game) -> None:
    """Come to the end of the deal somehow."""
    while game.phase in IN_ROUND:
        if game.state.demands:
            game.fulfil_by_chance()
        else:
            game.play(game.turn, game.legal_moves(game.turn)[0])
