"""Who may speak up out of turn, and each chance once."""

from __future__ import annotations

from collections.abc import Sequence

from dispenser.rules import Game
from dispenser.rules.engine.events import Event, What
from dispenser.rules.engine.moves import Move


class Turns:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._let_go: set[tuple[int, Move]] = set()
        """Chances to speak up that a seat has let go by."""

    def chances(self, seat: int) -> tuple[Move, ...]:
        """What a seat may do now though it is not in turn. Each chance comes once: whoever lets it go by, has."""
        if seat == self._game.turn and not self._game.demand:
            return ()
        chances = tuple(move for move in self._game.legal_moves(seat) if (seat, move) not in self._let_go)
        self._let_go.update((seat, move) for move in chances)
        return chances

    def heed(self, happened: Sequence[Event]) -> None:
        """A card that was laid brings new chances."""
        if any(event.what is What.LAID for event in happened):
            self._let_go.clear()
