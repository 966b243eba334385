"""Tools for the tests of the games with playing cards."""

from __future__ import annotations

import pytest

from dispenser.rules import Game, IllegalMove
from dispenser.rules.cards import PLAYING_CARDS
from dispenser.rules.moves import DRAW, PASS, PLAY, Move, card_of, kind_of
from dispenser.rules.state import COUNTING, DREW, IDLE, MATCH_OVER
from tests.rules.tables import card

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


def named(name: str) -> int:
    """The kind with that English name."""
    return card(PLAYING_CARDS, name)


def refused(game: Game, seat: int, move: Move) -> str:
    """The rule that forbids the move, which has changed nothing (G-06)."""
    before = game.save()
    with pytest.raises(IllegalMove) as refusal:
        game.play(seat, move)
    assert game.save() == before
    return refusal.value.rule


def playable(game: Game) -> set[str]:
    """English names of the cards that the seat in turn may lay."""
    moves = game.legal_moves(game.turn)
    return {PLAYING_CARDS.names[card_of(move)].en for move in moves if kind_of(move) == PLAY}


def owed(game: Game) -> list[tuple[int, int, str]]:
    """Who draws, how many, and by which rule."""
    return [(demand.receiver, demand.number, demand.rule) for demand in game.demands]


def draw(game: Game) -> None:
    """Who is in turn does not play, and draws."""
    game.play(game.turn, DRAW)
    game.fulfil()


def draw_and_pass(game: Game) -> None:
    """Who is in turn draws, and does not play that card either."""
    seat = game.turn
    draw(game)
    if game.phase == DREW:
        game.play(seat, PASS)


def finish(game: Game) -> None:
    """Come to the end of the deal somehow."""
    while game.phase not in {IDLE, COUNTING, MATCH_OVER}:
        if game.demands:
            game.fulfil()
        else:
            game.play(game.turn, game.legal_moves(game.turn)[0])
