"""The bots at the table: what they do in turn, and what they notice of what they could say out of turn."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from dispenser.rules import Game
from dispenser.rules.bots import sensible_bot
from dispenser.rules.engine.moves import Act, Move
from dispenser.rules.engine.observation import Observation

OVERLOOKS: Final = {Act.ANNOUNCE: 0.3, Act.RETRACT: 0.3, Act.CATCH: 0.4, Act.CATCH_RETRACT: 0.4, Act.JUMP_IN: 0.4}
"""How often a bot forgets to say something or misses a chance: nobody at a table is always attentive."""


class Company:
    """Bots who have played a few evenings, on any seat."""

    def __init__(self, game: Game, random: Random) -> None:
        self._game = game
        self._random = random

    def in_turn(self, seat: int) -> Move:
        """What the bot of a seat does in its turn."""
        legal = self._game.legal_moves(seat)
        noticed = self._noticed(legal) or legal
        return self._wanted(seat, noticed) or self._random.choice(noticed)

    def speaks_up(self, seat: int, chances: Sequence[Move]) -> Move | None:
        """What it does out of turn, if it notices a chance and wants to take it."""
        noticed = self._noticed(chances)
        return self._wanted(seat, noticed) if noticed else None

    def shuffled(self, seats: Sequence[int]) -> list[int]:
        """Who is quicker at a table is chance."""
        return self._random.sample(seats, len(seats))

    def _wanted(self, seat: int, moves: list[Move]) -> Move | None:
        return sensible_bot(Observation(self._game.state, seat, lambda _: moves), self._random)

    def _noticed(self, moves: Sequence[Move]) -> list[Move]:
        """The moves, but what a bot forgets or misses."""
        return [move for move in moves if self._random.random() >= OVERLOOKS.get(move.act, 0.0)]
