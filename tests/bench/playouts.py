"""Random playouts, ours and those of RLCard, each counted in moves of players."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from dispenser.rules import Game, new_game
from dispenser.rules.engine.phases import IN_ROUND, MATCH_OVER

SEATS = 4
ASK_ALL_EVERY = 8
"""Every so many moves all seats are asked what they may do, as a table does; else the one in turn."""

Playout = Callable[[int, int], tuple[int, int]]
"""Plays until at least so many moves are made, from that seed: (moves of players, nanoseconds)."""


def ours(game_id: str) -> Playout:
    """Whole rounds, full rules, events and undo on; what the launcher lets out comes from the game's own stream."""

    def play(moves: int, seed: int) -> tuple[int, int]:
        random = Random(seed)
        made, begin = 0, time.perf_counter_ns()
        game = new_game(game_id, SEATS, seed=seed)
        while made < moves:
            if game.phase is MATCH_OVER:
                game = new_game(game_id, SEATS, seed=seed + made)
            game.begin()
            made += _round(game, random)
        return made, time.perf_counter_ns() - begin

    return play


def _round(game: Game, random: Random) -> int:
    figure, state = random.random, game.state
    made = 0
    while state.demands:
        game.fulfil_by_chance()
    while state.phase in IN_ROUND:
        if made % ASK_ALL_EVERY:
            seat = state.turn
        else:
            actors = game.actors()
            seat = actors[int(figure() * len(actors))]
        moves = game.legal_moves(seat)
        game.play(seat, moves[int(figure() * len(moves))])
        made += 1
        while state.demands:
            game.fulfil_by_chance()
    return made


def rlcard_uno(moves: int, seed: int) -> tuple[int, int]:
    """RLCard's ``uno``, its raw game without the environment around it."""
    from numpy.random import RandomState
    from rlcard.games.uno import Game as RlcardUno

    random = Random(seed)
    made, begin = 0, time.perf_counter_ns()
    game = RlcardUno(num_players=SEATS)
    game.np_random = RandomState(seed)
    while made < moves:
        game.init_game()
        while not game.is_over():
            legal = game.get_legal_actions()
            game.step(legal[int(random.random() * len(legal))])
            made += 1
    return made, time.perf_counter_ns() - begin
