"""``GameFolder``: what the registry needs of a game."""

from __future__ import annotations

from dataclasses import dataclass

from dispenser.rules.book import GameBook
from dispenser.rules.engine.rules import Rules
from dispenser.rules.games.judge import Judge


@dataclass(frozen=True, slots=True)
class GameFolder:
    """The parts of one game.

    :ivar rules: the game itself.
    :ivar book: its rules in words, and its options.
    :ivar judge: rates moves for the sensible bot.
    """

    rules: type[Rules]
    book: GameBook
    judge: type[Judge]

    @property
    def game_id(self) -> str:
        """The game's name in commands and files."""
        return self.book.id
