"""Decide what bots do: their moves, what they overlook, who reacts first.

Pure: what they do by chance comes from the ``random`` that is given.
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
"""How often a bot forgets to say something or misses a chance: nobody at a table is always attentive."""


def takes_its_turn(game: Game, random: Random) -> Move:
    """What the bot in turn does; it must do something, whatever it has noticed."""
    seat = game.turn
    legal = game.legal_moves(seat)
    noticed = _noticed(legal, random) or legal
    return _wanted(game, seat, noticed, random) or random.choice(noticed)


def speaks_up(game: Game, turns: Turns, seat: int, random: Random) -> Move | None:
    """What the bot on ``seat``, which is not in turn, does of its chances; each of them comes to it once."""
    noticed = _noticed(turns.chances(seat), random)
    return _wanted(game, seat, noticed, random) if noticed else None


def in_order_of_speaking(game: Game, people: Collection[int], random: Random) -> list[int]:
    """All seats: first the bots that forgot to say it, then the people, then the other bots.

    Who is quicker at a table is chance.
    """
    others = [seat for seat in range(game.seats) if seat not in people]
    bots = random.sample(others, len(others))
    forgetful = [seat for seat in bots if seat in game.state.exposed]
    return list(dict.fromkeys((*forgetful, *people, *bots)))


def _noticed(moves: Sequence[Move], random: Random) -> list[Move]:
    return [move for move in moves if random.random() >= OVERLOOKS.get(move.act, 0.0)]


def _wanted(game: Game, seat: int, noticed: list[Move], random: Random) -> Move | None:
    return sensible_bot(Observation(game.state, seat, lambda _: noticed), random)
