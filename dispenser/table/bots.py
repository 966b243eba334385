"""Decide what bots do: their moves, what they overlook, who reacts first.

Pure: all chance comes from the ``random`` argument.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random
from typing import Final

from dispenser.rules import Game
from dispenser.rules.bots import sensible_bot
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.observation import Observation
from dispenser.table.match import Turns

OVERLOOKS: Final = {Act.ANNOUNCE: 0.3, Act.RETRACT: 0.3, Act.CATCH: 0.4, Act.CATCH_RETRACT: 0.4, Act.JUMP_IN: 0.4}
"""Probability that a bot forgets an announcement or misses a chance to act: people are not always attentive either."""


def takes_its_turn(game: Game, random: Random) -> Move:
    """Return the move of the bot in turn, which must move even if it overlooks everything."""
    seat = game.turn
    legal = game.legal_moves(seat)
    noticed = _noticed(legal, random) or legal
    return _wanted(game, seat, noticed, random) or random.choice(noticed)


def move_out_of_turn(game: Game, turns: Turns, seat: int, random: Random) -> Move | None:
    """Return the move of a bot that is not in turn, or ``None``; each chance is offered to it once."""
    noticed = _noticed(turns.chances(seat), random)
    return _wanted(game, seat, noticed, random) if noticed else None


def order_of_reaction(game: Game, people: Collection[int], random: Random) -> list[int]:
    """Return all seats in order of reaction: bots that forgot to announce, then people, then other bots.

    Bots are in random order, as who is fastest is chance.
    """
    others = [seat for seat in range(game.seats) if seat not in people]
    bots = random.sample(others, len(others))
    forgetful = [seat for seat in bots if seat in game.state.exposed]
    return list(dict.fromkeys((*forgetful, *people, *bots)))


def _noticed(moves: Sequence[Move], random: Random) -> list[Move]:
    return [move for move in moves if random.random() >= OVERLOOKS.get(move.act, 0.0)]


def _wanted(game: Game, seat: int, noticed: list[Move], random: Random) -> Move | None:
    return sensible_bot(Observation(game.state, seat, lambda _: noticed), random)
