"""Rules of five shedding games: pure functions of state and move, no I/O, no clock.

>>> from dispenser.rules import new_game
>>> game = new_game("uno", seats=3, seed=7)
>>> events = game.begin()
>>> game.turn, len(game.legal_moves(game.turn)) > 0
(1, True)
"""

from __future__ import annotations

from dispenser.rules.engine.errors import IllegalMove, OptionError, RecordError, RulesError
from dispenser.rules.engine.game import Game
from dispenser.rules.record import from_json, to_json
from dispenser.rules.registry import GAMES, new_game

__all__ = [
    "GAMES",
    "Game",
    "IllegalMove",
    "OptionError",
    "RecordError",
    "RulesError",
    "from_json",
    "new_game",
    "to_json",
]
